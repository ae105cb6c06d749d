/**
 * The unit of work: state that everything in one outermost transaction shares. Saves of rules, notes, links and removals find
 * it by the transaction of their call. ADR 0019.
 */
import type { Call, CausingRecord } from '../../core/call.js'
import { type Kept, keptWith } from '../../storage/database/transaction.js'
import { onWrite } from '../../storage/database/written-tables.js'
import { createFoundRows, type FoundRows } from './found-rows.js'
import { createRows, type Rows } from './loaded-rows.js'
import { type Changes, createChanges } from './noted-changes.js'
import type { LockDeps } from './work-deps.js'

/** Maximum depth of saves within saves: deeper than any tree of records that our rules follow (100 levels). */
export const MAX_DEPTH = 250
/** Maximum number of saves that an error names. */
const MAX_NAMED = 12

/** Saves that cause each other endlessly: a mistake in rules, not of a caller. */
export class EndlessWork extends Error {
  override readonly name = 'EndlessWork'
}

/** Marked owners of a type. */
export interface Marked {
  readonly type: string
  readonly ids: readonly number[]
  /** The first record that has marked an owner, by the id of the owner; null if it is not known. */
  readonly by: ReadonlyMap<number, CausingRecord | null>
}

/** Marked owners of a type while they are gathered. */
interface Marks {
  /** The number of savepoints when the map was made: only until the next one it may change. */
  readonly since: number
  readonly by: Map<number, CausingRecord | null>
}

export interface Unit extends Rows, FoundRows, Changes, Kept {
  /**
   * Does work that may be part of other work of the transaction.
   *
   * @param step name in the chain of an error about endless work: the record type
   * @throws EndlessWork, with the chain, if work is nested too deeply
   */
  within<T>(step: string, work: () => Promise<T>): Promise<T>
  /**
   * Marks owners to be settled when the outermost work ends.
   *
   * @param by the record whose change may change the owners, for their audit trail; null if it is not known
   */
  mark(type: string, ids: readonly number[], by: CausingRecord | null): void
  /** Returns the marked owners by type, in order of their ids, and clears the marks. */
  takeMarks(): readonly Marked[]
  /** Notes records that the transaction has created. Others can refer to them only once it has committed. */
  created(type: string, ids: readonly number[]): void
  /** True if all records of a table that refer to these are known: the transaction has created them, and has not written there. */
  isUntouched(table: string, type: string, ids: readonly number[]): boolean
  /** True while no work is in progress: the next one is the outermost. */
  isIdle(): boolean
  /** Writes rows that are passed to `remember` after it. Other writes clear the cached rows of their table. */
  writing<T>(work: () => Promise<T>): Promise<T>
}

/** The unit of the call's transaction; a private unit for a call without one. */
export function unitOf(deps: LockDeps, call: Pick<Call, 'transaction' | 'signal'>): Unit {
  if (!call.transaction) return createUnit(deps, call).unit
  return keptWith(deps.storage, call, deps.catalog, (database) => {
    const { unit, written } = createUnit(deps, call)
    onWrite(database, written)
    return unit
  })
}

function createUnit(deps: LockDeps, call: Pick<Call, 'transaction' | 'signal'>) {
  const rows = createRows(deps, call)
  const found = createFoundRows(deps.catalog, rows)
  const { keepChanges, ...changes } = createChanges()
  const chain: string[] = []
  let writes = 0
  let marks = new Map<string, Marks>()
  /** Number of savepoints so far: marks of an earlier one stay as they are, because a rollback puts them back. */
  let savepoints = 0
  const made = new Map<string, Set<number>>()
  /** Null once a statement was not understood. */
  let writtenTables: Set<string> | null = new Set()
  const typeOf = new Map(
    [...deps.catalog.types.values()].map((type) => [deps.storage.table(type.table).toLowerCase(), type.name]),
  )

  const unit: Unit = {
    ...rows,
    ...found,
    ...changes,
    async within(step, work) {
      if (chain.length === 0) {
        rows.forgetOthers()
        found.forgetFound()
      }
      if (chain.length >= MAX_DEPTH) throw new EndlessWork(`Rules save records endlessly: ${named(chain)}`)
      chain.push(step)
      try {
        return await work()
      } finally {
        chain.pop()
      }
    },
    mark(type, ids, by) {
      if (ids.length === 0) return
      const known = marks.get(type)
      const marked = known?.since === savepoints ? known : { since: savepoints, by: new Map(known?.by) }
      marks.set(type, marked)
      for (const id of ids) if (!marked.by.get(id)) marked.by.set(id, by)
    },
    takeMarks() {
      const taken = [...marks].sort(([a], [b]) => (a < b ? -1 : 1))
      marks = new Map()
      return taken.map(([type, { by }]) => ({ type, by, ids: [...by.keys()].sort((a, b) => a - b) }))
    },
    created(type, ids) {
      const of = made.get(type) ?? new Set()
      made.set(type, of)
      for (const id of ids) of.add(id)
    },
    isUntouched: (table, type, ids) =>
      writtenTables !== null && !writtenTables.has(table.toLowerCase()) && ids.every((id) => made.get(type)?.has(id)),
    isIdle: () => chain.length === 0,
    async writing(work) {
      writes += 1
      try {
        return await work()
      } finally {
        writes -= 1
      }
    },
    savepoint() {
      const marked = new Map(marks)
      const undoChanges = keepChanges()
      savepoints += 1
      return () => {
        rows.forget()
        found.forgetFound()
        undoChanges()
        marks = marked
      }
    },
  }

  /** Runs for each statement that writes. */
  const written = (given: string | null) => {
    // Some servers have tables whatever the case of their name.
    const table = given?.toLowerCase() ?? null
    if (table === null) writtenTables = null
    else writtenTables?.add(table)
    const type = table === null ? undefined : typeOf.get(table)
    if (table === null || type) found.forgetFound(type)
    // It may be the table of a link.
    if (!type) rows.forgetPairs()
    if (writes > 0) return
    if (table === null) rows.forget()
    else if (type) rows.forget(type)
  }
  return { unit, written }
}

/** `act → stage → act → …` */
function named(chain: readonly string[]): string {
  return [...chain.slice(0, MAX_NAMED), '…'].join(' → ')
}
