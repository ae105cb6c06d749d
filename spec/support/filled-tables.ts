/** Fills the tables of work records with many rows on a server, and counts the rows that a call examines there. */
import type { Knex } from 'knex'
import type { Catalog, RecordField, RecordType } from '../../plugin/schema/catalog.js'
import type { Storage } from '../../plugin/storage/database/connections.js'

/** The types of records that people work on. */
export const WORK = ['request', 'problem', 'change', 'task', 'project', 'project_task', 'release'] as const

/** Rows of the types that work records refer to. */
export interface Referred {
  readonly person: number
  readonly team: number
  /** Rows of each other type. */
  readonly others: number
}

/** Fills the types that work records refer to. Ids begin at 1; every third record belongs to the account globex. */
export async function fillReferred(storage: Storage, catalog: Catalog, referred: Referred): Promise<void> {
  await prepareNumbers(storage, Math.max(referred.person, referred.team, referred.others))
  const types = new Set(WORK.flatMap((name) => [...catalog.type(name).columns.values()].flatMap(({ record }) => record ?? [])))
  for (const type of [...types].map((name) => catalog.type(name))) {
    if (type.partOf.length > 0 || isWork(type.name)) continue
    const title = type.columns.get(type.title ?? '') ? type.title : null
    const named = title === null ? {} : { [title]: `concat('Name ', n * 7919 % ${type.name === 'person' ? 250 : 1009}, ' é')` }
    const unset = type.columns.has('disabled') ? { disabled: '0' } : {}
    const emails = type.columns.has('primary_email') ? { primary_email: `concat('p', n, '@acme.example')` } : {}
    await insert(storage, type, 1, countOf(referred, type.name), { ...named, ...unset, ...emails })
  }
}

function isWork(name: string): boolean {
  return (WORK as readonly string[]).includes(name)
}

function countOf({ person, team, others }: Referred, name: string): number {
  return name === 'person' ? person : name === 'team' ? team : others
}

/** Adds work records of a type with the ids from 1: a third of them in globex, most of them done long ago. */
export async function fillWork(
  { storage, catalog }: { readonly storage: Storage; readonly catalog: Catalog },
  referred: Referred,
  type: RecordType,
  count: number,
): Promise<void> {
  await prepareNumbers(storage, count)
  const asked = new Set([...type.collection.sortable, ...type.collection.filterable, 'manager', 'member', 'team'])
  const columns: Record<string, string> = {}
  for (const [name, field] of type.columns) {
    if (name !== 'id' && asked.has(field.name)) columns[name] = valueFor(name, field, catalog, referred)
  }
  await insert(storage, type, 1, count, columns)
  await storage.knex.raw('analyze table ??', [storage.table(type.table)])
}

/** The text of an expression over the number `n`, for a column. */
function valueFor(column: string, field: RecordField, catalog: Catalog, referred: Referred): string {
  const random = (below: number, salt = '') => `crc32(concat(n, '${column}${salt}')) % ${below}`
  const some = (share: number, value: string) => `if(${random(100, 'null')} < ${share}, null, ${value})`
  if (column === 'source') return `'monitor'`
  if (column === 'sourceID') return `concat('event-', n)`
  if (column === 'created_at' || column === 'updated_at')
    return `timestamp('2020-01-01') + interval (n * 60 + ${random(100_000)}) second`
  if (field.kind === 'ref') {
    if (isWork(field.record ?? '')) return some(99, `1 + ${random(1000)}`)
    return some(catalog.types.has(field.record ?? '') ? 30 : 100, `1 + ${random(countOf(referred, field.record ?? ''))}`)
  }
  if (field.kind === 'enum') {
    const values = field.values ?? []
    const done = values.includes('completed') ? 'completed' : values.at(-1)
    const each = values.map((value) => `'${value}'`).join(', ')
    return `if(${random(100, 'done')} < 80, '${done}', elt(1 + ${random(values.length)}, ${each}))`
  }
  if (field.kind === 'boolean') return `if(${random(10)} = 0, 1, 0)`
  const time = `date_format(timestamp('2024-01-01') + interval ${random(90_000_000)} second, '%Y-%m-%d %H:%i:%s')`
  if (field.kind === 'datetime' && field.keywords)
    return some(5, `if(${random(100, 'word')} < 80, '${field.keywords[0]}', ${time})`)
  if (field.kind === 'datetime') return some(20, time)
  return some(10, `concat('Text ', ${random(50_000)})`)
}

async function insert({ knex, table }: Storage, type: RecordType, from: number, to: number, columns: Record<string, string>) {
  const all = { id: 'n', account_id: `if(n % 3 = 0, 'globex', 'acme')`, ...columns }
  const names = Object.keys(all).map((name) => `\`${name}\``)
  const values = Object.values(all).join(', ')
  await knex.raw(
    `insert into ${table(type.table)} (${names.join(', ')}) select ${values} from ${NUMBERS} where n between ${from} and ${to}`,
  )
}

/** Has no prefix, so that it is dropped with everything that is not ours. */
const NUMBERS = 'filled_numbers'

/** The numbers from 1, by doubling. */
async function prepareNumbers({ knex }: Storage, most: number): Promise<void> {
  await knex.raw(`create table if not exists ${NUMBERS} (n int primary key)`)
  const [[{ known }]] = await knex.raw(`select count(*) as known from ${NUMBERS}`)
  if (Number(known) === 0) await knex.raw(`insert into ${NUMBERS} values (1)`)
  for (let count = Math.max(Number(known), 1); count < most; count *= 2)
    await knex.raw(`insert into ${NUMBERS} select n + ${count} from ${NUMBERS}`)
}

/** Rows that the server has read so far on this connection, by index or without. Pools must have one connection. */
export async function rowsExamined(knex: Knex): Promise<number> {
  const [rows] = (await knex.raw(`show session status like 'Handler_read%'`)) as [{ Value: string }[]]
  return rows.reduce((sum, { Value }) => sum + Number(Value), 0)
}
