/** Reports values that a field cannot be compared with. */
import { shown } from '../../core/text/shown.js'
import type { Tested } from '../kinds/kind.js'
import { kindOf } from '../kinds/kinds.js'
import type { FieldKind } from '../language/field.js'

/** The mistake in a value, apart from null and placeholders, that a condition compares a field with; null if there is none. */
export function mistakeInTest(value: unknown, field: Tested & { readonly kind: FieldKind }): string | null {
  const { mistakeInTest: mistake = textMistake } = kindOf(field)
  return mistake(value, field)
}

/** The mistake in a value that must be a text; null if there is none. */
export function textMistake(value: unknown): string | null {
  return typeof value === 'string' ? null : `${shown(value)} is not a text`
}
