/** Finds the predefined lists that a caller has chosen (behaviour: Predefined filters). */
import { BadRequest, NotFound } from '../../core/errors.js'
import type { RecordType } from '../../schema/catalog.js'
import { ANYTHING, type Criterion } from '../../schema/language/conditions.js'

/**
 * The lists of the path and of the parameter `state`: a record must be in both.
 *
 * @throws NotFound for an unknown list of the path, BadRequest for one of the parameter
 */
export function chosenList(type: RecordType, name: string | undefined, state: string | null): Criterion {
  const [ofPath, ofState] = [listNamed(type, name), state === null ? ANYTHING : stateNamed(type, state)]
  return ofState === ANYTHING ? ofPath : { all: [ofPath, ofState] }
}

function listNamed(type: RecordType, name: string | undefined): Criterion {
  if (name === undefined) return ANYTHING
  const list = type.lists.get(name)
  if (!list) throw new NotFound()
  return list
}

function stateNamed(type: RecordType, name: string): Criterion {
  const list = type.lists.get(name)
  if (!list) throw new BadRequest(`Invalid value '${name.slice(0, 100)}' for parameter 'state'`)
  return list
}
