/** Computes the targets of a request from its audit trail alone, minute by minute (behaviour: Affected SLAs, Requests). */
import type { CalendarTimes } from '../../plugin/core/time/week.js'
import { activeMinutes, type Minutes, minutesOf } from './minute-by-minute.js'

const MINUTE = 60_000
const [FIRST_YEAR, YEARS] = [2026, 2]

export interface World {
  readonly sam: number
  readonly people: readonly number[]
  readonly teams: readonly number[]
  /** The service instance of the agreements, and the one that it is built on. */
  readonly mail: number
  readonly server: number
  /** Agreements, with the person that they cover; 0 for nobody. */
  readonly slas: readonly { readonly id: number; readonly covers: number }[]
  /** By impact. */
  readonly promised: {
    readonly [impact: string]: {
      readonly hours: number | null
      readonly response: number | null
      readonly resolution: number | null
    }
  }
  readonly calendars: ReadonlyMap<number, CalendarTimes>
  /** IANA name. */
  readonly zone: string
}

interface Line {
  /** Id of the record. */
  readonly id: number
  readonly at: number
  readonly changes: { readonly [column: string]: readonly [unknown, unknown] }
}

/** Audit lines, oldest first. */
export interface History {
  readonly request: readonly Line[]
  readonly affected: readonly Line[]
  /** Agreement by affected SLA. */
  readonly slaOf: ReadonlyMap<number, number>
}

interface Affected {
  readonly covers: number
  readonly started: number
  accountability: string
  impact: string | null
  covered: boolean
  response: number | null
  resolution: number | null
  since: number | null
  stopped: number
}

const zones = new Map<string, Minutes>()

/** A time in UTC as rows have it. */
export function formatted(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19)}Z`
}

/** Expected values of the affected SLAs, by agreement, and of the request. */
export function replay(world: World, history: History) {
  const { mail, server, slas } = world
  const clock = createClock(world)
  const state: Record<string, unknown> = {}
  const affected = new Map<number, Affected>()
  // Other changes of accountability were made by a person.
  const moves = new Set(history.request.flatMap(({ at, changes }) => ('service_instance_id' in changes ? at : [])))
  const named = history.affected.filter(({ at, changes }) => changes['accountability']?.[0] && !moves.has(at))
  const all = [
    ...history.request.map((line) => ({ ...line, isRequest: true })),
    ...named.map((line) => ({ ...line, isRequest: false })),
  ].sort((a, b) => a.at - b.at)
  for (const { at, changes, id, isRequest } of all) {
    if (!isRequest) {
      const one = affected.get(history.slaOf.get(id) ?? 0)
      if (one) one.accountability = String(changes['accountability']?.[1])
      continue
    }
    for (const [column, [, to]] of Object.entries(changes)) state[column] = to
    const { category, impact = null, requested_for_id, service_instance_id: place = null, status } = state
    const isCovered = place === mail || place === server
    const onMail = place === server ? { top: 'high', medium: 'low' }[String(impact)] : undefined
    const impactThere = isCovered ? ((onMail ?? impact) as string | null) : null
    const isDecided = ['service_instance_id', 'impact', 'category', 'requested_for_id'].some((column) => column in changes)
    for (const { id: sla, covers } of slas) {
      const concerns = covers === requested_for_id || (category === 'incident' && ['high', 'top'].includes(String(impact)))
      if (!affected.has(sla) && isDecided && isCovered && concerns) {
        const clean = { response: null, resolution: null, since: null, stopped: 0 }
        const accountability = place === mail ? 'provider' : 'supplier'
        affected.set(sla, { covers, started: at, accountability, impact: impactThere, covered: false, ...clean })
      }
    }
    for (const one of affected.values()) {
      if ('service_instance_id' in changes) {
        one.accountability = place === mail ? 'provider' : place === server ? 'supplier' : 'sla_not_affected'
      }
      if (isCovered) one.impact = impactThere
      one.covered = one.covers === requested_for_id
      if (status === 'waiting_for_customer') one.since ??= at
      else if (one.since !== null) {
        one.stopped += clock.between(one.impact, one.since, at)
        one.since = null
      }
      if (status !== 'assigned' && status !== 'declined') one.response ??= at
      one.resolution = status === 'completed' ? (one.resolution ?? at) : null
    }
  }
  const values = new Map([...affected].map(([sla, one]) => [sla, valuesOf(one, clock, world, state)]))
  return { affected: values, request: requestOf(world, state, affected, values) }
}

/** Values by which the next target is found. */
interface Values {
  readonly accountability: string
  readonly stopped_clock_at: string | null
  readonly actual_response_at: string | null
  readonly actual_resolution_at: string | null
  readonly response_target_at: string | null
  readonly resolution_target_at: string | null
  readonly desired_completion_at: string | null
}

function valuesOf(one: Affected, clock: ReturnType<typeof createClock>, { promised }: World, state: Record<string, unknown>) {
  const { accountability, impact, resolution, response, since, started, stopped } = one
  const promise = promised[String(impact)]
  const at = (time: number | null) => (time === null ? null : formatted(time))
  const target = (maximum: number | null | undefined, more: number) =>
    maximum === null || maximum === undefined ? null : at(clock.after(impact, started, maximum + more))
  const values = {
    accountability,
    impact,
    started_at: formatted(started),
    maximum_response_duration: promise?.response ?? null,
    maximum_resolution_duration: promise?.resolution ?? null,
    stopped_clock_at: at(since),
    stopped_clock_duration: stopped,
    actual_response_at: at(response),
    actual_resolution_at: at(resolution),
    actual_response_duration: response === null ? null : clock.between(impact, started, response),
    actual_resolution_duration: resolution === null ? null : Math.max(0, clock.between(impact, started, resolution) - stopped),
    response_target_at: target(promise?.response, 0),
    resolution_target_at: target(promise?.resolution, stopped),
    desired_completion_at: (state['desired_completion_at'] ?? null) as string | null,
  }
  return { ...values, next_target_at: nextOf(values) }
}

/** Behaviour: Affected SLAs. */
function nextOf(values: Values): string | null {
  if (values.accountability === 'sla_not_affected' || values.actual_resolution_at !== null) return null
  if (values.stopped_clock_at !== null) return 'clock_stopped'
  if (values.actual_response_at === null && values.response_target_at !== null) return values.response_target_at
  const { desired_completion_at: desired, resolution_target_at: resolution } = values
  if (desired !== null && resolution !== null && desired > resolution) return desired
  return resolution ?? 'best_effort'
}

/** Spec, Request: response_target_at, resolution_target_at, requester_resolution_target_at and next_target_at. */
function requestOf(
  { teams }: World,
  state: Record<string, unknown>,
  affected: ReadonlyMap<number, Affected>,
  values: ReadonlyMap<number, Values>,
) {
  const [first, second] = teams
  const isResponsible = state['team_id'] === first || state['team_id'] === second
  const counting = [...values].filter(([, { accountability }]) => accountability !== 'sla_not_affected')
  const earliest = (times: readonly (string | null)[]) => times.filter((time) => time !== null).sort()[0] ?? null
  const ofTeam = isResponsible ? counting.map(([, one]) => one) : []
  const targets = {
    response_target_at: earliest(ofTeam.map((one) => (one.actual_response_at === null ? one.response_target_at : null))),
    resolution_target_at: earliest(ofTeam.map((one) => one.resolution_target_at)),
    requester_resolution_target_at: earliest(
      counting.map(([sla, one]) => (affected.get(sla)?.covered ? one.resolution_target_at : null)),
    ),
  }
  const desired = (state['desired_completion_at'] ?? null) as string | null
  const { response_target_at: response, resolution_target_at: resolution } = targets
  const next = () => {
    if (state['status'] === 'completed') return null
    if (response !== null && (desired === null || response < desired)) return response
    if (desired !== null) return desired
    if (state['status'] === 'waiting_for_customer') return counting.length > 0 ? 'clock_stopped' : 'best_effort'
    return resolution ?? 'best_effort'
  }
  return { ...targets, next_target_at: next() }
}

/** Counts support hours of an impact. */
function createClock({ calendars, promised, zone }: World) {
  const minutes = zones.get(zone) ?? minutesOf(zone, FIRST_YEAR, YEARS)
  zones.set(zone, minutes)
  const sums = new Map([...calendars].map(([id, times]) => [id, activeMinutes(minutes, times)]))
  const indexOf = (time: number) => (time - minutes.start) / MINUTE
  const sumsOf = (impact: string | null) => sums.get(promised[String(impact)]?.hours ?? 0)
  return {
    between(impact: string | null, from: number, until: number): number {
      const of = sumsOf(impact)
      return of ? (of[indexOf(until)] ?? 0) - (of[indexOf(from)] ?? 0) : (until - from) / MINUTE
    },
    after(impact: string | null, from: number, count: number): number | null {
      const of = sumsOf(impact)
      if (!of || count === 0) return from + count * MINUTE
      const begin = indexOf(from)
      for (let index = begin; index < of.length; index += 1) {
        if ((of[index] ?? 0) - (of[begin] ?? 0) >= count) return from + (index - begin) * MINUTE
      }
      return null
    },
  }
}
