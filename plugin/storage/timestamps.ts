/**
 * The text in which the bookkeeping tables hold times: `2026-11-21 09:30:00.123`, UTC. Bound and read as text, so that neither
 * the time zone of a lent connection nor the dialect matters; such texts compare like the times they stand for.
 */
export function timestampOf(date: Date): string {
  return date.toISOString().slice(0, 23).replace('T', ' ')
}

/** The moment that a text of {@link timestampOf} stands for. Missing decimals are zero. */
export function dateOfTimestamp(text: string): Date {
  return new Date(`${text.replace(' ', 'T')}Z`)
}
