/** Current rows by type and id, including those that the transaction itself has written, and links that were looked for. */
import type { Call } from '../../core/call.js'
import { chunksOf, MAX_LISTED } from '../../core/chunks.js'
import type { Json } from '../../schema/kinds/fields.js'
import type { Criterion } from '../../schema/language/conditions.js'
import type { Row } from '../../schema/language/define-rule.js'
import type { PickedPair } from '../../storage/records/picked-rows.js'
import type { ReadDeps } from '../read/read-deps.js'
import { frozenRow } from './own-objects.js'

/** Rows that one transaction has read, locked or written. */
export interface Rows {
  /** Loads the rows, with one query for those that are missing. */
  prefetch(type: string, ids: Iterable<number>): Promise<void>
  /**
   * Loads rows of several types by id: with one query if these are few, otherwise with one for each type.
   *
   * @param alongside what the query of few rows reads as well; it is left out otherwise
   */
  prefetchAll(ids: ReadonlyMap<string, Iterable<number>>, alongside?: Alongside): Promise<void>
  /** True for a pair that was read alongside and is linked, false if it is not; undefined for other pairs. */
  isPaired(link: PickedPair['link'], from: number, to: number): boolean | undefined
  /** Forgets the pairs: something was written that may be a link. */
  forgetPairs(): void
  /** A row by id; null if it does not exist, or its type is not in the catalog. */
  load(type: string, id: Json | undefined): Promise<Row | null>
  /**
   * Locks rows until the transaction ends, lowest id first, with one query for those that are not locked yet.
   *
   * @returns the existing rows, by id
   */
  lock(type: string, ids: Iterable<number>): Promise<ReadonlyMap<number, Row>>
  /** Reads rows again and keeps other transactions from changing them until this one ends; others may do the same. */
  share(type: string, ids: Iterable<number>): Promise<void>
  /** Caches a copy of a row that the transaction has written or locked. */
  remember(type: string, row: Row): void
  /** Caches a row that was just read, unless the transaction has locked or written that record. */
  notice(type: string, row: Row): void
  /** True for a cached row that the transaction has locked or written, so that no other transaction can change it. */
  isOurs(type: string, id: number): boolean
  /** A cached row, without a query. */
  known(type: string, id: number): Row | undefined
  /** Forgets the rows of a type, or without a name, of all types, and the pairs. */
  forget(type?: string): void
  /** Forgets what other transactions may change: rows that were only read, and pairs. */
  forgetOthers(): void
}

/** What follows from rows that are loaded. */
export interface Alongside {
  /** The rows that a column of a loaded one leads to. */
  readonly behind: readonly { readonly of: string; readonly id: number; readonly column: string; readonly type: string }[]
  readonly pairs: readonly PickedPair[]
}

/** Rows of several types that are read with one statement: what one record refers to, but not a batch. */
export const MAX_PICKED = 8
const NOTHING: Alongside = { behind: [], pairs: [] }

interface Known {
  readonly row: Row | null
  /** Locked, by a lock or by a write: no other transaction can change it. */
  readonly isOurs: boolean
}

/** @param call in the transaction */
export function createRows(deps: ReadDeps, call: Pick<Call, 'transaction' | 'signal'>): Rows {
  const known = new Map<string, Map<number, Known>>()
  const paired = new Map<string, boolean>()
  /** Number of times that the pairs were forgotten: what was being read then is not kept. */
  let forgotten = 0
  const rowsOf = (type: string) => {
    const rows = known.get(type) ?? new Map<number, Known>()
    known.set(type, rows)
    return rows
  }
  const missingOf = (type: string, ids: Iterable<number>) => {
    const of = rowsOf(type)
    return [...new Set(ids)].filter((id) => !of.has(id))
  }
  const read = async (type: string, ids: readonly number[], lock: boolean | 'shared') => {
    const rows = rowsOf(type)
    if (ids.length === 0 || !deps.catalog.types.has(type)) return
    for (const some of chunksOf(ids, MAX_LISTED)) {
      const where: Criterion = { path: ['id'], op: 'in', values: some }
      const found = await deps.queries.rows(call, { type: deps.catalog.type(type), where }, { lock })
      for (const id of some) rows.set(id, { row: null, isOurs: false })
      for (const row of found)
        rows.set(Number(row['id']), { row: frozenRow(deps.catalog.type(type), row), isOurs: lock === true })
    }
  }
  /** Reads the rows that are not locked, in the order of their ids, and returns all ids in this order. */
  const readLocked = async (type: string, ids: Iterable<number>, lock: true | 'shared') => {
    const wanted = [...new Set(ids)].sort((a, b) => a - b)
    const others = wanted.filter((id) => !rowsOf(type).get(id)?.isOurs)
    await read(type, others, lock)
    return wanted
  }
  const rows: Rows = {
    prefetch: (type, ids) => read(type, missingOf(type, ids), false),
    async prefetchAll(ids, { behind, pairs } = NOTHING) {
      const missing = [...ids].map(([type, some]) => [type, missingOf(type, some)] as const)
      const picked = missing.flatMap(([type, some]) =>
        deps.catalog.types.has(type) ? some.map((id) => ({ type: deps.catalog.type(type), id })) : [],
      )
      const following = behind.flatMap(({ column, id, of, type }) => {
        const at = picked.findIndex((one) => one.id === id && one.type.name === of)
        return at < 0 || !deps.catalog.types.has(type) ? [] : [{ type: deps.catalog.type(type), behind: at, column }]
      })
      const isOneType = following.length + pairs.length === 0 && picked.every(({ type }) => type === picked[0]?.type)
      if (picked.length === 0 || isOneType || picked.length > MAX_PICKED) {
        for (const [type, some] of missing) await read(type, some, false)
        return
      }
      const before = forgotten
      const { linked, rows: found } = await deps.queries.pick(call, [...picked, ...following], pairs)
      for (const [at, { id, type }] of picked.entries()) {
        const row = found[at]
        rowsOf(type.name).set(id, { row: row ? frozenRow(type, row) : null, isOurs: false })
      }
      for (const [at, { type }] of following.entries()) {
        const row = found[picked.length + at]
        if (row) rows.notice(type.name, frozenRow(type, row))
      }
      if (forgotten !== before) return
      for (const [at, { from, link, to }] of pairs.entries()) paired.set(keyOfPair(link, from, to), linked[at] === true)
    },
    isPaired: (link, from, to) => paired.get(keyOfPair(link, from, to)),
    forgetPairs() {
      forgotten += 1
      paired.clear()
    },
    async load(type, id) {
      const number = Number(id ?? 0)
      if (!(number > 0)) return null
      await rows.prefetch(type, [number])
      return rowsOf(type).get(number)?.row ?? null
    },
    async lock(type, ids) {
      const of = rowsOf(type)
      const wanted = await readLocked(type, ids, true)
      return new Map(wanted.flatMap((id) => (of.get(id)?.row ? [[id, of.get(id)?.row as Row]] : [])))
    },
    share: async (type, ids) => void (await readLocked(type, ids, 'shared')),
    remember(type, row) {
      rowsOf(type).set(Number(row['id']), { row: frozenRow(deps.catalog.type(type), { ...row }), isOurs: true })
    },
    notice(type, row) {
      const of = rowsOf(type)
      const id = Number(row['id'])
      if (!of.get(id)?.isOurs) of.set(id, { row, isOurs: false })
    },
    isOurs: (type, id) => known.get(type)?.get(id)?.isOurs === true,
    known: (type, id) => known.get(type)?.get(id)?.row ?? undefined,
    forget(type) {
      // Clear the map instead of removing it: reads in progress hold it.
      if (type !== undefined) return known.get(type)?.clear()
      known.clear()
      rows.forgetPairs()
    },
    forgetOthers() {
      rows.forgetPairs()
      for (const of of known.values()) for (const [id, { isOurs }] of of) if (!isOurs) of.delete(id)
    },
  }
  return rows
}

function keyOfPair({ from: column, table, to: other }: PickedPair['link'], from: number, to: number): string {
  return `${table} ${column} ${from} ${other} ${to}`
}
