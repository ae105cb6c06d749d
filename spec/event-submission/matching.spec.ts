import { expect } from 'chai'
import { matchEvents } from '../../migrations/0040_match_events.js'
import { matchEventsByNote } from '../../migrations/0047_match_events_by_note.js'
import { textDigest } from '../../plugin/core/text/digest.js'
import { createEventSubmission } from '../../plugin/event-submission/event-submission.js'
import { indexName } from '../../plugin/schema/derive/expected-tables.js'
import { createWords } from '../../plugin/words/words.js'
import { withDatabase } from '../support/database.js'
import { withHouse } from '../support/house.js'

/** Enough that reading all of them would be seen. */
const MANY = 4_000
/** Rows that one statement may read; few more than one. */
const FEW = 20
const TODAY = '2026-11-21 09:00:00'

describe('the search for the request that an event matches', function () {
  this.timeout(60_000)
  const house = withHouse()
  const ids = { tool: 0, hot: 0, done: 0, instance: 0 }

  before(async () => {
    const { storage } = house
    ids.tool = await house.addPerson('Tool', ['specialist'])
    const team = await house.add('team', { name: 'Desk', member_ids: [ids.tool] })
    const organization = await house.add('organization', { name: 'Acme' })
    const service = await house.add('service', { name: 'Mail', provider_id: organization, support_team_id: team })
    ids.instance = await house.add('service_instance', { name: 'Mail Europe', service_id: service })
    const category = await house.add('product_category', { group: 'Hardware', name: 'Server', rule_set: 'server' })
    const product = await house.add('product', { brand: 'A', model: 'B', category_id: category, support_team_id: team })
    const ci = { product_id: product, status: 'in_production', service_instance_ids: [ids.instance] }
    ids.hot = await house.add('ci', { label: 'HOT', ...ci })
    ids.done = await house.add('ci', { label: 'DONE', ...ci })
    const open = { account_id: 'acme', source: 'event', category: 'incident', impact: 'low', status: 'assigned', team_id: team }
    const people = { requested_for_id: ids.tool, requested_by_id: ids.tool, created_at: TODAY, updated_at: TODAY }
    const ofItem = { ...open, ...people, subject: 'Down', service_instance_id: ids.instance, note_digest: 'none' }
    const alarm = { ...open, ...people, category: 'other', ci_id: null, service_instance_id: null, subject: 'Alarm' }
    const completed = { status: 'completed', completed_at: TODAY }
    const fill = async (name: string, row: (number: number) => object) => {
      for (let from = 1; from <= MANY; from += 500) {
        const rows = Array.from({ length: 500 }, (_, index) => row(from + index))
        await storage.knex(storage.table(name)).insert(rows)
      }
    }
    // A busy day: the same item again and again, open and completed, and the same subject with other notes.
    await fill('requests', () => ({ ...ofItem, ci_id: ids.hot }))
    await fill('requests', () => ({ ...ofItem, ...completed, ci_id: ids.done }))
    await fill('requests', (number) => ({ ...alarm, note_digest: textDigest(`note ${number}`) }))
    await fill('requests', (number) => ({ ...alarm, subject: `Disk ${number}`, note_digest: textDigest('Host down') }))
    await fill('notes', (number) => ({
      ...{ account_id: 'acme', owner_type: 'request', owner_id: 1, text: 'x', internal: 0, created_at: TODAY },
      digest: textDigest(`note ${number}`),
    }))
    if (storage.dialect !== 'mysql') return
    for (const name of ['requests', 'notes']) await storage.knex.raw(`ANALYZE TABLE ${storage.table(name)}`)
  })

  const indexes = () => ({
    withItem: indexName(house.storage.table('requests'), [
      ...['ci_id', 'source', 'service_instance_id', 'completed_at', 'created_at'],
    ]),
    withoutItem: indexName(house.storage.table('requests'), [
      ...['requested_for_id', 'note_digest', 'subject', 'source', 'completed_at', 'created_at'],
    ]),
  })

  /** Submits an event; returns if it was new, and the reads of requests and notes until it began to write. */
  const readsOf = async (parameters: object) => {
    const { storage } = house
    const { access, catalog, operations, queries, validators } = house
    const eventSubmission = createEventSubmission({
      access,
      catalog,
      operations,
      queries,
      storage,
      validators,
      words: createWords(),
    })
    const call = await house.by(ids.tool)
    const statements: { sql: string; bindings?: readonly string[] }[] = []
    const listen = (query: (typeof statements)[number]) => void statements.push(query)
    storage.knex.on('query', listen)
    const { isNew } = await eventSubmission.submit(call, new Map(Object.entries(parameters)))
    storage.knex.removeListener('query', listen)
    const end = statements.findIndex(({ sql }) => /^(begin|start|set)/i.test(sql))
    const [requests, notes] = [storage.table('requests'), storage.table('notes')]
    const reads = statements
      .slice(0, end < 0 ? statements.length : end)
      .filter(({ sql }) => sql.startsWith('SELECT') && (sql.includes(`\`${requests}\``) || sql.includes(`\`${notes}\``)))
    return { isNew, reads }
  }

  /** The plans of the statements, and on servers the number of rows that they read. */
  const measured = async (parameters: object) => {
    const { knex, dialect } = house.storage
    const { isNew, reads } = await readsOf(parameters)
    const plans: string[] = []
    let rows = 0
    await knex.transaction(async (transaction) => {
      const handled = async () => {
        const [counters] = (await transaction.raw("SHOW SESSION STATUS LIKE 'Handler_read%'")) as [{ Value: string }[]]
        return counters.reduce((sum, { Value }) => sum + Number(Value), 0)
      }
      for (const { sql, bindings = [] } of reads) {
        if (dialect !== 'mysql') {
          const found = (await transaction.raw(`EXPLAIN QUERY PLAN ${sql}`, [...bindings])) as { detail: string }[]
          plans.push(found.map(({ detail }) => detail).join())
          continue
        }
        const [plan] = (await transaction.raw(`EXPLAIN FORMAT=JSON ${sql}`, [...bindings])) as [{ EXPLAIN: string }[]]
        // Only what is used: servers also name the indexes that they could use.
        plans.push((String(plan[0]?.EXPLAIN).match(/"(?:key|index_name)": ?"[^"]*"/g) ?? []).join())
        const before = await handled()
        await transaction.raw(sql, [...bindings])
        rows += (await handled()) - before
      }
    })
    return { isNew, plans, rows }
  }

  it('reads one of many open requests of an item', async () => {
    const { isNew, plans, rows } = await measured({ subject: 'Down', ci: 'HOT', note: 'note 17' })
    expect(isNew).to.equal(false)
    expect(plans[0])
      .to.include(indexes().withItem)
      .and.not.match(/SCAN|TEMP B-TREE/)
    expect(rows).to.be.lessThan(FEW)
  })

  it('reads none of many completed requests of an item', async () => {
    const { isNew, plans, rows } = await measured({ subject: 'Down', ci: 'DONE' })
    expect(isNew).to.equal(true)
    expect(plans).to.have.length(1)
    expect(plans[0])
      .to.include(indexes().withItem)
      .and.not.match(/SCAN|TEMP B-TREE/)
    expect(rows).to.be.lessThan(FEW)
  })

  const events: Record<string, readonly [event: object, isNew: boolean]> = {
    'with a note that many others have': [{ subject: 'Alarm', note: 'Host down' }, true],
    'with one of many notes': [{ subject: 'Alarm', note: 'note 17' }, false],
    'with one of many subjects': [{ subject: 'Disk 17', note: 'Host down' }, false],
    'without a note, while many have one': [{ subject: 'Alarm' }, true],
  }
  for (const [name, [event, isNew]] of Object.entries(events)) {
    it(`reads one request for an event ${name}`, async () => {
      const found = await measured(event)
      expect(found.isNew).to.equal(isNew)
      expect(found.plans[0])
        .to.include(indexes().withoutItem)
        .and.not.match(/SCAN|TEMP B-TREE/)
      expect(found.rows).to.be.lessThan(FEW)
    })
  }
})

describe('the migrations that make the search for matching requests fast', () => {
  const database = withDatabase()

  it('may run again after they broke, and can be taken back', async () => {
    const { knex, storage } = database
    const { dialect, table } = storage
    const schema = { knex, dialect, table }
    await matchEventsByNote.down(schema)
    expect(await knex.schema.hasColumn(table('requests'), 'note_digest')).to.equal(false)
    await matchEvents.down(schema)
    expect(await knex.schema.hasColumn(table('notes'), 'digest')).to.equal(false)
    for (const { up } of [matchEvents, matchEvents, matchEventsByNote, matchEventsByNote]) await up(schema)
    expect(await knex.schema.hasColumn(table('notes'), 'digest')).to.equal(true)
    expect(await knex.schema.hasColumn(table('requests'), 'note_digest')).to.equal(true)
  })
})
