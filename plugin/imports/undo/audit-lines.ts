/** The audit lines of an import, and those that were written since. */
import type { Knex } from 'knex'
import type { Call } from '../../core/call.js'
import { chunksOf } from '../../core/chunks.js'
import type { Catalog } from '../../schema/catalog.js'
import type { Json } from '../../schema/kinds/fields.js'
import { AUDIT_LINE } from '../../schema/language/built-in-types.js'
import type { Criterion } from '../../schema/language/conditions.js'
import type { Row } from '../../schema/language/define-rule.js'
import type { Storage } from '../../storage/database/connections.js'
import { type LineRange, STILL_WRITING, type UndoDeps, type Undone, type Unit } from './contract.js'

/** An audit line, reduced to what an undo needs. */
export interface Line extends Unit {
  readonly isCreation: boolean
  /** Values before and after, by column, link or list of sub-records. */
  readonly changes: ReadonlyMap<string, Change>
  readonly at: string
  readonly origin: string
  readonly byId: number | null
  /** What made the change, if no person did. */
  readonly cause: string
}

/** A value before and after. */
export type Change = readonly [before: Json, after: Json]

/** What has happened to a record from the import on. */
export interface History {
  /** The lines of the import, in order. */
  readonly own: readonly Line[]
  /** Lines of others since the first of them, in order; since the import began if there are none. */
  readonly since: readonly Line[]
  /** Lines of the undo that is running, in order. */
  readonly undoing: readonly Line[]
}

type Reading = Pick<UndoDeps, 'catalog' | 'queries'>

const NEWEST_FIRST = [{ field: 'id', descending: true }]
/** Records per query. */
const BATCH = 200

/** The id of the newest audit line; 0 without any. */
export async function newestLine(catalog: Catalog, storage: Storage, db: Knex): Promise<number> {
  const type = catalog.types.get(AUDIT_LINE)
  if (!type) return 0
  const [row] = await db(storage.table(type.table)).max({ id: 'id' })
  return Number(row?.['id'] ?? 0)
}

/** Reads lines of the import, the newest first. @param only more conditions */
export async function readOwnLines(
  { catalog, queries }: Reading,
  { call, own }: Undone,
  below: number | null,
  limit: number,
  only: readonly Criterion[] = [],
): Promise<readonly Line[]> {
  const all: Criterion[] = [
    { path: ['id'], op: '>', values: [own.after] },
    { path: ['id'], op: '<', values: [below === null ? own.until + 1 : below] },
    {
      any: [
        { path: ['account_id'], op: 'in', values: [call.account.id] },
        { path: ['cause'], op: 'in', values: [own.cause] },
      ],
    },
    { path: ['origin'], op: 'in', values: ['import'] },
    { path: ['created_by'], op: 'in', values: [own.personId] },
    ...only,
  ]
  const rows = await queries.rows(call, { type: catalog.type(AUDIT_LINE), where: { all }, sort: NEWEST_FIRST, limit })
  return rows.map(lineIn)
}

/** The number of lines of the import, each as often as a step of an undo looks at it: two for all, two for those of new records. */
export async function countOwnLines(storage: Storage, catalog: Catalog, call: Call, own: LineRange): Promise<number> {
  const lines = storage.knex(storage.table(catalog.type(AUDIT_LINE).table))
  const [row] = await lines
    .where('id', '>', own.after)
    .where('id', '<=', own.until)
    .where({ origin: 'import', created_by_id: own.personId })
    .where((any) => any.where({ account_id: call.account.id }).orWhere({ cause: own.cause }))
    .select(storage.knex.raw("count(*) as number, sum(case when action = 'create' then 1 else 0 end) as creations"))
  return 2 * (Number(row?.number ?? 0) + Number(row?.creations ?? 0))
}

/**
 * Reads what has happened to records of one type since the import began. To be called when they are locked: nobody can change them
 * by then without a line that is read here.
 */
export async function historiesOf(
  { catalog, queries }: Reading,
  call: Call,
  undone: Undone,
  type: string,
  ids: readonly number[],
): Promise<ReadonlyMap<number, History>> {
  const found = new Map(ids.map((id) => [id, { own: [] as Line[], since: [] as Line[], undoing: [] as Line[] }]))
  for (const some of chunksOf([...found.keys()], BATCH)) {
    const all: Criterion[] = [
      { path: ['owner_type'], op: 'in', values: [type] },
      { path: ['owner_id'], op: 'in', values: some },
      { path: ['id'], op: '>', values: [undone.own.after] },
    ]
    for (const row of await queries.rows(call, { type: catalog.type(AUDIT_LINE), where: { all } })) {
      const line = lineIn(row)
      const history = found.get(line.recordId)
      const isInAccount = row['account_id'] === undone.call.account.id
      const range = undone.undone.find((one) => isIn(one, line, isInAccount))
      if (isIn(undone.own, line, isInAccount)) history?.own.push(line)
      else if (range?.until === STILL_WRITING) history?.undoing.push(line)
      else if (!range) history?.since.push(line)
    }
  }
  for (const history of found.values()) {
    const [{ id: first } = { id: 0 }] = history.own
    history.since = history.since.filter(({ id }) => id > first)
  }
  return found
}

/** The last change by somebody, such as a person or the host; null if only the plugin itself has changed the record. */
export function lastByOthers({ since }: History): Line | null {
  return since.findLast((line) => !isOfPlugin(line)) ?? null
}

/** What lines have changed together: the value before the first of them, and after the last. */
export function netChanges(lines: readonly Line[]): ReadonlyMap<string, Change> {
  const net = new Map<string, Change>()
  for (const { changes } of lines) {
    for (const [name, change] of changes) {
      const [before] = net.get(name) ?? change
      net.set(name, [before, change[1]])
    }
  }
  return net
}

/** Columns that the plugin itself has changed since, for example by a timer. */
export function changedByPlugin({ since }: History): ReadonlySet<string> {
  return new Set(since.filter(isOfPlugin).flatMap(({ changes }) => [...changes.keys()]))
}

function isOfPlugin({ byId, origin }: Line): boolean {
  return origin === 'job' && byId === null
}

function isIn({ after, cause, personId, until }: LineRange, line: Line, isInAccount: boolean): boolean {
  const { byId, id, origin } = line
  return id > after && id <= until && byId === personId && origin === 'import' && (isInAccount || line.cause === cause)
}

function lineIn(row: Row): Line {
  const changes = (row['changes'] ?? {}) as { readonly [name: string]: readonly [Json, Json] }
  return {
    id: Number(row['id']),
    type: String(row['owner_type']),
    recordId: Number(row['owner_id']),
    isCreation: row['action'] === 'create',
    changes: new Map(Object.entries(changes)),
    at: String(row['created_at']),
    origin: String(row['origin'] ?? ''),
    byId: row['created_by_id'] === null ? null : Number(row['created_by_id']),
    cause: String(row['cause'] ?? row['source'] ?? ''),
  }
}
