/** JSON pointers (RFC 6901) into a body as it was sent, to what a violation is about. Pure. */
import type { RecordType } from '../../schema/catalog.js'
import { inputNameOf } from '../../schema/derive/input-names.js'

type Body = Readonly<Record<string, unknown>>

/** Characters of a name that violations contain (`operations/save/related/ignored.ts`). */
const CUT_AT = 100

/**
 * The pointer to the input that a violation names: to the name under which the body has it (`/team_id` for `team`), within the
 * first sub-record that has it if it is not an input of the record itself, and to where it would stand if it is missing. Empty,
 * which points to the whole body, for violations of the record as a whole.
 *
 * @param type the record type of the body; undefined if it is none
 * @param field the field of the violation, `contacts_attributes.colour` for a name within sub-records
 */
export function pointerTo(body: Body, type: RecordType | undefined, field: string): string {
  if (field === 'base') return ''
  const names = bodyNamesOf(type, field)
  const own = nameIn(body, names)
  if (own !== undefined) return pointer(own)
  const [owner = '', inside] = field.split(/\.(.*)/s)
  if (inside !== undefined && Object.hasOwn(body, owner)) return withinOne(owner, body[owner], [inside]) ?? pointer(owner)
  if (type === undefined || type.fields.has(field) || type.links.has(field)) return pointer(field)
  for (const name of partInputsOf(type)) {
    const found = Object.hasOwn(body, name) ? withinOne(name, body[name], names) : null
    if (found !== null) return found
  }
  return pointer(field)
}

/** Names under which bodies may have a field or links (behaviour: Writing). */
export function bodyNamesOf(type: RecordType | undefined, name: string): readonly string[] {
  const { inputAs, keyedBy } = type?.fields.get(name) ?? {}
  const bases = inputAs === undefined ? [name] : [name, inputAs]
  const keys = type?.fields.get(keyedBy ?? '')?.values ?? []
  const links = type?.links.has(name) ? [inputNameOf(type, name)] : []
  return [...bases.flatMap((base) => [`${base}_id`, base]), `${name}_attributes`, ...links, ...keys]
}

/** Names of inputs that contain sub-records. */
function partInputsOf(type: RecordType): readonly string[] {
  const fields = [...type.fields.values()].filter(({ kind }) => kind === 'parts' || kind === 'part')
  return fields.flatMap(({ name }) => [`${name}_attributes`, name])
}

/** The pointer to the first sub-record in the value that has one of the names; null if there is none. */
function withinOne(path: string, value: unknown, names: readonly string[]): string | null {
  if (typeof value !== 'object' || value === null) return null
  for (const [index, one] of Object.entries(value)) {
    const found = nameIn(one, names)
    if (found !== undefined) return pointer(path, index, found)
  }
  const own = Array.isArray(value) ? undefined : nameIn(value, names)
  return own === undefined ? null : pointer(path, own)
}

/** The first of the names that an object has; for one that may have been cut, the name that begins with it. */
function nameIn(value: unknown, names: readonly string[]): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const found = names.find((name) => Object.hasOwn(value, name))
  const cut = found === undefined ? names.find((name) => name.length === CUT_AT) : undefined
  return cut === undefined ? found : Object.keys(value).find((name) => name.slice(0, CUT_AT) === cut)
}

function pointer(...steps: readonly string[]): string {
  return steps.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}
