/** Names that would be the same in the OpenAPI document, from which generators make one name each. */
import { enumerationsAlike, isReservedName } from '../kinds/json-schema.js'
import { kindOf } from '../kinds/kinds.js'
import type { Definition } from '../language/define-record.js'
import type { Report } from './check-names.js'
import type { Definitions } from './check-paths.js'

export function checkComponentName({ name }: Definition, all: Definitions, report: Report): void {
  if (isReservedName(name, all)) report('', 'the OpenAPI document already has a component of this name; choose another name')
}

/** Different enumerations with one name: `offer.line_state` and `offer_line.state`. */
export function sameEnumerations(definitions: readonly Definition[]): string[] {
  const keys = definitions.flatMap(({ name, fields }) =>
    Object.entries(fields).flatMap(([field, spec]) =>
      kindOf(spec).isEnumeration ? [{ key: spec.enumeration ?? `${name}.${field}`, place: `${name}.fields.${field}` }] : [],
    ),
  )
  return keys.flatMap(({ key, place }) => {
    const other = keys.find((one) => enumerationsAlike(one.key, key))
    return other && other.key !== key
      ? [`${place}: '${key}' would have the name of '${other.key}' in the OpenAPI document; choose another name`]
      : []
  })
}
