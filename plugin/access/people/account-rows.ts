/** Rows of the table of accounts. */
import type { Account } from '../../core/call.js'

/** An account with the fields that only `GET /account` shows: also `timeFormat24h` and `strongPrivacy`. */
export interface StoredAccount extends Required<Account> {
  /** The subscription of the account, in the host's words. */
  readonly plan: string
  /** ISO 4217: three capital letters. */
  readonly currency: string
  readonly timeFormat24h: boolean
  readonly strongPrivacy: boolean
}

/** A row of the table of accounts. */
export interface AccountRow {
  readonly id: string
  readonly name: string
  readonly locale: string
  readonly time_zone: string
  readonly organization_id: number | string | null
  readonly directory_account_id: string | null
  readonly plan: string
  readonly currency: string
  readonly time_format_24h: number | boolean
  readonly strong_privacy: number | boolean
  readonly time_entries_locked_until: string | null
  readonly service_desk_team_id: number | string | null
}

/** The account in a row. */
export function accountOf(row: AccountRow): StoredAccount {
  return Object.freeze({
    id: row.id,
    name: row.name,
    locale: row.locale,
    timeZone: row.time_zone,
    organizationId: row.organization_id === null ? null : Number(row.organization_id),
    directoryAccountId: row.directory_account_id,
    plan: row.plan,
    currency: row.currency,
    timeFormat24h: Boolean(row.time_format_24h),
    strongPrivacy: Boolean(row.strong_privacy),
    timeEntriesLockedUntil: row.time_entries_locked_until,
    serviceDeskTeamId: row.service_desk_team_id === null ? null : Number(row.service_desk_team_id),
  })
}
