import { hash } from 'node:crypto'
import { isText } from '../answer.js'
import type { Context, Middleware } from '../state.js'
import { callbackOf } from './jsonp.js'

/**
 * Tags successful responses with a body, and responds 304 to a GET whose If-None-Match, or Etag, contains the tag (spec,
 * Conventions 8; behaviour: Caching). Scripts of JSON-P always get their data: a browser that repeats its tag expects a script.
 */
export function conditional(): Middleware {
  return async (ctx, next) => {
    await next()
    const { body } = ctx
    if (!isText(body) || ctx.status > 299) return
    const tag = hash('sha256', body).slice(0, 32)
    ctx.set('ETag', `W/"${tag}"`)
    if (ctx.state.itsm.method === 'GET' && callbackOf(ctx) === undefined && hasTag(ctx, tag)) ctx.status = 304
  }
}

/**
 * True if the client has the response with this tag. Compares weakly; tags are sent as lists, with or without W/ and quotes.
 */
export function hasTag(ctx: Context, tag: string): boolean {
  const header = ctx.get('If-None-Match') || ctx.get('Etag')
  if (header === '') return false
  return header.split(',').some((text) => {
    const given = text.trim()
    return given === '*' || given.replace(/^W\//i, '').replaceAll('"', '') === tag
  })
}
