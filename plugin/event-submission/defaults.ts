/** Defaults that only events have (spec, Event submission); all others are those of requests. Pure. */
import type { Json } from '../schema/kinds/fields.js'
import { SERVICE_CATEGORIES } from '../schema/language/built-in-types.js'
import type { Row } from '../schema/language/define-rule.js'

/** Source of events that do not name one. */
export const DEFAULT_SOURCE = 'event'
const COMPLETED = 'completed'

/** What a new request gets, as far as the event or its template say so. */
export interface Known {
  readonly category: Json
  readonly impact: Json
  readonly status: Json
  readonly completion_reason: Json
  /** True if a service instance is to be related. */
  readonly hasInstance: boolean
  /** The template that is used; null for none. */
  readonly template: Row | null
}

/** The fields that the body of a new request has in addition to those of the event. */
export interface Defaults {
  readonly category: string
  /** Absent if the event or the template has one, or none is needed. */
  readonly impact?: 'top'
  /** False for a reason that would be refused, because it counts only with the status completed. */
  readonly keepsReason: boolean
  /** False if the category drops the service instance. */
  readonly concernsService: boolean
}

/** Values of the event win over those of the template, and these over the defaults. */
export function defaultsOf({ category, impact, status, completion_reason, hasInstance, template }: Known): Defaults {
  const kind = String(category ?? template?.['category'] ?? (hasInstance ? 'incident' : 'other'))
  const needsImpact = kind === 'incident' && impact === null && (template?.['impact'] ?? null) === null
  return {
    category: kind,
    ...(needsImpact ? { impact: 'top' } : {}),
    keepsReason: completion_reason !== null && (status ?? template?.['status'] ?? null) === COMPLETED,
    concernsService: SERVICE_CATEGORIES.some((one) => one === kind),
  }
}

/** A team for the member: the wanted one, or the current one if the member is in it, or else the first of theirs. */
export function teamFor(wanted: number | null, current: number | null, teams: readonly number[]): number | null {
  if (wanted !== null) return wanted
  return current !== null && teams.includes(current) ? current : (teams[0] ?? null)
}

/** True if the person can be the member: they are in the wanted team, or at least in one. */
export function canBeMember(wanted: number | null, teams: readonly number[]): boolean {
  return wanted === null ? teams.length > 0 : teams.includes(wanted)
}
