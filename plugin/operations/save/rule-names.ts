/**
 * Names in the functions of rules and hooks. A misspelt one is an error with the name that was probably meant: it would otherwise
 * be answered with nothing, which looks like a record without a value.
 */
import { ROLES } from '../../core/call.js'
import { suggestion } from '../../core/text/nearest.js'
import { shown } from '../../core/text/shown.js'
import type { RecordType } from '../../schema/catalog.js'
import { inputNamesOf, isKnownInput } from '../../schema/derive/input-names.js'
import { EXTRA_COLUMNS } from '../../storage/records/record-columns.js'

/** Columns that every row has besides those of its fields. */
export const OWN_COLUMNS: ReadonlySet<string> = new Set(['id', ...Object.keys(EXTRA_COLUMNS)])

/** @throws TypeError if rows of the type have no such column */
export function mustBeColumn(type: RecordType, name: string): void {
  if (type.columns.has(name) || OWN_COLUMNS.has(name)) return
  throw new TypeError(`changed: ${type.name} has no column ${shown(name)}${columnHint(type, name)}`)
}

/** @throws TypeError if the type has no field of the name, and none that is stored under it */
export function mustBeField(type: RecordType, name: string, asked: string): void {
  if (type.fields.has(name) || type.columns.has(name)) return
  throw new TypeError(`${asked}: ${type.name} has no field ${shown(name)}${near(name, type.fields.keys())}`)
}

/** @throws TypeError for a field that a refusal cannot name: not of the record, of its inputs, or of its lists */
export function mustBeRefusable(type: RecordType, name: string): void {
  if (name === 'base' || type.fields.has(name) || type.columns.has(name)) return
  const isList = type.links.has(name) || type.parts.has(name) || type.children.has(name)
  if (isList || isKnownInput(type, name) || OWN_COLUMNS.has(name)) return
  const known = ['base', ...type.fields.keys(), ...inputNamesOf(type)]
  throw new TypeError(`fail: ${type.name} has no field ${shown(name)}${near(name, known)}`)
}

/** @throws TypeError if the type has no such link */
export function mustBeLink(type: RecordType, name: string): void {
  if (!type.links.has(name)) throw new TypeError(`${type.name} has no link ${shown(name)}${near(name, type.links.keys())}`)
}

/** @throws TypeError for a name that no role has */
export function mustBeRole(name: string): void {
  if (!ROLES.some((role) => role === name)) throw new TypeError(`hasRole: there is no role ${shown(name)}${near(name, ROLES)}`)
}

/** The column that a misspelt name was meant to be. */
export function columnHint({ columns, fields }: RecordType, name: string): string {
  const meant = fields.get(name)?.column
  return meant ? `; its column is '${meant}'` : near(name, columns.keys())
}

function near(name: unknown, known: Iterable<string>): string {
  return typeof name === 'string' ? suggestion(name, known) : ''
}
