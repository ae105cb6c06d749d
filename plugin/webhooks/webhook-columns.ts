/** What a webhook asks for, in rows of its table: the columns to read, and what they say. */
import type { ContentType } from './delivery-bodies.js'
import type { Asking } from './matches.js'
import type { PayloadForm } from './read-extras.js'

/** The columns that decide which messages a webhook wants. */
export const ASKING_COLUMNS = ['event', 'events', 'filter', 'except_person_id', 'disabled'] as const

/** The columns that decide how deliveries are sent. */
export const SENDING_COLUMNS = ['content_type', 'payload', 'headers', 'max_per_minute'] as const

/** How deliveries of a webhook are sent. */
export interface Sending {
  readonly contentType: ContentType
  readonly payload: PayloadForm
  /** As in the row: sealed, null for none. For `Send`. */
  readonly headers: unknown
  /** For `pace`; null for no bounds. */
  readonly maxPerMinute: number | null
}

type Row<Columns extends readonly string[]> = { readonly [column in Columns[number]]?: unknown }

/** Which messages a webhook wants. */
export function askingOf(row: Row<typeof ASKING_COLUMNS>): Asking {
  return {
    event: String(row.event),
    events: row.events ?? null,
    filter: typeof row.filter === 'string' && row.filter !== '' ? row.filter : null,
    exceptPersonId: numberOr(row.except_person_id),
    disabled: Boolean(row.disabled),
  }
}

/** How deliveries of a webhook are sent. What a process of a later version may have stored counts as the default. */
export function sendingOf(row: Row<typeof SENDING_COLUMNS>): Sending {
  const { content_type, headers = null, max_per_minute, payload } = row
  return {
    contentType: content_type === 'json' ? 'json' : 'form',
    payload: payload === 'snapshot' || payload === 'changes' ? payload : 'reference',
    headers,
    maxPerMinute: numberOr(max_per_minute),
  }
}

function numberOr(cell: unknown): number | null {
  return cell === null || cell === undefined ? null : Number(cell)
}
