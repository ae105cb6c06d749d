import { readKey } from '../../files/keys.js'
import type { OperationDeps } from '../deps.js'

/** The address of a picture as clients get it: a key becomes the address of our file, every other address stays. */
export function shownPicture({ files }: Pick<OperationDeps, 'files'>, value: string): string {
  return readKey(value)?.kind === 'pictures' ? files.addresses.picture(value) : value
}
