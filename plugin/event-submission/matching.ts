/**
 * Finds the request that an event matches (spec, Event submission: matching rules 1 to 4). Each query reads the newest request
 * that is alike from an index, however many there are (ADR 42).
 */
import type { Call } from '../core/call.js'
import { textDigest, textDigestOrNone } from '../core/text/digest.js'
import { NOTE, REQUEST } from '../schema/language/built-in-types.js'
import type { Criterion, Scalar } from '../schema/language/conditions.js'
import type { Row } from '../schema/language/define-rule.js'
import type { EventSubmissionDeps } from './deps.js'

/** What must be equal. */
export interface MatchKey {
  readonly source: string
  readonly sourceID: string | null
  readonly ciId: number | null
  readonly instanceId: number | null
  readonly subject: string | null
  /** The text of the public note with which the request would be created; null without one. */
  readonly note: string | null
  /** The person whom the request is for. */
  readonly personId: number | null
}

const DAY_MS = 24 * 60 * 60_000
/**
 * The newest one is the first row. The servers would rather read all requests of the day if many are alike. Requests that are
 * not completed have no time of completion.
 */
const INDEXES = {
  withItem: ['ci_id', 'source', 'service_instance_id', 'completed_at', 'created_at'],
  withoutItem: ['requested_for_id', 'note_digest', 'subject', 'source', 'completed_at', 'created_at'],
} as const
const NEWEST_FIRST = [{ field: 'created_at', descending: true }] as const

/**
 * The most recently created request that the event matches; null if there is none.
 *
 * @param lock locks its row until the transaction ends
 */
export async function findMatch(deps: EventSubmissionDeps, call: Call, key: MatchKey, lock = false): Promise<Row | null> {
  const type = deps.catalog.type(REQUEST)
  const visible = await deps.scope.visible(call, type)
  const isOpen = [is('completed_at', null), is('status', 'completed', 'not in')]
  const rest: readonly Criterion[] = [...isOpen, is('account', call.account.id), visible]
  const newest = async (criteria: readonly Criterion[], index?: readonly string[]) => {
    const where: Criterion = { all: [...criteria, ...rest] }
    const selection = { type, where, sort: NEWEST_FIRST, limit: 1, ...(index && { index }) }
    const [found] = await deps.queries.cells(call, selection, [['id']])
    return found ? Number(found[0]) : null
  }
  const index = key.ciId === null ? INDEXES.withoutItem : INDEXES.withItem
  const bySource = async () => (key.sourceID === null ? null : newest(sameSource(key, key.sourceID)))
  const id = (await newest(alike(call, key), index)) ?? (await bySource())
  if (id === null) return null
  const where: Criterion = { all: [is('id', id), ...rest] }
  const [row = null] = await deps.queries.rows(call, { type, where }, { lock })
  return row
}

/**
 * True if the record has a note with this text, apart from line ends and blanks at the ends of lines. Internal notes of other
 * accounts do not count: the caller does not see them.
 */
export async function hasNote(deps: EventSubmissionDeps, call: Call, id: number, text: string): Promise<boolean> {
  const isOurs: Criterion = { any: [is('internal', false), is('account', call.account.id)] }
  const where: Criterion = { all: [is('digest', textDigest(text)), is('owner_id', id), is('owner_type', REQUEST), isOurs] }
  return (await deps.queries.cells(call, { type: deps.catalog.type(NOTE), where, limit: 1 }, [['id']])).length > 0
}

/** With a configuration item by source, item and service instance; else by source, person, subject and first note. */
function alike(call: Call, { ciId, instanceId, note, personId, source, subject }: MatchKey): readonly Criterion[] {
  const since = new Date(Date.parse(call.now) - DAY_MS).toISOString().replace(/\.\d+Z$/, 'Z')
  const recent: Criterion = { path: ['created_at'], op: '>=', values: [since] }
  const same = [is('source', source), recent]
  if (ciId !== null) return [is('ci_id', ciId), is('service_instance_id', instanceId), ...same]
  return [is('requested_for', personId), is('note_digest', textDigestOrNone(note)), is('subject', subject), ...same]
}

/** A source ID is unique in its source: such an event could not become another request. */
function sameSource({ source }: MatchKey, sourceID: string): readonly Criterion[] {
  return [is('source', source), is('sourceID', sourceID)]
}

function is(field: string, value: Scalar, op: 'in' | 'not in' = 'in'): Criterion {
  return { path: [field], op, values: [value] }
}
