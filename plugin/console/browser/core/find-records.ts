/** Finds records by the beginning of their name. The API has no search, but its lists are in order: as in a telephone book. */
import type { Api, Output } from './api.js'
import type { RecordType } from './read-catalog.js'
import { nameOf } from './record-name.js'

const PAGE = 20
/** A list up to this size is read as a whole, and searched for the text anywhere in a name. */
const SMALL = 100

/** Up to about twenty records that a text may mean, in the order of their names. */
export async function findRecords(api: Api, type: RecordType, text: string, signal: AbortSignal): Promise<readonly Output[]> {
  const wanted = text.trim()
  const number = /^#?(\d{1,9})$/.exec(wanted)?.[1]
  const byNumber = number === undefined ? [] : await read(api, type, `&id=${number}`, signal).then(({ records }) => records)
  const first = await read(api, type, `&per_page=${SMALL}`, signal)
  if (wanted === '') return first.records.slice(0, PAGE)
  const isSorted = type.fields.some(({ name, sortable }) => name === type.title && sortable)
  const found =
    first.total <= SMALL || !isSorted
      ? first.records.filter((record) => folded(nameOf(record, type.title)).includes(folded(wanted)))
      : await atPlace(api, type, wanted, first.total, signal)
  const known = new Set(byNumber.map(({ id }) => id))
  return [...byNumber, ...found.filter(({ id }) => !known.has(id ?? null))].slice(0, PAGE)
}

/** Opens the list in the middle, and then in the middle of the half that has the text. */
async function atPlace(
  api: Api,
  type: RecordType,
  wanted: string,
  total: number,
  signal: AbortSignal,
): Promise<readonly Output[]> {
  const collator = new Intl.Collator(undefined, { sensitivity: 'base' })
  const isBefore = (record: Output | undefined) =>
    record !== undefined && collator.compare(nameOf(record, type.title), wanted) < 0
  let low = 1
  let high = Math.ceil(total / PAGE)
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const { records } = await read(api, type, `&per_page=${PAGE}&page=${middle}`, signal)
    if (isBefore(records.at(-1))) low = middle + 1
    else high = middle
  }
  const pages = await Promise.all([low, low + 1].map((page) => read(api, type, `&per_page=${PAGE}&page=${page}`, signal)))
  return pages
    .flatMap(({ records }) => records)
    .filter((record) => folded(nameOf(record, type.title)).startsWith(folded(wanted)))
}

async function read(api: Api, type: RecordType, query: string, signal: AbortSignal) {
  const list = type.lists.some(({ name }) => name === 'enabled') ? '/enabled' : ''
  const sort = type.fields.some(({ name, sortable }) => name === type.title && sortable) ? `&sort=${type.title}` : ''
  const fields = [type.title, ...type.reference].filter((name) => name !== null).join(',')
  const { data, headers } = await api.call<readonly Output[]>('GET', `${type.path}${list}?fields=${fields}${sort}${query}`, {
    signal,
  })
  return { records: data, total: Number(headers.get('X-Pagination-Total-Entries') ?? data.length) }
}

/** Without case and accents. */
function folded(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}
