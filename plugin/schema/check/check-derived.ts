/** Reports mistakes in fields that are derived from others. */
import type { Definition } from '../language/define-record.js'
import { isOwnerType, pathOf, sourceOf } from '../language/derived.js'
import type { Field } from '../language/field.js'
import { type Definitions, fieldOf, hasColumn } from './check-paths.js'

/** Mistakes in the source of a derived field. */
export function mistakesInDerived(field: Field, definition: Definition, all: Definitions): string[] {
  const { derived } = field
  if (!derived) return []
  const mistakes = field.readOnly ? [] : ['a derived field must be readOnly']
  const path = pathOf(field)
  if (path) return [...mistakes, ...mistakesInPath(field, path, definition, all)]
  if (isOwnerType(field) && definition.partOf) return mistakes
  const source = fieldOf(definition, derived.from)
  if (!source) return [...mistakes, `there is no field '${derived.from}'`]
  if (!hasColumn(source)) return [...mistakes, `'${derived.from}' is not stored`]
  return sourceOf(field) === undefined ? mistakes : [...mistakes, ...mistakesInReaders(field, source, derived.from)]
}

/** Mistakes in a path over references; every step of it must be stored. */
function mistakesInPath(field: Field, steps: readonly string[], definition: Definition, all: Definitions): string[] {
  const path = steps.join('.')
  let at: Definition | undefined = definition
  for (const [index, step] of steps.entries()) {
    const next: Field | undefined = fieldOf(at, step)
    if (!next) return [`'${path}': ${at?.name} has no field '${step}'`]
    if (!hasColumn(next)) return [`'${path}': '${step}' is not stored`]
    if (index === steps.length - 1) return [...mistakesInKind(field, next, path), ...mistakesInReaders(field, next, path)]
    if (next.kind !== 'ref') return [`'${path}': '${step}' is not a reference`]
    at = all.get(next.record ?? '')
    // If the type may be absent, the value is empty, like the reference.
    if (!at && next.whenPresent) return []
    if (!at) return [`'${path}': there is no record type '${next.record}'`]
  }
  return []
}

/** A field that shows a restricted value under a second name must be restricted as well. */
export function mistakesInReaders(field: Field, source: Field | undefined, name: string): string[] {
  return source?.read && !field.read ? [`'${name}' has restricted readers; set read here, too`] : []
}

function mistakesInKind(field: Field, found: Field, path: string): string[] {
  if (field.kind !== found.kind || field.record !== found.record) {
    const called = (one: Field) => (one.record ? `${one.kind} of ${one.record}` : one.kind)
    return [`'${path}' must be of the kind ${called(field)}, not ${called(found)}`]
  }
  return field.values?.join() === found.values?.join() ? [] : [`'${path}' must have the same values`]
}
