import { BadRequest } from '../../core/errors.js'
import type { Page } from '../../operations/contract.js'

/** Replaced by the values of each link, or omitted from links (behaviour: Link header). */
const NOT_REPEATED = new Set(['page', 'per_page', 'callback', 'api_token'])
/** Maximum characters of the header Link: if it is longer, proxies and clients refuse the whole response. */
const MAX_LINK = 4_096
/**
 * Links to omit if there is no room for all, the first one first. Without `next`, clients would stop (behaviour: Link header).
 */
const DISPENSABLE: readonly Relation[] = ['last', 'prev', 'first']

type Relation = 'first' | 'prev' | 'next' | 'last'

/**
 * The headers of a page of a collection: X-Pagination-* and, if there are several pages, Link (behaviour: Pages, Link header).
 *
 * @param url URL of the collection without parameters
 * @throws BadRequest if the URL of the next page is too long for a header: a client would take this page for the last
 */
export function pageHeaders(
  page: Omit<Page, 'items'>,
  url: string,
  parameters: readonly (readonly [string, string])[],
): Record<string, string> {
  const headers: Record<string, string> = {
    'X-Pagination-Current-Page': String(page.page),
    'X-Pagination-Per-Page': String(page.perPage),
    'X-Pagination-Total-Pages': String(page.totalPages),
    'X-Pagination-Total-Entries': String(page.totalEntries),
  }
  if (page.throttled) headers['X-Pagination-Throttled'] = 'true'
  const link = page.totalPages > 1 ? links(page, url, parameters) : ''
  if (link !== '') headers['Link'] = link
  return headers
}

function links(page: Omit<Page, 'items'>, url: string, parameters: readonly (readonly [string, string])[]): string {
  // encodeURIComponent leaves no comma, semicolon or angle bracket: some clients split the header at them.
  const repeated = parameters
    .filter(([name]) => !NOT_REPEATED.has(name))
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}&`)
    .join('')
  const all = new Map<Relation, string>()
  const add = (relation: Relation, number: number) =>
    void all.set(relation, `<${url}?${repeated}page=${number}&per_page=${page.perPage}>; rel="${relation}"`)
  add('first', 1)
  // A page after the end links back to the last one with records.
  if (page.page > 1) add('prev', Math.min(page.page - 1, page.totalPages))
  if (page.page < page.totalPages) add('next', page.page + 1)
  add('last', page.totalPages)

  let text = [...all.values()].join(', ')
  for (const relation of DISPENSABLE) {
    if (text.length <= MAX_LINK) return text
    all.delete(relation)
    text = [...all.values()].join(', ')
  }
  const { length } = text
  if (length <= MAX_LINK) return text
  throw new BadRequest(
    `The address of the next page would have ${length} characters (maximum is ${MAX_LINK}); shorten the parameters or raise 'per_page'`,
  )
}
