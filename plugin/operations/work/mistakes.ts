/** Mistakes in values that rules, hooks and settlings set, as texts for the log. */
import { suggestion } from '../../core/text/nearest.js'
import { shown } from '../../core/text/shown.js'
import type { RecordType } from '../../schema/catalog.js'
import type { Fault } from '../../schema/derive/validator.js'
import { DEFAULT_LANGUAGE } from '../../words/languages.js'
import type { ValueDeps } from './work-deps.js'

/** The mistake in a value that is set in a column; null if there is none. */
export function mistakeInValue(
  { storedColumnsOf, words }: ValueDeps,
  type: RecordType,
  column: string,
  value: unknown,
): string | null {
  const fault =
    value === null
      ? null
      : storedColumnsOf(type)
          .find((one) => one.column === column)
          ?.faultIn(value)
  return fault ? textOf(words, type, column, value, fault) : null
}

/** The text about a wrong value: the column, the start of the value, and the reason. */
export function textOf(
  words: ValueDeps['words'],
  type: RecordType,
  column: string,
  value: unknown,
  [code, params]: Fault,
): string {
  const near = typeof value === 'string' ? suggestion(value, type.columns.get(column)?.values ?? []) : ''
  const reason = words.sentence(DEFAULT_LANGUAGE, code, `'${column}'`, params)
  return `it sets '${column}' of ${type.name} to ${shown(value)}: ${reason}${near}`
}
