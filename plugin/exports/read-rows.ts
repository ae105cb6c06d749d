/** Reads the rows of exported files, page after page. */
import type { Call } from '../core/call.js'
import { instantOf } from '../core/clock.js'
import { protectedCell } from '../core/text/csv.js'
import { type Column, POSITION, type ShownRecord } from '../imports/columns/column.js'
import type { ShownNote } from '../imports/columns/notes-cell.js'
import type { Output } from '../operations/contract.js'
import type { AccountRoles, Permissions } from '../operations/people/permissions.js'
import type { FileReading } from '../operations/read/read-for-files.js'
import type { RecordType } from '../schema/catalog.js'
import { NOTE, PERSON } from '../schema/language/built-in-types.js'
import type { Criterion } from '../schema/language/conditions.js'
import { findNames, type NameOf, type NamesDeps } from './names.js'
import { findOrders, idIn, type Orders } from './orders.js'
import type { ExportPlan } from './plan.js'

export interface ReadRowsDeps extends NamesDeps {
  readonly fileReading: FileReading
  readonly permissions: Pick<Permissions, 'listOf'>
}

/** Some rows of a file. */
export interface RowsPage {
  readonly rows: readonly (readonly string[])[]
  /** The id of the last record; null if there is none after it. */
  readonly lastId: number | null
}

/** Ids of connected records by that of the record, by the name of the column. */
type Connected = ReadonlyMap<string, ReadonlyMap<number, readonly number[]>>
type ByOwner = ReadonlyMap<number, readonly Output[]>

/** All that is read for the records of a page. */
interface Loaded {
  readonly connected: Connected
  readonly parts: ReadonlyMap<string, ByOwner>
  readonly notes: ByOwner
  readonly roles: ReadonlyMap<number, readonly AccountRoles[]>
  readonly nameOf: NameOf
  readonly valueById: ValueById
  readonly orders: Orders
}

/** The value of a field of a record, by type and id; empty if the caller may not know it. */
type ValueById = (type: string, field: string, id: number) => string

/** Records that are read at once. */
const PAGE = 200

/**
 * Reads the rows of the records after an id. The number of queries depends on the columns, and not on the records.
 *
 * @param also restricts the records
 * @throws Forbidden if the type is closed to the caller
 */
export async function readRows(
  deps: ReadRowsDeps,
  call: Call,
  plan: ExportPlan,
  after: number,
  also?: Criterion,
): Promise<RowsPage> {
  const { fields, type } = plan
  const records = await deps.fileReading.readAfter(call, type.name, { after, limit: PAGE, fields, also })
  const loaded = await load(deps, call, plan, records)
  const last = records.length < PAGE ? undefined : records.at(-1)
  return {
    rows: records.flatMap((values) => rowsOf(plan, loaded, values)),
    lastId: last === undefined ? null : Number(last['id']),
  }
}

async function load(deps: ReadRowsDeps, call: Call, plan: ExportPlan, records: readonly Output[]): Promise<Loaded> {
  const { fileReading } = deps
  const { columns, type } = plan
  const ids = records.map(({ id }) => Number(id))
  const connected = new Map<string, ReadonlyMap<number, readonly number[]>>()
  for (const { kind, name } of columns)
    if (kind === 'link' || kind === 'children') connected.set(name, await fileReading.connectedIds(call, type.name, name, ids))
  const parts = new Map<string, ByOwner>()
  for (const part of [...plan.parts, ...plan.only, ...plan.named])
    parts.set(part.name, await fileReading.partsOf(call, type.name, part.type.name, ids, part.fields))
  const { fields = null } = plan.notes ?? {}
  const notes: ByOwner = fields ? await fileReading.partsOf(call, type.name, NOTE, ids, fields) : new Map()
  const nameOf = await findNames(deps, call, namesWanted(plan, records, { connected, parts, notes }))
  const roles = plan.hasRoles ? await deps.permissions.listOf(call, ids) : new Map()
  const valueById = await findValues(deps, call, plan, records, parts)
  return { connected, parts, notes, nameOf, roles, valueById, orders: await findOrders(fileReading, call, plan, ids) }
}

/** Finds the values that columns show of other records, with one query for each column. */
async function findValues(
  { fileReading }: ReadRowsDeps,
  call: Call,
  { columns }: ExportPlan,
  records: readonly Output[],
  parts: Loaded['parts'],
): Promise<ValueById> {
  const values = new Map<string, string>()
  for (const column of columns) {
    if ((column.kind !== 'field' && column.kind !== 'related') || column.shows === null) continue
    const { field, record, reference } = column.shows
    const ids = new Set(holdersOf(column, records, parts).flatMap((one) => idIn(one[reference]) ?? []))
    for (const [id, { value }] of await fileReading.valuesOf(call, record, field, [...ids]))
      values.set(`${record}.${field} ${id}`, value)
  }
  return (record, field, id) => values.get(`${record}.${field} ${id}`) ?? ''
}

/** The records whose names the cells have, by type. */
function namesWanted(
  { columns, notes: planned }: ExportPlan,
  records: readonly Output[],
  { connected, parts, notes }: Pick<Loaded, 'connected' | 'notes' | 'parts'>,
): ReadonlyMap<string, ReadonlySet<number>> {
  const wanted = new Map<string, Set<number>>()
  const want = (type: string, id: number | null) => {
    if (id !== null) wanted.set(type, (wanted.get(type) ?? new Set()).add(id))
  }
  for (const column of columns) {
    if (column.refersTo === null) continue
    for (const ids of connected.get(column.name)?.values() ?? []) for (const id of ids) want(column.refersTo, id)
    if (column.kind !== 'field' && column.kind !== 'related') continue
    const name = column.kind === 'field' ? column.name : column.reference
    for (const values of holdersOf(column, records, parts)) want(column.refersTo, idIn(values[name]))
  }
  for (const note of [...notes.values()].flat()) want(PERSON, idIn(note[planned?.author ?? '']))
  return wanted
}

/** The values of the records or sub-records that a column is about. */
function holdersOf(
  { part }: { readonly part: string | null },
  records: readonly Output[],
  parts: Loaded['parts'],
): readonly Output[] {
  return part === null ? records : [...(parts.get(part)?.values() ?? [])].flat()
}

/** The rows of a record: one, or one for each of its sub-records or linked records. */
function rowsOf(plan: ExportPlan, loaded: Loaded, values: Output): readonly string[][] {
  const { columns, hasEveryRecord, hasRoles, link, only, parts } = plan
  const record = shownRecord(plan, loaded, values)
  if (link !== null) {
    return record.connected(link).map((name) => {
      const one: ShownRecord = { ...record, connected: () => [name] }
      return columns.map((column) => protectedCell(column.cell(one)))
    })
  }
  if (hasRoles) {
    return (loaded.roles.get(Number(values['id'])) ?? []).map(({ account, roles }) => {
      const inAccount: ShownRecord = { ...record, values: { ...values, account: account.id, roles } }
      return columns.map((column) => protectedCell(column.cell(inAccount)))
    })
  }
  const rows = parts.flatMap(({ name, type }) =>
    (loaded.parts.get(name)?.get(Number(values['id'])) ?? []).flatMap((part) => {
      const shown = shownRecord(plan, loaded, withKey(type, part))
      // Nobody can import a row about a record without a name.
      if (columns.some((column) => column.kind === 'related' && column.refersTo !== null && column.cell(shown) === ''))
        return []
      return [columns.map((column) => protectedCell(cellOf(column, record, name, shown)))]
    }),
  )
  if (rows.length > 0 || !hasEveryRecord) return rows
  const shown = new Map(
    only.flatMap(({ name, type }) => {
      const [part] = loaded.parts.get(name)?.get(Number(values['id'])) ?? []
      return part ? [[name, shownRecord(plan, loaded, withKey(type, part))] as const] : []
    }),
  )
  return [
    columns.map((column) => {
      const name = column.kind === 'field' ? column.part : null
      return protectedCell(cellOf(column, record, name, shown.get(name ?? '') ?? null))
    }),
  ]
}

/** @param name of the part that the row has, with its values */
function cellOf(column: Column, record: ShownRecord, name: string | null, part: ShownRecord | null): string {
  if (column.kind === 'flag') return part ? column.cell(part) : ''
  if ((column.kind !== 'field' && column.kind !== 'related') || column.part === null) return column.cell(record)
  return part && column.part === name ? column.cell(part) : ''
}

function shownRecord(
  { columns, firsts, named, notes: planned }: ExportPlan,
  { connected, nameOf, notes, orders, parts, valueById }: Loaded,
  values: Output,
): ShownRecord {
  const id = Number(values['id'])
  return {
    values,
    connected(name) {
      const other = columns.find((column) => column.name === name)?.refersTo ?? ''
      const first = idIn(values[firsts.get(name) ?? ''])
      const ids = [...(connected.get(name)?.get(id) ?? [])].sort((a, b) => Number(b === first) - Number(a === first))
      return ids.map((one) => nameOf(other, one)).filter((one) => one !== '')
    },
    partNames(path) {
      const title = named.find(({ name }) => name === path)?.type.title ?? ''
      const own = [...(parts.get(path)?.get(id) ?? [])]
      own.sort((a, b) => Number(a[POSITION] ?? 0) - Number(b[POSITION] ?? 0))
      return own.map((part) => String(part[title] ?? ''))
    },
    order: (path) => orders(path, id),
    valueIn(type, reference, field) {
      const other = idIn(reference)
      return other === null ? '' : valueById(type, field, other)
    },
    notes: (are) =>
      (notes.get(id) ?? [])
        .filter((note) => (note['internal'] === true) === (are === 'internal'))
        .map((note): ShownNote => {
          const author = idIn(note[planned?.author ?? ''])
          const at = instantOf(new Date(String(note['created_at'])))
          return { author: author === null ? '' : nameOf(PERSON, author), at, text: String(note['text'] ?? '') }
        }),
    nameOf(type, reference) {
      // Some references are shown by their name alone.
      if (typeof reference === 'string') return reference
      const other = idIn(reference)
      return other === null ? '' : nameOf(type, other)
    },
  }
}

/** The values of a sub-record with the field whose value responses show under that of another field, and with that other one. */
function withKey(type: RecordType, values: Output): Output {
  const keyed = [...type.fields.values()].find(({ keyedBy }) => keyedBy !== undefined)
  const key = type.fields.get(keyed?.keyedBy ?? '')
  const shownAs = key?.values?.find((name) => values[name] !== undefined)
  return keyed && key && shownAs !== undefined
    ? { ...values, [key.name]: shownAs, [keyed.name]: values[shownAs] ?? null }
    : values
}
