/** Reads the text of cells. */
import type { Call } from '../../core/call.js'
import { isBlank, lineOf, trimmed } from '../../core/text/blank.js'
import { unprotectedCell } from '../../core/text/csv.js'
import type { Catalog, RecordField } from '../../schema/catalog.js'
import type { Json } from '../../schema/kinds/fields.js'
import { kindOf } from '../../schema/kinds/kinds.js'

/**
 * Reference in a cell: the record type, the field that the text is compared with, the text, and the account if it is another.
 */
export interface Reference {
  readonly type: string
  readonly field: string
  readonly value: string
  readonly accountId: string | null
  /** The field by which the text may name a record if `field` names none. */
  readonly otherwise?: string
  /** The field of the row with the record that the referenced sub-record belongs to. */
  readonly within?: string
}

/**
 * Returns the value of a cell for the body. An empty cell clears the field: null, or its default if it has one. Invalid texts
 * are returned unchanged, so that the pipeline refuses them with its message (behaviour: Value formats, Import files).
 */
export function fieldValueOf(field: RecordField, cell: string): Json {
  const text = textOf(field, cell)
  if (text === '') return field.default ?? null
  return kindOf(field).input?.cell?.(text, field) ?? text
}

/** Returns the cell of a value as responses show it. Importing the cell sets the same value. */
export function cellOfValue(value: Json | undefined): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return value ? '1' : '0'
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value.join('\n')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Returns the values of a cell with several, one per line. */
export function textsOf(cell: string): readonly string[] {
  return cell
    .split(/\r\n|\n|\r/)
    .map((line) => trimmed(unprotectedCell(line)))
    .filter((line) => line !== '')
}

/**
 * Reads a reference: `IT Support`, `ed.turner@example.com`, or with the account of the record, `IT Support @acme`. If the call
 * does not trust that account, the text is a name with an at sign.
 */
export function referenceOf(call: Call, catalog: Catalog, type: string, text: string): Reference {
  const value = lineOf(unprotectedCell(text))
  const field = namingField(catalog, type)
  const { alsoNamedBy, namedBy } = catalog.types.get(type)?.import ?? {}
  const otherwise = alsoNamedBy ?? (namedBy === undefined ? undefined : 'id')
  const named = { type, field, ...(otherwise !== undefined && { otherwise }) }
  const parts = /^(.+) @([a-z0-9-]+)$/i.exec(value)
  const account = parts?.[2]?.toLowerCase()
  if (!parts?.[1] || !account) return { ...named, value, accountId: null }
  if (account === call.account.id) return { ...named, value: trimmed(parts[1]), accountId: null }
  if (call.trusted.includes(account)) return { ...named, value: trimmed(parts[1]), accountId: account }
  return { ...named, value, accountId: null }
}

/**
 * Returns the field by which files name records of a type: the key of its import (primary e-mail, reference) or its `namedBy`,
 * otherwise a field that is unique in the account (name, label), otherwise the name. Other records are named by their id
 * (behaviour: Import types).
 */
export function namingField(catalog: Catalog, type: string): string {
  const record = catalog.types.get(type)
  if (!record) return 'id'
  if (record.import?.key) return record.import.key
  if (record.import?.namedBy) return record.import.namedBy
  const unique = record.unique.flatMap((group) => (group.length === 1 && group[0] ? [group[0]] : []))
  if (record.title && unique.includes(record.title)) return record.title
  return unique[0] ?? (record.title === 'name' ? 'name' : 'id')
}

function textOf(field: RecordField, cell: string): string {
  const text = unprotectedCell(cell)
  if (isBlank(text)) return ''
  return kindOf(field).isMultiline ? text.replace(/\r\n?/g, '\n') : trimmed(text)
}
