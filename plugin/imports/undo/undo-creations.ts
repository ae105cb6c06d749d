/** Third step of an undo: records that the import has created, the last ones first. */
import type { Call } from '../../core/call.js'
import type { Catalog, RecordType } from '../../schema/catalog.js'
import type { Json } from '../../schema/kinds/fields.js'
import { AUDIT_LINE } from '../../schema/language/built-in-types.js'
import { dbOf } from '../../storage/database/transaction.js'
import { addResults, NO_RESULTS, type Results } from '../progress/results.js'
import { DISABLED, hasDisabledFlag } from '../rows/disabled-flag.js'
import { type Line, netChanges, readOwnLines } from './audit-lines.js'
import type { LeftReason, LeftRecord, UndoDeps, Undone, UndoStep } from './contract.js'
import { type LockedRecord, leftRecord, lockRecords } from './locked-records.js'
import { keptWithAnother, reasonsToKeep } from './records-to-keep.js'
import { removed, saved } from './saved-as-possible.js'

const ONLY_CREATIONS = [{ path: ['action'], op: 'in', values: ['create'] }] as const

/**
 * Creates the step. It is done twice: a record may have been created for an older one, which refers to it, such as the group of a
 * request. The first time, records that others refer to are left without a word.
 *
 * @param asUndo the call with which records are removed
 */
export function undoCreations(deps: UndoDeps, undone: Undone, asUndo: (call: Call) => Call, isSecond: boolean): UndoStep<Line> {
  return {
    isRepeat: isSecond,
    read: (below, limit) => readOwnLines(deps, undone, below, limit, ONLY_CREATIONS),
    async undo(call, lines) {
      let results = NO_RESULTS
      const left: LeftRecord[] = []
      for (const some of adjacent(lines)) {
        const type = deps.catalog.types.get(some[0]?.type ?? '')
        if (!type || (isSecond && canDisable(type))) continue
        const ids = some.map(({ recordId }) => recordId)
        // Somebody may have removed it: there is nothing to do.
        const found = (await lockRecords(deps, call, undone, type, ids)).filter(({ row }) => row !== null)
        const kept = await keptWithAnother(deps, call, undone, type, found)
        const there = found.filter(({ id }) => !kept.has(id))
        const reasons = await reasonsToKeep(deps, call, undone, type, there)
        const open = there.filter(({ id }) => !reasons.has(id))
        const done = await (canDisable(type) ? disable : remove)(deps, asUndo(call), type, open)
        for (const record of there) {
          const reason = reasons.get(record.id) ?? done.refused.get(record.id)
          if (reason && isSecond === (reason.code === 'undo_in_use')) left.push(leftRecord(type, record, reason))
        }
        results = addResults(results, done.results)
      }
      return { results: { ...results, failures: left.length }, left }
    },
  }
}

/** Runs of lines about records of one type, in their order. */
function adjacent(lines: readonly Line[]): readonly (readonly Line[])[] {
  const runs: Line[][] = []
  for (const line of lines) {
    const run = runs.at(-1)
    if (run?.[0]?.type === line.type) run.push(line)
    else runs.push([line])
  }
  return runs
}

/** True if records of the type are disabled instead: callers cannot remove them either. */
function canDisable(type: RecordType): boolean {
  return hasDisabledFlag(type) && !type.operations.has('remove')
}

/** What became of new records. */
interface Done {
  readonly results: Results
  readonly refused: ReadonlyMap<number, LeftReason>
}

async function disable(deps: UndoDeps, call: Call, type: RecordType, records: readonly LockedRecord[]): Promise<Done> {
  const refused = new Map<number, LeftReason>()
  let results = NO_RESULTS
  const itemOf = ({ id }: LockedRecord) => ({ id, body: { [DISABLED]: true } })
  for (const { done, work } of await saved(deps, call, type, records, itemOf)) {
    if (typeof done === 'object') refused.set(work.id, done)
    else results = { ...results, [done]: results[done] + 1 }
  }
  return { results, refused }
}

/** Removes those that no other record refers to. */
async function remove(deps: UndoDeps, call: Call, type: RecordType, records: readonly LockedRecord[]): Promise<Done> {
  const inUse = await inUseOf(deps, call, type, records)
  const free = records.flatMap(({ id }) => (inUse.has(id) ? [] : [{ id }]))
  const refused = new Map([...inUse, ...(await removed(deps, call, type, free))])
  return { results: { ...NO_RESULTS, deleted: records.length - refused.size }, refused }
}

/** The records that others refer to or are linked with, apart from these themselves, their sub-records, and links of the import. */
async function inUseOf(
  { catalog, queries, storage }: UndoDeps,
  call: Call,
  type: RecordType,
  records: readonly LockedRecord[],
): Promise<ReadonlyMap<number, LeftReason>> {
  const found = new Map<number, LeftReason>()
  if (records.length === 0) return found
  const ids = records.map(({ id }) => id)
  const add = (id: unknown, byType: string) => found.set(Number(id), { code: 'undo_in_use', byType })
  for (const [other, field] of referencesTo(catalog, type)) {
    const refers = { path: [field], op: 'in', values: ids } as const
    const others = { path: ['id'], op: 'not in', values: ids } as const
    const where = other === type ? { all: [refers, others] } : refers
    for (const [id] of await queries.cells(call, { type: other, where, isDistinct: true }, [[field]])) add(id, other.name)
  }
  const isNew = new Set(ids)
  const histories = new Map(records.map(({ history, id }) => [id, netChanges(history.own)]))
  for (const other of catalog.types.values()) {
    for (const link of other.links.values()) {
      if (link.record !== type.name) continue
      const pairs: Record<string, unknown>[] = await dbOf(
        storage,
        call,
      )(storage.table(link.table))
        .whereIn(link.to, ids)
        .select(link.from, link.to)
      // A link has a name on each side; audit lines have that of the side on which it was made.
      const own = [...type.links]
        .filter(([, { from, table }]) => table === link.table && from === link.to)
        .map(([name]) => name)
      for (const pair of pairs) {
        const [from, to] = [Number(pair[link.from]), Number(pair[link.to])]
        const isOfImport = own.some((name) => isAmong(histories.get(to)?.get(name)?.[1], from))
        if (!isOfImport && !(other === type && isNew.has(from))) add(to, other.name)
      }
    }
  }
  return found
}

function isAmong(ids: Json | undefined, id: number): boolean {
  return Array.isArray(ids) && ids.some((one) => Number(one) === id)
}

/** The fields that refer to records of the type. Its own sub-records go with it. */
function referencesTo({ types }: Catalog, { name }: RecordType): readonly (readonly [RecordType, string])[] {
  return [...types.values()]
    .filter((other) => other.name !== AUDIT_LINE && !other.partOf.includes(name))
    .flatMap((other) =>
      [...other.columns.values()].flatMap((field) =>
        field.kind === 'ref' && field.record === name ? [[other, field.name] as const] : [],
      ),
    )
}
