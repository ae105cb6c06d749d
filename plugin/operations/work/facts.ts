/** Reads the records that settlings follow: one statement per source, for any number of owners. */
import type { Call } from '../../core/call.js'
import { chunksOf, MAX_LISTED } from '../../core/chunks.js'
import type { Calendar } from '../../core/time/working-time.js'
import type { RecordType } from '../../schema/catalog.js'
import { CALENDAR } from '../../schema/language/built-in-types.js'
import { type Criterion, criterionOf } from '../../schema/language/conditions.js'
import type { Row } from '../../schema/language/define-rule.js'
import type { LinkPair, Settling, SettlingSource } from '../../schema/language/define-settling.js'
import { dbOf } from '../../storage/database/transaction.js'
import { readCalendars } from '../read/calendars.js'
import { partsOfOwners } from '../read/visible.js'
import { frozenRow } from './own-objects.js'
import { unitOf } from './unit.js'
import type { LockDeps, LookupDeps } from './work-deps.js'

/** Records, links or calendars of one source. */
export interface Sourced {
  /** Null for links and calendars. */
  readonly type: RecordType | null
  /** True if the settling may set values of the records. */
  readonly isFollowed: boolean
  /** By the id of the owner. */
  readonly of: ReadonlyMap<number, readonly (Row | LinkPair)[]>
  /** Calendars of all owners, by their own id. */
  readonly calendars?: ReadonlyMap<number, Calendar>
}

/** Owners of the records that a source starts from, by the id of the record. Referenced records may have several. */
type Owners = ReadonlyMap<number, readonly number[]>

/**
 * All records that a settling reads, for all owners, by the name of the source. Those that it does not follow are locked against
 * changes: a change waits, and then makes due what has been computed from them (ADR 0044).
 */
export async function readSources(
  deps: LookupDeps,
  call: Call,
  type: RecordType,
  settling: Settling,
  ownerRows: readonly Row[],
): Promise<ReadonlyMap<string, Sourced>> {
  const found = new Map<string, Sourced>()
  for (const [name, source] of Object.entries(settling.of)) {
    const above = source.of === undefined ? null : found.get(source.of)
    const base = above?.type ?? type
    const rows = above ? ([...above.of.values()].flat() as Row[]) : ownerRows
    const owners = above ? ownersOf(above) : new Map(ownerRows.map(({ id }) => [Number(id), [Number(id)]]))
    found.set(name, await readSource(deps, call, source, { base, rows, owners, isFollowed: above?.isFollowed ?? true }))
  }
  return found
}

/** The records that a source is based on, and their owners. */
interface Base {
  readonly base: RecordType
  readonly rows: readonly Row[]
  readonly owners: Owners
  readonly isFollowed: boolean
}

async function readSource(deps: LookupDeps, call: Call, source: SettlingSource, from: Base): Promise<Sourced> {
  const { base, owners, isFollowed } = from
  const ids = [...owners.keys()]
  const isUntouched = (table: string) => unitOf(deps, call).isUntouched(deps.storage.table(table), base.name, ids)
  if ('link' in source) {
    const { table = '' } = base.links.get(source.link) ?? {}
    const pairs = isUntouched(table) ? [] : await readPairs(deps, call, base, source.link, ids)
    return { type: null, isFollowed, of: grouped(pairs, (pair) => owners.get(pair.from)) }
  }
  if ('refersTo' in source) return readReferences(deps, call, source.refersTo, from)
  if ('calendars' in source) {
    const ids = [...new Set(calendarIds(source.calendars, from))]
    await readRows(deps, call, deps.catalog.type(CALENDAR), ids, byIds, ALL, 'shared')
    const calendars = await readCalendars(deps, call, ids)
    return { type: null, isFollowed: false, of: new Map(), calendars }
  }
  const type = deps.catalog.type('part' in source ? source.part : source.type)
  const ledBy = (some: readonly number[]): Criterion =>
    'part' in source ? partsOfOwners(base.name, some) : { path: [source.by], op: 'in', values: some }
  const column = 'part' in source ? 'owner_id' : `${source.by}_id`
  if (isUntouched(type.table)) return { type, isFollowed, of: new Map() }
  const visible = await deps.scope.visible(call, type)
  const where = 'where' in source && source.where ? { all: [visible, criterionOf(source.where)] } : visible
  const rows = await readRows(deps, call, type, ids, ledBy, where)
  return { type, isFollowed, of: grouped(rows, (row) => owners.get(Number(row[column]))) }
}

/** The records that a field of the base records refers to, those of trusted accounts included. */
async function readReferences(deps: LockDeps, call: Call, name: string, { base, owners, rows: from }: Base): Promise<Sourced> {
  const field = base.fields.get(name)
  const type = deps.catalog.type(String(field?.record))
  const ownersOfReferred = new Map<number, Set<number>>()
  for (const row of from) {
    const id = Number(row[field?.column ?? name] ?? 0)
    if (id === 0) continue
    const of = ownersOfReferred.get(id) ?? new Set()
    ownersOfReferred.set(id, of)
    for (const owner of owners.get(Number(row['id'])) ?? []) of.add(owner)
  }
  const ids = [...ownersOfReferred.keys()]
  const rows = await readRows(deps, call, type, ids, byIds, await deps.scope.reachable(call, type), 'shared')
  return { type, isFollowed: false, of: grouped(rows, (row) => [...(ownersOfReferred.get(Number(row['id'])) ?? [])]) }
}

const ALL: Criterion = { all: [] }

function byIds(some: readonly number[]): Criterion {
  return { path: ['id'], op: 'in', values: some }
}

/** Ids in fields that refer to calendars. */
function calendarIds(fields: string | readonly string[], { base, rows }: Base): readonly number[] {
  const columns = [fields].flat().map((name) => base.fields.get(name)?.column ?? name)
  return columns.flatMap((column) => rows.map((row) => Number(row[column]))).filter((id) => id > 0)
}

/** Rows that meet a criterion for one of the ids, lowest id first. */
async function readRows(
  deps: LockDeps,
  call: Call,
  type: RecordType,
  ids: readonly number[],
  criterionFor: (some: readonly number[]) => Criterion,
  scope: Criterion,
  lock: 'shared' | false = false,
): Promise<readonly Row[]> {
  const found: Row[] = []
  const unit = unitOf(deps, call)
  for (const some of chunksOf(ids, MAX_LISTED)) {
    const where = { all: [criterionFor(some), scope] }
    const read = async () => (await deps.queries.rows(call, { type, where }, { lock })).map((row) => frozenRow(type, row))
    // One by one: so many arguments as there may be rows are too many for a function.
    for (const row of await (lock ? read() : unit.found(type.name, where, read))) found.push(row)
  }
  return ids.length > MAX_LISTED ? found.sort((a, b) => Number(a['id']) - Number(b['id'])) : found
}

function ownersOf(above: Sourced): Owners {
  const owners = new Map<number, number[]>()
  for (const [owner, rows] of above.of) {
    for (const row of rows) {
      const id = Number((row as Row)['id'])
      const known = owners.get(id)
      if (known) known.push(owner)
      else owners.set(id, [owner])
    }
  }
  return owners
}

function grouped<T>(all: readonly T[], ownersOf: (one: T) => readonly number[] | undefined): ReadonlyMap<number, readonly T[]> {
  const groups = new Map<number, T[]>()
  for (const one of all) {
    for (const owner of ownersOf(one) ?? []) {
      const group = groups.get(owner)
      if (group) group.push(one)
      else groups.set(owner, [one])
    }
  }
  return groups
}

async function readPairs(deps: LockDeps, call: Call, base: RecordType, name: string, ids: readonly number[]) {
  const link = base.links.get(name)
  if (!link) return []
  const pairs: LinkPair[] = []
  for (const some of chunksOf(ids, MAX_LISTED)) {
    const rows: Record<string, unknown>[] = await dbOf(
      deps.storage,
      call,
    )(deps.storage.table(link.table))
      .whereIn(link.from, [...some])
      .orderBy([link.from, link.to])
      .select(link.from, link.to)
    for (const row of rows) pairs.push(Object.freeze({ from: Number(row[link.from]), to: Number(row[link.to]) }))
  }
  return pairs
}
