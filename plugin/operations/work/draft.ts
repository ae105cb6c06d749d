/** A record on its way through the pipeline. The steps of `save.ts` fill it in, one after the other. */
import type { Params, Violation } from '../../core/errors.js'
import type { RecordType } from '../../schema/catalog.js'
import type { Input } from '../../schema/derive/input.js'
import { NO_INPUT } from '../../schema/derive/input-builder.js'
import type { Json } from '../../schema/kinds/fields.js'
import type { DraftRow, Row } from '../../schema/language/define-rule.js'
import type { Owner, SaveItem } from '../contract.js'
import type { StatusMove } from './status-moves.js'

export interface Draft {
  readonly item: SaveItem
  readonly owner: Owner | null
  /** The owner as stored; null if there is none, or the caller does not see it. */
  ownerRow: Row | null
  /** The stored row; null when creating. */
  before: Row | null
  /** The access row: the row and the columns that permission checks need; null until it was found. */
  accessRow: Row | null
  input: Input
  /** The row to be stored. */
  next: DraftRow
  /** Columns of the account and the owner, which only the save itself sets. */
  place: Row
  /** True if a reference of the body was replaced, because the caller cannot find its record. */
  conceals: boolean
  /** The row as it was written; rules may set more of it when its id is known. */
  written: Row | null
  readonly violations: Violation[]
  /** Changes of the status so far; empty unless something subscribes to them. */
  readonly moves: StatusMove[]
  /** Names in the body without effect. */
  readonly ignored: Set<string>
  /** The reason why the caller may not do this. */
  denied: Error | null
  noteIds: number[]
  /** Columns whose value has changed; set after the rules have run. */
  changed: readonly string[]
  /** Columns of changed marks, which are no values of the record: `renewal` in `schema/language/define-timer.ts`. */
  changedMarks: readonly string[]
  /** Links and sub-records that were replaced: before and after, by the name of the link or the field. */
  readonly changedRelated: Map<string, readonly [Json, Json]>
  /** Secrets that were made, by field: only the response to this save has them. */
  readonly shownOnce: Record<string, string>
  auditLineId: number | null
  /** The audit line, if it was written before all changes were known. */
  earlyLine: DraftRow | null
}

/** A draft with nothing but its input. */
export function startDraft(item: SaveItem): Draft {
  return {
    item,
    owner: item.owner ?? null,
    ownerRow: null,
    before: null,
    accessRow: null,
    input: NO_INPUT,
    next: {},
    place: {},
    conceals: false,
    written: null,
    violations: [],
    moves: [],
    ignored: new Set(),
    denied: null,
    noteIds: [],
    changed: [],
    changedMarks: [],
    changedRelated: new Map(item.changedRelated),
    shownOnce: {},
    auditLineId: null,
    earlyLine: null,
  }
}

/** True while nothing prevents storing the record. */
export function isSound(draft: Draft): boolean {
  return draft.denied === null && draft.violations.length === 0
}

/** Adds a violation. The same one is not reported twice, and an unreadable value is not also reported as missing. */
export function refuse(draft: Draft, field: string, code: string, params?: Params): void {
  if (draft.violations.some(([known, same]) => known === field && (same === code || code === 'blank'))) return
  draft.violations.push(params ? [field, code, params] : [field, code])
}

/**
 * Reports the reference as not found and drops other violations of the field: they would reveal a record that the caller cannot
 * see.
 */
export function refuseUnknown(draft: Draft, field: string): void {
  const others = draft.violations.filter(([known]) => known !== field)
  draft.violations.splice(0, draft.violations.length, ...others, [field, 'cannot_be_found'])
}

/**
 * The violations, with the name that callers use for a value: contacts are sent and shown as `telephone`, not as `uri`
 * (behaviour: Addresses and contacts).
 */
export function asCalled(type: RecordType, { next, violations }: Draft): readonly Violation[] {
  return violations.map((violation) => {
    const [field, code, params] = violation
    const keys = type.fields.get(type.fields.get(field)?.keyedBy ?? '')
    const calledAs = keys && next[keys.column ?? '']
    return typeof calledAs === 'string' && keys?.values?.includes(calledAs) ? [field, code, { ...params, calledAs }] : violation
  })
}

/** All violations in the order of the fields (behaviour: Validation errors). */
export function inFieldOrder(type: RecordType, violations: readonly Violation[]): readonly Violation[] {
  const order = [...type.fields.keys()]
  const place = (field: string) => (order.includes(field) ? order.indexOf(field) : order.length)
  return [...violations].sort(([a], [b]) => place(a) - place(b))
}

/** True if the values differ as stored; JSON is compared by content. */
export function differs(a: Json | undefined, b: Json | undefined): boolean {
  const left = a ?? null
  const right = b ?? null
  if (left === right) return false
  if (typeof left !== 'object' || typeof right !== 'object') return true
  return JSON.stringify(left) !== JSON.stringify(right)
}

/** Columns that the save itself sets, whose change alone does not count. */
export const SILENT: ReadonlySet<string> = new Set(['id', 'account_id', 'owner_type', 'owner_id', 'created_at', 'updated_at'])

/** Columns of the type whose value changed, without the silent ones and the marks. */
export function changedColumns(type: RecordType, before: Row | null, next: Row): readonly string[] {
  const changed: string[] = []
  for (const column of type.columns.keys()) {
    if (SILENT.has(column) || type.marks.has(column)) continue
    if (differs(before?.[column], next[column])) changed.push(column)
  }
  return changed
}

/** Columns of marks that changed. */
export function changedMarks(type: RecordType, before: Row | null, next: Row): readonly string[] {
  return [...type.marks].filter((column) => differs(before?.[column], next[column]))
}
