import type { Catalog, RecordField, RecordType } from '../catalog.js'
import { ATTACHMENT } from '../language/built-in-types.js'
import { type FieldOptions, type Json, makeField } from '../language/field.js'
import { jsonKind } from './json.js'
import type { Kind } from './kind.js'
import { isPicture } from './string.js'
import { jsonInColumn } from './values/json-values.js'
import { put, type WriteContext } from './writers.js'

/**
 * Changes of the owner of a sub-record: `{ column: [before, after] }`. Omits columns that are hidden, or that the caller may not read
 * on every record, in copies of sub-records, too, and sub-records that the caller sees only in part. Readers such as `self` cannot apply: the row does not name
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
        return readable(jsonInColumn(cell), catalog.types.get(String(cells[ownerType])), catalog, context)
      })
    },
  },
}

function readable(changes: Json, type: RecordType | undefined, { types }: Catalog, context: WriteContext): Json {
  if (typeof changes !== 'object' || changes === null) return changes
  const shown = ([name, values]: readonly [string, Json]): readonly (readonly [string, Json])[] => {
    const field = type && fieldOf(type, name)
    if (!isOpen(field, context)) return []
    const isPart = field?.kind === 'parts' || field?.kind === 'part'
    // Lists without a field have the name of their path: translations, phases.
    const part = isPart ? field.record : field ? undefined : type?.parts.get(name)
    if (part === undefined) return [[name, field && isPicture(field) ? each(values, addressed) : values]]
    if (!context.seesParts(part) || (part === ATTACHMENT && hasSecretTexts(type, context))) return []
    const partType = types.get(part)
    return [[name, partType ? each(values, (copies) => readableCopies(copies, partType, context)) : values]]
  }
  const addressed = (value: Json) => (typeof value === 'string' ? context.pictureAddress(value) : value)
  return Object.fromEntries(Object.entries(changes).flatMap(shown))
}

/** Copies of sub-records, or of the only one, without the fields that the caller may not read. Attachments are names. */
function readableCopies(copies: Json, part: RecordType, context: WriteContext): Json {
  if (typeof copies !== 'object' || copies === null) return copies
  if (Array.isArray(copies)) return copies.map((copy) => readableCopies(copy, part, context))
  return Object.fromEntries(Object.entries(copies).filter(([name]) => isOpen(fieldOf(part, name), context)))
}

/** True if the type has texts that the caller may not read. Lines have names of files, but not the texts that these belong to. */
function hasSecretTexts(type: RecordType | undefined, context: WriteContext): boolean {
  return [...(type?.fields.values() ?? [])].some((field) => field.kind === 'text' && !isOpen(field, context))
}

function each(values: Json, make: (value: Json) => Json): Json {
  return Array.isArray(values) ? values.map(make) : values
}

/** The field of a column, or of this name. */
function fieldOf(type: RecordType, name: string): RecordField | undefined {
  return type.columns.get(name) ?? type.fields.get(name)
}

/** Lines say that a secret has changed; they do not have it. */
function isOpen(field: RecordField | undefined, context: WriteContext): boolean {
  return (
    (!field?.hidden || field.kind === 'secret') && (field?.read ?? ['anyone']).some((who) => context.mayRead(who, () => null))
  )
}

/** For sub-records: the changes of their owner, by column. */
export function changes<const O extends FieldOptions = object>(options?: O) {
  return makeField<{ readonly [column: string]: Json }, O, 'changes'>('changes', {}, options)
}
