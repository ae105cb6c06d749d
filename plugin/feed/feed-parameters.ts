/** Reads the query parameters of the feed. */
import { BadRequest } from '../core/errors.js'

/** What a client asks of the feed. */
export interface FeedParameters {
  /** Only messages with higher numbers; 0 for all that are kept, null for those that come from now on. */
  readonly after: number | null
  /** Names of record types; null for all of them. */
  readonly types: readonly string[] | null
  /** Maximum number of messages. */
  readonly perPage: number
  /** Seconds for which to wait for a message. */
  readonly wait: number
}

const DEFAULT_PER_PAGE = 100
const MAX_PER_PAGE = 500
const MAX_WAIT = 30
/** Characters of a wrong value that the message shows. */
const MAX_SHOWN = 100

type Parameters = readonly (readonly [name: string, value: string])[]

/**
 * Reads the parameters; of several with one name the last one counts, as in lists.
 *
 * @param known names of the types that have messages
 * @throws BadRequest with a message that names the parameter
 */
export function readFeedParameters(parameters: Parameters, known: ReadonlySet<string>): FeedParameters {
  const last = (name: string) => parameters.findLast(([given]) => given === name)?.[1]
  const [after, perPage, types, wait] = ['after', 'per_page', 'types', 'wait'].map(last)
  return {
    after: after === undefined ? null : readNumber('after', after, 0, Number.MAX_SAFE_INTEGER),
    types: types === undefined ? null : readTypes(types, known),
    perPage: perPage === undefined ? DEFAULT_PER_PAGE : readNumber('per_page', perPage, 1, MAX_PER_PAGE),
    wait: wait === undefined ? 0 : readNumber('wait', wait, 0, MAX_WAIT),
  }
}

function readNumber(name: string, text: string, least: number, most: number): number {
  if (!/^\s*\d+\s*$/.test(text)) throw invalid(name, text)
  const number = Number(text)
  if (number < least) throw new BadRequest(`Parameter '${name}' cannot be less than ${least}`)
  if (number > most) throw new BadRequest(`Parameter '${name}' cannot be greater than ${most}`)
  return number
}

/** Names with commas between them. An empty list is refused: it could mean all types, or none. */
function readTypes(text: string, known: ReadonlySet<string>): readonly string[] {
  const names = [...new Set(text.split(',').map((name) => name.trim()))].filter((name) => name !== '')
  if (names.length === 0) throw invalid('types', text)
  for (const name of names) if (!known.has(name)) throw invalid('types', name)
  return names
}

function invalid(name: string, value: string): BadRequest {
  return new BadRequest(`Invalid value '${value.slice(0, MAX_SHOWN)}' for parameter '${name}'`)
}
