import type { Knex } from 'knex'

/**
 * The text in which system tables store times: `2026-11-21 09:30:00.123`, UTC. Bound and read as text, so that neither the time
 * zone of a lent connection nor the dialect matters; such texts sort like their times.
 */
export function timestampOf(date: Date): string {
  return date.toISOString().slice(0, 23).replace('T', ' ')
}

/** The time of a text of {@link timestampOf}. Missing decimals are zero. */
export function dateOfTimestamp(text: string): Date {
  return new Date(`${text.replace(' ', 'T')}Z`)
}

/** Selects a timestamp as text under the name of its column, independent of how a lent connection converts times. */
export function timestampText(db: Knex, column: string): Knex.Raw {
  return db.raw('cast(?? as char) as ??', [column, column.split('.').at(-1) ?? column])
}
