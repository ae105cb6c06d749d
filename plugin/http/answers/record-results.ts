/** Results of the records of an array, one for each (behaviour: Arrays of records). */
import type { Call } from '../../core/call.js'
import { Invalid, ItsmError } from '../../core/errors.js'
import type { SaveOutcome } from '../../operations/contract.js'
import type { RouteDeps } from '../deps.js'
import { messageFor, sentencesOf } from './error-texts.js'
import { shownNames } from './ignored-fields.js'

/** A saved record. */
interface SavedResult {
  readonly status: 200 | 201
  readonly id: number
  readonly location: string
  /** Names in its body without effect; absent without any. */
  readonly ignored?: readonly string[]
  /** Secrets that were made, by field. */
  readonly [secret: string]: unknown
}

/** A record that was not saved, for the reason that it would have got alone. */
interface RefusedResult {
  readonly status: number
  readonly message: string
  readonly errors?: readonly (readonly [field: string, text: string])[]
}

export type Result = SavedResult | RefusedResult

/** Dependencies of results. */
export type ResultDeps = Pick<RouteDeps, 'baseUrl' | 'log' | 'words'>

/**
 * The result of a record.
 *
 * @param saved what has become of it, or the error that it got before
 * @param location path of the records' URLs
 */
export function resultOf(deps: ResultDeps, call: Call, type: string, location: string, saved: SaveOutcome | ItsmError): Result {
  if (saved instanceof ItsmError) return refused(deps, call, type, saved)
  if (saved.outcome === 'refused') return refused(deps, call, type, new Invalid(saved.violations))
  if (saved.outcome === 'denied') return refused(deps, call, type, saved.error)
  const id = Number(saved.row['id'])
  return {
    status: saved.outcome === 'created' ? 201 : 200,
    id,
    location: `${deps.baseUrl}${location}/${id}`,
    ...(saved.ignored.length > 0 && { ignored: shownNames(saved.ignored) }),
    ...saved.shownOnce,
  }
}

/** Errors that are not deliberate are logged, as if the record had come alone. */
function refused(deps: ResultDeps, call: Call, type: string, thrown: Error): RefusedResult {
  const error = thrown instanceof ItsmError ? thrown : new ItsmError(500, 'Internal Server Error', { cause: thrown })
  const { language, requestId } = call
  if (error.status >= 500)
    deps.log.error({ err: thrown, requestId, type }, `Answered with ${error.status} for a record of an array`)
  const message = messageFor(error)
  if (!(error instanceof Invalid)) return { status: error.status, message }
  const errors = sentencesOf(deps, language, type, error.violations).map(([[field], text]) => [field, text] as const)
  return { status: error.status, message, errors }
}
