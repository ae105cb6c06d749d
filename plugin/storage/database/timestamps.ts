/**
 * The text in which system tables store times: `2026-11-21 09:30:00.123`, UTC. Bound and read as text (`read-alike.ts`), so that
 * neither the time zone of a lent connection nor the dialect matters; such texts sort like their times.
 */
export function timestampOf(date: Date): string {
  return date.toISOString().slice(0, 23).replace('T', ' ')
}

/** The time of a text of {@link timestampOf}. Missing decimals are zero. */
export function dateOfTimestamp(text: string): Date {
  return new Date(`${text.replace(' ', 'T')}Z`)
}
