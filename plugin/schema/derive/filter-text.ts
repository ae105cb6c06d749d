/** Reads filters that are kept as a text, in the grammar of lists: `status=!completed&team=4&changed=team` (ADR 64). */
import { BadRequest } from '../../core/errors.js'
import type { RecordField, RecordType } from '../catalog.js'
import { RESERVED_PARAMETERS } from '../check/check-collection.js'
import { isElsewhere } from '../kinds/kinds.js'
import type { Criterion } from '../language/conditions.js'
import { fieldNamed, readFilters } from './filters.js'

/** A condition of a filter; all of them must hold. */
export type Term =
  /** The record meets the criterion. */
  | { readonly text: string; readonly criterion: Criterion }
  /** The save has changed one of these columns, links or sub-records; names are those of audit lines. */
  | { readonly text: string; readonly changed: readonly string[] }

/** Maximum number of terms. */
const MAX_TERMS = 20
/** The name of the term that is about the change, not about the record. */
const CHANGED = 'changed'

/**
 * The terms of a filter, in order.
 *
 * @param mayRead true if the reader of what is filtered may read a field
 * @throws BadRequest with a message that names the first mistake
 */
export function readTerms(type: RecordType, text: string, mayRead: (field: RecordField) => boolean): readonly Term[] {
  const pairs = [...new URLSearchParams(text)]
  if (pairs.length === 0) throw new BadRequest('A filter needs a term')
  if (pairs.length > MAX_TERMS) throw new BadRequest(`At most ${MAX_TERMS} terms can be given`)
  const filters = pairs.filter(([name]) => name !== CHANGED)
  // Lists do something else with these.
  const reserved = filters.map(([name]) => name.replace(/[!<>]$/, '')).filter((name) => isReserved(type, name))
  if (reserved.length > 0) throw new BadRequest(`Unknown fields: ${[...new Set(reserved)].join(', ')}`)
  // Nobody's zone: messages are judged for all who read them.
  const criteria = readFilters(type, filters, mayRead, 'UTC')
  return pairs.map(([name, value]): Term => {
    const term = `${name}=${value}`
    if (name === CHANGED) return { text: term, changed: changedNames(type, value, mayRead) }
    return { text: term, criterion: criteria[filters.findIndex(([one, of]) => one === name && of === value)] ?? { any: [] } }
  })
}

function isReserved(type: RecordType, name: string): boolean {
  return RESERVED_PARAMETERS.has(name) && !type.collection.filterable.has(name)
}

function changedNames(type: RecordType, value: string, mayRead: (field: RecordField) => boolean): readonly string[] {
  const names = value.split(',').map((name) => name.trim())
  const fields = names.map((name) => fieldNamed(type, name))
  const unknown = names.filter((_, index) => !isAudited(fields[index], mayRead))
  if (unknown.length > 0) throw new BadRequest(`Unknown fields: ${unknown.join(', ').slice(0, 200)}`)
  return fields.flatMap((field) => (field ? [field.column ?? field.name] : []))
}

/** True for fields whose changes are in audit lines, and can be read there. */
function isAudited(field: RecordField | undefined, mayRead: (field: RecordField) => boolean): field is RecordField {
  if (!field || field.hidden || field.mark || !mayRead(field)) return false
  return field.column !== null || (isElsewhere(field) && ['part', 'parts', 'refs'].includes(field.kind))
}
