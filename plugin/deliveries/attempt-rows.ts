import { timestampOf } from '../storage/database/timestamps.js'
import type { Attempt } from './delivery.js'

/** Name of the table of attempts, without the prefix. */
export const ATTEMPTS = 'delivery_attempts'

const MAX_REASON = 255
const MAX_ANSWER = 1024

/** What a function of the host has thrown, as rows have it. */
export function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error ?? 'It failed without an error')
  return text.slice(0, MAX_REASON)
}

/** The rows of attempts of a channel. */
export function rowsOfAttempts(channel: string, attempts: readonly Attempt[]): readonly object[] {
  return attempts.map(({ at, delivery: { id, target }, milliseconds, outcome }) => ({
    delivery_id: id,
    channel,
    target,
    at: timestampOf(at),
    milliseconds: Math.round(milliseconds),
    status: outcome.status ?? null,
    reason: outcome.ok ? null : outcome.reason.slice(0, MAX_REASON),
    answer: outcome.answer?.slice(0, MAX_ANSWER) ?? null,
  }))
}
