/** Labels of inputs that are called after a field: `note_attachments`, `manager_id`, `member_ids`, `contacts_attributes.label`. */

/** The label that a language has of its own for a field; undefined when it has none. */
type LabelOf = (field: string) => string | undefined

/**
 * The label of such an input, made of the labels of the fields that it is called after; undefined for other names, and where
 * the language does not name the field.
 */
export function inputLabel(input: string, labelOf: LabelOf): string | undefined {
  const inside = /^(\w+)_attributes(?:\.(\w+))?$/.exec(input)
  if (inside) return joined(labelOf(inside[1] ?? ''), inside[2] === undefined ? null : partOf(inside[2], labelOf))
  const text = withoutEnding(input, '_attachments')
  if (text !== null) return joined(labelOf(text), labelOf('attachments'))
  const singular = withoutEnding(input, '_ids')
  if (singular !== null) return labelOf(`${singular}s`) ?? labelOf(singular)
  const reference = withoutEnding(input, '_id')
  return reference === null ? undefined : labelOf(reference)
}

/** The label of an input of a sub-record; its name when nobody knows it. */
function partOf(name: string, labelOf: LabelOf): string {
  return labelOf(name) ?? inputLabel(name, labelOf) ?? name
}

/** `Notiz: Anhänge`. */
function joined(outer: string | undefined, inner: string | null | undefined): string | undefined {
  if (outer === undefined || inner === null) return outer
  return inner === undefined ? undefined : `${outer}: ${inner}`
}

function withoutEnding(name: string, ending: string): string | null {
  return name.endsWith(ending) && name.length > ending.length ? name.slice(0, -ending.length) : null
}
