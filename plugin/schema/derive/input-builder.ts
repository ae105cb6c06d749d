/** Builds an input: one function per kind of content in a body. */
import type { Violation } from '../../core/errors.js'
import { isBlank } from '../../core/text/blank.js'
import type { RecordField, RecordType } from '../catalog.js'
import { kindOf } from '../kinds/kinds.js'
import { type Read, type Refusal, readId } from '../kinds/values/read-values.js'
import type { Json } from '../language/field.js'
import { readAttachments } from './attachment-inputs.js'
import type { GivenAttachments, GivenNote, HistoricNote, Input, InputContext } from './input.js'
import { type Found, inputNameOf, type Sent } from './input-names.js'
import type { PartChange } from './part-changes.js'

/**
 * Maximum number of records that one body may link under one name: more than any team has, and as many as all databases accept
 * in one statement.
 */
const MAX_LINKS = 10_000
/** Maximum number of notes that an import adds with one field of a record: more than the longest story has. */
const MAX_NOTES = 1000

/** An input while it is read. */
export interface InputBuilder extends Input {
  readonly unstored: Map<string, Json>
  readonly given: Set<string>
  readonly notes: GivenNote[]
  readonly attachments: Map<string, GivenAttachments>
  readonly parts: Map<string, readonly object[]>
  readonly part: Map<string, object | null>
  readonly partChanges: Map<string, readonly PartChange[]>
  readonly links: Map<string, readonly number[]>
  readonly texts: Map<string, string>
  readonly violations: Violation[]
}

/** The input of a body without any field. */
export const NO_INPUT: Input = Object.freeze(emptyInput())

/** An input without content. */
export function emptyInput(): InputBuilder {
  return {
    values: {},
    unstored: new Map(),
    given: new Set(),
    notes: [],
    attachments: new Map(),
    parts: new Map(),
    part: new Map(),
    partChanges: new Map(),
    links: new Map(),
    texts: new Map(),
    violations: [],
    ignored: [],
  }
}

/** True if the caller may set the field now. */
export function isOpen(field: RecordField, context: InputContext): boolean {
  return !(field.only === 'create' && !context.creating) && context.may(field)
}

/** Reads a value of a field, with an IANA zone for times without offset. */
export type Reader = (value: unknown, zone: string) => Read

/** The reader of a field. Null clears it, and so does blank text, unless its kind reads that. */
export function readerOf(field: RecordField): Reader {
  const { input } = kindOf(field)
  if (!input) throw new Error(`Callers do not write fields such as '${field.name}'`)
  const { cleared, onlyNullClears, read } = input
  const clears = onlyNullClears ? (value: unknown) => value === null || value === undefined : isBlank
  return (value, zone) => (clears(value) ? { value: cleared?.(field) ?? null } : read(value, zone, field))
}

/** A field that bodies of a type may contain, prepared once for all bodies. */
export interface Taken extends Sent {
  readonly read: Reader
}

/** Reads the value of a field. */
export function take(input: InputBuilder, { field, read: reader }: Taken, { value, key }: Found, zone: string): void {
  if (field.kind === 'ref' && key !== undefined && !isBlank(value)) {
    if (typeof value === 'boolean') input.violations.push([field.name, 'inclusion'])
    else {
      input.given.add(field.name)
      input.texts.set(field.name, String(value).trim())
    }
    return
  }
  const read = reader(value, zone)
  if (isRefusal(read)) {
    input.violations.push(read.params ? [field.name, read.refused, read.params] : [field.name, read.refused])
    return
  }
  input.given.add(field.name)
  if (field.kind === 'parts') input.parts.set(field.name, (read.value ?? []) as readonly object[])
  else if (field.kind === 'part') input.part.set(field.name, read.value as object | null)
  else if (field.column) input.values[field.column] = read.value
  else input.unstored.set(field.name, read.value)
  if (field.note && typeof read.value === 'string')
    input.notes.push({ field: field.name, text: read.value, internal: field.note === 'internal' })
  if (key !== undefined && field.keyedBy) input.values[field.keyedBy] = key
}

/** Takes the notes of a record of the past, which an import has read from one cell. */
export function takeNotes(
  input: InputBuilder,
  { name }: RecordField,
  are: 'public' | 'internal',
  notes: readonly HistoricNote[],
): void {
  if (notes.length > MAX_NOTES) {
    input.violations.push([name, 'too_many', { max: MAX_NOTES }])
    return
  }
  input.given.add(name)
  input.unstored.set(name, notes[0]?.text ?? null)
  for (const note of notes) input.notes.push({ field: name, internal: are === 'internal', ...note })
}

/** Reads the links that the caller may set, and returns their names in the body. */
export function takeLinks(
  input: InputBuilder,
  body: ReadonlyMap<string, unknown>,
  type: RecordType,
  context: InputContext,
): readonly string[] {
  const names: string[] = []
  for (const link of type.links.keys()) {
    const name = inputNameOf(type, link)
    const value = body.get(name)
    if (value === undefined || !mayLink(type, link, context)) continue
    names.push(name)
    const ids = value === null || value === '' ? [] : [value].flat().map(readId)
    if (ids.length > MAX_LINKS) input.violations.push([link, 'too_many', { max: MAX_LINKS }])
    else if (ids.includes(null)) input.violations.push([link, 'cannot_be_found'])
    else input.links.set(link, [...new Set(ids.filter((id) => id !== null))])
  }
  return names
}

/** Reads the files of a text. If the text becomes a note, its files belong to the note. */
export function takeAttachments(input: InputBuilder, name: string, field: RecordField, value: unknown): void {
  const changes = readAttachments(value)
  if ('refused' in changes) {
    input.violations.push(changes.params ? [name, changes.refused, changes.params] : [name, changes.refused])
    return
  }
  if (!field.note) {
    input.attachments.set(name, { field: field.name, ...changes })
    return
  }
  const index = input.notes.findIndex((note) => note.field === field.name)
  const note = input.notes[index]
  if (note) input.notes[index] = { ...note, attachments: value }
  else if (changes.add.length > 0) input.violations.push([field.name, 'blank'])
}

/** Linking needs the same permission as setting the field that shows the linked records. */
function mayLink(type: RecordType, link: string, context: InputContext): boolean {
  const shown = type.fields.get(link)
  if (shown?.kind === 'refs' && ((shown.readOnly && !context.setsReadOnly) || !isOpen(shown, context))) return false
  return context.mayLink(link)
}

function isRefusal(read: Read): read is Refusal {
  return 'refused' in read
}
