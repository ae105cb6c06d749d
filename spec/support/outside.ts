/** Values that a field refuses: just outside of its bounds, and far outside. */
import type { RecordField } from '../../plugin/schema/catalog.js'
import { kindOf } from '../../plugin/schema/kinds/kinds.js'

const DAYS = ['2026-02-30', '2026-13-01', '0000-00-00', '99999-12-31', 'someday']
const NO_NUMBERS = ['x', '1e400', '9'.repeat(400)]
const BY_KIND: Readonly<Record<string, readonly unknown[]>> = {
  date: DAYS,
  datetime: DAYS.map((day) => `${day}T10:00:00Z`),
  localDatetime: DAYS.map((day) => `${day}T10:00`),
  timeOfDay: ['24:01', '-1:00', '99:99', '8 o’clock'],
  integer: [...NO_NUMBERS, 1.5],
  float: NO_NUMBERS,
  decimal: NO_NUMBERS,
  json: ['{', 7],
}
const BY_FORMAT: Readonly<Record<string, readonly unknown[]>> = {
  email: ['nobody', '@', 'a@b@c'],
  webhook_uri: ['ftp://x', 'x'],
}

/** None for a field that takes every value. */
export function valuesOutside(field: RecordField): readonly unknown[] {
  const schema = Object(kindOf(field).input?.check?.(field)) as {
    readonly minimum?: number
    readonly maximum?: number
    readonly maxLength?: number
    readonly maxBytes?: number
    readonly enum?: readonly unknown[]
  }
  const { minimum = field.minimum, maximum = field.maximum, maxLength, maxBytes } = schema
  return [
    ...(BY_KIND[field.kind] ?? []),
    ...(BY_FORMAT[field.format ?? ''] ?? []),
    ...(minimum === undefined ? [] : [minimum - 1, minimum - 1_000_000, -1e15]),
    ...(maximum === undefined ? [] : [maximum + 1, maximum + 1_000_000, 1e15]),
    ...(maxLength === undefined ? [] : ['x'.repeat(maxLength + 1), 'x'.repeat(100_000)]),
    ...(maxBytes === undefined ? [] : ['é'.repeat(maxBytes / 2 + 1)]),
    ...(schema.enum ? ['neither of them', 'x'.repeat(5_000), 7] : []),
  ]
}
