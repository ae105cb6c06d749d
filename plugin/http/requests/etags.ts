/** Tags of responses (behaviour: Caching). */
import { hash } from 'node:crypto'
import type { Context } from '../contract.js'

/** Digits of a tag, and the first of them, which depend on the content only. */
const DIGITS = 32
const OF_CONTENT = 24

/**
 * The tag of a text: the first digits of its SHA-256. If some of it changes with time alone, most digits are those of the text
 * without that: writes compare only these, so that a tag stays good while nothing changes. ADR 35.
 *
 * @param steady the text without what changes with time alone; null if that is all of it
 */
export function tagOf(text: string | Buffer, steady: string | null): string {
  const ofText = hash('sha256', text).slice(0, DIGITS)
  return steady === null ? ofText : contentOf(steady) + ofText.slice(OF_CONTENT)
}

/** The digits of a tag that depend on the content only, of the text without what changes with time alone. */
export function contentOf(steady: string): string {
  return hash('sha256', steady).slice(0, OF_CONTENT)
}

/** The digits of a client's tag that depend on the content only; null if the tag cannot be one of ours. */
export function contentIn(tag: string): string | null {
  // Some proxies add `-gzip` to tags.
  return /^[0-9a-f]{32}(-|$)/.test(tag) ? tag.slice(0, OF_CONTENT) : null
}

/** The tags in a header, with or without `W/` and quotes; `any` for `*`. */
export function tagsIn(header: string): 'any' | readonly string[] {
  const tokens: readonly string[] = header.match(/"[^"]*"|[^\s,"]+/g) ?? []
  if (tokens.includes('*')) return 'any'
  return tokens.map((token) => token.replace(/^W\//i, '').replaceAll('"', '')).filter((tag) => tag !== '')
}

/** True if the client has the response with this tag already. Compares weakly. */
export function hasTag(ctx: Context, tag: string): boolean {
  const known = tagsIn(ctx.get('If-None-Match') || ctx.get('Etag'))
  return known === 'any' || known.includes(tag)
}

/** The header If-Match; null if there is none. An empty one has no tags. */
export function matchOf(ctx: Context): 'any' | readonly string[] | null {
  return ctx.req.headers['if-match'] === undefined ? null : tagsIn(ctx.get('If-Match'))
}
