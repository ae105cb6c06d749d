/**
 * Finds the request that an event matches (spec, Event submission: matching rules 1 to 4). Each query reads only requests of the
 * last day, from an index.
 */
import type { Call } from '../core/call.js'
import { textDigest } from '../core/text-digest.js'
import { NOTE, REQUEST } from '../schema/built-in-types.js'
import type { Criterion, Scalar } from '../schema/conditions.js'
import type { Row } from '../schema/define-rule.js'
import type { MonitoringDeps } from './deps.js'

/** What must be equal. */
export interface MatchKey {
  readonly source: string
  readonly sourceID: string | null
  readonly ciId: number | null
  readonly instanceId: number | null
  readonly subject: string | null
  /** The text of the first note; null without one. */
  readonly note: string | null
  /** The person whom the request is for. */
  readonly personId: number | null
}

const DAY_MS = 24 * 60 * 60_000
/** Maximum number of requests that are compared one by one, newest first: those of events without a note. */
const MAX_COMPARED = 200

/**
 * The most recently created request that the event matches; null if there is none.
 *
 * @param lock locks its row until the transaction ends
 */
export async function findMatch(deps: MonitoringDeps, call: Call, key: MatchKey, lock = false): Promise<Row | null> {
  const type = deps.catalog.type(REQUEST)
  const visible = await deps.scope.visible(call, type)
  const rest: readonly Criterion[] = [is('status', 'completed', 'not in'), is('account', call.account.id), visible]
  const newest = async (...criteria: readonly Criterion[]) => {
    // Sorted here: with an order and a limit, servers read the table backwards until they find a row.
    const cells = await deps.queries.cells(call, { type, where: { all: [...criteria, ...rest] } }, [['id']])
    return cells.length === 0 ? null : Math.max(...cells.map(([id]) => Number(id)))
  }
  const id = (await byRules(deps, call, key, newest, rest)) ?? (await bySource(key, newest))
  if (id === null) return null
  const where: Criterion = { all: [is('id', id), ...rest] }
  const [row = null] = await deps.queries.rows(call, { type, where }, { lock })
  return row
}

/** True if the record has a note with this text, apart from line ends and blanks at the ends of lines. */
export async function hasNote(deps: MonitoringDeps, call: Call, id: number, text: string): Promise<boolean> {
  const where: Criterion = { all: [is('digest', textDigest(text)), is('owner_id', id), is('owner_type', REQUEST)] }
  return (await deps.queries.cells(call, { type: deps.catalog.type(NOTE), where, limit: 1 }, [['id']])).length > 0
}

type Newest = (...criteria: readonly Criterion[]) => Promise<number | null>

/** With a configuration item by source, item and service instance; else by source, person, subject and note. */
async function byRules(
  deps: MonitoringDeps,
  call: Call,
  { ciId, instanceId, note, personId, source, subject }: MatchKey,
  newest: Newest,
  rest: readonly Criterion[],
): Promise<number | null> {
  const since = new Date(Date.parse(call.now) - DAY_MS).toISOString().replace(/\.\d+Z$/, 'Z')
  const recent: Criterion = { path: ['created_at'], op: '>=', values: [since] }
  if (ciId !== null) return newest(is('ci_id', ciId), recent, is('source', source), is('service_instance_id', instanceId))
  const same = [is('requested_for', personId), is('subject', subject), recent, is('source', source)]
  if (note === null) return newestWithoutNote(deps, call, [...same, ...rest])
  const isEqual: Criterion = { all: [is('digest', textDigest(note)), is('internal', false)] }
  return newest(...same, { part: 'notes', where: isEqual })
}

/** The newest request that was created without a note; notes that were added since do not count. */
async function newestWithoutNote(deps: MonitoringDeps, call: Call, all: readonly Criterion[]): Promise<number | null> {
  const [type, notes] = [deps.catalog.type(REQUEST), deps.catalog.type(NOTE)]
  const sort = [{ field: 'created_at', descending: true }]
  const selection = { type, where: { all }, sort, limit: MAX_COMPARED }
  const requests = await deps.queries.rows(call, selection)
  if (requests.length === 0) return null
  const where: Criterion = {
    all: [
      is('owner_type', REQUEST),
      { path: ['owner_id'], op: 'in', values: requests.map(({ id = null }) => id as Scalar) },
      { path: ['created_at'], op: 'in', values: [...new Set(requests.map((row) => String(row['created_at'])))] },
      is('internal', false),
    ],
  }
  const first = await deps.queries.rows(call, { type: notes, where })
  const keyOf = (id: unknown, time: unknown) => `${id} ${time}`
  const noted = new Set(first.map((note) => keyOf(note['owner_id'], note['created_at'])))
  const bare = requests.filter((row) => !noted.has(keyOf(row['id'], row['created_at'])))
  return bare.length === 0 ? null : Math.max(...bare.map(({ id }) => Number(id)))
}

/** A source ID is unique in its source: such an event could not become another request. */
async function bySource({ source, sourceID }: MatchKey, newest: Newest): Promise<number | null> {
  return sourceID === null ? null : newest(is('source', source), is('sourceID', sourceID))
}

function is(field: string, value: Scalar, op: 'in' | 'not in' = 'in'): Criterion {
  return { path: [field], op, values: [value] }
}
