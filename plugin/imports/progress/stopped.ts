import { Forbidden, type ItsmError, NotFound, type Params } from '../../core/errors.js'
import { DEFAULT_LANGUAGE } from '../../words/languages.js'
import type { WordBook } from '../../words/words.js'
import { oneLine } from './one-line.js'

type Sentences = Pick<WordBook, 'sentence'>

/** A message may name a column header. */
const MAX_MESSAGE_LENGTH = 500

/** Ends an import with state error, if a mistake in the file prevents reading the next row. */
export class ImportStopped extends Error {
  /** The code of a message, or a complete message. */
  readonly code: string
  readonly params: Params
  /** The line of the mistake; null for the line that the import has reached. */
  readonly line: number | null

  constructor(code: string, params: Params = {}, line: number | null = null) {
    super(oneLine(code, MAX_MESSAGE_LENGTH))
    this.name = 'ImportStopped'
    this.code = code
    this.params = params
    this.line = line
  }
}

/** Returns the description for the log and the mail, in the language of the importing person. */
export function reasonIn(words: Sentences, language: string, { code, params }: ImportStopped): string {
  return oneLine(words.sentence(language, code, '', params), MAX_MESSAGE_LENGTH)
}

/**
 * Returns the short description in the progress object, in English for every language, like messages of errors
 * (behaviour: Import jobs).
 */
export function messageOf(words: Sentences, stopped: ImportStopped): string {
  return reasonIn(words, DEFAULT_LANGUAGE, stopped)
}

/** Returns the code of the message for an error of the plugin; messages of host code are complete. */
export function codeOfError(error: ItsmError | Error): string {
  if (error instanceof Forbidden && error.message === 'Forbidden') return 'forbidden'
  if (error instanceof NotFound && error.message === 'Not Found') return 'not_found'
  return error.message
}
