/**
 * Query parameters without effect: strict lists refuse them, lenient ones ignore them (behaviour: Selected fields, Filters,
 * Ignored fields).
 */
import { Invalid, type Violation } from '../../core/errors.js'
import type { RecordField, RecordType } from '../catalog.js'
import { RESERVED_PARAMETERS } from '../check/check-collection.js'

/** Reserved parameters with an effect on lists; the others are reserved because clients send them. */
const WITH_EFFECT = new Set(['page', 'per_page', 'sort', 'fields', 'callback', 'api_token', 'state', '_'])

/** Maximum number of names in `fields` that one response reports, and of characters of each. */
const MAX_NAMES = 20
const MAX_NAME_LENGTH = 100

type Parameters = readonly (readonly [name: string, value: string])[]

/** @throws Invalid for the parameters with these names */
export function refuseParameters(parameters: Parameters, names: ReadonlySet<string>): void {
  const refused = parameters.map(([name]) => name).filter((name) => names.has(name))
  if (refused.length > 0) throw new Invalid(withoutEffect(refused))
}

/**
 * Filters are checked by `readListParameters`, which always refuses unknown ones.
 *
 * @throws Invalid for parameters without an effect, and for names of fields that lists cannot show
 */
export function refuseWithoutEffect(type: RecordType, parameters: Parameters): void {
  const isIdle = (name: string) => {
    const bare = name.replace(/[!<>]$/, '')
    if (!RESERVED_PARAMETERS.has(bare) || type.collection.filterable.has(bare)) return false
    return bare !== name || !WITH_EFFECT.has(bare)
  }
  const idle = parameters.map(([name]) => name).filter(isIdle)
  const wanted = (parameters.findLast(([name]) => name === 'fields')?.[1] ?? '').split(',').map((name) => name.trim())
  const unknown = wanted.filter((name) => name !== '' && name !== 'account' && !isSelectable(type.fields.get(name)))
  const violations = [
    ...withoutEffect(idle),
    ...[...new Set(unknown)].slice(0, MAX_NAMES).map((name): Violation => [name.slice(0, MAX_NAME_LENGTH), 'unknown_field']),
  ]
  if (violations.length > 0) throw new Invalid(violations)
}

function withoutEffect(names: readonly string[]): readonly Violation[] {
  return [...new Set(names)].map((name) => [name, 'unknown_parameter'])
}

function isSelectable(field: RecordField | undefined): boolean {
  return field !== undefined && !field.writeOnly && !field.hidden && field.shownWith === undefined
}
