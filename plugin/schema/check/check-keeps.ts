/** Reports mistakes in what rules and settlings say that they keep: a misspelled name would be tried by nobody. ADR 0049. */
import { shown } from '../../core/text/shown.js'
import { isObject } from '../language/shapes.js'
import { type KeptIn, placesOf } from './kept-places.js'

/** @param report gets the name that is wrong, and the mistake */
export function checkKeeps(keeps: unknown, within: KeptIn, report: (text: string) => void): void {
  const entries = isObject(keeps) ? Object.entries(keeps) : null
  const isList = (inputs: unknown) =>
    Array.isArray(inputs) && inputs.length > 0 && inputs.every((one) => typeof one === 'string')
  if (!entries?.every(([, inputs]) => isList(inputs))) {
    report(`must be lists of names by name, not ${shown(keeps)}`)
    return
  }
  for (const name of new Set(entries.flatMap(([value, inputs]) => [value, ...(inputs as readonly string[])]))) {
    const found = placesOf(name, within)
    if ('mistake' in found) report(`'${name}': ${found.mistake}`)
  }
}
