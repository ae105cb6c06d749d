/** Names of inputs: those of the fields, references, links and sub-records of a type in bodies (behaviour: Writing). */
import type { Catalog, RecordField, RecordType } from '../catalog.js'
import { kindOf } from '../kinds/kinds.js'
import { readId } from '../kinds/values/read-values.js'

/** The names for adding, changing and removing single sub-records (`contacts_attributes`), with the field that shows them. */
export function partChangesOf(type: RecordType, catalog: Catalog): ReadonlyMap<string, RecordField> {
  const fields = [...type.fields.values()].filter(
    ({ kind, record }) => kind === 'parts' && catalog.types.get(record ?? '')?.nested.has('create'),
  )
  return new Map(fields.map((field) => [`${field.name}_attributes`, field]))
}

/** True for input names of the type, regardless of permissions; also for names that are only in responses. */
export function isKnownInput(type: RecordType, name: string): boolean {
  return knownInputsOf(type).has(name)
}

/** All names for which `isKnownInput` is true. */
export function knownInputsOf(type: RecordType): ReadonlySet<string> {
  const ofFields = [...type.fields.values()].flatMap((field) => {
    const { inputAs, kind, name } = field
    const others = inputAs === undefined ? [] : [inputAs, `${inputAs}_id`]
    if (kind === 'ref') others.push(`${name}_id`)
    if (kind === 'parts') others.push(`${name}_attributes`)
    if (kindOf(field).isMultiline) others.push(`${name}_attachments`)
    return [name, ...others]
  })
  return new Set([...ofFields, ...[...type.links.keys()].map((link) => inputNameOf(type, link))])
}

/** Names that bodies of the type may contain: those of fields that some callers may set, and of links. */
export function inputNamesOf(type: RecordType): readonly string[] {
  const fields = [...type.fields.values()]
  const ofFields = fields.filter(isWritable).flatMap(({ inputAs, keyedBy, kind, name }) => {
    const names = inputAs === undefined ? [name] : [name, inputAs]
    const keys = type.fields.get(keyedBy ?? '')?.values ?? []
    return [...(kind === 'ref' ? names.map((one) => `${one}_id`) : []), ...names, ...keys]
  })
  const ofParts = fields.filter(({ kind }) => kind === 'parts').map(({ name }) => `${name}_attributes`)
  return [...ofFields, ...ofParts, ...[...type.links.keys()].map((link) => inputNameOf(type, link))]
}

/** True for fields that a caller may set. */
export function isWritable(field: RecordField): boolean {
  return isTaken(field) && !field.readOnly
}

/** The record that a body refers to by its id in a field; null if absent, or if it can be resolved only with the database. */
export function referenceIn(body: object, field: RecordField): number | null {
  const names = sentNamesOf(field)
  const sent = names.map(({ name }) => name).filter((name) => Object.hasOwn(body, name))
  const values = new Map(sent.map((name) => [name, (body as Readonly<Record<string, unknown>>)[name]]))
  const found = valueIn(values, { field, names, keys: [] })
  return found && found.key === undefined ? readId(found.value) : null
}

/** The name of links in inputs: `member_ids`. */
export function inputNameOf(type: RecordType, link: string): string {
  return `${type.links.get(link)?.singular ?? link.replace(/s$/, '')}_ids`
}

/**
 * True for fields that a body may contain: not those that show values of other tables or refer to an absent type, and not the
 * id.
 */
export function isTaken({ column, derived, kind, name, replaceable }: RecordField): boolean {
  if (kind === 'owner' || kind === 'refs' || (kind === 'parts' && !replaceable)) return false
  if (kind === 'ref' && column === null) return false
  return derived === undefined && name !== 'id'
}

/** The value of a field in a body. */
export interface Found {
  /** Name of the field in the body. */
  readonly name: string
  readonly value: unknown
  /** The part of the name that carries a value: the value of another field, or the `shownAs` field of a text. */
  readonly key?: string
}

/** A name under which bodies have a field; `isId` for `<field>_id`. */
export interface SentName {
  readonly name: string
  readonly isId: boolean
}

/** The names of a field in bodies, in the order in which they count. */
export function sentNamesOf({ inputAs, kind, name }: RecordField): readonly SentName[] {
  return (inputAs ? [name, inputAs] : [name]).flatMap((one) => [
    ...(kind === 'ref' ? [{ name: `${one}_id`, isId: true }] : []),
    { name: one, isId: false },
  ])
}

/** Where bodies may have a field. */
export interface Sent {
  readonly field: RecordField
  readonly names: readonly SentName[]
  /** Names that also carry a value: the values of the `keyedBy` field. */
  readonly keys: readonly string[]
}

/** The value of a field in a body: under its names, as `<field>_id`, or under a value of its `keyedBy` field. */
export function valueIn(body: ReadonlyMap<string, unknown>, { field, keys, names }: Sent): Found | null {
  for (const { isId, name } of names) {
    if (!body.has(name)) continue
    const value = body.get(name)
    if (isId) return { name, value }
    // Possible in a body of the host's own code, but not in JSON.
    if (field.kind === 'ref' && value === undefined) return null
    // A plain value under the name of a reference is an id, unless texts identify the records (behaviour: Writing).
    const isText = field.kind === 'ref' && field.shownAs !== undefined && typeof value !== 'object'
    return isText ? { name, value, key: field.shownAs } : { name, value }
  }
  const key = keys.find((name) => body.has(name))
  return key ? { name: key, value: body.get(key), key } : null
}
