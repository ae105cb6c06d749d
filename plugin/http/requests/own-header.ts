import { isUtf8 } from 'node:buffer'
import type { Context } from '../contract.js'

/** The value of one of our request headers: that of the first prefix that is present. Empty without one. */
export function ownHeader(ctx: Pick<Context, 'get'>, prefixes: readonly string[], name: string): string {
  for (const prefix of prefixes) {
    const value = headerText(ctx.get(prefix + name)).trim()
    if (value !== '') return value
  }
  return ''
}

/** The text of a header, which Node reads as Latin-1: in UTF-8, if its bytes are that (behaviour: Response headers). */
export function headerText(value: string): string {
  const bytes = Buffer.from(value, 'latin1')
  return isUtf8(bytes) ? bytes.toString() : value
}

/** True if one of our request headers was sent, even without a value: a client that lost its setting has still sent it. */
export function isHeaderSent(ctx: Pick<Context, 'req'>, prefixes: readonly string[], name: string): boolean {
  return prefixes.some((prefix) => ctx.req.headers[(prefix + name).toLowerCase()] !== undefined)
}
