/** JSON pointers (RFC 6901) into a body as it was sent, to what a violation is about. Pure. */
import type { RecordType } from '../schema/compile/compile.js'
import { inputNameOf } from '../schema/derive/input-names.js'

type Body = Readonly<Record<string, unknown>>

/**
 * The pointer to the input that a violation names: to the name under which the body has it (`/team_id` for `team`), within the
 * first sub-record that has it if the body itself has not, and to where it would stand if it is missing. Empty, which points to
 * the whole body, for violations of the record as a whole.
 *
 * @param type the record type of the body; undefined if it is none
 * @param field the field of the violation, `contacts_attributes.colour` for a name within sub-records
 */
export function pointerTo(body: Body, type: RecordType | undefined, field: string): string {
  if (field === 'base') return ''
  const names = namesOf(type, field)
  const own = names.find((name) => Object.hasOwn(body, name))
  if (own !== undefined) return pointer(own)
  const [owner = '', inside] = field.split(/\.(.*)/s)
  if (inside !== undefined && Object.hasOwn(body, owner)) return withinOne(owner, body[owner], [inside]) ?? pointer(owner)
  for (const [name, value] of Object.entries(body)) {
    const found = withinOne(name, value, names)
    if (found !== null) return found
  }
  return pointer(field)
}

/** Names under which bodies may have a field or links (behaviour: Writing). */
function namesOf(type: RecordType | undefined, name: string): readonly string[] {
  const { inputAs, keyedBy } = type?.fields.get(name) ?? {}
  const bases = inputAs === undefined ? [name] : [name, inputAs]
  const keys = type?.fields.get(keyedBy ?? '')?.values ?? []
  const links = type?.links.has(name) ? [inputNameOf(type, name)] : []
  return [...bases.flatMap((base) => [`${base}_id`, base]), `${name}_attributes`, ...links, ...keys]
}

/** The pointer to the first sub-record in the value that has one of the names; null if there is none. */
function withinOne(path: string, value: unknown, names: readonly string[]): string | null {
  if (typeof value !== 'object' || value === null) return null
  for (const [index, one] of Object.entries(value)) {
    const found = names.find((name) => typeof one === 'object' && one !== null && Object.hasOwn(one, name))
    if (found !== undefined) return pointer(path, index, found)
  }
  const own = Array.isArray(value) ? undefined : names.find((name) => Object.hasOwn(value, name))
  return own === undefined ? null : pointer(path, own)
}

function pointer(...steps: readonly string[]): string {
  return steps.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}
