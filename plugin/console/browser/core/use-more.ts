/** A list of which a part is read, and more when the person asks for it. */
import { useState } from 'preact/hooks'
import type { Output } from './api.js'
import { type ListStart, readPages } from './read-pages.js'
import { useApp, useLoaded } from './use-app.js'

const HUNDRED = 100

/** How many records are wanted, and how one asks for more. */
export interface Wanted {
  readonly count: number
  readonly more: () => void
}

/** @param first records to read before anybody asks for more, at most 100 */
export function useWanted(first: number): Wanted {
  const [count, setCount] = useState(first)
  return { count, more: () => setCount(nextCount(count)) }
}

/** The hundred after this number of records. */
export function nextCount(count: number): number {
  return Math.floor(count / HUNDRED) * HUNDRED + HUNDRED
}

export interface MoreRecords extends Wanted, Partial<ListStart<Output>> {
  readonly error?: unknown
  readonly reload: () => void
}

/**
 * @param url of the list, with or without a query
 * @param complete adds to the records what they do not have by themselves
 */
export function useMore(
  url: string,
  first: number,
  complete?: (records: readonly Output[], signal: AbortSignal) => Promise<readonly Output[]>,
): MoreRecords {
  const { api } = useApp()
  const wanted = useWanted(first)
  const { data, error, reload } = useLoaded(`${url} ${wanted.count}`, async (signal) => {
    const read = await readPages<Output>(api, url, wanted.count, signal)
    return complete ? { ...read, records: await complete(read.records, signal) } : read
  })
  return { ...wanted, ...data, ...(error === undefined ? {} : { error }), reload }
}
