/** What the text of a cell means. */
import { isBlank, trimmed } from '../core/blank.js'
import type { Call } from '../core/call.js'
import type { Catalog, RecordField } from '../schema/compile/compile.js'
import type { Json } from '../schema/fields.js'
import { kindOf } from '../schema/kinds/index.js'

/** A record that a cell refers to: the type, the field that names it there, the text, and the account when it is another. */
export interface Reference {
  readonly type: string
  readonly field: string
  readonly value: string
  readonly accountId: string | null
}

/**
 * The value that goes into the body for a cell (gaps 1.12, 4.3). An empty cell clears the field: null, or the default of a
 * field that has one. Texts that are no value of their kind pass as they are, for the pipeline to refuse with its sentence.
 */
export function fieldValueOf(field: RecordField, cell: string): Json {
  const text = textOf(field, cell)
  if (text === '') return field.default ?? null
  return kindOf(field).input?.cell?.(text, field) ?? text
}

/** The values of a cell that holds several, one on each line. */
export function textsOf(cell: string): readonly string[] {
  return cell
    .split(/\r\n|\n|\r/)
    .map((line) => trimmed(unprotected(line)))
    .filter((line) => line !== '')
}

/**
 * The reference that a text of a cell makes: `IT Support`, `ed.turner@example.com`, or with the account of the record,
 * `IT Support @acme`. An account that the call does not trust is no account: the text is then a name with an at sign.
 */
export function referenceOf(call: Call, catalog: Catalog, type: string, text: string): Reference {
  const value = trimmed(unprotected(text))
  const field = namingField(catalog, type)
  const parts = /^(.+) @([a-z0-9-]+)$/i.exec(value)
  const account = parts?.[2]?.toLowerCase()
  if (!parts?.[1] || !account) return { type, field, value, accountId: null }
  if (account === call.account.id) return { type, field, value: trimmed(parts[1]), accountId: null }
  if (call.trusted.includes(account)) return { type, field, value: trimmed(parts[1]), accountId: account }
  return { type, field, value, accountId: null }
}

/**
 * The field by which files name records of a type (gaps 4.2): the key of its own import (primary e-mail, reference), else
 * what is unique within the account (name, label), else its name; records that only have a subject are named by their id.
 */
export function namingField(catalog: Catalog, type: string): string {
  const record = catalog.types.get(type)
  if (!record) return 'id'
  if (record.import?.key) return record.import.key
  const unique = record.unique.flatMap((group) => (group.length === 1 && group[0] ? [group[0]] : []))
  if (record.title && unique.includes(record.title)) return record.title
  return unique[0] ?? (record.title === 'name' ? 'name' : 'id')
}

function textOf(field: RecordField, cell: string): string {
  const text = unprotected(cell)
  if (isBlank(text)) return ''
  return kindOf(field).isMultiline ? text.replace(/\r\n?/g, '\n') : trimmed(text)
}

/** Exports put a tab before texts that a spreadsheet would take for a formula. */
function unprotected(text: string): string {
  return /^\t[=+\-@]/.test(text) ? text.slice(1) : text
}
