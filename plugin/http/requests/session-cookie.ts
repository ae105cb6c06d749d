/** The cookie of a session, and the header without which it has no effect (behaviour: Sessions). */
import type { Context } from '../contract.js'
import { ownHeader } from './own-header.js'

/** What the cookie is made of. */
export interface SessionCookieDeps {
  readonly baseUrl: string
  readonly headerPrefixes: readonly string[]
}

export interface SessionCookie {
  readonly name: string
  /** The header that scripts of other origins cannot send, as messages show it. */
  readonly header: string
  /** True if a page of the same origin, or no browser at all, has sent the request. */
  isOfPage(ctx: Pick<Context, 'get'>): boolean
  /** The values that were sent; browsers send one, and strangers any number. */
  values(ctx: Pick<Context, 'get'>): readonly string[]
  /** Adds the cookie to the response, beside those of the host. It ends with the browser. */
  set(ctx: Context, text: string): void
  /** Makes the browser forget the cookie. */
  clear(ctx: Context): void
}

/** Name of the header, behind each prefix. */
export const SESSION_HEADER = 'Session'

/** Prepares the cookie of a base URL: plugins of one host have different ones. */
export function sessionCookie({ baseUrl, headerPrefixes }: SessionCookieDeps): SessionCookie {
  const name = cookieName(baseUrl)
  const { origin } = new URL(baseUrl)
  /** Browsers say where a call comes from, and no page can change that: old ones by Origin alone. */
  const isFromHere = (ctx: Pick<Context, 'get'>) => {
    const [site, from] = ['Sec-Fetch-Site', 'Origin'].map((header) => ctx.get(header).trim().toLowerCase()) as [string, string]
    if (site === 'same-origin') return true
    if (site === 'cross-site' || site === 'same-site') return false
    // The host may be reached by other names than that of the base URL.
    return from === '' || from === origin || (URL.canParse(from) && new URL(from).host === ctx.get('Host').toLowerCase())
  }
  // Koa's own cookies refuse `Secure` without HTTPS, which `allowInsecure` does without.
  const add = (ctx: Context, value: string, end = '') =>
    ctx.append('Set-Cookie', `${name}=${value}; Path=/; Secure; HttpOnly; SameSite=Strict${end}`)
  return {
    name,
    header: `${headerPrefixes[0] ?? ''}${SESSION_HEADER}: 1`,
    isOfPage: (ctx) => ownHeader(ctx, headerPrefixes, SESSION_HEADER) === '1' && isFromHere(ctx),
    values: (ctx) => {
      const pairs = ctx.get('Cookie').split(';')
      return pairs
        .map((pair) => pair.trim())
        .flatMap((pair) => (pair.startsWith(`${name}=`) ? [pair.slice(name.length + 1)] : []))
    },
    set: (ctx, text) => add(ctx, text),
    clear: (ctx) => add(ctx, '', '; Max-Age=0'),
  }
}

/** The prefix `__Host-` makes browsers refuse a cookie of this name from other hosts, and without HTTPS. */
export function cookieName(baseUrl: string): string {
  const path = new URL(baseUrl).pathname.slice(0, -'/v1'.length)
  return `__Host-itsm${path.replace(/[^A-Za-z0-9]+/g, '-')}`
}
