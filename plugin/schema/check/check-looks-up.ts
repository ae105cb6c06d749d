/** Reports mistakes in what rules say that they look up: a misspelled name would save no statement, and nobody would know. */
import { shown } from '../../core/text/shown.js'
import { isObject } from '../language/shapes.js'
import { fieldOf } from './check-paths.js'
import { type KeptIn, placesOf } from './kept-places.js'

/** @param report gets the name that is wrong, and the mistake */
export function checkLooksUp(looksUp: unknown, within: KeptIn, report: (text: string) => void): void {
  const all: readonly unknown[] = Array.isArray(looksUp) ? looksUp : [looksUp]
  for (const one of all) {
    const mistake = mistakeIn(one, within)
    if (mistake !== null) report(mistake)
  }
}

function mistakeIn(one: unknown, within: KeptIn): string | null {
  const { path, to } = isObject(one) ? one : {}
  if (typeof path !== 'string' || (to !== undefined && typeof to !== 'string'))
    return `must be a list of { path } or { path, to }, not ${shown(one)}`
  const [reference = '', name, ...others] = path.split('.')
  const isReference = (field: string) => fieldOf(within.definition, field)?.kind === 'ref'
  const wrong = [reference, ...(to === undefined ? [] : [to])].find((field) => !isReference(field))
  if (wrong !== undefined) return `'${wrong}' is no reference of ${within.definition.name}`
  if (name === undefined || others.length > 0) return `'${path}' must be a reference, and a field or a link behind it`
  const found = placesOf(path, within)
  return 'mistake' in found ? `'${path}': ${found.mistake}` : null
}
