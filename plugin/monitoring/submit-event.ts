/** Turns events of monitoring tools into requests, each only once (spec, Event submission; behaviour: Event submission). */
import { mayUse } from '../access/decide.js'
import { isBlank } from '../core/blank.js'
import type { Call } from '../core/call.js'
import { Forbidden, Invalid } from '../core/errors.js'
import { CONFIGURATION_ITEM, PERSON, REQUEST } from '../schema/built-in-types.js'
import type { Row } from '../schema/define-rule.js'
import type { Json } from '../schema/fields.js'
import { inTransaction } from '../storage/transaction.js'
import { teamFor } from './defaults.js'
import type { MonitoringDeps } from './deps.js'
import { findMatch, hasNote, type MatchKey } from './matching.js'
import { SUPPORT_DOMAIN } from './parameters.js'
import { type EventPlan, planEvent } from './plan-event.js'
import type { Parameters } from './read-event.js'
import { findTeams } from './related.js'

/** The request that an event has become. */
export interface SubmittedEvent {
  readonly id: number
  readonly isNew: boolean
  /** The call for the account in which the request is registered. */
  readonly call: Call
  /** Names of parameters without effect. */
  readonly ignored: readonly string[]
}

/**
 * Creates a request, or finds the one that the event matches, and adds to it what is new. Of identical events at the same time,
 * in any number of processes, one creates the request: all of them lock the same record before they look a second time.
 *
 * @throws Invalid, Forbidden
 */
export async function submitEvent(deps: MonitoringDeps, given: Call, parameters: Parameters): Promise<SubmittedEvent> {
  if (!mayUse(given, deps.catalog.type(REQUEST))) throw new Forbidden()
  const asked = await callFor(deps, given, parameters.get(SUPPORT_DOMAIN))
  const plan = await planEvent(deps, asked, parameters)
  if (plan.violations.length > 0) throw new Invalid(plan.violations)
  // The audit trail names the monitoring tool.
  const call = { ...asked, source: plan.key.source }
  const match = await findMatch(deps, call, plan.key)
  // Most events of a storm end here, without a transaction.
  if (match && (await changesFor(deps, call, plan, match)) === null) return outcome(plan, call, match)
  return inTransaction(deps.storage, call, async (inside) => {
    await takeTurn(deps, inside, plan.key)
    const found = await findMatch(deps, inside, plan.key, true)
    if (!found) {
      const { row, ignored } = await deps.operations.submit(inside, REQUEST, { id: null, body: plan.body })
      return { ...outcome(plan, call, row), isNew: true, ignored: [...plan.ignored, ...ignored] }
    }
    const body = await changesFor(deps, inside, plan, found)
    if (body !== null) await deps.operations.submit(inside, REQUEST, { id: Number(found['id']), body })
    return outcome(plan, call, found)
  })
}

function outcome({ ignored }: EventPlan, call: Call, row: Row): SubmittedEvent {
  return { id: Number(row['id']), isNew: false, call, ignored }
}

/** The call in the account in which the request is registered. @throws Invalid if the caller may not register it there */
async function callFor({ accounts, callers }: MonitoringDeps, call: Call, domain: unknown): Promise<Call> {
  const wanted = isBlank(domain) ? call.account.id : domain
  const found = typeof wanted === 'string' ? await callers.callIn(call, wanted.trim()) : null
  if (!found || (await accounts.isDirectory(found.account.id))) throw new Invalid([[SUPPORT_DOMAIN, 'blank']])
  return { ...found, origin: 'event' }
}

/** Waits for events at the same time that could match the same request: they share the item, or else the person. */
async function takeTurn({ catalog, queries }: MonitoringDeps, call: Call, { ciId, personId }: MatchKey): Promise<void> {
  const [type, id] = ciId === null ? [PERSON, personId] : [CONFIGURATION_ITEM, ciId]
  await queries.rows(call, { type: catalog.type(type), where: { path: ['id'], op: 'in', values: [id] } }, { lock: true })
}

/** What the event changes in the request that it matches; null if that is nothing. */
async function changesFor(
  deps: MonitoringDeps,
  call: Call,
  { changes, note, teams }: EventPlan,
  row: Row,
): Promise<{ readonly [name: string]: Json } | null> {
  const body: Record<string, Json> = { ...changes }
  const team = numberOf(row['team_id'])
  if (changes['member_id']) body['team_id'] = teamFor(numberOf(changes['team_id']), team, teams)
  else if (changes['team_id'] && row['member_id'] && changes['team_id'] !== team) {
    const teamsOfMember = await findTeams(deps, call, deps.catalog.type(REQUEST), Number(row['member_id']))
    // Somebody else works on it from now on.
    if (!teamsOfMember.includes(Number(changes['team_id']))) body['member_id'] = null
  }
  for (const [column, value] of Object.entries(body)) if (value === row[column]) delete body[column]
  if (note !== null && !(await hasNote(deps, call, Number(row['id']), note))) Object.assign(body, { note })
  return Object.keys(body).length === 0 ? null : body
}

function numberOf(value: Json | undefined): number | null {
  return value === null || value === undefined ? null : Number(value)
}
