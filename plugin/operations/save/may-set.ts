/** Which fields and links of a record its writer may set: bodies are read by this, and callers are told it beforehand. */
import { type Fields, mayWrite, type Teams } from '../../access/sight/decide.js'
import { type Call, hasRole } from '../../core/call.js'
import type { RecordField, RecordType } from '../../schema/catalog.js'
import { PROVENANCE, PROVENANCE_CHANGERS } from '../../schema/kinds/common-fields.js'
import type { Row } from '../../schema/language/define-rule.js'
import type { Guard } from './guards.js'

/** A record, and the call that wants to write it. */
export interface Setting {
  readonly call: Call
  /** The call with the roles that count for this record. */
  readonly asked: Call
  /** The fields that `decisions.fields` allows. */
  readonly allowed: Fields
  /** The record with the people and teams that grants name; null for a new one that names none. */
  readonly row: Row | null
  /** The stored record; null for a new one. */
  readonly before: Row | null
  readonly teams: Teams
  readonly guarded: Guard
}

/** True if the caller may set the field in this record, whatever its kind is. */
export function maySet({ allowed, asked, before, call, guarded, row, teams }: Setting, field: RecordField): boolean {
  if (allowed !== 'all' && !allowed.has(field.pairsOf ?? field.name)) return false
  if (!mayWrite(asked, field, row, teams)) return false
  if (guarded(field, before?.['id'])) return false
  return !(PROVENANCE.has(field.name) && before) || hasRole(call, ...PROVENANCE_CHANGERS)
}

/** True if the caller may set the records that are linked under this name. */
export function maySetLink(allowed: Fields, type: RecordType, link: string): boolean {
  return (allowed === 'all' || allowed.has(link)) && type.links.get(link)?.write !== 'none'
}
