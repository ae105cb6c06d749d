import { expect } from 'chai'
import { matchEvents } from '../../migrations/0040_match_events.js'
import { createWords } from '../../plugin/core/words/index.js'
import { createMonitoring } from '../../plugin/monitoring/monitoring.js'
import { withDatabase } from '../support/database.js'
import { withHouse } from '../support/house.js'

/** Enough that no server prefers to read all of them. */
const OLD = 4_000

describe('the search for the request that an event matches', function () {
  this.timeout(60_000)
  const house = withHouse()
  const ids = { tool: 0, ci: 0 }

  before(async () => {
    ids.tool = await house.addPerson('Tool', ['specialist'])
    await house.add('team', { name: 'Desk', member_ids: [ids.tool] })
    const category = await house.add('product_category', { group: 'Hardware', name: 'Server', rule_set: 'server' })
    const product = await house.add('product', { brand: 'A', model: 'B', category_id: category })
    ids.ci = await house.add('ci', { label: 'S1', product_id: product, status: 'removed' })
    const { storage } = house
    const request = {
      ...{ account_id: 'acme', source: 'event', subject: 'Down', category: 'other', status: 'assigned', ci_id: ids.ci },
      ...{ requested_for_id: ids.tool, requested_by_id: ids.tool, created_at: '2025-01-01 00:00:00' },
    }
    const other = { ...request, ci_id: null, requested_for_id: ids.tool + 1_000, created_at: '2026-11-21 09:00:00' }
    const note = { account_id: 'acme', owner_type: 'request', text: 'x', internal: 0, created_at: '2025-01-01 00:00:00' }
    for (let from = 1; from <= OLD; from += 500) {
      const numbers = Array.from({ length: 500 }, (_, index) => from + index)
      await storage.knex(storage.table('requests')).insert(numbers.map(() => request))
      // A busy day: the time alone is no good choice.
      await storage.knex(storage.table('requests')).insert(numbers.map((number) => ({ ...other, subject: `${number}` })))
      await storage
        .knex(storage.table('notes'))
        .insert(numbers.map((number) => ({ ...note, owner_id: number, digest: `${number}` })))
    }
    if (storage.dialect === 'mysql') {
      for (const name of ['requests', 'notes']) await storage.knex.raw(`ANALYZE TABLE ${storage.table(name)}`)
    }
  })

  /** The plans of the statements on requests and notes that an event causes before it writes. */
  const plansOf = async (parameters: object) => {
    const { access, catalog, operations, queries, storage, validators } = house
    const monitoring = createMonitoring({ access, catalog, operations, queries, storage, validators, words: createWords() })
    const call = await house.by(ids.tool)
    const statements: { sql: string; bindings?: readonly string[] }[] = []
    const listen = (query: (typeof statements)[number]) => void statements.push(query)
    storage.knex.on('query', listen)
    await monitoring.submit(call, new Map(Object.entries(parameters)))
    storage.knex.removeListener('query', listen)
    const end = statements.findIndex(({ sql }) => /^(begin|start|set)/i.test(sql))
    const [requests, notes] = [storage.table('requests'), storage.table('notes')]
    const reads = statements
      .slice(0, end < 0 ? statements.length : end)
      .filter(({ sql }) => sql.startsWith('SELECT') && (sql.includes(`\`${requests}\``) || sql.includes(`\`${notes}\``)))
    const isServer = storage.dialect === 'mysql'
    const plans: string[] = []
    for (const { sql, bindings = [] } of reads) {
      const explain = isServer ? 'EXPLAIN FORMAT=JSON' : 'EXPLAIN QUERY PLAN'
      const found: unknown = await storage.knex.raw(`${explain} ${sql}`, [...bindings])
      const rows = (isServer ? (found as unknown[][])[0] : found) as Record<string, unknown>[]
      const texts = rows.map((row) => String(isServer ? row['EXPLAIN'] : row['detail']))
      // Only what is used: servers also name the indexes that they could use.
      plans.push(isServer ? texts.flatMap((text) => text.match(/"(?:key|index_name)": ?"[^"]*"/g) ?? []).join() : texts.join())
    }
    return plans
  }

  it('reads requests of the item by time', async () => {
    const plans = await plansOf({ subject: 'Down', ci: 'S1' })
    expect(plans).to.have.length(1)
    expect(plans[0], plans[0]).to.include('_ci_id_created_at_index').and.not.include('SCAN')
    // The second time it is found.
    const [again] = await plansOf({ subject: 'Down', ci: 'S1', note: 'x' })
    expect(again).to.include('_ci_id_created_at_index')
  })

  it('reads requests of the person with that subject by time, and notes by their digest', async () => {
    const plans = await plansOf({ subject: 'Down', note: 'Once more' })
    expect(plans).to.have.length(1)
    expect(plans[0])
      .to.match(/_requested_for_id_subject_created_at_index|_digest_owner_id_index/)
      .and.not.include('SCAN')
    const [bare] = await plansOf({ subject: 'Down' })
    // Or those of the account by time: the server knows which are fewer.
    expect(bare)
      .to.match(/_created_at_index/)
      .and.not.include('SCAN')
  })
})

describe('the migration that makes the search for matching requests fast', () => {
  const database = withDatabase()

  it('may run again after it broke, and can be taken back', async () => {
    const { knex, storage } = database
    const { dialect, table } = storage
    const schema = { knex, dialect, table }
    await matchEvents.down(schema)
    expect(await knex.schema.hasColumn(table('notes'), 'digest')).to.equal(false)
    await matchEvents.up(schema)
    await matchEvents.up(schema)
    expect(await knex.schema.hasColumn(table('notes'), 'digest')).to.equal(true)
  })
})
