/** The texts of errors, for responses and for single results. */
import { Invalid, type ItsmError, VALIDATION_FAILED, type Violation } from '../../core/errors.js'
import { messageOfStatus } from '../../words/message-of-status.js'
import { messageOf } from '../../words/violations.js'
import type { ErrorDeps } from '../deps.js'

/** A violation with its message for people. */
export type Sentence = readonly [violation: Violation, text: string]

/** The message of an error, in English. */
export function messageFor(error: ItsmError): string {
  if (error instanceof Invalid) return VALIDATION_FAILED
  // What failed is in the log: a text from below could contain what the caller may not read.
  return error.status >= 500 ? messageOfStatus(error.status) : error.message
}

/** The violations with their messages in the language. @param type name of the record type whose labels they use */
export function sentencesOf(
  { words }: Pick<ErrorDeps, 'words'>,
  language: string,
  type: string,
  violations: readonly Violation[],
): readonly Sentence[] {
  return violations.map((violation) => [violation, messageOf(words, language, type, violation)])
}
