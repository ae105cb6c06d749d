/** Finds the records that parameters name. */
import type { Call } from '../core/call.js'
import { inBothCases } from '../core/text/both-cases.js'
import { isSame, normalized } from '../core/text/identity.js'
import type { RecordType } from '../schema/catalog.js'
import { type Criterion, criterionOf } from '../schema/language/conditions.js'
import type { Row } from '../schema/language/define-rule.js'
import type { EventSubmissionDeps } from './deps.js'
import { EVENT_FIELD_LIST, type EventFieldName } from './event-parameters.js'
import type { GivenEvent, Mention } from './read-event.js'

/** The reason why a parameter has no effect: a code of a sentence. */
export type FaultCode = 'event_unknown' | 'event_ambiguous' | 'event_disabled' | 'event_not_member'

/** A parameter that names no record which the event could use. */
export interface EventFault {
  readonly field: EventFieldName
  readonly mention: Mention
  readonly code: FaultCode
}

/** Records by the field that refers to them. */
export type Named = { readonly [F in EventFieldName]?: Row }

/** The records that an event names. */
export interface NamedRecords {
  readonly records: Named
  /** The parameters that have named them. */
  readonly namedBy: { readonly [F in EventFieldName]?: Mention }
  readonly faults: readonly EventFault[]
}

/** Maximum number of records with the same name that are compared. */
const MAX_NAMESAKES = 100

/** Finds the records, among those that the caller may refer to: at most one query per parameter. */
export async function findNamed(
  deps: EventSubmissionDeps,
  call: Call,
  type: RecordType,
  given: GivenEvent,
): Promise<NamedRecords> {
  const records: { -readonly [F in keyof Named]: Named[F] } = {}
  const namedBy: { -readonly [F in EventFieldName]?: Mention } = {}
  const faults: EventFault[] = []
  for (const [field] of EVENT_FIELD_LIST) {
    const other = deps.catalog.types.get(type.fields.get(field)?.record ?? '')
    for (const mention of given.mentions[field] ?? []) {
      if (records[field]) break
      const found = other ? await findOne(deps, call, other, mention) : 'event_unknown'
      if (typeof found === 'string') {
        faults.push({ field, mention, code: found })
      } else {
        records[field] = found
        namedBy[field] = mention
      }
    }
  }
  return { records, namedBy, faults }
}

async function findOne(deps: EventSubmissionDeps, call: Call, type: RecordType, { key }: Mention): Promise<Row | FaultCode> {
  if (key === null) return 'event_unknown'
  if ('id' in key) return only(call, await find(deps, call, type, [{ path: ['id'], op: 'in', values: [key.id] }]))
  if ('sourceID' in key) {
    const criteria = [exactly('sourceID', key.sourceID), ...(key.source === null ? [] : [exactly('source', key.source)])]
    return only(call, await find(deps, call, type, criteria))
  }
  let reason: FaultCode = 'event_unknown'
  for (const { field, where } of key.by) {
    const rows = await find(deps, call, type, [same(field, key.name), ...(where ? [criterionOf(where)] : [])])
    const found = only(call, alike(rows, field, key.name))
    if (typeof found !== 'string') return found
    if (found !== 'event_unknown') reason = found
  }
  return reason
}

function same(field: string, value: string): Criterion {
  return { path: [field], op: 'in', values: inBothCases([value]), text: 'ignoreCase' }
}

function exactly(field: string, value: string): Criterion {
  return { path: [field], op: 'in', values: [value] }
}

async function find(
  { queries, scope }: EventSubmissionDeps,
  call: Call,
  type: RecordType,
  criteria: readonly Criterion[],
): Promise<readonly Row[]> {
  const where: Criterion = { all: [...criteria, await scope.reachable(call, type)] }
  return queries.rows(call, { type, where, limit: MAX_NAMESAKES })
}

/** The rows with exactly this text; without one, those that differ in case only. */
function alike(rows: readonly Row[], field: string, text: string): readonly Row[] {
  const exact = rows.filter((row) => row[field] === normalized(text))
  if (exact.length > 0) return exact
  return rows.filter((row) => isSame(String(row[field]), text))
}

/** The only enabled record: of the account itself, or else of its directory account, or else of a trusted one. */
function only({ account }: Call, rows: readonly Row[]): Row | FaultCode {
  const nearness = ({ account_id }: Row) => (account_id === account.id ? 0 : account_id === account.directoryAccountId ? 1 : 2)
  const enabled = rows.filter((row) => row['disabled'] !== true)
  const nearest = Math.min(...enabled.map(nearness))
  const [one, ...others] = enabled.filter((row) => nearness(row) === nearest)
  if (!one) return rows.length > 0 ? 'event_disabled' : 'event_unknown'
  return others.length > 0 ? 'event_ambiguous' : one
}
