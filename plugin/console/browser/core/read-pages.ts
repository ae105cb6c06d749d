/** Reads the first records of a list: up to a hundred with each call. */
import type { Api, Output } from './api.js'

export interface ListStart<T> {
  readonly records: readonly T[]
  /** Of the whole list, read or not. */
  readonly total: number
}

const LARGEST_PAGE = 100

/**
 * @param url of the list, with or without a query; in an order in which records keep their place while others are added
 * @param most records to read: up to 100, or a multiple of it
 */
export async function readPages<T extends Output | { readonly id: number }>(
  api: Api,
  url: string,
  most: number,
  signal: AbortSignal,
): Promise<ListStart<T>> {
  const perPage = Math.min(most, LARGEST_PAGE)
  const start = url + (url.includes('?') ? '&' : '?')
  const page = (number: number) => api.call<readonly T[]>('GET', `${start}per_page=${perPage}&page=${number}`, { signal })
  const first = await page(1)
  const total = Number(first.headers.get('X-Pagination-Total-Entries') ?? first.data.length)
  const records = new Map(first.data.map((record) => [record.id, record]))
  // One after the other: a person may make so many calls in two seconds. What was added meanwhile has pushed a record to the next
  // page, where it is read again.
  for (let number = 2; number <= Math.ceil(Math.min(total, most) / perPage); number++)
    for (const record of (await page(number)).data) records.set(record.id, record)
  return { records: [...records.values()], total: Math.max(total, records.size) }
}
