/** Tells subscribers how statuses change, and which rule has changed them: for specs that compare it with the data. ADR 0031. */
import { channel } from 'node:diagnostics_channel'
import { isOfRule } from '../../core/call.js'
import type { Json } from '../../schema/kinds/fields.js'
import type { Draft } from './draft.js'
import type { Work } from './pipeline.js'

/** A change of a status on the way through the pipeline. */
export interface StatusMove {
  readonly type: string
  /** Null for a new record. */
  readonly from: Json
  readonly to: Json
  /** `rule pendingWith of request`, the reason of a call that a rule, a settling or a timer makes, `hook`, `default` or `hand`. */
  readonly by: string
}

/** Name of the channel on which moves are published, in the same process. */
export const STATUS_MOVED = 'koa-itsm:status-moved'

const COLUMN = 'status'
const moved = channel(STATUS_MOVED)

/** Notes the status that the body or a default has set. */
export function noteGivenStatus(work: Work, drafts: readonly Draft[]): void {
  const by = isOfRule(work.call) ? String(work.call.reason) : 'hand'
  const isGiven = ({ input }: Draft) => input.given.has(COLUMN)
  noteMoves(work, drafts.filter(isGiven), by)
  noteMoves(work, drafts, 'default')
}

/** Notes the changes of statuses since the last call. Costs nothing without subscribers. */
export function noteMoves({ type }: Work, drafts: readonly Draft[], by: string): void {
  if (!moved.hasSubscribers || !type.columns.has(COLUMN)) return
  for (const { before, moves, next } of drafts) {
    const from = moves.at(-1)?.to ?? before?.[COLUMN] ?? null
    const to = next[COLUMN] ?? null
    if (from !== to) moves.push({ type: type.name, from, to, by })
  }
}

/** Publishes the moves of stored records. */
export function publishMoves(drafts: readonly Draft[]): void {
  if (!moved.hasSubscribers) return
  for (const { moves } of drafts) for (const move of moves) moved.publish(move)
}
