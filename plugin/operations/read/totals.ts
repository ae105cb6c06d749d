/**
 * Counts collections, and remembers the numbers for a few seconds: counting a large collection costs more than a page of it.
 */
import type { Call } from '../../core/call.js'
import { createShortMemory, type Recalled } from '../../core/waiting/short-memory.js'
import type { Selection } from '../../storage/records/query.js'
import type { ListDeps } from './read-deps.js'

/** Numbers of records in collections. */
export interface Totals {
  /**
   * Number of records in a collection of which one page has been read, counted up to one more than the maximum.
   *
   * @param found rows of the page, and one more if the collection continues after it
   */
  of(call: Call, collection: Collection, page: PageFound): Promise<number>
}

type Collection = Pick<Selection, 'type' | 'where'>

/** A page of the collection, as it has been read. */
export interface PageFound {
  readonly offset: number
  /** Maximum number of records of the page; 0 or less for a page that was not read. */
  readonly limit: number
  readonly found: number
}

type Total = Awaited<ReturnType<ListDeps['queries']['countNamed']>>

/** Milliseconds after which records that other processes have created or deleted are counted. */
const REMEMBER_FOR = 5_000
/** Milliseconds from the start of a count until a large collection is counted again because this process has written. */
const COUNT_AGAIN_AFTER = 1_000
/** A collection with at most this number of records is counted again after each write: that costs less than reading the page. */
const SMALL = 1_000
const MAX_TOTALS = 1_000
/** Maximum length of a key in characters. Longer criteria are counted each time, so that the cache stays small. */
const MAX_KEY = 4_000

/**
 * Caches totals by type and criterion. The criterion determines which records are counted: accounts, roles and the acting
 * person are values in it, so that callers share a total only if they see the same records.
 *
 * After commits of this process that wrote a table of the collection, it is counted again: at once if it is small, else at most
 * once a second. A call in a transaction counts on its own.
 */
export function createTotals({ changes, clock, queries }: Pick<ListDeps, 'changes' | 'clock' | 'queries'>): Totals {
  const afterChange = { lasts: COUNT_AGAIN_AFTER, isFor: ({ count }: Total) => count > SMALL }
  const memory = createShortMemory<Total>({ clock, lasts: REMEMBER_FOR, max: MAX_TOTALS, afterChange })
  changes.listen((tables) => memory.forget(tables ? ({ names }) => [...tables].some((table) => names.has(table)) : undefined))
  // Several callers may wait for the count, so it must not end with the time limit of one of them.
  const load = (collection: Collection) => queries.countNamed({}, collection)

  return {
    async of(call, collection, page) {
      const { offset, limit, found } = page
      const isRead = limit > 0
      // The page is the last one, and either it has records or it is the first one.
      if (isRead && found <= limit && (found > 0 || offset === 0)) return offset + found
      if (call.transaction) return queries.count(call, collection)
      const key = queries.keyOf(collection)
      if (key.length > MAX_KEY) return queries.count(call, collection)
      call.signal?.throwIfAborted()
      const total = await memory.recall(key, () => load(collection))
      if (!isRead || agrees(total, page)) return total.value.count
      return (await memory.renew(key, () => load(collection))).count
    },
  }
}

/** False if the page shows that a cached total is out of date: clients would miss the pages after this one. */
function agrees({ value, isRemembered }: Recalled<Total>, { offset, limit, found }: PageFound): boolean {
  if (!isRemembered) return true
  return found > limit ? value.count > offset + limit : value.count <= offset
}
