/** Reads the parameters of lists, once per choice of fields, filters and order. */
import { mayReadEverywhere } from '../../access/sight/decide.js'
import type { Call } from '../../core/call.js'
import type { RecordField, RecordType, SortKey } from '../../schema/catalog.js'
import { type ListParameters, readListParameters, readPaging } from '../../schema/derive/filters.js'

type Parameters = readonly (readonly [name: string, value: string])[]

/** Maximum number of choices in the cache; those that were used last stay. */
const MAX_CHOICES = 500
/** Characters. Longer parameters are read each time, so that their number times their length stays small. */
const MAX_KEY = 2_000
/** Parameters that differ from page to page. They have no effect on anything else. */
const PAGING = new Set(['page', 'per_page'])

/** @throws BadRequest with a message that names the parameter */
export type ReadList = (call: Call, type: RecordType, parameters: Parameters, sort: readonly SortKey[]) => ListParameters

/** Creates the function that reads parameters, with a cache of its own. What depends on the caller is read for each call. */
export function createReadList(): ReadList {
  const choices = new Map<string, ListParameters>()

  return (call, type, parameters, sort) => {
    const key = parameters.some(isNotKept) ? '' : keyOf(type, parameters, sort, call.zone)
    const known = choices.get(key)
    if (known) {
      choices.delete(key)
      choices.set(key, known)
      return { ...known, ...readPaging(parameters) }
    }
    let isForAll = key !== '' && key.length <= MAX_KEY
    const mayRead = (field: RecordField) => {
      if (field.read) isForAll = false
      return mayReadEverywhere(call, field)
    }
    const asked = readListParameters(type, parameters, mayRead, call.zone, sort)
    if (!isForAll) return asked
    if (choices.size >= MAX_CHOICES) choices.delete(choices.keys().next().value ?? '')
    choices.set(key, asked)
    return asked
  }
}

/** True for parameters that no other call should have: secrets, and what keeps caches away. */
function isNotKept([name]: Parameters[number]): boolean {
  return name === 'api_token' || name === '_'
}

/** Texts are written with their length: callers choose them freely, and no two choices may have the same key. */
function keyOf(type: RecordType, parameters: Parameters, sort: readonly SortKey[], zone: string): string {
  let key = `${sort === type.collection.sort ? type.name : `${type.name} below`} ${zone}`
  for (const [name, value] of parameters) {
    if (!PAGING.has(name)) key += ` ${name.length} ${value.length} ${name}${value}`
  }
  return key
}
