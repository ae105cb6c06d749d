/** Sorts the body of a create or update by what has to be done with it. What callers call things stands here (gaps 1.14). */
import { isBlank } from '../../core/blank.js'
import type { Violation } from '../../core/errors.js'
import type { Catalog, RecordField, RecordType } from '../compile.js'
import type { DraftRow } from '../define-rule.js'
import type { Json } from '../fields.js'
import { type AttachmentChanges, attachmentInputsOf, readAttachments } from './attachment-inputs.js'
import { type PartChange, readPartChanges } from './part-changes.js'
import { type Refusal, readerOf, readId } from './values.js'

/** What a body says, sorted by what has to be done with it. */
export interface Input {
  /** Values by column. */
  readonly values: DraftRow
  /** Values of fields that are not stored with the record (note, time_spent), by field. */
  readonly unstored: ReadonlyMap<string, Json>
  /** Names of the fields that were given and may be set. */
  readonly given: ReadonlySet<string>
  readonly notes: readonly GivenNote[]
  /** Files to attach, and attachments to take away, by the name under which they came. */
  readonly attachments: ReadonlyMap<string, GivenAttachments>
  /** Parts that replace those of the record, by field. */
  readonly parts: ReadonlyMap<string, readonly object[]>
  /** What is merged into the one part of its type, by field; null takes it away. */
  readonly part: ReadonlyMap<string, object | null>
  /** Parts to be added, changed and removed (`contacts_attributes`), by field. */
  readonly partChanges: ReadonlyMap<string, readonly PartChange[]>
  /** Links to be made exactly so, by link name (`member_ids`). */
  readonly links: ReadonlyMap<string, readonly number[]>
  /** Texts that stand for records (`category: 'large'`), by the field that refers to the record. */
  readonly texts: ReadonlyMap<string, string>
  readonly violations: readonly Violation[]
}

/** A text that becomes a note. */
export interface GivenNote {
  readonly field: string
  readonly text: string
  readonly internal: boolean
  /** Files of the note, as the caller gave them. */
  readonly attachments?: unknown
}

export interface GivenAttachments extends AttachmentChanges {
  /** The text that they belong to. */
  readonly field: string
}

export interface InputContext {
  /** IANA zone for datetimes without offset. */
  readonly zone: string
  readonly creating: boolean
  /** The service itself says this: read-only fields are taken as well. */
  readonly trusted?: boolean
  /** Whether the caller may set a field; what it may not set is ignored. */
  may(field: RecordField): boolean
  mayLink(link: string): boolean
}

/** Records that one body may link under one name: more than any team has, and no more than all databases take in one statement. */
const MOST_LINKS = 10_000

export type InputReader = (body: object, context: InputContext) => Input

/** Prepares the reading of bodies of a type. */
export function inputReaderOf(type: RecordType, catalog: Catalog): InputReader {
  const taken = [...type.fields.values()].filter(isTaken)
  const keys = new Map(taken.map((field) => [field.name, type.fields.get(field.keyedBy ?? '')?.values ?? []]))
  const changeable = partChangesOf(type, catalog)
  const attachable = attachmentInputsOf(type, catalog)

  return (raw, context) => {
    const body = new Map(Object.entries(raw))
    const input = emptyInput()
    for (const field of taken) {
      if ((field.readOnly && !context.trusted) || !isOpen(field, context)) continue
      const found = valueIn(body, field, keys.get(field.name) ?? [])
      if (found) take(input, field, found, context.zone)
    }
    takeLinks(input, body, type, context)
    for (const [name, field] of changeable) {
      const value = body.get(name)
      if (value === undefined || !isOpen(field, context)) continue
      const changes = readPartChanges(value)
      if ('refused' in changes) input.violations.push([field.name, changes.refused])
      else input.partChanges.set(field.name, changes.changes)
    }
    for (const [name, field] of attachable) {
      if (body.has(name) && isOpen(field, context)) takeAttachments(input, name, field, body.get(name))
    }
    return input
  }
}

/** The names under which callers add, change and remove single parts (`contacts_attributes`), with the field that shows them. */
export function partChangesOf(type: RecordType, catalog: Catalog): ReadonlyMap<string, RecordField> {
  const fields = [...type.fields.values()].filter(
    ({ kind, record }) => kind === 'parts' && catalog.types.get(record ?? '')?.nested.has('create'),
  )
  return new Map(fields.map((field) => [`${field.name}_attributes`, field]))
}

/** True for fields that a caller may set. */
export function isWritable(field: RecordField): boolean {
  return isTaken(field) && !field.readOnly
}

/**
 * The record that a body refers to by its id in a field; null when it says nothing of it, or nothing that can be understood
 * before the database was asked.
 */
export function referenceIn(body: object, field: RecordField): number | null {
  const found = valueIn(new Map(Object.entries(body)), field, [])
  return found && found.key === undefined ? readId(found.value) : null
}

/** The name of links in inputs: `member_ids`. */
export function inputNameOf(type: RecordType, link: string): string {
  return `${type.links.get(link)?.singular ?? link.replace(/s$/, '')}_ids`
}

/** An input while it is read. */
interface Draft extends Input {
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

/** What a body without any field says. */
export const NO_INPUT: Input = Object.freeze(emptyInput())

function emptyInput(): Draft {
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
  }
}

/** Fields that a body can hold: not those that show what is stored elsewhere, and not the id. */
function isTaken({ addressOf, kind, localizes, name, replaceable, sameAs, via }: RecordField): boolean {
  if (kind === 'owner' || kind === 'refs' || (kind === 'parts' && !replaceable)) return false
  return via === null && [addressOf, localizes, sameAs].every((other) => other === undefined) && name !== 'id'
}

function isOpen(field: RecordField, context: InputContext): boolean {
  return !(field.only === 'create' && !context.creating) && context.may(field)
}

interface Found {
  readonly value: unknown
  readonly key?: string
}

/** The value given for a field: under its names, as `<field>_id`, or under the name that another field holds. */
function valueIn(body: ReadonlyMap<string, unknown>, field: RecordField, keys: readonly string[]): Found | null {
  for (const name of field.inputAs ? [field.name, field.inputAs] : [field.name]) {
    if (field.kind === 'ref' && body.has(`${name}_id`)) return { value: body.get(`${name}_id`) }
    if (!body.has(name)) continue
    const value = body.get(name)
    // A plain text under the name of a reference is no reference, unless such texts stand for the records (gaps 1.14).
    if (field.kind !== 'ref' || typeof value === 'object') return { value }
    return field.shownAs ? { value, key: field.shownAs } : null
  }
  const key = keys.find((name) => body.has(name))
  return key ? { value: body.get(key), key } : null
}

function take(input: Draft, field: RecordField, { value, key }: Found, zone: string): void {
  if (field.kind === 'ref' && key !== undefined && !isBlank(value)) {
    if (typeof value === 'boolean') input.violations.push([field.name, 'inclusion'])
    else {
      input.given.add(field.name)
      input.texts.set(field.name, String(value).trim())
    }
    return
  }
  const read = readerOf(field)(value, zone)
  if (isRefusal(read)) {
    input.violations.push(read.params ? [field.name, read.refused, read.params] : [field.name, read.refused])
    return
  }
  input.given.add(field.name)
  if (field.kind === 'parts') input.parts.set(field.name, (read.value ?? []) as readonly object[])
  else if (field.kind === 'part') input.part.set(field.name, read.value as object | null)
  else if (field.column) input.values[field.column] = read.value
  else if (field.kind !== 'ref') input.unstored.set(field.name, read.value)
  if (field.note && typeof read.value === 'string')
    input.notes.push({ field: field.name, text: read.value, internal: field.note === 'internal' })
  if (key !== undefined && field.keyedBy) input.values[field.keyedBy] = key
}

function takeLinks(input: Draft, body: ReadonlyMap<string, unknown>, type: RecordType, context: InputContext): void {
  for (const link of type.links.keys()) {
    const value = body.get(inputNameOf(type, link))
    if (value === undefined || !mayLink(type, link, context)) continue
    const ids = value === null || value === '' ? [] : Array.isArray(value) ? value.map(readId) : null
    if (ids === null) input.violations.push([link, 'invalid'])
    else if (ids.length > MOST_LINKS) input.violations.push([link, 'too_many', { max: MOST_LINKS }])
    else if (ids.includes(null)) input.violations.push([link, 'cannot_be_found'])
    else input.links.set(link, [...new Set(ids.filter((id) => id !== null))])
  }
}

/** Files that come with a text that becomes a note belong to the note. */
function takeAttachments(input: Draft, name: string, field: RecordField, value: unknown): void {
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

/** What the field that shows the linked records says holds for linking them, too. */
function mayLink(type: RecordType, link: string, context: InputContext): boolean {
  const shown = type.fields.get(link)
  if (shown?.kind === 'refs' && ((shown.readOnly && !context.trusted) || !isOpen(shown, context))) return false
  return context.mayLink(link)
}

function isRefusal(read: { value: Json } | Refusal): read is Refusal {
  return 'refused' in read
}
