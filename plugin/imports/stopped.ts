import { oneLine } from './one-line.js'

/** A message may name a column header. */
const MAX_MESSAGE_LENGTH = 500

/** Ends an import with state error: what is wrong with the file keeps us from going on with the next row. */
export class ImportStopped extends Error {
  /** The line to look at; null when it is the one that the import has reached. */
  readonly line: number | null

  /** @param message the short description that the progress object shows, in English (gaps 4.1) */
  constructor(message: string, line: number | null = null) {
    super(oneLine(message, MAX_MESSAGE_LENGTH))
    this.name = 'ImportStopped'
    this.line = line
  }
}
