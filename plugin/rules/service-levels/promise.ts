/** Values that an affected SLA copies from its service offering (behaviour: Affected SLAs). */
import type { Json } from '../../schema/kinds/fields.js'
import type { Row } from '../../schema/language/define-rule.js'

/** Hours and maximum durations that are promised for an impact. */
export interface Promised {
  readonly [column: string]: Json
  readonly time_zone: Json
  readonly service_hours_id: Json
  readonly support_hours_id: Json
  readonly maximum_response_duration: Json
  readonly maximum_resolution_duration: Json
  readonly standard_service_request_id: Json
}

/**
 * Values for an impact; a request of the template of a standard service request gets the targets of that one, whatever its
 * impact.
 *
 * @param standard the standard service request of the offering for the template of the request
 */
export function promised(offering: Row, impact: Json, standard: Row | null): Promised {
  const of = (name: string) => (impact === null ? null : (offering[name.replace('*', String(impact))] ?? null))
  return {
    time_zone: offering['time_zone'] ?? null,
    service_hours_id: impact === 'top' ? (offering['service_hours_id'] ?? null) : null,
    support_hours_id: standard?.['support_hours_id'] ?? of('support_hours_*_id'),
    maximum_response_duration: standard ? (standard['response_target'] ?? null) : of('response_target_*'),
    maximum_resolution_duration: standard ? (standard['resolution_target'] ?? null) : of('resolution_target_*'),
    standard_service_request_id: standard?.['id'] ?? null,
  }
}

/**
 * The impact on a service instance that is built on another one: the same if it is down with it, the less severe one for as many
 * users if it is only degraded.
 */
export function impactAbove(impact: Json, relation: Json): Json {
  if (relation !== 'degraded') return impact
  return impact === 'top' ? 'high' : impact === 'medium' ? 'low' : impact
}

/** True for an incident that several users have: it concerns all SLAs, not only those of the person who reported it. */
export function hasSeveralUsers(category: Json, impact: Json): boolean {
  return category === 'incident' && (impact === 'high' || impact === 'top')
}
