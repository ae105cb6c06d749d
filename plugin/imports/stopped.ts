/** Ends an import with state error: what is wrong with the file keeps us from going on with the next row. */
export class ImportStopped extends Error {
  /** @param message the short description that the progress object shows, in English (gaps 4.1) */
  constructor(message: string) {
    super(message)
    this.name = 'ImportStopped'
  }
}
