/** Gives the source ID of a completed request to the new one of an alert that fires again (behaviour: Event submission). */
import { type Call, followingCall } from '../core/call.js'
import { REQUEST } from '../schema/language/built-in-types.js'
import type { Criterion, Scalar } from '../schema/language/conditions.js'
import type { EventSubmissionDeps } from './deps.js'
import type { MatchKey } from './matching.js'

const REASON = 'event fired again'

/**
 * Takes the source ID away from the completed request that has it, in the transaction that creates another one with it. Returns the
 * text of a note that names it, in the language of the account; null if no completed request has it. Of two events at the same time,
 * the second one waits for its row, and finds that it has it no more.
 */
export async function passOn(deps: EventSubmissionDeps, call: Call, { source, sourceID }: MatchKey): Promise<string | null> {
  if (sourceID === null) return null
  const type = deps.catalog.type(REQUEST)
  const where: Criterion = {
    all: [is('account', call.account.id), is('source', source), is('sourceID', sourceID), is('status', 'completed')],
  }
  const [row] = await deps.queries.rows(call, { type, where, limit: 1 }, { lock: true })
  if (!row) return null
  const id = Number(row['id'])
  await deps.operations.save(followingCall(call, REASON), REQUEST, id, { sourceID: null, past_sourceID: sourceID })
  const { locale } = call.account
  return deps.words.sentence(locale, 'event_again', deps.words.fieldLabel(locale, REQUEST, 'sourceID'), {
    value: sourceID,
    id,
  })
}

function is(field: string, value: Scalar): Criterion {
  return { path: [field], op: 'in', values: [value] }
}
