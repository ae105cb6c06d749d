/** Turns events of monitoring tools into requests, each only once (spec, Event submission; behaviour: Event submission). */
import { mayUse } from '../access/sight/decide.js'
import type { Call } from '../core/call.js'
import { Forbidden, Invalid, type Violation } from '../core/errors.js'
import { isBlank } from '../core/text/blank.js'
import type { Json } from '../schema/kinds/fields.js'
import { CONFIGURATION_ITEM, PERSON, REQUEST } from '../schema/language/built-in-types.js'
import type { Row } from '../schema/language/define-rule.js'
import { inTransaction } from '../storage/database/transaction.js'
import { teamFor } from './defaults.js'
import type { EventSubmissionDeps } from './deps.js'
import { SUPPORT_DOMAIN } from './event-parameters.js'
import { findMatch, hasNote, type MatchKey } from './matching.js'
import { passOn } from './pass-on.js'
import { type EventPlan, planEvent } from './plan-event.js'
import type { Parameters } from './read-event.js'
import { type EventHandling, refusalsOf, refusalsOfSave } from './refuse-ignored.js'
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

/** How often an event is tried whose source ID is taken: alone, in place of a completed request, and after another event was faster. */
const MAX_ATTEMPTS = 3

/**
 * Creates a request, or finds the one that the event matches, and adds to it what is new. Of identical events at the same time,
 * in any number of processes, one creates the request: all of them lock the same record before they look a second time.
 *
 * @param given the call of the caller, or that of `callForEvent`
 * @throws Invalid, Forbidden
 */
export async function submitEvent(
  deps: EventSubmissionDeps,
  given: Call,
  parameters: Parameters,
  handling: EventHandling = {},
): Promise<SubmittedEvent> {
  const asked = given.origin === 'event' ? given : await callForEvent(deps, given, parameters)
  const plan = await planEvent(deps, asked, parameters)
  refuse([...refusalsOf(plan.ignored, handling), ...plan.violations])
  // The audit trail names the monitoring tool.
  const call = { ...asked, source: plan.key.source }
  const match = await findMatch(deps, call, plan.key)
  // Most events of a storm end here, without a transaction.
  if (match && (await changesFor(deps, call, plan, match)).length === 0) return outcome(plan, call, match)
  const work = (mayPassOn: boolean) =>
    inTransaction(deps.storage, call, async (inside) => {
      await takeTurn(deps, inside, plan.key)
      const found = await findMatch(deps, inside, plan.key, true)
      const ignored = new Set<string>()
      const save = async (id: number | null, body: object) => {
        const saved = await deps.operations.submit(inside, REQUEST, { id, body })
        refuse(refusalsOfSave(saved.ignored, parameters, handling))
        for (const name of saved.ignored) ignored.add(name)
        return saved.row
      }
      const earlier = found || !mayPassOn ? null : await passOn(deps, inside, plan.key)
      const row = found ?? (await save(null, plan.body))
      const further = earlier === null ? plan.further : [...plan.further, { note: earlier }]
      for (const body of found ? await changesFor(deps, inside, plan, found) : further) await save(Number(row['id']), body)
      const { ignored: names, ...rest } = outcome(plan, call, row)
      return { ...rest, isNew: !found, ignored: [...names, ...ignored] }
    })
  // The transaction of the caller cannot begin again.
  if (call.transaction) return work(true)
  // Most new events are alone with their source ID, and need not ask for it.
  for (let attempt = 1; ; attempt++) {
    try {
      return await work(attempt > 1)
    } catch (error) {
      // A completed request has it, or another event has become a request with it at the same time.
      if (attempt === MAX_ATTEMPTS || !isTaken(error)) throw error
    }
  }
}

/** True if nothing is wrong but a source ID that another record has. */
function isTaken(error: unknown): boolean {
  return error instanceof Invalid && error.violations.every(([field, code]) => field === 'sourceID' && code === 'taken')
}

function outcome({ ignored }: EventPlan, call: Call, row: Row): SubmittedEvent {
  return { id: Number(row['id']), isNew: false, call, ignored: ignored.map(({ name }) => name) }
}

function refuse(violations: readonly Violation[]): void {
  if (violations.length > 0) throw new Invalid(violations)
}

/**
 * The call in the account in which the request is registered.
 *
 * @throws Forbidden if the caller may not use requests, Invalid if it may not register one there
 */
export async function callForEvent(
  { accounts, callers, catalog }: EventSubmissionDeps,
  call: Call,
  parameters: Parameters,
): Promise<Call> {
  if (!mayUse(call, catalog.type(REQUEST))) throw new Forbidden()
  const domain = parameters.get(SUPPORT_DOMAIN)
  const wanted = isBlank(domain) ? call.account.id : domain
  const found = typeof wanted === 'string' ? await callers.callIn(call, wanted.trim()) : null
  if (!found || (await accounts.isDirectory(found.account.id, call))) throw new Invalid([[SUPPORT_DOMAIN, 'blank']])
  return { ...found, origin: 'event' }
}

/** Fields by name. */
type Body = { readonly [name: string]: Json }

/** Waits for events at the same time that could match the same request: they share the item, or else the person. */
async function takeTurn({ catalog, queries }: EventSubmissionDeps, call: Call, { ciId, personId }: MatchKey): Promise<void> {
  const [type, id] = ciId === null ? [PERSON, personId] : [CONFIGURATION_ITEM, ciId]
  await queries.rows(call, { type: catalog.type(type), where: { path: ['id'], op: 'in', values: [id] } }, { lock: true })
}

/** Bodies with what the event changes in the request that it matches: one for each new note; none if it brings nothing new. */
async function changesFor(
  deps: EventSubmissionDeps,
  call: Call,
  { changes, notes, teams }: EventPlan,
  row: Row,
): Promise<readonly Body[]> {
  const body: Record<string, Json> = { ...changes }
  const team = numberOf(row['team_id'])
  if (changes['member_id']) body['team_id'] = teamFor(numberOf(changes['team_id']), team, teams)
  else if (changes['team_id'] && row['member_id'] && changes['team_id'] !== team) {
    const teamsOfMember = await findTeams(deps, call, deps.catalog.type(REQUEST), Number(row['member_id']))
    // Somebody else works on it from now on.
    if (!teamsOfMember.includes(Number(changes['team_id']))) body['member_id'] = null
  }
  for (const [column, value] of Object.entries(body)) if (value === row[column]) delete body[column]
  const added: Body[] = []
  for (const note of notes) if (!(await hasNote(deps, call, Number(row['id']), note))) added.push({ note })
  const [first, ...others] = added
  const whole = { ...body, ...first }
  return Object.keys(whole).length === 0 ? [] : [whole, ...others]
}

function numberOf(value: Json | undefined): number | null {
  return value === null || value === undefined ? null : Number(value)
}
