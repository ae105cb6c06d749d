import { expect } from 'chai'
import { Forbidden, Invalid } from '../../plugin/core/errors.js'
import { textDigest } from '../../plugin/core/text/digest.js'
import { createEventSubmission, type EventSubmission } from '../../plugin/event-submission/event-submission.js'
import { createWords } from '../../plugin/words/words.js'
import { errorOf, withHouse } from '../support/house.js'

describe('events of monitoring tools', () => {
  const house = withHouse()
  let eventSubmission: EventSubmission
  const ids = { desk: 0, servers: 0, tool: 0, sue: 0, uma: 0, ci: 0, bare: 0, instance: 0 }

  before(async () => {
    const { access, catalog, operations, queries, storage, validators } = house
    eventSubmission = createEventSubmission({ access, catalog, operations, queries, storage, validators, words: createWords() })
    ids.tool = await house.addPerson('Tool', ['specialist'])
    ids.sue = await house.addPerson('Sue', ['specialist', 'service_desk_analyst'])
    ids.uma = await house.addPerson('Uma')
    ids.desk = await house.add('team', { name: 'Desk', member_ids: [ids.tool] })
    ids.servers = await house.add('team', { name: 'Servers', member_ids: [ids.sue, ids.tool] })
    const organization = await house.add('organization', { name: 'Acme' })
    const service = await house.add('service', { name: 'Mail', provider_id: organization, support_team_id: ids.servers })
    ids.instance = await house.add('service_instance', { name: 'Mail Europe', service_id: service })
    const category = await house.add('product_category', { group: 'Hardware', name: 'Server', rule_set: 'server' })
    const product = await house.add('product', { brand: 'A', model: 'B', category_id: category, support_team_id: ids.servers })
    const ci = { product_id: product, status: 'in_production' }
    ids.ci = await house.add('ci', { label: 'S1', ...ci, service_instance_ids: [ids.instance] })
    ids.bare = await house.add('ci', { label: 'S2', ...ci })
  })

  const submit = async (parameters: object, person = ids.tool) => {
    const call = await house.by(person)
    const { id, isNew, ignored } = await eventSubmission.submit(call, new Map(Object.entries(parameters)))
    return { id, isNew, ignored, row: (await house.row('request', id)) ?? {} }
  }
  const refused = async (parameters: object, person = ids.tool) => {
    try {
      await submit(parameters, person)
    } catch (error) {
      if (error instanceof Invalid) return error.violations.map(([field, code]) => `${field} ${code}`)
      throw error
    }
    return []
  }
  const notesOf = async (id: number) =>
    (await house.table('notes')).filter((note) => Number(note['owner_id']) === id).map((note) => note['text'])
  const tick = (ms: number) => house.clock.set(new Date(house.clock.now().getTime() + ms).toISOString())
  const DAY = 24 * 60 * 60_000

  it('match requests until 24 hours have passed', async () => {
    const first = await submit({ subject: 'A day', ci: 'S1', source: 'Day' })
    tick(DAY)
    expect(await submit({ subject: 'A day', ci: 'S1', source: 'Day' })).to.include({ id: first.id, isNew: false })
    tick(1_000)
    const second = await submit({ subject: 'A day', ci: 'S1', source: 'Day' })
    expect(second.isNew).to.equal(true)
    tick(5_000)
    expect((await submit({ subject: 'A day', ci: 'S1', source: 'Day' })).id).to.equal(second.id)
  })

  it('match by texts of one line, however their lines end', async () => {
    const said = { subject: 'Disk\r\nfull', ci: 'S1\n', source: 'Two\nlines', sourceID: 'E\r\n1' }
    const first = await submit(said)
    expect(first.row).to.include({ subject: 'Disk full', source: 'Two lines', sourceID: 'E 1' })
    expect(await submit(said)).to.include({ id: first.id, isNew: false })
    expect(await submit({ ...said, subject: 'Disk full', source: 'Two lines' })).to.include({ id: first.id, isNew: false })
  })

  it('match the most recently created request', async () => {
    const body = {
      subject: 'x',
      category: 'incident',
      impact: 'low',
      source: 'Many',
      ci_id: ids.ci,
      service_instance_id: ids.instance,
      team_id: ids.desk,
      requested_by_id: ids.tool,
    }
    await house.add('request', body)
    const last = await house.add('request', body)
    expect(await submit({ subject: 'y', ci: 'S1', source: 'Many' })).to.include({ id: last, isNew: false })
    await house.operations.save(await house.system(), 'request', last, { status: 'completed', completion_reason: 'gone' })
    expect((await submit({ subject: 'y', ci: 'S1', source: 'Many' })).id).to.equal(last - 1)
  })

  it('concern no discontinued service instance of their item, and no disabled team, member or template', async () => {
    const { service_id = 0 } = (await house.row('service_instance', ids.instance)) ?? {}
    const old = await house.add('service_instance', { name: 'Old', service_id, status: 'discontinued' })
    const spare = await house.add('service_instance', { name: 'Spare', service_id })
    const { product_id = 0 } = (await house.row('ci', ids.ci)) ?? {}
    const item = { product_id, status: 'in_production' }
    await house.add('ci', { label: 'S3', ...item, service_instance_ids: [old, spare] })
    await house.add('ci', { label: 'S4', ...item, service_instance_ids: [old] })
    expect((await submit({ subject: 'Third', ci: 'S3' })).row['service_instance_id']).to.equal(spare)
    expect((await submit({ subject: 'Fourth', ci: 'S4' })).row).to.include({ service_instance_id: null, category: 'other' })
    await house.add('team', { name: 'Gone', disabled: true })
    const gone = await house.addPerson('Gone', ['specialist'], { disabled: true })
    const template_id = await house.add('request_template', { subject: 'Gone', category: 'other', disabled: true })
    const { id, row } = await submit({ subject: 'Gone', team: 'Gone', member_id: gone, template_id, requested_by_id: gone })
    expect(row).to.include({ member_id: null, template_id: null, requested_by_id: ids.tool })
    expect(await notesOf(id)).to.deep.equal([
      'Member is disabled (member_id: ' +
        `${gone})\nRequested by is disabled (requested_by_id: ${gone})\nTeam is disabled (team: Gone)\n` +
        `Template is disabled (template_id: ${template_id})`,
    ])
  })

  it('match although the category has no service instance', async () => {
    const first = await submit({ subject: 'z', category: 'other', ci: 'S1', source: 'Other' })
    expect(first.row).to.include({ service_instance_id: null, ci_id: ids.ci })
    expect(await submit({ subject: 'z', category: 'other', ci: 'S1', source: 'Other' })).to.include({
      id: first.id,
      isNew: false,
    })
    const bare = await submit({ subject: 'z', ci: 'S2', source: 'Other' })
    expect(bare.row['category']).to.equal('other')
    expect((await submit({ subject: 'z', ci: 'S2', source: 'Other' })).id).to.equal(bare.id)
  })

  it('without a note match requests that were created without one', async () => {
    const first = await submit({ subject: 'No note' })
    tick(2_000)
    await house.operations.save(await house.by(ids.sue), 'request', first.id, { note: 'Looking into it.' })
    tick(2_000)
    expect(await submit({ subject: 'No note' })).to.include({ id: first.id, isNew: false })
    // Also one that was added in the same second.
    const second = await submit({ subject: 'No note', source: 'Same second' })
    await house.operations.save(await house.by(ids.sue), 'request', second.id, { note: 'Looking into it.' })
    expect((await submit({ subject: 'No note', source: 'Same second' })).id).to.equal(second.id)
    for (let number = 0; number < 250; number += 1) await submit({ subject: 'No note', note: `With note ${number}` })
    expect((await submit({ subject: 'No note' })).id).to.equal(first.id)
  }).timeout(60_000)

  it('with a note match requests that were created with it, also by people and with the note of a template', async () => {
    const team = { category: 'other', source: 'event', team_id: ids.desk }
    const byHand = async (body: object) => (await house.operations.save(await house.by(ids.tool), 'request', null, body))['id']
    const id = await byHand({ ...team, subject: 'By hand', note: 'a\r\nb ' })
    expect(await submit({ subject: 'By hand', note: 'a\nb' })).to.include({ id, isNew: false })
    await house.operations.save(await house.by(ids.sue), 'request', Number(id), { note: 'Later.', internal_note: 'Mine.' })
    expect((await submit({ subject: 'By hand', note: 'Later.' })).isNew).to.equal(true)
    expect((await submit({ subject: 'By hand', note: 'Mine.' })).isNew).to.equal(true)
    const template_id = await house.add('request_template', { subject: 'Fax', category: 'other', note: 'How?' })
    const fax = await byHand({ ...team, subject: 'Fax', template_id })
    expect(await submit({ template_id })).to.include({ id: fax, isNew: false })
    const joined = await byHand({ ...team, subject: 'Fax', template_id, note: 'Soon.' })
    expect(await submit({ subject: 'Fax', note: 'How?\n\nSoon.' })).to.include({ id: joined, isNew: false })
    expect((await submit({ template_id, note: 'Soon.' })).isNew).to.equal(true)
  })

  it('write nothing when they bring nothing new', async () => {
    const event = {
      subject: 'Same',
      ci: 'S1',
      source: 'Same',
      note: 'a\nb',
      team: 'Servers',
      member: 'sue@acme.example',
      status: 'in_progress',
      downtime_start_at: '2026-11-21T10:00Z',
    }
    const { id, row } = await submit(event)
    expect(row).to.include({ status: 'in_progress', member_id: ids.sue, team_id: ids.servers })
    const before = [
      await house.row('request', id),
      (await house.table('audit_lines')).length,
      (await house.table('outbox')).length,
    ]
    tick(60_000)
    expect(await submit({ ...event, note: 'a  \r\nb\n\n' })).to.include({ id, isNew: false })
    expect([
      await house.row('request', id),
      (await house.table('audit_lines')).length,
      (await house.table('outbox')).length,
    ]).to.deep.equal(before)
  })

  it('become another request when the one that they match is completed in between', async () => {
    const first = await submit({ subject: 'Between', ci: 'S1', source: 'Between' })
    const { access, catalog, operations, queries, storage, validators } = house
    let looked = false
    const slow = createEventSubmission({
      ...{ access, catalog, operations, storage, validators, words: createWords() },
      queries: {
        rows: queries.rows,
        async cells(...asked) {
          const found = await queries.cells(...asked)
          if (asked[1].type.name === 'note' && !looked) {
            looked = true
            const done = { status: 'completed', completion_reason: 'gone' }
            await operations.save(await house.by(ids.tool), 'request', first.id, done)
          }
          return found
        },
      },
    })
    const parameters = new Map(Object.entries({ subject: 'Between', ci: 'S1', source: 'Between', note: 'Still there' }))
    const second = await slow.submit(await house.by(ids.tool), parameters)
    expect(second.isNew).to.equal(true)
    expect(await notesOf(first.id)).to.deep.equal([])
    expect(await notesOf(second.id)).to.deep.equal(['Still there'])
  })

  it('are not matched with requests that the caller does not see', async () => {
    const desk = { subject: 'Hidden', category: 'other', source: 'event', team_id: ids.desk }
    const hidden = await house.add('request', { ...desk, requested_by_id: ids.sue, requested_for_id: ids.sue })
    expect((await submit({ subject: 'Hidden', requested_for_id: ids.sue }, ids.sue)).id).to.equal(hidden)
    expect((await submit({ subject: 'Hidden', requested_for_id: ids.sue })).row['requested_for_id']).to.equal(ids.tool)
  })

  it('change only some values of the request that they match', async () => {
    const { id } = await submit({ subject: 'Changes', ci: 'S1', source: 'Changes', member: 'sue@acme.example' })
    const { row } = await submit({
      subject: 'No',
      ci: 'S1',
      source: 'Changes',
      impact: 'low',
      supplier: 'x',
      internal_note: 'no',
      member: 'tool@acme.example',
      downtime_end_at: '2026-11-21T12:00:00Z',
      completion_reason: 'gone',
    })
    expect(row).to.include({
      id,
      subject: 'Changes',
      impact: 'top',
      member_id: ids.tool,
      team_id: ids.servers,
      completion_reason: null,
    })
    expect(row['downtime_end_at']).to.equal('2026-11-21T12:00:00Z')
    await submit({ ci: 'S1', source: 'Changes', subject: 'x', member: 'sue@acme.example' })
    const moved = await submit({ ci: 'S1', source: 'Changes', subject: 'x', team: 'desk' })
    expect(moved.row).to.include({ id, team_id: ids.desk, member_id: null })
    expect(await notesOf(id)).to.deep.equal(['Supplier cannot be found (supplier: x)'])
  })

  it('without a role that counts are subjects and notes', async () => {
    const { row, ignored } = await submit(
      {
        subject: 'Mine',
        source: 'Tool',
        ci: 'S1',
        team_id: ids.desk,
        internal_note: 'x',
        template_id: 1,
        requested_for_id: ids.sue,
      },
      ids.uma,
    ).catch((error: unknown) => ({ row: {}, ignored: error instanceof Invalid ? error.violations : [] }))
    // There is no service desk, and she is in no team.
    expect([row, ignored]).to.deep.equal([{}, [['team', 'blank']]])
  })

  it('add a note that only an internal one of another account equals', async () => {
    const event = { subject: 'Theirs', ci: 'S1', source: 'Theirs', note: 'Our own words' }
    const { id } = await submit({ ...event, note: 'First' })
    const { knex, table } = house.storage
    const note = { owner_type: 'request', owner_id: id, text: event.note, digest: textDigest(event.note), internal: true }
    await knex(table('notes')).insert({ ...note, account_id: 'globex', created_at: '2026-11-21 09:00:00' })
    expect((await submit(event)).id).to.equal(id)
    expect((await submit(event)).id).to.equal(id)
    expect(await notesOf(id)).to.deep.equal(['First', event.note, event.note])
  })

  it('keep a long note, and what could not be read in another one', async () => {
    const note = `${'é'.repeat(32_760)}\n`
    const event = { subject: 'Long', note, team: 'Nobody', supplier: 'Fixers' }
    const lines = 'Supplier cannot be found (supplier: Fixers)\nTeam cannot be found (team: Nobody)'
    const { id, isNew } = await submit(event)
    expect(isNew).to.equal(true)
    expect(await notesOf(id)).to.deep.equal([note, lines])
    const before = (await house.table('audit_lines')).length
    expect(await submit(event)).to.include({ id, isNew: false })
    expect((await house.table('audit_lines')).length).to.equal(before)
    // Of an event that matches, each note that is new.
    const known = await submit({ subject: 'Known', ci: 'S1', source: 'Long', note: 'Short' })
    expect((await submit({ ...event, ci: 'S1', source: 'Long' })).id).to.equal(known.id)
    expect((await submit({ ...event, ci: 'S1', source: 'Long' })).id).to.equal(known.id)
    expect(await notesOf(known.id)).to.deep.equal(['Short', note, lines])
    expect(await refused({ ...event, note: 'é'.repeat(32_769) })).to.deep.equal(['note too_big_text'])
  })

  it('keep the note of their template, and what could not be read in another one', async () => {
    const template_id = await house.add('request_template', { subject: 'Fax', category: 'other', note: 'How?' })
    const { id } = await submit({ template_id, team: 'Nobody' })
    expect(await notesOf(id)).to.deep.equal(['How?', 'Team cannot be found (team: Nobody)'])
    expect(await submit({ template_id, team: 'Nobody' })).to.include({ id, isNew: false })
  })

  it('of tokens that are limited to other records are forbidden, before the answer to a repeat is looked up', async () => {
    const call = await house.by(ids.tool)
    const limits = { readOnly: false, recordTypes: new Set(['ci']) }
    const token = { id: 1, kind: 'personal', clientId: null, name: 'Items', ...limits } as const
    const parameters = new Map([['subject', 'Token']])
    expect(await errorOf(eventSubmission.beforeSubmit({ ...call, token }, parameters))).to.be.instanceOf(Forbidden)
    expect(await errorOf(eventSubmission.submit({ ...call, token }, parameters))).to.be.instanceOf(Forbidden)
    expect(await eventSubmission.beforeSubmit(call, parameters)).to.have.property('origin', 'event')
  })

  it('of hostile callers are refused or harmless', async () => {
    expect(await refused({})).to.deep.equal(['subject blank'])
    expect(await refused({ subject: ['a'] })).to.deep.equal(['subject invalid'])
    expect(await refused({ subject: { toString: 'x' }, note: ['a'] })).to.deep.equal(['subject invalid', 'note invalid'])
    expect(await refused({ subject: 'x'.repeat(256), note: 'y'.repeat(70_000) })).to.deep.equal([
      'subject too_long',
      'note too_big_text',
    ])
    expect(await refused({ subject: 'a\0b' })).to.deep.equal(['subject invalid'])
    expect(await refused({ subject: 'a', sourceID: 'x'.repeat(200) })).to.deep.equal(['sourceID too_long'])
    expect(await refused({ subject: 'a', custom_fields: '{' })).to.not.deep.equal([])
    expect(await refused({ subject: 'a', support_domain: 'nowhere' })).to.deep.equal(['support_domain blank'])
    expect(await refused({ subject: 'a', support_domain: 'x'.repeat(100_000) })).to.deep.equal(['support_domain blank'])
    expect(await refused({ subject: 'a', support_domain: 12 })).to.deep.equal(['support_domain blank'])
    const odd = {
      team: 'a\0b',
      team_id: -1,
      ci: 'x'.repeat(10_000),
      ci_source: { a: 1 },
      ci_sourceID: 1.5,
      member: '\ud800',
      member_id: '1e3',
      supplier_id: 1e20,
      constructor: 'x',
      ['__proto__x']: 1,
    }
    const { id, ignored } = await submit({ subject: 'Odd', source: 'x'.repeat(50), ...odd })
    expect(ignored).to.deep.equal(['constructor', '__proto__x'])
    const [text] = await notesOf(id)
    expect(String(text).split('\n')).to.have.length(7)
    expect(await submit({ subject: 'Odd', source: 'x'.repeat(50), ...odd })).to.include({ id, isNew: false })
  })

  it('with the same source ID are never two requests', async () => {
    const first = await submit({ subject: 'One', source: 'Nagios', source_id: 'E-1', ci: 'S1' })
    tick(2 * DAY)
    expect(await submit({ subject: 'Two', source: 'Nagios', sourceID: 'E-1', ci: 'S2' })).to.include({
      id: first.id,
      isNew: false,
    })
    await submit({ source: 'Nagios', source_id: 'E-1', subject: 'x', status: 'completed', completion_reason: 'gone' })
  })

  it('that fire again after their request was completed become a new one, which has the source ID from then on', async () => {
    const alert = { subject: 'Again', source: 'Nagios', source_id: 'E-2' }
    const first = await submit({ ...alert, note: 'Down' })
    await submit({ ...alert, status: 'completed', completion_reason: 'gone' })
    const second = await submit({ ...alert, note: 'Down' })
    expect(second).to.include({ isNew: true })
    expect(second.id).to.not.equal(first.id)
    expect(second.row).to.include({ source: 'Nagios', sourceID: 'E-2' })
    expect(await house.row('request', first.id)).to.include({ source: 'Nagios', sourceID: null, past_sourceID: 'E-2' })
    expect(await notesOf(second.id)).to.deep.equal([
      'Down',
      `Source ID E-2 was that of request ${first.id}, which is completed`,
    ])
    const call = await house.by(ids.sue)
    expect(await house.operations.read(call, 'request', first.id)).to.include({ source: 'Nagios', sourceID: 'E-2' })
    expect(await submit({ ...alert, subject: 'Other words' })).to.include({ id: second.id, isNew: false })
    await submit({ ...alert, status: 'completed', completion_reason: 'gone' })
    const third = await submit(alert, ids.sue)
    expect(third).to.include({ isNew: true })
    expect(await notesOf(third.id)).to.deep.equal([`Source ID E-2 was that of request ${second.id}, which is completed`])
    expect(await submit(alert, ids.sue)).to.include({ id: third.id, isNew: false })
  })

  it('that fire again at the same time become one, for different people, too', async () => {
    const alert = { source: 'Nagios', source_id: 'E-3' }
    await submit({ ...alert, subject: 'First' })
    await submit({ ...alert, subject: 'First', status: 'completed', completion_reason: 'gone' })
    const all = await Promise.all(
      [1, 2, 3, 4].map((number) => submit({ ...alert, subject: `Again ${number}` }, number % 2 ? ids.tool : ids.sue)),
    )
    expect(new Set(all.map(({ id }) => id)).size).to.equal(1)
    expect(all.filter(({ isNew }) => isNew)).to.have.length(1)
  })

  it('are registered in a support domain, not in a directory account', async () => {
    await house.accounts.put({ id: 'acme', name: 'ACME' })
    await house.accounts.put({ id: 'globex', name: 'GLOBEX', directoryAccountId: 'acme' })
    try {
      expect(await refused({ subject: 'a' })).to.deep.equal(['support_domain blank'])
      expect(await refused({ subject: 'a', support_domain: 'acme' })).to.deep.equal(['support_domain blank'])
      await house.accounts.put({ id: 'initech', name: 'Initech' })
      expect(await refused({ subject: 'a', support_domain: 'initech' })).to.deep.equal(['support_domain blank'])
      // People of the directory account need no role there; without one, they cannot choose the team.
      expect(await refused({ subject: 'a', support_domain: 'globex', team: 'Globex Desk' })).to.deep.equal(['team blank'])
      await house.permissions.add(await house.system('globex'), ids.tool, 'globex', ['specialist'])
      const team = await house.add('team', { name: 'Globex Desk' }, { account: 'globex' })
      const { row } = await submit({ subject: 'a', support_domain: 'globex', team: 'Globex Desk' })
      expect(row).to.include({ account_id: 'globex', team_id: team, requested_for_id: ids.tool })
      // Those of the directory account are found as well, after those of the account.
      await house.add('team', { name: 'Desk' }, { account: 'globex' })
      expect((await submit({ subject: 'b', support_domain: 'globex', team: 'servers' })).row['team_id']).to.equal(ids.servers)
      expect((await submit({ subject: 'c', support_domain: 'globex', team: 'desk' })).row['team_id']).to.equal(team + 1)
    } finally {
      await house.accounts.put({ id: 'globex', name: 'GLOBEX', directoryAccountId: null })
    }
  })
})
