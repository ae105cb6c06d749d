/** Decides for the feed what a caller may know of messages: the records that it sees now, and the changes that it may read. */

import { mayReadEverywhere } from '../../access/sight/decide.js'
import type { Call } from '../../core/call.js'
import { Forbidden } from '../../core/errors.js'
import type { RecordType } from '../../schema/catalog.js'
import { listShape } from '../../schema/derive/shape.js'
import type { Json } from '../../schema/kinds/fields.js'
import { AUDIT_LINE, NOTE } from '../../schema/language/built-in-types.js'
import type { Criterion } from '../../schema/language/conditions.js'
import { writeAnswers } from './answers.js'
import type { AnswerDeps } from './read-deps.js'

/** What an audit line says of its change, as far as the caller may read it. */
export interface ShownChange {
  readonly changes: Json
  /** What made the change; null if a caller has chosen it. */
  readonly cause: Json
}

/** Reads with a number of statements that does not grow with the ids. */
export interface FeedReading {
  /**
   * The ids of records that the caller sees now: those that it can read one by one, and those that were passed to its account.
   * None of a type that is unknown or closed. One statement.
   */
  seen(call: Call, type: string, ids: readonly number[]): Promise<ReadonlySet<number>>
  /** True if the caller may know of each record of the type that its account has ever had. */
  knowsAll(call: Call, type: string): Promise<boolean>
  /**
   * The ids of notes that the caller may not know of, and of those that are not there. Their records are those that the caller
   * sees. Two statements at most.
   */
  hiddenNotes(call: Call, ids: readonly number[]): Promise<ReadonlySet<number>>
  /** The changes of audit lines and their causes, as `GET /<type>/:id/audit` shows them; null if the caller may not read audit lines. */
  changes(call: Call, lineIds: readonly number[]): Promise<ReadonlyMap<number, ShownChange> | null>
  /** True if the caller may read the field in any record of the type. */
  readsField(call: Call, type: string, field: string): boolean
}

/** Creates the reading for the feed. Does no I/O. */
export function createFeedReading(deps: AnswerDeps): FeedReading {
  const { catalog, queries, scope } = deps

  const isOpen = async (call: Call, type: RecordType): Promise<boolean> => {
    try {
      await deps.decisions.decide(call, 'read', type, null)
      return true
    } catch (error) {
      if (error instanceof Forbidden) return false
      throw error
    }
  }

  const seen: FeedReading['seen'] = async (call, name, ids) => {
    const type = catalog.types.get(name)
    if (!type || ids.length === 0 || !(await isOpen(call, type))) return new Set()
    const passed = await scope.passed(call, type)
    const visible = await scope.visible(call, type)
    const where: Criterion = { all: [among(ids), passed ? { any: [visible, passed] } : visible] }
    return new Set((await queries.cells(call, { type, where }, [['id']])).map(([id]) => Number(id)))
  }

  return {
    seen,
    async knowsAll(call, name) {
      const type = catalog.types.get(name)
      return type !== undefined && (await isOpen(call, type)) && (await scope.knowsAll(call, type))
    },
    async hiddenNotes(call, ids) {
      const type = catalog.types.get(NOTE)
      const naming = type && [...type.columns].find(([, field]) => field.namesAccount)?.[0]
      if (!naming || ids.length === 0) return new Set()
      const rows = await queries.cells(call, { type, where: among(ids) }, [['id'], [naming], ['account']])
      // Public notes of passed records are seen in the account of the record.
      const passed = new Set(
        rows.flatMap(([id, internal, account]) => (!Number(internal) && account !== call.account.id ? Number(id) : [])),
      )
      const known = await seen(call, NOTE, ids)
      return new Set(ids.filter((id) => !known.has(id) && !passed.has(id)))
    },
    async changes(call, lineIds) {
      const type = catalog.types.get(AUDIT_LINE)
      if (!type || !(await isOpen(call, type))) return null
      if (lineIds.length === 0) return new Map()
      const shape = listShape(type, catalog, ['changes', 'cause'])
      const where: Criterion = { all: [among(lineIds), await scope.visible(call, type)] }
      const cells = await queries.cells(call, { type, where, language: call.language }, shape.slots)
      const lines = await writeAnswers(deps, call, shape, cells)
      return new Map(lines.map(({ cause = null, changes = null, id }) => [Number(id), { changes, cause }]))
    },
    readsField(call, name, fieldName) {
      const field = catalog.types.get(name)?.fields.get(fieldName)
      return !field || mayReadEverywhere(call, field)
    },
  }
}

function among(ids: readonly number[]): Criterion {
  return { path: ['id'], op: 'in', values: ids }
}
