import { randomBytes } from 'node:crypto'

const TOKEN_BYTES = 32

/** Creates the token with which the progress of an import or export is read: nobody can guess it. */
export function newProgressToken(): string {
  return randomBytes(TOKEN_BYTES).toString('hex')
}
