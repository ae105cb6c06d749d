/** Turns fields of definitions, extensions included, into those of the catalog. */
import type { RecordField } from '../catalog.js'
import { hasColumn } from '../check/check-paths.js'
import { kindOf } from '../kinds/kinds.js'
import type { Definition } from '../language/define-record.js'
import { pathOf } from '../language/derived.js'
import type { Field } from '../language/field.js'

type Definitions = ReadonlyMap<string, Definition>

/** The field for values of hosts and clients, and its second form (behaviour: Custom data). */
const [DATA, PAIRS] = ['custom_data', 'custom_fields']

/**
 * The compiled fields, in the order of the definition. A JSON object called `custom_data` can also be read and written as the
 * list `custom_fields`.
 *
 * @param all every definition, extensions included, by name
 * @param events the names of all events
 */
export function compileFields(definition: Definition, all: Definitions, events: readonly string[]): Map<string, RecordField> {
  const fields = Object.entries(definition.fields).flatMap(([name, field]): RecordField[] => {
    const compiled = compileField(definition, name, field, all, events)
    const hasPairs = name === DATA && field.kind === 'json' && compiled.column !== null && !field.writeOnly && !field.hidden
    if (!hasPairs || Object.hasOwn(definition.fields, PAIRS)) return [compiled]
    const { default: _, required: __, ...same } = compiled
    return [compiled, Object.freeze({ ...same, kind: 'pairs', name: PAIRS, pairsOf: DATA, onRequest: true, column: null })]
  })
  return new Map(fields.map((field) => [field.name, field]))
}

/**
 * A compiled field.
 *
 * @param all every definition, extensions included, by name
 * @param events the names of all events
 */
function compileField(
  definition: Definition,
  name: string,
  field: Field,
  all: Definitions,
  events: readonly string[],
): RecordField {
  const path = pathOf(field)
  return Object.freeze({
    ...field,
    ...(kindOf(field).holdsEvents ? { values: events } : {}),
    name,
    column: isStored(field, all) ? (field.kind === 'ref' ? `${name}_id` : name) : null,
    via: path && leadsSomewhere(definition, path, all) ? Object.freeze(path) : null,
    enumeration: field.enumeration ?? `${definition.name}.${name}`,
  })
}

function isStored(field: Field, all: Definitions): boolean {
  return hasColumn(field) && (field.kind !== 'ref' || all.has(field.record ?? ''))
}

/** False if a record type on the path is absent: then the value is always empty. */
function leadsSomewhere(definition: Definition, path: readonly string[], all: Definitions): boolean {
  const [step = '', ...further] = path
  const field = definition.fields[step]
  if (!field || !isStored(field, all)) return false
  const target = all.get(field.record ?? '')
  return further.length === 0 || (target !== undefined && leadsSomewhere(target, further, all))
}
