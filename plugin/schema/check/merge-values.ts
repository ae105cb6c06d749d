/** Adds further values to enumerations: to the field that an extension names, and to all fields with the same values. */
import { mistakeInValue } from '../kinds/enum.js'
import { kindOf } from '../kinds/kinds.js'
import type { Definition } from '../language/define-record.js'
import { pathOf } from '../language/derived.js'
import type { Field } from '../language/field.js'
import { fieldOf } from './check-paths.js'
import type { Patch } from './patch.js'

type Definitions = ReadonlyMap<string, Definition>
/** Further values by the key of their enumeration, each with the extension that adds it. */
type Added = Map<string, Map<string, string>>

/**
 * The merged definitions with the values that extensions add.
 *
 * @param lists keys of the enumerations that do not belong to a type and cannot be extended
 */
export function withMoreValues(patches: readonly Patch[], lists: ReadonlySet<string>): readonly Definition[] {
  const added: Added = new Map()
  for (const patch of patches) for (const addition of patch.additions) collect(patch, addition, added, lists)
  const merged = patches.map((patch) => patch.merged())
  if (added.size === 0) return merged
  const all = new Map(merged.map((definition) => [definition.name, definition]))
  return merged.map((definition) => {
    const fields = Object.entries(definition.fields).map(([name, field]) => {
      const more = kindOf(field).isEnumeration ? [...(added.get(keyOf(definition, name, field, all))?.keys() ?? [])] : []
      const values = [...(field.values ?? []), ...more]
      return [name, more.length === 0 ? field : Object.freeze({ ...field, values: Object.freeze(values) })] as const
    })
    return { ...definition, fields: Object.fromEntries(fields) }
  })
}

function collect(
  patch: Patch,
  { extension, label }: Patch['additions'][number],
  added: Added,
  lists: ReadonlySet<string>,
): void {
  const definition = patch.merged()
  for (const [name, values] of Object.entries(extension.values ?? {})) {
    const where = `values.${name}`
    const field = fieldOf(definition, name)
    const reason = !field ? `there is no field '${name}'` : whyFixed(definition, name, field, lists)
    if (!field || reason) {
      patch.report(label, `${where}: ${reason}`)
      continue
    }
    const key = ownKeyOf(definition, name, field)
    const known = added.get(key) ?? new Map<string, string>()
    added.set(key, known)
    for (const value of values) {
      const source = field.values?.includes(value) ? definition.name : known.get(value)
      const mistake = source
        ? `'${value}' exists already, from ${source}; extensions cannot replace anything`
        : mistakeInValue(value)
      if (mistake) patch.report(label, `${where}: ${mistake}`)
      else known.set(value, label)
    }
  }
}

/** Why values cannot be added; null if they can. */
function whyFixed(definition: Definition, name: string, field: Field, lists: ReadonlySet<string>): string | null {
  if (!kindOf(field).isEnumeration) return `'${name}' is not an enumeration`
  if (kindOf(field).holdsEvents) return 'its values are the events of all record types'
  const path = pathOf(field)
  if (path) return `its values are those of '${path.join('.')}'; add them there`
  const key = ownKeyOf(definition, name, field)
  return lists.has(key) ? `its values are the list '${key}', which several types share` : null
}

function ownKeyOf(definition: Definition, name: string, field: Field): string {
  return field.enumeration ?? `${definition.name}.${name}`
}

/**
 * The key of the enumeration that the values come from: for a value of another record, that of the field at the end of its
 * path.
 */
function keyOf(definition: Definition, name: string, field: Field, all: Definitions): string {
  const steps = pathOf(field)
  if (!steps) return ownKeyOf(definition, name, field)
  let at: Definition | undefined = definition
  for (const step of steps.slice(0, -1)) at = all.get(fieldOf(at, step)?.record ?? '')
  const last = steps.at(-1) ?? ''
  const end = fieldOf(at, last)
  return at && end ? ownKeyOf(at, last, end) : ownKeyOf(definition, name, field)
}
