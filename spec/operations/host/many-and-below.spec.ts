import { expect } from 'chai'
import { Forbidden, Invalid, NotFound } from '../../../plugin/index.js'
import { countStatements } from '../../support/count-statements.js'
import { withFurnished } from '../../support/furnished.js'
import { errorOf } from '../../support/house.js'

describe('records of the host, many at a time and below others', () => {
  const { database, furnished } = withFurnished()
  const messageOf = async (work: () => Promise<unknown>) => {
    const error = await errorOf((async () => work())())
    return `${error.name}: ${error.message}`
  }

  it('are created as one batch, with a result for each', async () => {
    const { itsm, ada } = await furnished()
    const records = itsm.as(ada)
    const results = await records.createMany('site', [
      { name: 'North' },
      { city: 'Nowhere' },
      { name: 'North' },
      { name: 'South', nmae: 'x' },
      { name: 'West' },
    ])
    expect(results.map(({ id }) => id !== null)).to.deep.equal([true, false, false, false, true])
    expect((await records.read('site', Number(results[4]?.id)))['name']).to.equal('West')
    const errors = results.flatMap(({ error }) => error ?? [])
    expect(errors.every((error) => error instanceof Invalid)).to.equal(true)
    expect(errors.map(({ message }) => message)).to.deep.equal([
      "Validation Failed: 'name' can't be blank",
      "Validation Failed: 'name' has already been taken",
      "Validation Failed: 'nmae' is not a known field; did you mean 'name'?",
    ])
    expect(await records.createMany('site', [])).to.deep.equal([])
  })

  it('cost the statements of one', async () => {
    const { itsm, ada } = await furnished()
    const records = itsm.as(ada)
    const sites = (from: number, count: number) => Array.from({ length: count }, (_, index) => ({ name: `S ${from + index}` }))
    await records.createMany('site', sites(1, 2))
    const statements = countStatements(database.knex)
    const few = await statements.during(() => records.createMany('site', sites(100, 2)))
    const many = await statements.during(() => records.createMany('site', sites(200, 50)))
    expect(many).to.equal(few)
  })

  it('are refused one by one where the person may not create them', async () => {
    const { itsm, system } = await furnished()
    const cas = Number((await system.create('person', { name: 'Cas', primary_email: 'cas@acme.example' }))['id'])
    const [denied] = await itsm.as(cas).createMany('site', [{ name: 'Not his' }])
    expect(denied?.error).to.be.instanceOf(Forbidden)
    const unseen = itsm.as(cas).createMany('contact', [{ uri: 'x' }], { type: 'person', id: 999_999 })
    expect(await errorOf(unseen)).to.be.instanceOf(NotFound)
  })

  it('survive the failure of a hook for one of them', async () => {
    const boom = ({ next, type }: { readonly next: { name?: unknown }; readonly type: string }) => {
      if (next.name === 'Boom') throw new Error(`no ${type}`)
    }
    const { itsm, ada } = await furnished({ before: { 'site.save': [boom as never] } })
    const results = await itsm.as(ada).createMany('site', [{ name: 'Fine' }, { name: 'Boom' }, { name: 'Fine too' }])
    expect(results.map(({ error }) => error?.message ?? null)).to.deep.equal([
      null,
      "The host's before hook of site.save failed: no site",
      null,
    ])
    const { items } = await itsm.as(ada).list('site', { sort: '-id', per_page: 2, fields: 'name' })
    expect(items.map(({ name }) => name)).to.deep.equal(['Fine too', 'Fine'])
  })

  it('show secrets once', async () => {
    const { itsm, ada } = await furnished()
    const [made] = await itsm
      .as(ada)
      .createMany('webhook', [{ event: 'request.create', uri: 'https://h.example/', secret: true }])
    expect(made?.error).to.equal(null)
    expect(String(made && 'shownOnce' in made && made.shownOnce?.['secret'])).to.match(/^whsec_/)
  })

  it('are created, listed and removed below their owner', async () => {
    const { itsm, ada } = await furnished()
    const records = itsm.as(ada)
    const owner = { type: 'person', id: ada } as const
    const contacts = [
      { label: 'work', protocol: 'telephone', uri: '+31 20 1' },
      { label: 'home', protocol: 'telephone', uri: '+31 20 2' },
      { label: 'mars', protocol: 'telephone', uri: '+31 20 3' },
    ]
    const results = await records.createMany('contact', contacts, owner)
    expect(results.map(({ error }) => error?.name ?? null)).to.deep.equal([null, null, 'Invalid'])
    const numbers = async () =>
      (await records.list('contact', { within: { person: ada }, sort: 'id' })).items.map(({ telephone }) => telephone)
    expect(await numbers()).to.deep.equal(['+31 20 1', '+31 20 2'])
    const [first] = results
    expect(await errorOf(records.remove('contact', Number(first?.id), { type: 'person', id: 999_999 }))).to.be.instanceOf(
      NotFound,
    )
    await records.remove('contact', Number(first?.id), owner)
    expect(await numbers()).to.deep.equal(['+31 20 2'])
    await records.removeAll('contact', owner)
    expect(await numbers()).to.deep.equal([])
  })

  it('are listed below a record by parts, links and children, with filters and predefined lists', async () => {
    const { itsm, system, ada } = await furnished()
    const team = await system.create('team', { name: 'Desk', member_ids: [ada] })
    const site = await system.create('site', { name: 'Here' })
    await system.update('person', ada, { site_id: site['id'] })
    const body = { subject: 'Help', category: 'other', requested_by_id: ada, requested_for_id: ada, team_id: team['id'] }
    const request = await system.create('request', { ...body, note: 'in words' })
    await system.create('request', { ...body, note: 'another' })
    const records = itsm.as(ada)
    const texts = async (query: object) =>
      (await records.list('note', query as Parameters<typeof records.list>[1])).items.map(({ text }) => text)
    expect(await texts({ within: { request: request['id'] } })).to.deep.equal(['in words'])
    expect(await texts({ within: { type: 'request', id: request['id'], path: 'notes' }, per_page: 1 })).to.have.length(1)
    const members = await records.list('person', { within: { team: Number(team['id']) }, fields: 'name' })
    expect(members.items).to.deep.equal([{ id: ada, name: 'Ada' }])
    expect((await records.list('person', { within: { site: Number(site['id']) } }, 'enabled')).totalEntries).to.equal(1)
    expect((await records.list('person', { within: { site: Number(site['id']) } }, 'disabled')).totalEntries).to.equal(0)
    expect(await errorOf(records.list('note', { within: { request: 999_999 } }))).to.be.instanceOf(NotFound)
  })

  it('are refused with what is wrong', async () => {
    const { itsm, ada } = await furnished()
    const records = itsm.as(ada) as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>
    const said = (name: string, ...args: unknown[]) => messageOf(async () => records[name]?.(...args))
    expect(await said('createMany', 'site', { name: 'x' })).to.equal(
      'TypeError: The bodies of a site must be an array, not an object',
    )
    expect(await said('createMany', 'site', [{ name: 'x' }, null])).to.equal(
      'TypeError: The body of a site must be an object, not null',
    )
    expect(await said('createMany', 'site', Array(501).fill({}))).to.equal(
      'RangeError: At most 500 records can be created at a time, not 501',
    )
    expect(await said('createMany', 'sit', [])).to.match(/^RangeError: There is no record type 'sit'/)
    expect(await said('removeAll', 'contact')).to.equal('TypeError: An owner must be { type, id }, not null')
    const wrong = 'TypeError: within must be { request: 7 }, or { type, id, path? }, not'
    const within = (given: unknown, type = 'person') => said('list', type, { within: given })
    expect(await within({})).to.equal(`${wrong} an object`)
    expect(await within({ team: 1, site: 2 })).to.equal(`${wrong} an object`)
    expect(await within({ type: 'team', id: 1, way: 'members' })).to.equal(`${wrong} an object`)
    expect(await within({ team: '1' })).to.equal("TypeError: The id of a team must be a number, not '1'")
    expect(await within({ tem: 1 })).to.equal("RangeError: There is no record type 'tem'; did you mean 'team'?")
    expect(await within({ request: 1 }, 'site')).to.equal('RangeError: request has no list of sites')
    expect(await within({ type: 'team', id: 1, path: 'membrs' })).to.equal(
      "RangeError: team has no list 'membrs' of people; did you mean 'members'?",
    )
    expect(await within({ task: 1 }, 'task')).to.equal(
      "RangeError: task has several lists of tasks (predecessors, successors); pass { within: { type: 'task', id, path } }",
    )
    expect(await within('team')).to.match(/^BadRequest: .*within/)
    expect(await within(null)).to.equal("TypeError: The parameter 'within' must be a text, a number or a boolean, not null")
  })

  it('are those of a person whom source and source ID name', async () => {
    const { itsm, system } = await furnished()
    const bea = await system.create('person', { name: 'Bea', primary_email: 'bea@acme.example', source: 'hr', sourceID: 'É-7' })
    const nameOf = async (key: unknown, options = {}) =>
      (await itsm.as(key as never, options).read('person', Number(bea['id'])))['name']
    expect(await nameOf({ source: 'hr', sourceID: 'É-7' })).to.equal('Bea')
    expect(await nameOf({ source: 'hr', sourceID: 'É-7', account: 'acme' })).to.equal('Bea')
    const missed = (key: object) => messageOf(() => nameOf(key))
    expect(await missed({ source: 'hr', sourceID: 'e-7' })).to.equal(
      'RangeError: as({ … }): there is no enabled person with the source hr and the source ID e-7',
    )
    expect(await missed({ source: 'hr', sourceID: 'É-7', account: 'globex' })).to.match(/in the account 'globex'$/)
    for (const key of [
      { source: 'hr' },
      { source: 'hr', sourceID: 7 },
      { source: 'h\0r', sourceID: '7' },
      { id: 'x', source: 'a', sourceID: 'b' },
    ])
      expect(await missed(key)).to.match(/^TypeError: as\({ … }\): A person must be { id }/)
    await itsm.accounts.put({ id: 'globex', name: 'Globex' })
    const globex = itsm.asSystem('the specs', 'globex')
    await globex.create('person', { name: 'Bo', primary_email: 'bo@globex.example', source: 'hr', sourceID: 'É-7' })
    expect(await missed({ source: 'hr', sourceID: 'É-7' })).to.match(
      /people of several accounts \(acme, globex\) have .*; pass \{ source, sourceID, account \}$/,
    )
    expect(await nameOf({ source: 'hr', sourceID: 'É-7' }, { account: 'acme' })).to.equal('Bea')
  })

  it('are handled strictly where the host asks for that', async () => {
    const { itsm, ada } = await furnished()
    const body = { name: 'Strictly', created_at: '2020-01-01T00:00:00Z' }
    for (const records of [itsm.as(ada, { strict: true }), itsm.asSystem('spec', 'acme', { strict: true })]) {
      expect(await messageOf(() => records.create('site', body))).to.include("'created_at'")
      expect(await messageOf(() => records.strict.create('site', body))).to.include("'created_at'")
      const [result] = await records.createMany('site', [body])
      expect(result?.error).to.be.instanceOf(Invalid)
    }
    expect((await itsm.as(ada, { strict: false }).create('site', body))['name']).to.equal('Strictly')
    const options = (given: unknown) => () => itsm.as(ada, given as never)
    expect(options({ strcit: true })).to.throw(TypeError, "as: there is no option 'strcit'; did you mean 'strict'?")
    expect(options({ strict: 'yes' })).to.throw(TypeError, "as: strict must be true or false, not 'yes'")
    expect(options(7)).to.throw(TypeError, 'as: the options must be { account, strict, transaction } or absent, not 7')
    expect(() => itsm.asSystem('spec', 'acme', { account: 'acme' } as never)).to.throw(
      TypeError,
      "asSystem: there is no option 'account'",
    )
  })
})
