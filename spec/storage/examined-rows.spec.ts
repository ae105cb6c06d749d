import { expect } from 'chai'
import type { RecordField, RecordType } from '../../plugin/schema/catalog.js'
import { openStorage, type Storage } from '../../plugin/storage/database/connections.js'
import { withDatabase } from '../support/database.js'
import { fillReferred, fillWork, rowsExamined, WORK } from '../support/filled-tables.js'
import { type Built, buildHouse } from '../support/house.js'

/** Records of each type, and of what they refer to. The caller's account has two thirds of them. */
const COUNT = 10_000
const REFERRED = { person: 60, team: 20, others: 40 }
/** Rows that a first page may examine: a fraction of the account, which has more than 6,600. */
const MOST = 2_200

/** Lists that may examine more, on one server at least. */
const EXCEPTIONS: ReadonlySet<string> = new Set([
  // No request has this value, nor has the column an index: almost every request has the same one.
  'request grouping=',
  // Empty references: MariaDB intersects two indexes, and reads both of them. With many requests, also that of service instances.
  ...[
    'created_by',
    'requested_by',
    'requested_for',
    'organization',
    'template',
    'change',
    'knowledge_article',
    'grouped_into',
    'service_instance',
  ].map((name) => `request ${name}_id=`),
  ...['project', 'release', 'template'].map((name) => `change ${name}_id=`),
  ...['change', 'template'].map((name) => `task ${name}_id=`),
  // Lists of what others lead to, of which there is none for this caller: MySQL reads on in the order of ids.
  'request problem_management_review',
  'task managed_by_me',
  'project_task managed_by_me',
  // Either of two conditions, one of them on sub-records: no index serves both.
  'task approval_by_me',
])

describe('rows examined by a first page', () => {
  const database = withDatabase()
  let storage: Storage
  let house: Built
  let caller = 0

  before('fills the tables', async function () {
    if (database.storage.dialect !== 'mysql') return this.skip()
    this.timeout(120_000)
    // Servers count the rows of each connection.
    storage = openStorage({ url: database.url, pool: { min: 1, max: 1 } }, 'itsm_')
    house = buildHouse(storage, {})
    await house.accounts.put({ id: 'acme', name: 'Acme', timeZone: 'Amsterdam' })
    await house.accounts.put({ id: 'globex', name: 'Globex', timeZone: 'Amsterdam' })
    await house.accounts.trust('acme', 'globex')
    await fillReferred(storage, house.catalog, REFERRED)
    for (const name of WORK) await fillWork(house, REFERRED, house.catalog.type(name), COUNT)
    caller = 1
    await house.permissions.add(await house.system(), caller, 'acme', ['auditor'])
  })
  after(() => storage?.close())

  /** Rows that the first page examines, when its statements are known and its total is remembered. */
  const examined = async (type: RecordType, parameters: readonly (readonly [string, string])[], list?: string) => {
    const call = await house.by(caller)
    const read = () => house.operations.list(call, type.name, { parameters, ...(list ? { list } : {}) })
    for (let time = 0; time < 3; time++) await read()
    const [before, start] = [await rowsExamined(storage.knex), await rowsExamined(storage.knex)]
    await read()
    return (await rowsExamined(storage.knex)) - start - (start - before)
  }

  /** The lists that examine too many rows, and are no exceptions. */
  const tooMany = async (lists: readonly (readonly [label: string, count: () => Promise<number>])[]) => {
    const found: string[] = []
    for (const [label, count] of lists) {
      const rows = await count()
      if (rows > MOST && !EXCEPTIONS.has(label)) found.push(`${label}: ${rows}`)
    }
    return found
  }

  /** Parameters that filter by a field: by a value that some record has, by no value, and by what only some have. */
  const filtersBy = async ({ table }: RecordType, field: RecordField): Promise<readonly (readonly [string, string])[]> => {
    const name = field.kind === 'ref' ? `${field.name}_id` : field.name
    if (field.values)
      return [field.values[0] ?? '', `!${field.values.at(-1)}`, field.values.slice(0, 2).join(), ''].map((one) => [name, one])
    if (field.kind === 'datetime')
      return ['>2026-10-01T00:00:00Z', '2024-10-15T00:00:00Z', ...(field.keywords ?? []), ''].map((one) => [name, one])
    const column = field.column ?? 'id'
    const row = await storage.knex(storage.table(table)).whereNotNull(column).where('id', '>', 9000).orderBy('id').first(column)
    return [String(row?.[column]), ''].map((one) => [name, one])
  }

  for (const name of WORK) {
    it(`are few in any order of a ${name}`, async () => {
      const type = house.catalog.type(name)
      const sorts = [...type.collection.sortable].flatMap((field) => [field, `-${field}`])
      const lists = sorts.map((sort) => [`${name} sort=${sort}`, () => examined(type, [['sort', sort]])] as const)
      expect(await tooMany(lists)).to.deep.equal([])
    })

    it(`are few in the predefined lists of a ${name}`, async () => {
      const type = house.catalog.type(name)
      const lists = [...type.lists.keys()].map((list) => [`${name} ${list}`, () => examined(type, [], list)] as const)
      expect(await tooMany(lists)).to.deep.equal([])
    })

    it(`are few with any filter of a ${name}`, async () => {
      const type = house.catalog.type(name)
      const fields = [...type.collection.filterable].flatMap((field) => type.fields.get(field) ?? [])
      const filters = (await Promise.all(fields.map((field) => filtersBy(type, field)))).flat()
      const lists = filters.map((filter) => [`${name} ${filter.join('=')}`, () => examined(type, [filter])] as const)
      expect(await tooMany(lists)).to.deep.equal([])
    })
  }
})
