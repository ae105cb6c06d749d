/** Targets of a request follow from its values and its affected SLAs (spec, Request; behaviour: Requests). */
import { type Row, rule } from '../../schema/language/define-rule.js'
import { follow } from '../../schema/language/define-settling.js'
import { nextEvents } from './next-events.js'
import { nextTarget, strictestTargets } from './next-target.js'

const FIELDS = [
  'status',
  'team',
  'response_target_at',
  'resolution_target_at',
  'requester_resolution_target_at',
  'desired_completion_at',
  'next_target_at',
  'response_event_at',
  'resolution_event_at',
  'response_events',
  'resolution_events',
] as const

const BY_TEAM = ['team', 'affected_sla.request', 'affected_sla.accountability']
const TEAMS = ['affected_sla.first_line_team', 'affected_sla.support_team']
const KEEPS = {
  response_target_at: [...BY_TEAM, ...TEAMS, 'affected_sla.response_target_at', 'affected_sla.actual_response_at'],
  resolution_target_at: [...BY_TEAM, ...TEAMS, 'affected_sla.resolution_target_at'],
  requester_resolution_target_at: [
    ...['affected_sla.request', 'affected_sla.accountability', 'affected_sla.covers_requester'],
    'affected_sla.resolution_target_at',
  ],
  response_event_at: [
    ...[...BY_TEAM, ...TEAMS, 'status', 'response_events', 'affected_sla.actual_response_at'],
    ...['affected_sla.response_target_at', 'affected_sla.response_warning_at'],
  ],
  resolution_event_at: [
    ...[...BY_TEAM, ...TEAMS, 'status', 'resolution_events', 'affected_sla.stopped_clock_at'],
    ...['affected_sla.resolution_target_at', 'affected_sla.resolution_warning_at'],
  ],
  next_target_at: [
    ...['status', 'desired_completion_at', 'response_target_at', 'resolution_target_at'],
    'affected_sla.accountability',
  ],
}

/** Sets the targets with each save of a request, so that they are part of the same audit line and event. Place it last. */
export const keepTargets = rule('keepTargets', () => ({
  fields: FIELDS,
  keeps: KEEPS,
  async fill({ before, changed, fieldOf, findBy, next }) {
    if (before && !FIELDS.some((name) => changed(fieldOf(name).column))) return
    Object.assign(next, targetsOf(next, before ? await findBy('affected_sla', 'request', before['id']) : []))
  },
}))

/** Sets the targets again after an affected SLA has changed. */
export const followAffectedSlas = follow('targets', {
  of: { affected: { type: 'affected_sla', by: 'request' } },
  fields: FIELDS,
  keeps: KEEPS,
  decide: ({ affected, owner }) => ({ owner: targetsOf(owner, affected) }),
})

function targetsOf(request: Row, affected: readonly Row[]) {
  const team = idIn(request, 'team_id')
  const facts = affected.map((row) => ({
    accountability: textIn(row, 'accountability'),
    first_line_team_id: idIn(row, 'first_line_team_id'),
    support_team_id: idIn(row, 'support_team_id'),
    response_target_at: textIn(row, 'response_target_at'),
    resolution_target_at: textIn(row, 'resolution_target_at'),
    response_warning_at: textIn(row, 'response_warning_at'),
    resolution_warning_at: textIn(row, 'resolution_warning_at'),
    actual_response_at: textIn(row, 'actual_response_at'),
    stopped_clock_at: textIn(row, 'stopped_clock_at'),
    covers_requester: row['covers_requester'] === true,
  }))
  const targets = strictestTargets(team, facts)
  const values = {
    ...targets,
    status: String(request['status']),
    desired_completion_at: textIn(request, 'desired_completion_at'),
  }
  const accountabilities = facts.map(({ accountability }) => accountability)
  const events = {
    status: values.status,
    response_events: Number(request['response_events'] ?? 0),
    resolution_events: Number(request['resolution_events'] ?? 0),
  }
  return { ...targets, next_target_at: nextTarget(values, accountabilities), ...nextEvents(team, events, facts) }
}

function idIn(row: Row, column: string): number | null {
  return Number(row[column] ?? 0) || null
}

function textIn(row: Row, column: string): string | null {
  const value = row[column]
  return typeof value === 'string' && value !== '' ? value : null
}
