import { readKey } from '../../files/keys.js'
import type { AnswerDeps } from './read-deps.js'

/** The URL of a picture for clients: a key becomes the URL of our file, every other URL stays. */
export function shownPicture({ files }: Pick<AnswerDeps, 'files'>, value: string): string {
  return readKey(value)?.kind === 'pictures' ? files.addresses.picture(value) : value
}
