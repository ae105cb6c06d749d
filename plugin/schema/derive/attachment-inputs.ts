/** Input for attachments: the files to attach to a text, and the attachments to remove (behaviour: Attachments). */
import { numberOf } from '../../core/sent-number.js'
import { isBlank } from '../../core/text/blank.js'
import type { Catalog, RecordField, RecordType } from '../catalog.js'
import { kindOf } from '../kinds/kinds.js'
import { parseJson } from '../kinds/values/json-values.js'
import { type Refusal, readBoolean, readId } from '../kinds/values/read-values.js'
import { ATTACHMENT } from '../language/built-in-types.js'

/** A file that was uploaded before. */
export interface GivenFile {
  readonly key: string
  /** Size in bytes from the caller; null if absent. */
  readonly size: number | null
  /** Shown within the text, at the place of `![](key)`. */
  readonly inline: boolean
}

export interface AttachmentChanges {
  readonly add: readonly GivenFile[]
  /** Attachments to remove, by id or by the key of their file. */
  readonly remove: readonly (number | string)[]
}

/** Maximum number of files for one text in one save. */
export const MAX_FILES = 100

/**
 * The input names for attaching files, with the rich text that each belongs to: `remarks_attachments`. A type with only one
 * rich text also accepts the name of the list, and its `inputAs`.
 */
export function attachmentInputsOf(type: RecordType, catalog: Catalog): ReadonlyMap<string, RecordField> {
  const list = attachmentsFieldOf(type)
  if (!list || !catalog.types.has(ATTACHMENT)) return new Map()
  const texts = [...type.fields.values()].filter((field) => {
    const { max, plain, readOnly } = field
    const isRich = kindOf(field).isMultiline && max === undefined && !plain
    return isRich && !readOnly
  })
  const [only, another] = texts
  const more = only && !another ? [list.name, ...(list.inputAs ? [list.inputAs] : [])] : []
  return new Map([
    ...texts.map((text) => [`${text.name}_attachments`, text] as const),
    ...more.map((name) => [name, only] as const).filter((entry): entry is [string, RecordField] => entry[1] !== undefined),
  ])
}

/** Maximum number of unknown names that are reported: bodies may contain any number of them. */
const MAX_UNKNOWN = 20

/**
 * The first names in the body that would attach files to a text that cannot have attachments or does not exist (behaviour:
 * Attachments).
 */
export function unknownAttachmentsIn(names: Iterable<string>, type: RecordType, known: ReadonlyMap<string, unknown>) {
  const isUnknown = (name: string) => name.endsWith('_attachments') && !known.has(name) && !type.fields.has(name)
  return [...names].filter(isUnknown).slice(0, MAX_UNKNOWN)
}

/** The field with the attachments of a record. */
export function attachmentsFieldOf(type: RecordType): RecordField | undefined {
  return [...type.fields.values()].find(({ kind, record }) => kind === 'parts' && record === ATTACHMENT)
}

/** Reads the changes from an array, or from the same as JSON text. @throws BadRequest if that is over the budget of bodies */
export function readAttachments(value: unknown): AttachmentChanges | Refusal {
  const list = listOf(value)
  if (list === null) return { refused: 'invalid' }
  if (list.length > MAX_FILES) return { refused: 'too_many_files', params: { max: MAX_FILES } }
  const add: GivenFile[] = []
  const remove: (number | string)[] = []
  for (const one of list) {
    const { id, key, filesize, inline, _destroy } = Object(one) as { readonly [name: string]: unknown }
    const isKey = typeof key === 'string' && key !== ''
    if (readBoolean(_destroy)) {
      const which = isKey ? key : readId(id)
      if (which === null) return { refused: 'invalid' }
      remove.push(which)
      continue
    }
    const size = sizeOf(filesize)
    if (!isKey || size === undefined) return { refused: 'invalid' }
    add.push({ key, size, inline: readBoolean(inline) })
  }
  return { add, remove }
}

function listOf(value: unknown): readonly unknown[] | null {
  if (value === null || value === undefined) return []
  if (Array.isArray(value)) return value
  if (typeof value !== 'string') return null
  if (isBlank(value)) return []
  const parsed = parseJson(value)
  return Array.isArray(parsed) ? parsed : null
}

/** A count of bytes, as a number or in digits; null if absent, undefined for anything else. */
function sizeOf(value: unknown): number | null | undefined {
  if (value === null || value === undefined || value === '') return null
  const size = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : numberOf(value)
  return typeof size === 'number' && Number.isSafeInteger(size) && size >= 0 ? size : undefined
}
