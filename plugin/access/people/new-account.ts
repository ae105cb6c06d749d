/** Checks an account of the host: a wrong zone or language would appear only in responses to people. */
import { suggestion } from '../../core/text/nearest.js'
import { shown } from '../../core/text/shown.js'
import { listNameOf } from '../../core/time/time-zones.js'
import { validDate } from '../../core/time/zoned-time.js'
import { languageIn } from '../../words/languages.js'

/** An account as a host stores it with `accounts.put`. */
export interface NewAccount {
  /** Lower-case letters, digits and hyphens. */
  readonly id: string
  /** Shown to people. */
  readonly name: string
  /** An id of the language enumeration; default en-US. */
  readonly locale?: string
  /** A name of the time_zone enumeration, or an IANA name; default UTC. */
  readonly timeZone?: string
  /** The account's own organization; its tree is "internal". */
  readonly organizationId?: number | null
  /** The account that holds the people of this support domain; null, the default, for none. */
  readonly directoryAccountId?: string | null
  /** Name of the subscription, shown to people: at most 64 characters; default `standard`. */
  readonly plan?: string
  /** ISO 4217, `EUR`; default USD. */
  readonly currency?: string
  /** True to show times as 18:00 and not as 6:00 pm; default true. */
  readonly timeFormat24h?: boolean
  /** True to limit what people of the account see of each other; default false. Only shown. */
  readonly strongPrivacy?: boolean
  /**
   * Time entries up to this date, `2026-10-31`, can be created and changed only as corrections; null, the default, locks none.
   */
  readonly timeEntriesLockedUntil?: string | null
  /**
   * The team of new requests that no service and no agreement gives a team to. A team with this `name` becomes the service
   * desk; if there is none, the present one stays, whatever its name is by now, and without one a team is created.
   */
  readonly serviceDesk?: { readonly name: string }
}

/** Known names. */
const NAMES: { readonly [name in keyof Required<NewAccount>]: true } = {
  id: true,
  name: true,
  locale: true,
  timeZone: true,
  organizationId: true,
  directoryAccountId: true,
  plan: true,
  currency: true,
  timeFormat24h: true,
  strongPrivacy: true,
  timeEntriesLockedUntil: true,
  serviceDesk: true,
}
/** Sub-domain label. */
const ID = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/
const MAX_NAME_LENGTH = 255
const MAX_TEAM_NAME_LENGTH = 128

/** The columns of the given fields. @throws RangeError with all mistakes */
export function columnsOfAccount(account: NewAccount): object {
  const mistakes = mistakesIn(account)
  if (mistakes.length > 0) throw new RangeError(mistakes.join(', '))
  const { locale, timeZone } = account
  return onlyGiven({
    name: account.name,
    locale: locale === undefined ? undefined : languageIn(locale),
    time_zone: timeZone === undefined ? undefined : listNameOf(timeZone),
    organization_id: account.organizationId,
    directory_account_id: account.directoryAccountId,
    plan: account.plan,
    currency: account.currency,
    time_format_24h: flagOf(account.timeFormat24h),
    strong_privacy: flagOf(account.strongPrivacy),
    time_entries_locked_until: account.timeEntriesLockedUntil,
  })
}

function mistakesIn(account: NewAccount): readonly string[] {
  if (typeof account !== 'object' || account === null) return [`An account must be an object, not ${shown(account)}`]
  const given: Partial<Record<keyof NewAccount, unknown>> = account
  const mistakes: string[] = []
  const report = (wrong: boolean, text: string) => void (wrong && mistakes.push(text))
  for (const name of Object.keys(given)) {
    report(!Object.hasOwn(NAMES, name), `An account has no '${name}'${suggestion(name, Object.keys(NAMES))}`)
  }
  report(!isId(given.id), `An account id must be lower-case letters, digits and hyphens, not ${shown(given.id)}`)
  const isName = isText(given.name) && given.name.trim() !== '' && given.name.length <= MAX_NAME_LENGTH
  report(!isName, `The name of an account must be a text of 1 to ${MAX_NAME_LENGTH} characters, not ${shown(given.name)}`)
  const { locale, timeZone, plan, currency, organizationId, directoryAccountId, timeEntriesLockedUntil } = given
  report(isGiven(locale) && !(isText(locale) && languageIn(locale)), `There is no language ${shown(locale)}`)
  report(isGiven(timeZone) && !(isText(timeZone) && listNameOf(timeZone)), `There is no time zone ${shown(timeZone)}`)
  report(isGiven(plan) && !(isText(plan) && /^.{1,64}$/u.test(plan)), 'A plan must be a text of 1 to 64 characters')
  const isCurrency = isText(currency) && Intl.supportedValuesOf('currency').includes(currency)
  report(isGiven(currency) && !isCurrency, `There is no currency ${shown(currency)}`)
  const isRecord = Number.isSafeInteger(organizationId) && Number(organizationId) > 0
  report(
    hasValue(organizationId) && !isRecord,
    `organizationId must be the id of an organization, not ${shown(organizationId)}`,
  )
  const isElsewhere = isId(directoryAccountId)
  report(
    hasValue(directoryAccountId) && !isElsewhere,
    `directoryAccountId must be an account id, not ${shown(directoryAccountId)}`,
  )
  for (const name of ['timeFormat24h', 'strongPrivacy'] as const) {
    report(isGiven(given[name]) && typeof given[name] !== 'boolean', `${name} must be true or false, not ${shown(given[name])}`)
  }
  const isDate = isText(timeEntriesLockedUntil) && validDate(timeEntriesLockedUntil)
  const date = `timeEntriesLockedUntil must be a date such as 2026-10-31, not ${shown(timeEntriesLockedUntil)}`
  report(hasValue(timeEntriesLockedUntil) && !isDate, date)
  if (isGiven(given.serviceDesk)) mistakes.push(...mistakesInServiceDesk(given.serviceDesk))
  return mistakes
}

function mistakesInServiceDesk(desk: unknown): readonly string[] {
  if (typeof desk !== 'object' || desk === null || Array.isArray(desk)) {
    return [`serviceDesk must be an object such as { name: 'Service Desk' }, not ${shown(desk)}`]
  }
  const { name, ...more } = desk as { readonly name?: unknown }
  const isName = isText(name) && name.trim() !== '' && name.length <= MAX_TEAM_NAME_LENGTH
  return [
    ...Object.keys(more).map((wrong) => `serviceDesk has no '${wrong}'${suggestion(wrong, ['name'])}`),
    ...(isName
      ? []
      : [`The name of a service desk must be a text of 1 to ${MAX_TEAM_NAME_LENGTH} characters, not ${shown(name)}`]),
  ]
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isId(value: unknown): boolean {
  return isText(value) && ID.test(value)
}

function isGiven(value: unknown): boolean {
  return value !== undefined
}

function hasValue(value: unknown): boolean {
  return value !== undefined && value !== null
}

/** Databases store booleans as numbers. */
function flagOf(value: boolean | undefined): 0 | 1 | undefined {
  return value === undefined ? undefined : value ? 1 : 0
}

function onlyGiven(columns: object): object {
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined))
}
