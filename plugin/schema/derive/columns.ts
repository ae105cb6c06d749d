/**
 * The two forms of a value: as rows hold it (moments as text in UTC, booleans, parsed JSON) and as columns hold it
 * on every database (DATETIME as text in UTC, 0 and 1, JSON as text). The only place that knows both.
 */
import { withoutEnd, withoutStart } from '../../core/trim.js'
import type { FieldKind, Json } from '../fields.js'

/** The value of a column as a row holds it. */
export function decode(kind: FieldKind, cell: unknown): Json {
  if (cell === null || cell === undefined) return null
  switch (kind) {
    case 'integer':
    case 'float':
    case 'ref':
      return Number(cell)
    case 'boolean':
      return Number(cell) === 1
    case 'decimal':
      return canonicalDecimal(String(cell))
    case 'datetime':
      return decodeMoment(String(cell))
    case 'hash':
    case 'strings':
      return typeof cell === 'string' ? (JSON.parse(cell) as Json) : (cell as Json)
    default:
      return String(cell)
  }
}

/** The value of a row as its column holds it. */
export function encode(kind: FieldKind, value: Json | undefined): string | number | null {
  if (value === null || value === undefined) return null
  switch (kind) {
    case 'boolean':
      return value === true ? 1 : 0
    case 'datetime':
      return encodeMoment(String(value))
    case 'hash':
    case 'strings':
      return JSON.stringify(value)
    case 'integer':
    case 'float':
    case 'ref':
      return Number(value)
    default:
      return String(value)
  }
}

/** `2026-11-21T09:30:00Z` as DATETIME text; words that may stand in its place stay as they are. */
export function encodeMoment(moment: string): string {
  return moment.endsWith('Z') ? moment.slice(0, -1).replace('T', ' ') : moment
}

function decodeMoment(text: string): string {
  if (!/^\d/.test(text)) return text
  // Drivers may leave the time of midnight out.
  return `${text.slice(0, 10)}T${text.slice(11, 19) || '00:00:00'}Z`
}

/** `120.50` as `120.5`, `007` as `7.0`, `-0` as `0.0`: decimals are texts with a dot (gaps 1.12), and one number is one text. */
export function canonicalDecimal(text: string): string {
  const found = /^(-?)(\d*)(?:\.(\d*))?$/.exec(text)
  if (!found) return text
  const [, sign = '', whole = '', fraction = ''] = found
  const number = `${withoutStart(whole, '0') || '0'}.${withoutEnd(fraction, '0') || '0'}`
  return number === '0.0' ? number : sign + number
}
