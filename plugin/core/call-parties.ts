/** The account and the person of a call. */

/** An account as calls know it. `id` is a sub-domain label: lower-case letters, digits, hyphens (behaviour: Accounts). */
export interface Account {
  readonly id: string
  /** Shown to people. */
  readonly name: string
  /** Language of the account, an id of the language enumeration. */
  readonly locale: string
  /** A name of the time_zone enumeration. */
  readonly timeZone: string
  /** The account's own organization; its tree is "internal". */
  readonly organizationId: number | null
  /** The directory account of this account, when it is a support domain of one. */
  readonly directoryAccountId: string | null
  /** Time entries of this date, `2026-10-31`, and of earlier ones change only as corrections; null when all may change. */
  readonly timeEntriesLockedUntil?: string | null
  /** The team of new requests that no service and no agreement gives a team to; null if there is none. */
  readonly serviceDeskTeamId?: number | null
}

/**
 * The person that acts, reduced to what every call needs: `id`, `name` and `email`, language (`locale`) and `timeZone` if the
 * person has chosen them, and `organizationId`.
 */
export interface Actor {
  readonly id: number
  readonly name: string
  readonly email: string
  /** The account that holds the person record. */
  readonly accountId: string
  readonly locale: string | null
  readonly timeZone: string | null
  readonly organizationId: number | null
}
