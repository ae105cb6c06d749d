import { Forbidden, type ItsmError, NotFound, type Params } from '../core/errors.js'
import { DEFAULT_LANGUAGE } from '../core/words/languages.js'
import type { ImportDeps } from './deps.js'
import { oneLine } from './one-line.js'

/** A message may name a column header. */
const MAX_MESSAGE_LENGTH = 500

/** Ends an import with state error: what is wrong with the file keeps us from going on with the next row. */
export class ImportStopped extends Error {
  /** The code of a sentence, or a sentence that is ready. */
  readonly code: string
  readonly params: Params
  /** The line to look at; null when it is the one that the import has reached. */
  readonly line: number | null

  constructor(code: string, params: Params = {}, line: number | null = null) {
    super(oneLine(code, MAX_MESSAGE_LENGTH))
    this.name = 'ImportStopped'
    this.code = code
    this.params = params
    this.line = line
  }
}

/** The description for the log and the mail, in the language of the person who imports. */
export function reasonIn({ words }: Pick<ImportDeps, 'words'>, language: string, { code, params }: ImportStopped): string {
  return oneLine(words.sentence(language, code, '', params), MAX_MESSAGE_LENGTH)
}

/** The short description that the progress object shows: English in every language, as the messages of errors are (gaps 4.1). */
export function messageOf(deps: Pick<ImportDeps, 'words'>, stopped: ImportStopped): string {
  return reasonIn(deps, DEFAULT_LANGUAGE, stopped)
}

/** The code of the sentence for a refusal of the service; what a host's code says is ready. */
export function codeOfError(error: ItsmError | Error): string {
  if (error instanceof Forbidden && error.message === 'Forbidden') return 'forbidden'
  if (error instanceof NotFound && error.message === 'Not Found') return 'not_found'
  return error.message
}
