/** Says why a save was refused, for programs, which mostly print the error. */
import { Invalid, type Violation } from '../../core/errors.js'
import { DEFAULT_LANGUAGE } from '../../words/languages.js'
import type { WordBook } from '../../words/words.js'

/** Waits for a save. Programs mostly print its error, so the message must name all violations. */
export async function explained<T>(words: WordBook, saved: Promise<T>): Promise<T> {
  try {
    return await saved
  } catch (error) {
    throw inWords(words, error)
  }
}

/** The error, with a message that names all violations if it has some. */
export function inWords<E>(words: WordBook, error: E): E | Invalid {
  return error instanceof Invalid ? new Invalid(error.violations, explain(words, error.violations)) : error
}

/** The violations as English messages with field names, and suggestions for misspelled names. */
export function explain(words: WordBook, violations: readonly Violation[]): string {
  const sentences = violations.map(([field, code, params]) => {
    const sentence = words.sentence(DEFAULT_LANGUAGE, code, field === 'base' ? '' : `'${field}'`, params)
    const named = field === 'base' || sentence.includes(`'${field}'`) ? sentence : `'${field}': ${sentence}`
    const near = params?.['near']
    return near === undefined ? named : `${named}; did you mean '${near}'?`
  })
  return sentences.join(', ')
}
