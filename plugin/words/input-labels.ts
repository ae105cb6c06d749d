/**
 * Labels of inputs that are called after a field: `note_attachments`, `manager_id`, `member_ids`, `contacts_attributes.label`.
 */
import { withColon } from './quotes.js'

/** The label of a field in one language; undefined if that language has none. */
type LabelOf = (field: string) => string | undefined

/**
 * Returns the label of such an input, from the labels of the fields in its name; undefined for other names, and if the language
 * has no label for the field.
 */
export function inputLabel(language: string, input: string, labelOf: LabelOf): string | undefined {
  const inside = /^(\w+)_attributes(?:\.(\w+))?$/.exec(input)
  if (inside)
    return joined(language, labelOf(inside[1] ?? ''), inside[2] === undefined ? null : partOf(language, inside[2], labelOf))
  const text = withoutEnding(input, '_attachments')
  if (text !== null) return joined(language, labelOf(text), labelOf('attachments'))
  const singular = withoutEnding(input, '_ids')
  if (singular !== null) return labelOf(`${singular}s`) ?? labelOf(singular)
  const reference = withoutEnding(input, '_id')
  return reference === null ? undefined : labelOf(reference)
}

/** Returns the label of an input of a sub-record; its name if it has none. */
function partOf(language: string, name: string, labelOf: LabelOf): string {
  return labelOf(name) ?? inputLabel(language, name, labelOf) ?? name
}

/** Joins two labels. The inner one is null if the name has only an outer one; either is undefined if it is missing. */
function joined(language: string, outer: string | undefined, inner: string | null | undefined): string | undefined {
  if (outer === undefined || inner === null) return outer
  return inner === undefined ? undefined : withColon(language, outer, inner)
}

function withoutEnding(name: string, ending: string): string | null {
  return name.endsWith(ending) && name.length > ending.length ? name.slice(0, -ending.length) : null
}
