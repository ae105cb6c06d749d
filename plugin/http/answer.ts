/** The ways in which endpoints answer. */
import type { Page } from '../operations/operations.js'
import { readPaging } from '../schema/derive/filters.js'
import { pageHeaders } from './page-headers.js'
import { type Context, parameterOf } from './state.js'

/** The media type of nearly all answers. */
export const JSON_TYPE = 'application/json; charset=utf-8'

/**
 * To be called before anything of an answer is set.
 *
 * @throws TimedOut when the call has been answered already, because its time was over
 */
export function beginAnswer(ctx: Context): void {
  ctx.state.itsm.signal?.throwIfAborted()
}

/** An object or array as JSON. */
export function answerJson(ctx: Context, status: number, value: unknown): void {
  answerText(ctx, status, JSON_TYPE, JSON.stringify(value))
}

/** A text of any type. */
export function answerText(ctx: Context, status: number, type: string, text: string): void {
  beginAnswer(ctx)
  write(ctx, status, type, text)
}

/** Answers with an error, also when an endpoint has already begun its answer or its time is over. */
export function answerFailure(ctx: Context, status: number, value: unknown): void {
  write(ctx, status, JSON_TYPE, JSON.stringify(value))
}

function write(ctx: Context, status: number, type: string, text: string): void {
  ctx.status = status
  ctx.set('Content-Type', type)
  // What is wrapped for JSON-P is needed as a text.
  ctx.body = parameterOf(ctx, 'callback') === undefined ? bytesOf(text) : text
}

/** True for the body of an answer that is a text, in bytes or not; files are streams. */
export function isText(body: unknown): body is string | Buffer {
  return typeof body === 'string' || Buffer.isBuffer(body)
}

/** Characters of a text that is written in one go. */
const MAX_AT_ONCE = 65_536

/**
 * The text in UTF-8. It is tagged, measured, compressed and sent as these bytes; each of them would encode the text again. A
 * character takes three bytes at most: with room for that, the text need not be measured before it is written.
 */
function bytesOf(text: string): Buffer {
  if (text.length > MAX_AT_ONCE) return Buffer.from(text)
  const room = Buffer.allocUnsafeSlow(3 * text.length)
  return room.subarray(0, room.write(text))
}

/** Success without a body. */
export function answerNothing(ctx: Context): void {
  beginAnswer(ctx)
  ctx.status = 204
}

/** A page of a collection with its headers (behaviour: Pages, Link header). */
export function answerPage(ctx: Context, baseUrl: string, page: Page): void {
  beginAnswer(ctx)
  const { segments, parameters } = ctx.state.itsm
  ctx.set(pageHeaders(page, `${baseUrl}/${(segments ?? []).map(encodeURIComponent).join('/')}`, parameters))
  answerJson(ctx, 200, page.items)
}

/**
 * A page of a list of which all items are at hand: with the same parameters and headers as a collection.
 *
 * @throws BadRequest for a page that cannot be
 */
export function answerItems(ctx: Context, baseUrl: string, items: readonly unknown[]): void {
  const { page, perPage } = readPaging(ctx.state.itsm.parameters)
  const start = (page - 1) * perPage
  const totalPages = Math.ceil(items.length / perPage)
  const shown = items.slice(start, start + perPage) as Page['items']
  answerPage(ctx, baseUrl, { items: shown, page, perPage, totalEntries: items.length, totalPages, throttled: false })
}
