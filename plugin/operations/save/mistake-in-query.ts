import { mayReadEverywhere } from '../../access/sight/decide.js'
import type { Call } from '../../core/call.js'
import { BadRequest, Invalid } from '../../core/errors.js'
import type { Catalog, RecordType } from '../../schema/catalog.js'
import { readListParameters } from '../../schema/derive/filters.js'
import { refuseParameters, refuseWithoutEffect } from '../../schema/derive/strict-parameters.js'
import { messageOf } from '../../words/violations.js'
import type { WordBook } from '../../words/words.js'
import { chosenList } from '../read/chosen-list.js'
import { knowsRoles } from '../read/knows-roles.js'
import type { ReadDeps } from '../read/read-deps.js'

/** Parameters that are about one call, or a secret of the caller, and not about what a list shows. */
const OF_ONE_CALL: ReadonlySet<string> = new Set(['page', 'callback', 'api_token', '_'])

interface QueryDeps extends Pick<ReadDeps, 'decisions'> {
  readonly catalog: Catalog
  readonly words: Pick<WordBook, 'sentence' | 'fieldLabel'>
}

/**
 * The mistake in a query of the list of a type, as the list reports it to the caller in strict handling; null if there is none. The host
 * is asked if the type is open.
 */
export async function mistakeInQuery(
  { catalog, decisions, words }: QueryDeps,
  call: Call,
  typeName: string,
  query: string,
): Promise<string | null> {
  const type = catalog.types.get(typeName)
  if (!type?.operations.has('list') || !(await decisions.isOpen(call, type))) return `There is no list of '${typeName}'`
  try {
    mustBeReadable(type, call, [...new URLSearchParams(query)])
    return null
  } catch (error) {
    if (error instanceof BadRequest) return error.message
    if (!(error instanceof Invalid)) throw error
    return error.violations.map((violation) => messageOf(words, call.language, typeName, violation)).join('; ')
  }
}

/** @throws BadRequest or Invalid, as the list does */
function mustBeReadable(type: RecordType, call: Call, parameters: readonly (readonly [name: string, value: string])[]): void {
  refuseParameters(parameters, OF_ONE_CALL)
  const isOfRoles = ([name]: readonly [name: string, value: string]) => type.holdsRoles && name === 'roles' && knowsRoles(call)
  const others = parameters.filter((one) => !isOfRoles(one))
  const { list } = readListParameters(type, others, (field) => mayReadEverywhere(call, field), call.zone)
  refuseWithoutEffect(type, others)
  chosenList(type, undefined, list)
}
