/** The ways in which endpoints answer. */
import type { Page } from '../operations/operations.js'
import { pageHeaders } from './page-headers.js'
import type { Context } from './state.js'

/** The media type of nearly all answers. */
export const JSON_TYPE = 'application/json; charset=utf-8'

/** An object or array as JSON. */
export function answerJson(ctx: Context, status: number, value: unknown): void {
  answerText(ctx, status, JSON_TYPE, JSON.stringify(value))
}

/** A text of any type. */
export function answerText(ctx: Context, status: number, type: string, text: string): void {
  ctx.status = status
  ctx.set('Content-Type', type)
  ctx.body = text
}

/** Success without a body. */
export function answerNothing(ctx: Context): void {
  ctx.status = 204
}

/** A page of a collection with its headers (gaps 1.1, 1.2). */
export function answerPage(ctx: Context, baseUrl: string, page: Page): void {
  const { segments, parameters } = ctx.state.itsm
  ctx.set(pageHeaders(page, `${baseUrl}/${(segments ?? []).map(encodeURIComponent).join('/')}`, parameters))
  answerJson(ctx, 200, page.items)
}
