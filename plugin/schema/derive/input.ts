/** Sorts the body of a create or update by the way it is processed (behaviour: Writing). */
import type { Violation } from '../../core/errors.js'
import type { Catalog, RecordField, RecordType } from '../catalog.js'
import type { Json } from '../kinds/fields.js'
import type { DraftRow } from '../language/define-rule.js'
import { type AttachmentChanges, attachmentInputsOf, unknownAttachmentsIn } from './attachment-inputs.js'
import { emptyInput, isOpen, readerOf, type Taken, take, takeAttachments, takeLinks, takeNotes } from './input-builder.js'
import { isTaken, partChangesOf, sentNamesOf, valueIn } from './input-names.js'
import { type PartChange, readPartChanges } from './part-changes.js'

/** The content of a body, sorted by the way it is processed. */
export interface Input {
  /** Values by column. */
  readonly values: DraftRow
  /** Values of fields that are not stored with the record (note, time_spent), by field. */
  readonly unstored: ReadonlyMap<string, Json>
  /** Names of the fields in the body that the caller may set. */
  readonly given: ReadonlySet<string>
  readonly notes: readonly GivenNote[]
  /** Files to attach, and attachments to remove, by input name. */
  readonly attachments: ReadonlyMap<string, GivenAttachments>
  /** Sub-records that replace those of the record, by field. */
  readonly parts: ReadonlyMap<string, readonly object[]>
  /** Values to merge into the only sub-record of its type, by field; null removes it. */
  readonly part: ReadonlyMap<string, object | null>
  /** Sub-records to add, change and remove (`contacts_attributes`), by field. */
  readonly partChanges: ReadonlyMap<string, readonly PartChange[]>
  /** Complete lists of links, by link name (`member_ids`). */
  readonly links: ReadonlyMap<string, readonly number[]>
  /** Texts that identify records (`category: 'large'`), by the field that refers to the record. */
  readonly texts: ReadonlyMap<string, string>
  readonly violations: readonly Violation[]
  /** Names in the body without effect: unknown, read-only, or not allowed for this caller; in the order of the body. */
  readonly ignored: readonly string[]
}

/** A text that becomes a note. */
export interface GivenNote {
  readonly field: string
  readonly text: string
  readonly internal: boolean
  /** Of notes of the past: the author, null for none, and the time. Otherwise those of the save. */
  readonly person_id?: Json
  readonly created_at?: Json
  /** Files of the note, as in the body. */
  readonly attachments?: unknown
}

/** A note of the past, as bodies of imports have it. */
export type HistoricNote = Pick<GivenNote, 'text' | 'person_id' | 'created_at'>

export interface GivenAttachments extends AttachmentChanges {
  /** The text that they belong to. */
  readonly field: string
}

export interface InputContext {
  /** IANA zone for datetimes without offset. */
  readonly zone: string
  readonly creating: boolean
  /** True if read-only fields may be set, too. */
  readonly setsReadOnly?: boolean
  /** True if fields of history may be set, and notes with their authors and times: the body is made by an import. */
  readonly setsHistory?: boolean
  /** True if the caller may set a field; other fields are ignored. */
  may(field: RecordField): boolean
  mayLink(link: string): boolean
}

export type InputReader = (body: object, context: InputContext) => Input

/** Prepares reading bodies of a type. */
export function inputReaderOf(type: RecordType, catalog: Catalog): InputReader {
  const taken = [...type.fields.values()].filter(isTaken).map((field): Taken => {
    const keys = type.fields.get(field.keyedBy ?? '')?.values ?? []
    return { field, names: sentNamesOf(field), keys, read: readerOf(field) }
  })
  const changeable = partChangesOf(type, catalog)
  const attachable = attachmentInputsOf(type, catalog)

  return (raw, context) => {
    const body = new Map(Object.entries(raw))
    const input = emptyInput()
    const used = new Set<string>()
    for (const one of taken) {
      const { field } = one
      const found = valueIn(body, one)
      if (!found) continue
      const isShut = field.readOnly && !context.setsReadOnly && !(context.setsHistory && field.history)
      if (isShut || !isOpen(field, context)) continue
      used.add(found.name)
      if (context.setsHistory && field.note && Array.isArray(found.value)) takeNotes(input, field, field.note, found.value)
      else take(input, one, found, context.zone)
    }
    for (const name of takeLinks(input, body, type, context)) used.add(name)
    for (const [name, field] of changeable) {
      const value = body.get(name)
      if (value === undefined || !isOpen(field, context)) continue
      used.add(name)
      const changes = readPartChanges(value)
      if ('refused' in changes) input.violations.push([field.name, changes.refused])
      else input.partChanges.set(field.name, changes.changes)
    }
    for (const name of unknownAttachmentsIn(body.keys(), type, attachable)) {
      used.add(name)
      input.violations.push([name, 'not_allowed'])
    }
    for (const [name, field] of attachable) {
      if (!body.has(name) || !isOpen(field, context)) continue
      used.add(name)
      takeAttachments(input, name, field, body.get(name))
    }
    return { ...input, ignored: [...body].flatMap(([name, value]) => (used.has(name) || value === undefined ? [] : [name])) }
  }
}
