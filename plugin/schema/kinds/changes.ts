import type { RecordType } from '../compile/compile.js'
import { jsonInColumn } from '../derive/json.js'
import type { WriteContext } from '../derive/shape.js'
import { put } from '../derive/writers.js'
import { type FieldOptions, type Json, makeField } from '../field.js'
import { jsonKind } from './json.js'
import type { Kind } from './kind.js'
import { isPicture } from './string.js'

/**
 * Changes of the owner of a sub-record: `{ column: [before, after] }`. Omits columns that are hidden, or that the caller may not read
 * on every record, and sub-records that the caller sees only in part. Readers such as `self` cannot apply: the row does not name
 * its people.
 */
export const changesKind: Kind = {
  ...jsonKind,
  needsOwner: true,
  answer: {
    writer(field, { catalog, copy, slot }) {
      const [at, ownerType] = [slot(field.column ?? field.name), slot('owner_type')]
      copy(ownerType)
      return put(field.name, (cells, context) => {
        const cell = cells[at]
        if (cell === null || cell === undefined) return null
        return readable(jsonInColumn(cell), catalog.types.get(String(cells[ownerType])), context)
      })
    },
  },
}

function readable(changes: Json, type: RecordType | undefined, context: WriteContext): Json {
  if (typeof changes !== 'object' || changes === null) return changes
  const isOpen = ([name]: readonly [string, unknown]) => {
    const field = type?.columns.get(name) ?? type?.fields.get(name)
    const isPart = field?.kind === 'parts' || field?.kind === 'part'
    // Lists without a field have the name of their path: translations, phases.
    const part = isPart ? field.record : field ? undefined : type?.parts.get(name)
    if (part !== undefined && !context.seesParts(part)) return false
    return !field?.hidden && (field?.read ?? ['anyone']).some((who) => context.mayRead(who, () => null))
  }
  const shown = ([column, values]: readonly [string, Json]) => {
    const field = type?.columns.get(column)
    return [column, field && isPicture(field) && Array.isArray(values) ? values.map(addressed) : values] as const
  }
  const addressed = (value: Json) => (typeof value === 'string' ? context.pictureAddress(value) : value)
  return Object.fromEntries(Object.entries(changes).filter(isOpen).map(shown))
}

/** For sub-records: the changes of their owner, by column. */
export function changes<const O extends FieldOptions = object>(options?: O) {
  return makeField<{ readonly [column: string]: Json }, O, 'changes'>('changes', {}, options)
}
