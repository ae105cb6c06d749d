/** The ways in which endpoints respond. */

import type { KeptText } from '../../core/kept-text.js'
import type { Output, Page } from '../../operations/contract.js'
import { readPaging } from '../../schema/derive/filters.js'
import { type Context, parameterOf } from '../contract.js'
import { pageHeaders } from './page-headers.js'

/** The media type of nearly all responses. */
export const JSON_TYPE = 'application/json; charset=utf-8'

/**
 * To be called before anything of a response is set.
 *
 * @throws TimedOut if the call has got a response already, because its time had expired
 */
export function beginAnswer(ctx: Context): void {
  ctx.state.itsm.signal?.throwIfAborted()
}

/** Sets headers like `ctx.set`, which goes a longer way for each of them. Does nothing once the response is under way. */
export function setHeaders({ res }: Context, headers: Readonly<Record<string, string>>): void {
  if (res.headersSent) return
  for (const name of Object.keys(headers)) res.setHeader(name, headers[name] ?? '')
}

/** An object or array as JSON. */
export function answerJson(ctx: Context, status: number, value: unknown): void {
  answerText(ctx, status, JSON_TYPE, JSON.stringify(value))
}

/**
 * A record, or a list of them, as JSON.
 *
 * @param steady the same without what changes with time alone (`schema/derive/without-signatures.ts`)
 */
export function answerShown(ctx: Context, status: number, value: unknown, steady: unknown): void {
  answerJson(ctx, status, value)
  if (steady !== value) ctx.state.itsm.steady = JSON.stringify(steady)
}

/** The record with the secrets that its save has made; nobody may store such a response, or compress it with other texts. */
export function withSecrets(ctx: Context, record: Output, shownOnce: Output | undefined): Output {
  if (!shownOnce) return record
  neverStored(ctx)
  return { ...record, ...shownOnce }
}

/** For responses with secrets: they are not stored, and not compressed together with texts of others. */
export function neverStored(ctx: Context): void {
  ctx.set('Cache-Control', 'no-store, no-transform')
}

/** A text of any type. */
export function answerText(ctx: Context, status: number, type: string, text: string): void {
  beginAnswer(ctx)
  write(ctx, status, type, text)
}

/** A text that is the same for all callers. */
export function answerKept(ctx: Context, type: string, kept: KeptText): void {
  beginAnswer(ctx)
  ctx.state.itsm.kept = kept
  write(ctx, 200, type, kept.text, kept)
}

/** Responds with an error, even if an endpoint has begun its response or its time has expired. */
export function answerFailure(ctx: Context, status: number, value: unknown, type = JSON_TYPE): void {
  write(ctx, status, type, JSON.stringify(value))
}

/** @param kept has the text */
function write(ctx: Context, status: number, type: string, text: string, kept?: KeptText): void {
  ctx.status = status
  ctx.set('Content-Type', type)
  // A response that is wrapped for JSON-P is needed as a text.
  ctx.body = parameterOf(ctx, 'callback') === undefined ? (kept?.bytes ?? bytesOf(text)) : text
}

/** True if the body of a response is a text, in bytes or not; files are streams. */
export function isText(body: unknown): body is string | Buffer {
  return typeof body === 'string' || Buffer.isBuffer(body)
}

/** Characters of a text that is written at once. */
const MAX_AT_ONCE = 65_536

/**
 * The text in UTF-8. It is tagged, measured, compressed and sent as these bytes; otherwise each of these would encode the text
 * again. A character takes at most three bytes: with this room the text need not be measured before it is written.
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
export function answerPage(ctx: Context, baseUrl: string, page: Page, steady: readonly unknown[] = page.items): void {
  beginAnswer(ctx)
  const { segments, parameters } = ctx.state.itsm
  setHeaders(ctx, pageHeaders(page, `${baseUrl}/${(segments ?? []).map(encodeURIComponent).join('/')}`, parameters))
  answerShown(ctx, 200, page.items, steady)
}

/** The items if they are on one page for the same parameters, else null. */
export function wholeList(ctx: Context, items: readonly unknown[]): readonly unknown[] | null {
  const { page, perPage } = readPaging(ctx.state.itsm.parameters)
  return page === 1 && items.length <= perPage ? items : null
}

/**
 * A page of a list whose items are all loaded: with the same parameters and headers as a collection.
 *
 * @throws BadRequest for an invalid page
 */
export function answerItems(ctx: Context, baseUrl: string, items: readonly unknown[]): void {
  const { page, perPage } = readPaging(ctx.state.itsm.parameters)
  const start = (page - 1) * perPage
  const totalPages = Math.ceil(items.length / perPage)
  const shown = items.slice(start, start + perPage) as Page['items']
  answerPage(ctx, baseUrl, { items: shown, page, perPage, totalEntries: items.length, totalPages, throttled: false })
}
