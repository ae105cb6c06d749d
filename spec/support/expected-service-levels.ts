/** Impacts, affected SLAs and targets, computed from stored rows (behaviour: Requests, Services, Affected SLAs). */
import type { Row } from '../../plugin/schema/language/define-rule.js'
import { workOf } from './expected-times.js'
import { type Compute, entered, organizationsAbove, type StoredWorld } from './stored-world.js'

const IMPACTS = ['low', 'medium', 'high', 'top']

function highest(rows: readonly Row[]): string | null {
  const indexes = rows.map(({ impact }) => IMPACTS.indexOf(String(impact)))
  return IMPACTS[Math.max(-1, ...indexes)] ?? null
}

const isOwn = (row: Row) => row['account_id'] === 'acme'
const requestOf = (affected: Row, world: StoredWorld) => world.get('request', affected['request_id']) ?? {}
const isOpen = (affected: Row) => affected['actual_resolution_at'] === null

/** The impact of a request on each service instance that is built on its own one, by the shortest way. */
function impactsAbove(world: StoredWorld, request: Row): ReadonlyMap<unknown, unknown> {
  const found = new Map<unknown, unknown>()
  let level: readonly (readonly [unknown, unknown])[] = [[request['service_instance_id'] ?? null, request['impact']]]
  while (level.length > 0) {
    for (const [id, impact] of level) if (id !== null) found.set(id, impact)
    level = level.flatMap(([id, impact]) =>
      world.parts('parent_service_instance', 'service_instance', id).flatMap((part) => {
        const above = part['service_instance_id']
        const lower = impact === 'top' ? 'high' : impact === 'medium' ? 'low' : impact
        return found.has(above) ? [] : [[above, part['impact_relation'] === 'degraded' ? lower : impact] as const]
      }),
    )
  }
  return found
}

/** Agreements that a request has to affect. All cover people by name. */
function agreementsOf(request: Row, world: StoredWorld): readonly number[] {
  const isForAll = request['category'] === 'incident' && ['high', 'top'].includes(String(request['impact']))
  const places = impactsAbove(world, request)
  const active = world.of('sla').filter((sla) => sla['status'] === 'active' && places.has(sla['service_instance_id']))
  return active.filter((sla) => isForAll || covers(sla['id'], request, world)).map(({ id }) => Number(id))
}

function covers(sla: unknown, request: Row, world: StoredWorld): boolean {
  return world.linked('sla_people', 'sla_id', sla).includes(Number(request['requested_for_id']))
}

const DECIDING = ['service_instance_id', 'impact', 'category', 'requested_for_id', 'template_id']

/** Decided when the request changes; those that were affected once stay. */
function affectedAgreements(request: Row, world: StoredWorld): readonly number[] {
  const stored = world.by('affected_sla', 'request_id', request['id']).map(({ sla_id }) => Number(sla_id))
  const was = world.before?.get('request', request['id'])
  const isDecided = !was || DECIDING.some((column) => was[column] !== request[column])
  return [...new Set([...stored, ...(isDecided ? agreementsOf(request, world) : [])])].sort((a, b) => a - b)
}

/** Decided when the request gets its service instance; what somebody sets in the meantime holds. */
function accountability(affected: Row, world: StoredWorld): unknown {
  const request = requestOf(affected, world)
  const was = world.before?.get('affected_sla', affected['id'])
  const before = world.before?.get('request', request['id'])
  if (was && before?.['service_instance_id'] === request['service_instance_id']) {
    const last = world.trail('affected_sla', affected['id']).at(-1)
    const isByHand = last?.at === world.now && last.cause === null && 'accountability' in last.changes
    return isByHand ? last.changes['accountability']?.[1] : was['accountability']
  }
  if (!impactsAbove(world, request).has(affected['service_instance_id'])) return 'sla_not_affected'
  return affected['service_instance_id'] === request['service_instance_id'] ? 'provider' : 'supplier'
}

/** A value of the service offering for the impact, unless a standard service request has its own. */
function promised(column: string, ofStandard: string | null): Compute {
  return (affected, world) => {
    const { offering, standard } = promiseOf(affected, world)
    const { impact } = affected
    if (ofStandard !== null && standard && (ofStandard !== 'support_hours_id' || standard[ofStandard] !== null))
      return standard[ofStandard] ?? null
    if (column === 'time_zone') return offering?.['time_zone'] ?? null
    if (column === 'service_hours_id') return impact === 'top' ? offering?.['service_hours_id'] : null
    return offering?.[column.replace('*', String(impact))] ?? null
  }
}

function promiseOf(affected: Row, world: StoredWorld) {
  const offering = world.get('service_offering', world.get('sla', affected['sla_id'])?.['service_offering_id'])
  const { template_id } = requestOf(affected, world)
  const all = world.parts('standard_service_request', 'service_offering', offering?.['id'])
  return { offering, standard: all.find((one) => template_id !== null && one['request_template_id'] === template_id) }
}

function supplier(affected: Row, world: StoredWorld): unknown {
  const { service_id } = world.get('service_instance', affected['service_instance_id']) ?? {}
  const provider = world.get('service', service_id)?.['provider_id'] ?? null
  const own = world.account.organization
  if (own === null || provider === null) return null
  return organizationsAbove(world, provider).some(({ id }) => id === own) ? null : provider
}

const support = (affected: Row, world: StoredWorld) => workOf(world, affected['support_hours_id'], affected['time_zone'])

/** A target, in support hours from the start. */
function target(maximum: string, more?: string, part = 1): Compute {
  return (affected, world) => {
    const minutes = affected[maximum] ?? null
    if (minutes === null) return null
    const all = Math.ceil(Number(minutes) * part) + (more === undefined ? 0 : Number(affected[more]))
    return support(affected, world).after(String(affected['started_at']), all)
  }
}

/** The warning or the target of the most stringent agreement, by the number of events that there were. */
function nextEvent(name: string, request: Row, affected: readonly Row[]): unknown {
  const pairs = affected.flatMap((one) => {
    const [at, warning] = [one[`${name}_target_at`] ?? null, one[`${name}_warning_at`]]
    return at === null ? [] : [[String(at), String(warning)]]
  })
  const [first] = pairs.sort()
  return first?.[[1, 0][Number(request[`${name}_events`])] ?? 2] ?? null
}

/** Minutes in support hours from the start. */
function took(until: string, without?: string): Compute {
  return (affected, world) => {
    if (affected[until] === null) return null
    const minutes = support(affected, world).between(String(affected['started_at']), String(affected[until]))
    return without === undefined ? minutes : Math.max(0, minutes - Number(affected[without]))
  }
}

const notBefore = (affected: Row, time: string | null) => {
  const started = String(affected['started_at'])
  return time !== null && time < started ? started : time
}

function answered(affected: Row, world: StoredWorld): unknown {
  const request = requestOf(affected, world)
  const statuses = world.trail('request', request['id']).filter(({ changes }) => 'status' in changes)
  // In the status that it had when the SLA was affected, or the first one after that.
  const since = statuses.filter(({ at }, index) => {
    const next = statuses[index + 1]
    return next === undefined || next.at > String(affected['started_at']) || at >= String(affected['started_at'])
  })
  const first = since.find(({ changes }) => !['assigned', 'declined'].includes(String(changes['status']?.[1])))
  return first ? notBefore(affected, first.at) : null
}

function nextOfAffected(affected: Row): unknown {
  const [response, resolution] = [affected['response_target_at'], affected['resolution_target_at']]
  const desired = affected['desired_completion_at']
  if (affected['accountability'] === 'sla_not_affected' || affected['actual_resolution_at'] !== null) return null
  if (affected['stopped_clock_at'] !== null) return 'clock_stopped'
  if (affected['actual_response_at'] === null && response !== null) return response
  if (desired && resolution && String(desired) > String(resolution)) return desired
  return resolution ?? 'best_effort'
}

function earliest(values: readonly unknown[]): unknown {
  return values.filter((value) => value !== null).sort()[0] ?? null
}

/** Affected SLAs of a request that count. */
const counting = (request: Row, world: StoredWorld) =>
  world.by('affected_sla', 'request_id', request['id']).filter((one) => one['accountability'] !== 'sla_not_affected')
const ofTeam = (request: Row, world: StoredWorld) =>
  counting(request, world).filter((one) =>
    [one['first_line_team_id'], one['support_team_id']].includes(request['team_id'] ?? 0),
  )

function nextTarget(request: Row, world: StoredWorld): unknown {
  const desired = request['desired_completion_at'] ?? null
  const response = request['response_target_at'] ?? null
  if (request['status'] === 'completed') return null
  if (response !== null && (desired === null || response < desired)) return response
  if (desired !== null) return desired
  const isAccountable = counting(request, world).some((one) => one['accountability'] !== null)
  if (request['status'] === 'waiting_for_customer') return isAccountable ? 'clock_stopped' : 'best_effort'
  return request['resolution_target_at'] ?? 'best_effort'
}

/** Of open requests; those of completed ones keep what they have. */
const whileOpen =
  (column: string, compute: Compute): Compute =>
  (row, world) =>
    isOpen(row) ? compute(row, world) : row[column]
/** Counted when the request is completed, and whenever one of these columns changes: other hours or another zone change nothing then. */
const untilCompleted =
  (column: string, counted: readonly string[], compute: Compute): Compute =>
  (row, world) => {
    const was = world.before?.get('affected_sla', row['id'])
    const isKept = !isOpen(row) && was !== undefined && counted.every((one) => was[one] === row[one])
    return isKept && was?.[column] === row[column] ? row[column] : compute(row, world)
  }
const ofRequest =
  (column: string): Compute =>
  (row, world) =>
    requestOf(row, world)[column]
const ofInstance = (column: string, row: Row, world: StoredWorld) =>
  world.get('service_instance', row['service_instance_id'])?.[column] ?? null

export const SERVICE_LEVELS: Readonly<Record<string, Compute>> = {
  'service_instance.impact': (row, world) => {
    const open = world.by('request', 'service_instance_id', row['id']).filter((one) => one['status'] !== 'completed')
    return highest(open.filter((one) => isOwn(one) && one['category'] === 'incident'))
  },
  'service.impact': (row, world) => highest(world.by('service_instance', 'service_id', row['id']).filter(isOwn)),
  'affected_sla.accountability': accountability,
  'affected_sla.impact': whileOpen('impact', (row, world) => {
    const impacts = impactsAbove(world, requestOf(row, world))
    const own = row['service_instance_id']
    return impacts.has(own) ? impacts.get(own) : row['impact']
  }),
  'affected_sla.covers_requester': (row, world) => {
    const request = requestOf(row, world)
    const was = world.before?.get('affected_sla', row['id'])
    const isSame = world.before?.get('request', request['id'])?.['requested_for_id'] === request['requested_for_id']
    if (was && isSame) return was['covers_requester']
    return world.get('sla', row['sla_id'])?.['status'] === 'active' && covers(row['sla_id'], request, world)
  },
  'affected_sla.first_line_team': whileOpen('first_line_team_id', (row, world) => ofInstance('first_line_team_id', row, world)),
  'affected_sla.support_team': whileOpen('support_team_id', (row, world) => {
    const own = ofInstance('support_team_id', row, world)
    return own ?? world.get('service', ofInstance('service_id', row, world))?.['support_team_id']
  }),
  'affected_sla.supplier': whileOpen('supplier_id', supplier),
  'affected_sla.time_zone': whileOpen('time_zone', promised('time_zone', null)),
  'affected_sla.service_hours': whileOpen('service_hours_id', promised('service_hours_id', null)),
  'affected_sla.support_hours': whileOpen('support_hours_id', promised('support_hours_*_id', 'support_hours_id')),
  'affected_sla.maximum_response_duration': whileOpen(
    'maximum_response_duration',
    promised('response_target_*', 'response_target'),
  ),
  'affected_sla.maximum_resolution_duration': whileOpen(
    'maximum_resolution_duration',
    promised('resolution_target_*', 'resolution_target'),
  ),
  'affected_sla.standard_service_request': whileOpen('standard_service_request_id', (row, world) => {
    return promiseOf(row, world).standard?.['id'] ?? null
  }),
  'affected_sla.response_target_at': whileOpen('response_target_at', target('maximum_response_duration')),
  'affected_sla.resolution_target_at': whileOpen(
    'resolution_target_at',
    target('maximum_resolution_duration', 'stopped_clock_duration'),
  ),
  'affected_sla.response_warning_at': whileOpen('response_warning_at', target('maximum_response_duration', undefined, 0.75)),
  'affected_sla.resolution_warning_at': whileOpen(
    'resolution_warning_at',
    target('maximum_resolution_duration', 'stopped_clock_duration', 0.75),
  ),
  // The first answer stays, but for a start that somebody moves behind it.
  'affected_sla.actual_response_at': (row, world) => {
    const known = world.before?.get('affected_sla', row['id'])?.['actual_response_at'] ?? null
    return known === null ? answered(row, world) : notBefore(row, String(known))
  },
  'affected_sla.actual_response_duration': whileOpen('actual_response_duration', took('actual_response_at')),
  'affected_sla.actual_resolution_at': (row, world) => {
    const request = requestOf(row, world)
    return request['status'] === 'completed' ? notBefore(row, String(request['completed_at'])) : null
  },
  'affected_sla.actual_resolution_duration': untilCompleted(
    'actual_resolution_duration',
    ['started_at', 'support_hours_id', 'time_zone', 'actual_resolution_at', 'stopped_clock_duration'],
    took('actual_resolution_at', 'stopped_clock_duration'),
  ),
  'affected_sla.stopped_clock_at': (row, world) => {
    const request = requestOf(row, world)
    const isStopped = request['status'] === 'waiting_for_customer'
    return isStopped ? notBefore(row, entered(world, 'request', request['id'], ['waiting_for_customer'])) : null
  },
  'affected_sla.downtime_start_at': ofRequest('downtime_start_at'),
  'affected_sla.downtime_end_at': ofRequest('downtime_end_at'),
  'affected_sla.downtime_duration': untilCompleted(
    'downtime_duration',
    ['downtime_start_at', 'downtime_end_at', 'impact', 'service_hours_id', 'time_zone'],
    (row, world) => {
      const [from, until] = [row['downtime_start_at'] ?? null, row['downtime_end_at'] ?? null]
      if (row['impact'] !== 'top' || from === null || until === null) return null
      return workOf(world, row['service_hours_id'], row['time_zone']).between(String(from), String(until))
    },
  ),
  'affected_sla.desired_completion_at': ofRequest('desired_completion_at'),
  'affected_sla.next_target_at': nextOfAffected,
  'request.response_target_at': (row, world) => {
    const unanswered = ofTeam(row, world).filter((one) => one['actual_response_at'] === null)
    return earliest(unanswered.map((one) => one['response_target_at']))
  },
  'request.resolution_target_at': (row, world) => earliest(ofTeam(row, world).map((one) => one['resolution_target_at'])),
  'request.requester_resolution_target_at': (row, world) => {
    const covering = counting(row, world).filter((one) => one['covers_requester'] === true)
    return earliest(covering.map((one) => one['resolution_target_at']))
  },
  'request.next_target_at': nextTarget,
  'request.response_event_at': (row, world) => {
    const unanswered = ofTeam(row, world).filter((one) => one['actual_response_at'] === null)
    return row['status'] === 'completed' ? null : nextEvent('response', row, unanswered)
  },
  'request.resolution_event_at': (row, world) => {
    const stops = ['completed', 'waiting_for_customer'].includes(String(row['status']))
    return stops ? null : nextEvent('resolution', row, ofTeam(row, world))
  },
}

/** Which agreements a request affects is a value of the request. */
export const AFFECTED = {
  type: 'request',
  actual: (request: Row, world: StoredWorld) =>
    world
      .by('affected_sla', 'request_id', request['id'])
      .map(({ sla_id }) => Number(sla_id))
      .sort((a, b) => a - b),
  expected: affectedAgreements,
}
