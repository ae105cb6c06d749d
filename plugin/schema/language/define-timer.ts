/** Timers: changes that the plugin makes to records at a stored time. Plain data, like the definitions that contain them. */
import { type Condition, type Criterion, criterionOf, type Scalar } from './conditions.js'

/** Events that only timers cause: no save of a caller does. */
export const TIMER_VERBS = ['waiting-ended', 'target-warning', 'target-missed'] as const
/** Verbs of events that only timers cause. */
export type TimerVerb = (typeof TIMER_VERBS)[number]

/** Targets that events are about. */
export const TARGETS = ['response', 'resolution'] as const
/** Targets that events are about. */
export type Target = (typeof TARGETS)[number]

/** A timer of a record type, as its author writes it. */
export interface Timer {
  /** The datetime field with the timestamp. */
  readonly due: string
  /** The records that wait: tests of their own fields. */
  readonly while: Condition
  /** Values by field, saved when the timestamp is reached. */
  readonly set: { readonly [field: string]: Scalar }
  /** The event that it causes, besides those of the values, when the record goes on because its time has come. */
  readonly raises?: TimerVerb
  /** The target that the event is about, for receivers. */
  readonly target?: Target
  /** Present if the timestamp only says that the record has to be computed again. */
  readonly renews?: Renewal
}

/** What a renewal depends on besides the records whose rules make it due: the records that follow from a value of their account. */
export interface Renewal {
  /** Records that count in the time zone of their account. */
  readonly inAccountZone?: Condition
  /** Records that depend on the organization of their account. */
  readonly ofAccountOrganization?: Condition
  /** Records with texts in the language of their account. */
  readonly inAccountLanguage?: Condition
}

/** The columns of an account whose change makes records due. */
export const ACCOUNT_RENEWALS = {
  inAccountZone: 'time_zone',
  ofAccountOrganization: 'organization_id',
  inAccountLanguage: 'locale',
} as const satisfies Record<keyof Renewal, string>

/**
 * The properties of a renewal that it has.
 *
 * ```ts
 * import { extendRecord, renewal, datetime } from 'koa-itsm'
 *
 * export const vehicles = extendRecord('vehicle', {
 *   fields: { renew_at: datetime({ hidden: true, readOnly: true }) },
 *   timers: [renewal('renew_at', { while: { status: 'in_use' }, inAccountZone: { status: 'in_use' } })],
 * })
 * ```
 */
export function renewalNames(
  renewal: { readonly [name in keyof Renewal]: unknown } | null | undefined,
): readonly (keyof Renewal)[] {
  return Object.keys(ACCOUNT_RENEWALS).filter((name) => Object.hasOwn(renewal ?? {}, name)) as (keyof Renewal)[]
}

/**
 * Describes the values that are saved when the timestamp in a field is reached:
 * `due('waiting_until', { while: { status: 'waiting_for' }, set: { status: 'assigned' } })`.
 *
 * The values must end the waiting: the record no longer meets `while`, or the timestamp is cleared. With
 * `raises: 'waiting-ended'`, that is an event of its own.
 *
 * ```ts
 * import { datetime, due, extendRecord } from 'koa-itsm'
 *
 * export const sites = extendRecord('site', {
 *   fields: { closes_at: datetime() },
 *   timers: [due('closes_at', { while: { disabled: false }, set: { disabled: true } })],
 * })
 * ```
 */
export function due(field: string, timer: Pick<Timer, 'while' | 'set' | 'raises' | 'target'>): Timer {
  const { raises, target } = timer
  const event = { ...(raises && { raises }), ...(target && { target }) }
  return Object.freeze({ due: field, while: timer.while, set: Object.freeze({ ...timer.set }), ...event })
}

/**
 * Describes records that are computed again some seconds after a change of what any number of them follow from. The change has
 * made them due (`renews`, `makeDue`). They are saved without values; rules and settlings compute as usual. ADR 0044.
 *
 * The timestamp is a mark and no value of the record. Unless other values change, the record has not been updated: there is no
 * audit line, no event, and `updated_at` stays as it is.
 */
export function renewal(field: string, timer: Pick<Timer, 'while'> & Renewal): Timer {
  const renews: Renewal = Object.freeze(Object.fromEntries(renewalNames(timer).map((name) => [name, timer[name]])))
  return Object.freeze({ ...due(field, { while: timer.while, set: { [field]: null } }), renews })
}

/** A name that is unique among the timers of a type: `waiting_until while status in waiting_for`. */
export function timerName(timer: Timer): string {
  return `${timer.due} while ${textOf(criterionOf(timer.while))}`
}

function textOf(criterion: Criterion): string {
  if ('all' in criterion) return criterion.all.map(textOf).join(' and ')
  if ('any' in criterion) return `(${criterion.any.map(textOf).join(' or ')})`
  return 'path' in criterion ? `${criterion.path.join('.')} ${criterion.op} ${criterion.values.join(', ')}` : ''
}

/**
 * True if a record with these values can meet a criterion on its own fields, on any database; absent (undefined) values can be
 * any.
 */
export function canMeet(criterion: Criterion, valueIn: (field: string) => Scalar | undefined): boolean {
  if ('all' in criterion) return criterion.all.every((one) => canMeet(one, valueIn))
  if ('any' in criterion) return criterion.any.some((one) => canMeet(one, valueIn))
  if (!('path' in criterion)) return true
  const value = valueIn(criterion.path.join('.'))
  if (value === undefined) return true
  const { op, values } = criterion
  if (op === 'in') return values.some((one) => isAlike(one as Scalar, value))
  if (op === 'not in') return !values.some((one) => isSame(one as Scalar, value))
  const [bound] = values
  if (value === null || bound === null || typeof bound === 'object') return false
  return compares(op, value, bound as Exclude<Scalar, null>)
}

/** True for texts that some database takes for the same. */
function isAlike(one: Scalar, other: Scalar): boolean {
  if (isSame(one, other)) return true
  return typeof one === 'string' && typeof other === 'string' && LOOSE.compare(one.trimEnd(), other.trimEnd()) === 0
}

/** Without regard to case and accents, like the collations of MySQL. */
const LOOSE = new Intl.Collator('und', { sensitivity: 'base' })

/** True for values that every database takes for the same. Columns of decimals return texts. */
function isSame(one: Scalar, other: Scalar): boolean {
  if (one === null || other === null) return one === other
  if (typeof one === 'number' || typeof other === 'number') return Number(one) === Number(other)
  return String(one) === String(other)
}

function compares(op: string, value: Exclude<Scalar, null>, bound: Exclude<Scalar, null>): boolean {
  const areNumbers = typeof value === 'number' || typeof bound === 'number'
  const [left, right] = areNumbers ? [Number(value), Number(bound)] : [String(value), String(bound)]
  if (op === '<') return left < right
  if (op === '<=') return left <= right
  return op === '>' ? left > right : left >= right
}
