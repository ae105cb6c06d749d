import { labelledField, type Violation } from '../core/errors.js'
import type { WordBook } from './words.js'

/**
 * Returns the message of a violation for people, with the label of its field.
 *
 * @param type the record type that refuses; empty if there is none
 */
export function messageOf(
  words: Pick<WordBook, 'sentence' | 'fieldLabel'>,
  language: string,
  type: string,
  violation: Violation,
): string {
  const [, code, params] = violation
  const labelled = labelledField(violation)
  return words.sentence(language, code, labelled && words.fieldLabel(language, type, labelled), params)
}
