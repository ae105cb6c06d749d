/** Finds records that are related to those that an event names. */
import type { Call } from '../core/call.js'
import type { RecordType } from '../schema/catalog.js'
import type { Criterion, Scalar } from '../schema/language/conditions.js'
import type { Row } from '../schema/language/define-rule.js'
import type { EventSubmissionDeps } from './deps.js'

/** Maximum number of teams of a person that are looked at. */
const MAX_TEAMS = 1_000

/** Ids of the enabled teams of a person: those of the account first, lowest id first. Empty without a person. */
export async function findTeams(
  deps: EventSubmissionDeps,
  call: Call,
  type: RecordType,
  personId: number | null,
): Promise<readonly number[]> {
  if (personId === null) return []
  const teams = recordsOf(deps, type, 'team_id')
  const reachable = await deps.scope.reachable(call, teams)
  const where: Criterion = { all: [is('members', personId), is('disabled', false), reachable] }
  const rows = await deps.queries.rows(call, { type: teams, where, limit: MAX_TEAMS })
  const own = rows.filter((row) => row['account_id'] === call.account.id)
  return [...own, ...rows.filter((row) => !own.includes(row))].map((row) => Number(row['id']))
}

/** The configuration item and the template of an event. */
interface Sources {
  readonly ciId: number | null
  /** True if the event names the item, false if it is that of the template. */
  readonly isNamed: boolean
  readonly template: Row | undefined
}

/**
 * The service instance of an event that names none: the first one of its configuration item that is not discontinued, or the
 * only one in production of the template's service. What the event names goes first; otherwise the service of the template, as for all requests.
 */
export async function findInstance(
  deps: EventSubmissionDeps,
  call: Call,
  type: RecordType,
  { ciId, isNamed, template }: Sources,
): Promise<number | null> {
  const instances = recordsOf(deps, type, 'service_instance_id')
  const reachable = await deps.scope.reachable(call, instances, call.account.id)
  const find = async (limit: number, ...criteria: readonly Criterion[]) => {
    const where: Criterion = { all: [...criteria, reachable] }
    const rows = await deps.queries.rows(call, { type: instances, where, limit })
    return rows.map((row) => Number(row['id']))
  }
  const service = template?.['service_id'] ?? null
  const inUse: Criterion = { path: ['status'], op: 'not in', values: ['discontinued'] }
  const ofItem = async () => (ciId === null ? null : ((await find(1, is('cis', ciId), inUse))[0] ?? null))
  const ofTemplate = async () => {
    if (service === null) return null
    const [only, ...others] = await find(2, is('service_id', Number(service)), is('status', 'in_production'))
    return only !== undefined && others.length === 0 ? only : null
  }
  return isNamed ? ((await ofItem()) ?? ofTemplate()) : ((await ofTemplate()) ?? ofItem())
}

function is(field: string, value: Scalar): Criterion {
  return { path: [field], op: 'in', values: [value] }
}

/** The record type that a reference of requests leads to, by its column. */
function recordsOf({ catalog }: EventSubmissionDeps, type: RecordType, column: string): RecordType {
  return catalog.type(type.columns.get(column)?.record ?? '')
}
