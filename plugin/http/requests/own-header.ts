import type { Context } from '../contract.js'

/** The value of one of our request headers: that of the first prefix that is present. Empty without one. */
export function ownHeader(ctx: Pick<Context, 'get'>, prefixes: readonly string[], name: string): string {
  for (const prefix of prefixes) {
    const value = ctx.get(prefix + name).trim()
    if (value !== '') return value
  }
  return ''
}
