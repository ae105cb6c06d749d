import { Readable } from 'node:stream'
import { expect } from 'chai'
import { BadRequest, Forbidden, Invalid, NotFound } from '../../../plugin/index.js'
import { withFurnished } from '../../support/furnished.js'
import { errorOf, refusalOf } from '../../support/house.js'

describe('a plugin that the host itself calls', () => {
  const { furnished } = withFurnished()

  it('refuses misspelt fields, and says what was meant', async () => {
    const { itsm, system, ada } = await furnished()
    for (const records of [itsm.as(ada), itsm.as(ada).strict, system]) {
      const error = (await errorOf(records.create('site', { nmae: 'x', colour: 'red', time_zone: 'Mars' }))) as Invalid
      expect(error).to.be.instanceOf(Invalid)
      expect(error.violations).to.deep.include.members([
        ['nmae', 'unknown_field', { near: 'name' }],
        ['colour', 'unknown_field'],
        ['name', 'blank'],
        ['time_zone', 'inclusion'],
      ])
      expect(error.message).to.match(/^Validation Failed: /)
      for (const part of [
        "'nmae' is not a known field; did you mean 'name'?",
        "'colour' is not a known field",
        "'name' can't be blank",
      ]) {
        expect(error.message).to.include(part)
      }
    }
    const contact = { label: 'work', protocol: 'email', url: 'ada@acme.example' }
    const nested = (await errorOf(itsm.as(ada).update('person', ada, { contacts_attributes: [contact] }))) as Invalid
    expect(nested.violations).to.deep.include(['contacts_attributes.url', 'unknown_field', { near: 'uri' }])
    const person = itsm.as(ada).update('person', ada, { manager_di: ada })
    expect(((await errorOf(person)) as Invalid).violations).to.deep.equal([
      ['manager_di', 'unknown_field', { near: 'manager_id' }],
    ])
    const whole = { name: 'Hours', calendar_hours: [{ weekday: 'mon', time_from: '09:00', time_till: '17:00' }] }
    expect(((await errorOf(itsm.as(ada).create('calendar', whole))) as Invalid).violations).to.deep.include([
      'calendar_hours.time_till',
      'unknown_field',
    ])
  })

  it('passes over what cannot be set, or refuses it where the host wants that', async () => {
    const { itsm, system, ada } = await furnished()
    const { id } = await itsm.as(ada).create('site', { name: 'Lenient', created_at: '2020-01-01T00:00:00Z' })
    expect(await refusalOf(system.strict.update('site', Number(id), { id: 4 }))).to.deep.equal([['id', 'cannot_be_set']])
    const readOnly = itsm.as(ada).update('site', Number(id), { created_at: '2020-01-01T00:00:00Z' })
    expect(await errorOf(readOnly)).to.be.instanceOf(Forbidden)
    expect(await system.update('site', Number(id), { id: 4 })).to.include({ name: 'Lenient' })
    expect(await refusalOf(itsm.as(ada).strict.list('site', { fields: 'colour' }))).to.deep.equal([['colour', 'unknown_field']])
  })

  it('counts the active minutes of a calendar', async () => {
    const { itsm, ada } = await furnished()
    const calendar_hours = [{ weekday: 'mon', time_from: '09:00', time_until: '17:00' }]
    const { id } = await itsm.as(ada).create('calendar', { name: 'Mondays', calendar_hours })
    const start = new Date('2026-11-23T00:00:00Z')
    expect(await itsm.as(ada).duration(Number(id), { start, end: '2026-11-24T00:00:00Z' })).to.equal(480)
    const span = { start, end: '2026-11-23T08:30:59Z', time_zone: 'Amsterdam' }
    expect(await itsm.asSystem('count', 'acme').duration(Number(id), span)).to.equal(30)
    expect(await errorOf(itsm.as(ada).duration(999_999, span))).to.be.instanceOf(NotFound)
    const missing = await errorOf(itsm.as(ada).duration(Number(id), { start } as never))
    expect(missing).to.be.instanceOf(BadRequest).with.property('message', "Parameter 'end' is required")
  })

  it('refuses arguments of the wrong kind, by name', async () => {
    const { itsm, ada } = await furnished()
    const records = itsm.as(ada) as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>
    const said = async (name: string, ...args: unknown[]) => {
      const error = await errorOf(records[name]?.(...args) ?? Promise.resolve())
      return `${error.name}: ${error.message}`
    }
    expect(await said('create', 'requst', {})).to.equal("RangeError: There is no record type 'requst'; did you mean 'request'?")
    expect(await said('duration', '12ab', {})).to.equal("TypeError: The id of a calendar must be a number, not '12ab'")
    expect(await said('duration', 12, null)).to.equal('TypeError: A span must be { start, end }, not null')
    expect(await said('duration', 12, { start: new Date(Number.NaN) })).to.equal('RangeError: Invalid time value')
    for (const [given, shown] of [
      ['subject=x', "'subject=x'"],
      [[], 'an empty list'],
      [null, 'null'],
    ]) {
      const message = `TypeError: The parameters of an event must be an object, not ${shown}`
      expect(await said('submitEvent', given)).to.equal(message)
    }
    expect(await said('list', 'peopel')).to.equal("RangeError: There is no record type 'peopel'")
    expect(await said('create', 'site', null)).to.equal('TypeError: The body of a site must be an object, not null')
    expect(await said('create', 'site', [{ name: 'x' }])).to.equal(
      'TypeError: The body of a site must be an object, not a list',
    )
    for (const name of ['read', 'update', 'remove']) {
      expect(await said(name, 'site', '12ab', {})).to.equal("TypeError: The id of a site must be a number, not '12ab'")
    }
    expect(await said('read', 'site', Number.NaN)).to.equal('TypeError: The id of a site must be a number, not NaN')
    expect(await said('read', 'note', 5, 17)).to.equal('TypeError: An owner must be { type, id }, not 17')
    expect(await said('read', 'site', 5, undefined, ['custom_field'])).to.equal(
      "RangeError: site has no field 'custom_field'; did you mean 'custom_fields'?",
    )
    expect(await said('list', 'request', {}, 'opne')).to.equal("RangeError: request has no list 'opne'; did you mean 'open'?")
    expect(await said('list', 'request', { status: undefined })).to.equal(
      "TypeError: The parameter 'status' must be a text, a number or a boolean, not undefined",
    )
    expect(await said('list', 'request', { statsu: 'open' })).to.match(/^BadRequest: .*statsu/)
    expect(await said('link', { type: 'team', id: 1 }, 'membrs', ada)).to.equal(
      "RangeError: team has no links 'membrs'; did you mean 'members'?",
    )
    expect(await said('link', undefined, 'members', ada)).to.equal('TypeError: An owner must be { type, id }, not null')
    expect(await said('unlink', { type: 'team', id: 1 }, 'members', '17')).to.equal(
      "TypeError: The id of a linked record must be a number, not '17'",
    )
    expect(await said('list', 'request', null)).to.equal('TypeError: The parameters of a list must be an object, not null')
    expect(await said('list', Object.create(null))).to.match(/^RangeError: There is no record type 'an object'/)
    expect(await said('link', { type: 'team', id: 1 }, Object.create(null), ada)).to.equal(
      'RangeError: team has no links an object',
    )
    const stream = (...pieces: unknown[]) => ({ [Symbol.asyncIterator]: () => pieces[Symbol.iterator]() })
    for (const [file, reason] of [
      [undefined, 'A file must be { name, content }, not undefined'],
      [{ content: stream() }, 'The name of a file must be a text, not undefined'],
      [{ name: 'a.txt', type: 7, content: stream() }, 'The type of a file must be a text, not 7'],
      [{ name: 'a.txt' }, 'The content of a file must be a stream or a list of byte arrays, not undefined'],
      [{ name: 'a.txt', content: 'x' }, "The content of a file must be a stream or a list of byte arrays, not 'x'"],
      [
        { name: 'a.txt', content: Buffer.from('x') },
        'The content of a file must be a stream or a list of byte arrays, not a single one: pass [bytes]',
      ],
      [{ name: 'a.txt', content: stream('x') }, "The content of a file must come as bytes, not 'x'"],
      [{ name: 'a.txt', content: [null] }, 'The content of a file must come as bytes, not null'],
    ] as const) {
      expect(await said('upload', file)).to.equal(`TypeError: ${reason}`)
    }
    expect(await itsm.as(ada).upload({ name: 'a.txt', content: Readable.from([Buffer.from('x')]) })).to.include({ size: 1 })
    const as = itsm.as as unknown as (...args: unknown[]) => unknown
    for (const [wish, shown] of [
      [null, 'null'],
      ['acme', "'acme'"],
    ]) {
      expect(() => as(ada, wish)).to.throw(
        TypeError,
        `as: the options must be { account, strict, transaction } or absent, not ${shown}`,
      )
    }
    expect(() => as(ada, { acount: 'globex' })).to.throw(TypeError, "as: there is no option 'acount'; did you mean 'account'?")
    expect(() => as(ada, { account: Object.create(null) })).to.throw(TypeError, 'as: the account must be the id of one')
  })

  it('makes, lists and revokes personal tokens, and names what is wrong', async () => {
    const { itsm, ada } = await furnished()
    const said = async (work: Promise<unknown>) => {
      const error = await errorOf(work)
      return `${error.name}: ${error.message}`
    }
    const expiresAt = new Date(Date.now() + 3600_000)
    const made = await itsm.tokens.create(ada, { name: 'agent', readOnly: true, recordTypes: ['request'], expiresAt })
    expect(made).to.include({ name: 'agent', read_only: true })
    expect(made.token).to.match(/^itsm_pat_[0-9A-Za-z]{36}$/)
    const { token: _, ...shown } = made
    expect(await itsm.tokens.list(ada)).to.deep.equal([shown])
    expect(await said(itsm.tokens.create(99_999, { name: 'x' }))).to.equal(
      'RangeError: tokens.create: there is no enabled person with the id 99999',
    )
    expect(await said(itsm.tokens.create(ada, { name: '', recordTypes: ['requests'] }))).to.equal(
      "RangeError: tokens.create: 'name' can't be blank, 'recordTypes' is not included in the list",
    )
    for (const [wrong, message] of [
      [{ name: 'x', readonly: true }, "TypeError: tokens.create: there is no option 'readonly'; did you mean 'readOnly'?"],
      [{ name: 'x', expiresAt: '2030' }, "TypeError: tokens.create: expiresAt must be a Date, not '2030'"],
      [null, 'TypeError: tokens.create: the token must be { name, … }, not null'],
    ] as const)
      expect(await said(itsm.tokens.create(ada, wrong as never))).to.equal(message)
    expect(await said(itsm.tokens.revoke(ada, made.id + 1))).to.match(/^RangeError: tokens.revoke: the person \d+ has no token/)
    expect(await said(itsm.tokens.revoke(ada, 'x' as never))).to.match(/^TypeError: tokens.revoke: the token must be its id/)
    await itsm.tokens.revoke(ada, made.id)
    expect(await itsm.tokens.list(ada)).to.deep.equal([])
  })

  it('makes, lists and revokes OAuth clients', async () => {
    const { itsm, ada } = await furnished()
    const made = await itsm.oauthClients.create(ada, { name: 'agent', readOnly: true, recordTypes: ['request'] })
    expect(made).to.deep.include({ name: 'agent', read_only: true, record_types: ['request'], last_used_at: null })
    expect(made.client_secret).to.match(/^itsm_ocs_[0-9A-Za-z]{36}$/)
    const { client_secret: _, ...shown } = made
    expect(await itsm.oauthClients.list(ada)).to.deep.equal([shown])
    const wrong = await errorOf(itsm.oauthClients.create(ada, { name: 'x', expiresAt: new Date() } as never))
    expect(wrong.message).to.equal("oauthClients.create: there is no option 'expiresAt'")
    expect((await errorOf(itsm.oauthClients.revoke(ada, made.id + 1))).message).to.match(/ has no client with the id \d+$/)
    await itsm.oauthClients.revoke(ada, made.id)
    expect(await itsm.oauthClients.list(ada)).to.deep.equal([])
  })

  it('gives passwords, tokens, roles and trust only to people and accounts that there are', async () => {
    const { itsm, ada } = await furnished()
    const said = async (work: Promise<unknown>) => {
      const error = await errorOf(work)
      return `${error.name}: ${error.message}`
    }
    const { apiToken, setPassword } = itsm.credentials
    for (const [id, shown] of [
      [`${ada}ab`, `'${ada}ab'`],
      [null, 'null'],
      [undefined, 'undefined'],
      [1.5, '1.5'],
    ] as const) {
      const wrong = id as never
      expect(await said(apiToken(wrong))).to.equal(`TypeError: apiToken: the person must be the id of a record, not ${shown}`)
      expect(await said(setPassword(wrong, 'long enough'))).to.match(
        /^TypeError: setPassword: the person must be the id of a record/,
      )
    }
    expect(await said(apiToken(99_999))).to.equal('RangeError: apiToken: there is no person with the id 99999')
    expect(await said(setPassword(99_999, null))).to.equal('RangeError: setPassword: there is no person with the id 99999')
    for (const password of [undefined, 7, ['long enough']]) {
      expect(await said(setPassword(ada, password as never))).to.equal(
        'TypeError: setPassword: the password must be a text or null',
      )
    }
    const account = {} as never
    const reason = 'TypeError: The account must be an id, a text, not an object'
    for (const work of [itsm.accounts.find(account), itsm.accounts.trust('acme', account), itsm.grant(ada, account, [])]) {
      expect(await said(work)).to.equal(reason)
    }
  })

  it('acts as a person, with its permissions as they are at that moment', async () => {
    const { itsm, system } = await furnished()
    const bea = Number((await system.create('person', { name: 'Bea', primary_email: 'bea@acme.example' }))['id'])
    const desk = itsm.as({ email: 'bea@acme.example' })
    expect(await errorOf(desk.create('team', { name: 'Team of Bea' }))).to.be.instanceOf(Forbidden)
    await itsm.grant(bea, 'acme', ['account_administrator'])
    const team = await desk.create('team', { name: 'Team of Bea', member_ids: [bea] })
    expect((await desk.list('request', { status: '!completed', per_page: 5 }, 'open')).items).to.deep.equal([])
    await desk.unlink({ type: 'team', id: Number(team['id']) }, 'members', bea)
    await desk.link({ type: 'team', id: Number(team['id']) }, 'members', bea)
    expect((await desk.read('team', Number(team['id'])))['name']).to.equal('Team of Bea')
    expect((await itsm.as('bea@acme.example').read('team', Number(team['id'])))['name']).to.equal('Team of Bea')
    expect((await errorOf(itsm.as(99_999).list('team'))).message).to.equal(
      'as(99999): there is no enabled person with the id 99999',
    )
    expect(() => itsm.as('')).to.throw(TypeError, "as('')")
  })

  it('refuses an account or a reason that is empty', async () => {
    const { itsm, ada } = await furnished()
    for (const account of ['', ' ', null, undefined] as string[]) {
      expect(() => itsm.asSystem('spec', account), String(account)).to.throw(TypeError, /^asSystem: the account must be the id/)
    }
    expect(() => itsm.as(ada, { account: '' })).to.throw(TypeError, "as: the account must be the id of one, not ''")
    expect(() => itsm.asSystem('', 'acme')).to.throw(TypeError, 'asSystem: the reason must be a text')
    expect((await errorOf(itsm.asSystem('spec', 'acm').list('site'))).message).to.equal("There is no account 'acm'")
  })

  it('gives roles that there are, to people and in accounts that there are', async () => {
    const { itsm, ada } = await furnished()
    const said = async (...args: unknown[]) => (await errorOf(itsm.grant(...(args as Parameters<typeof itsm.grant>)))).message
    expect(await said(ada, 'acme', ['auditr'])).to.equal("grant: there is no role 'auditr'; did you mean 'auditor'?")
    expect(await said(ada, 'acme', 'auditor')).to.equal("grant: the roles must be an array, not 'auditor'")
    expect(await said(ada, '', ['auditor'])).to.equal("grant: there is no account ''")
    expect(await said('ada@acme.example', 'acme', ['auditor'])).to.equal(
      "grant: the person must be the id of a record, not 'ada@acme.example'",
    )
    expect(await said(99_999, 'acme', ['auditor'])).to.equal('grant: there is no person with the id 99999')
  })

  it('acts in another account where the person has a role', async () => {
    const { itsm, ada } = await furnished()
    await itsm.accounts.put({ id: 'globex', name: 'Globex' })
    expect(await errorOf(itsm.as(ada, { account: 'globex' }).list('site'))).to.be.instanceOf(Forbidden)
    await itsm.grant(ada, 'globex', ['account_administrator'])
    await itsm.as(ada, { account: 'globex' }).create('site', { name: 'In Globex' })
    expect((await itsm.asSystem('look', 'globex').list('site')).totalEntries).to.equal(1)
  })

  it('answers with the id alone where the person may save what it cannot see', async () => {
    const { itsm, system, ada } = await furnished()
    const cas = Number((await system.create('person', { name: 'Cas', primary_email: 'cas@acme.example' }))['id'])
    const team = await system.create('team', { name: 'Team for others' })
    const body = { subject: 'for Ada', category: 'other', requested_by_id: ada, requested_for_id: ada, team_id: team['id'] }
    const saved = await itsm.as(cas).create('request', body)
    expect(Object.keys(saved)).to.deep.equal(['id'])
    expect(await system.read('request', Number(saved['id']))).to.include({ subject: 'for Ada' })
  })

  it('removes records where the type offers it', async () => {
    const { itsm, ada } = await furnished()
    const hook = await itsm.as(ada).create('webhook', { event: 'request.create', uri: 'https://hooks.example/' })
    expect(hook['name']).to.equal('request.create')
    await itsm.as(ada).remove('webhook', Number(hook['id']))
    expect((await errorOf(itsm.as(ada).read('webhook', Number(hook['id'])))).name).to.equal('NotFound')
  })

  it('submits events, and explains their mistakes', async () => {
    const { itsm, system, ada } = await furnished()
    await itsm.grant(ada, 'acme', ['specialist'])
    await system.create('team', { name: 'Servers', member_ids: [ada] })
    const downtime_start_at = new Date('2026-11-23T08:00:00Z')
    const event = { subject: 'Disk full', note: '97 %', source: 'Watchdog', downtime_start_at, team: 'Servers' }
    const first = await itsm.as(ada).submitEvent(event)
    expect(first.isNew).to.equal(true)
    expect(first.record).to.include({ subject: 'Disk full', source: 'Watchdog', category: 'other' })
    expect(new Date(String(first.record['downtime_start_at'])).getTime()).to.equal(downtime_start_at.getTime())
    const again = await itsm.as(ada).submitEvent(event)
    expect([again.isNew, again.record['id']]).to.deep.equal([false, first.record['id']])
    // The system is nobody, so that it must name the person.
    expect(await refusalOf(system.submitEvent({ subject: 'Disk full' }))).to.deep.include(['requested_by', 'blank'])
    const named = await system.submitEvent({ ...event, requested_by_id: ada })
    expect(named).to.have.property('isNew', false)
    const misspelled = await errorOf(itsm.as(ada).submitEvent({ ...event, sourceId: 1, colour: 'red' }))
    expect(misspelled)
      .to.be.instanceOf(Invalid)
      .with.property(
        'message',
        "Validation Failed: 'sourceId' is not a known parameter; did you mean 'sourceID'?, 'colour' is not a known parameter",
      )
    const { id } = await system.create('person', { name: 'Uma', primary_email: 'uma@acme.example' })
    const asUma = itsm.as(Number(id))
    expect(await refusalOf(asUma.strict.submitEvent({ ...event, Team: 'x' }))).to.deep.equal([
      ...[
        ['source', 'cannot_be_set'],
        ['downtime_start_at', 'cannot_be_set'],
      ],
      ...[
        ['team', 'cannot_be_set'],
        ['Team', 'unknown_parameter', { near: 'team' }],
      ],
    ])
  })
})
