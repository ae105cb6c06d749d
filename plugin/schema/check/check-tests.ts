/** Reports values that a field cannot be compared with. */
import { shown } from '../../core/shown.js'
import type { FieldKind } from '../kinds/index.js'
import { kindOf } from '../kinds/index.js'
import type { Tested } from '../kinds/kind.js'

/** What is wrong with a value, apart from null and placeholders, that a condition compares a field with; null when nothing is. */
export function mistakeInTest(value: unknown, field: Tested & { readonly kind: FieldKind }): string | null {
  const { mistakeInTest: mistake = textMistake } = kindOf(field)
  return mistake(value, field)
}

/** What is wrong with a value that must be a text; null when nothing is. */
export function textMistake(value: unknown): string | null {
  return typeof value === 'string' ? null : `${shown(value)} is not a text`
}
