import type { Page } from '../operations/operations.js'

/** Replaced by the values of each link, or kept out of links (gaps 1.2). */
const NOT_REPEATED = new Set(['page', 'per_page', 'callback', 'api_token'])

/**
 * The headers of a page of a collection: X-Pagination-* and, when there are several pages, Link (gaps 1.1, 1.2).
 *
 * @param url address of the collection without parameters
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
  if (page.totalPages > 1) headers['Link'] = links(page, url, parameters)
  return headers
}

function links(page: Omit<Page, 'items'>, url: string, parameters: readonly (readonly [string, string])[]): string {
  // encodeURIComponent leaves no comma, semicolon or angle bracket: two clients split the header on them.
  const repeated = parameters
    .filter(([name]) => !NOT_REPEATED.has(name))
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}&`)
    .join('')
  const link = (number: number, relation: string) =>
    `<${url}?${repeated}page=${number}&per_page=${page.perPage}>; rel="${relation}"`

  const all = [link(1, 'first')]
  // A page past the end leads back to the last one that has records.
  if (page.page > 1) all.push(link(Math.min(page.page - 1, page.totalPages), 'prev'))
  if (page.page < page.totalPages) all.push(link(page.page + 1, 'next'))
  all.push(link(page.totalPages, 'last'))
  return all.join(', ')
}
