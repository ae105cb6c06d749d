/** Follows what the API does in the background, until its end. */
import type { Client } from './client.js'
import { CallFailed, Interrupted } from './errors.js'

/** Milliseconds between two looks at a progress: soon at first, then more seldom. An hour of them is half of the usual limit. */
const [SOON, SELDOM] = [50, 2000]
/** Milliseconds after which a look is repeated once that found no connection, or a proxy without the API. */
const AGAIN_AFTER = 3000
const NO_API: readonly (number | null)[] = [null, 502, 504]

/**
 * Reads a progress until it has come to its end.
 *
 * @param show is told each of them
 * @param after says, after an interruption or a failure, what goes on without us
 * @throws CallFailed, Interrupted
 */
export async function untilEnd<T extends { readonly state: string }>(
  client: Client,
  path: string,
  show: (progress: T) => void,
  after: string,
): Promise<T> {
  try {
    for (let wait = SOON; ; wait = Math.min(SELDOM, wait * 1.5)) {
      const progress = await look<T>(client, path)
      show(progress)
      if (progress.state === 'done' || progress.state === 'error') return progress
      await client.pause(wait)
    }
  } catch (error) {
    if (error instanceof CallFailed || error instanceof Interrupted) error.message += `\n${after}`
    throw error
  }
}

async function look<T>(client: Client, path: string): Promise<T> {
  try {
    return await client.json<T>('GET', path)
  } catch (error) {
    if (!(error instanceof CallFailed) || !NO_API.includes(error.status)) throw error
    await client.pause(AGAIN_AFTER)
    return client.json<T>('GET', path)
  }
}
