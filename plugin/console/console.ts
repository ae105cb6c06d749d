/** The console: pages for people at `/console`, beside the API and made of nothing but it (behaviour: Console; ADR 78). */
import type { Middleware, ParameterizedContext } from 'koa'
import type { Log } from '../core/log.js'
import type { WordBook } from '../words/words.js'
import { type ConsoleFiles, openFiles, type SentFile } from './console-files.js'
import type { ConsolePage } from './console-page.js'
import { type Brand, pageHtml } from './page.js'

/** Dependencies of the console. */
export interface ConsoleDeps {
  /** Base URL of the API, which ends with `/v1`. */
  readonly baseUrl: string
  /** Prefixes of the headers of the API; the console sends the first one. */
  readonly headerPrefixes: readonly string[]
  /** True if pages are also sent without HTTPS. */
  readonly allowInsecure: boolean
  /** How people may sign in on the page, beside a token. */
  readonly signIn: { readonly password: boolean; readonly host: boolean }
  /** True if people make OAuth clients. */
  readonly oauth: boolean
  readonly words: Pick<WordBook, 'consoleTexts' | 'languages' | 'valueLabel'>
  readonly brand: Brand
  /** Pages of the host. */
  readonly pages: readonly ConsolePage[]
  readonly log: Log
  /** Origins of pages that may show the console in a frame. */
  readonly frameAncestors: readonly string[]
}

type Context = ParameterizedContext

const PATH = '/console'
const ONE_YEAR = 'public, max-age=31536000, immutable'

/** Returns the middleware that answers `/console` and everything below it. All other requests continue. */
export function createConsole(deps: ConsoleDeps): Middleware {
  const headers = headersOf(deps.frameAncestors)
  let opening: Promise<ConsoleFiles> | null = null
  // Nothing is read before somebody opens the console: a start must not wait for it.
  const files = () => {
    const modules = deps.pages.map(({ module }) => module)
    opening ??= openFiles(deps, (built) => pageHtml(deps, built), modules).catch((error: unknown) => {
      opening = null
      throw error
    })
    return opening
  }
  return async (ctx, next) => {
    if (!isOurs(ctx.path)) return next()
    ctx.set(headers)
    if (ctx.secure) ctx.set('Strict-Transport-Security', 'max-age=31536000')
    if (!deps.allowInsecure && !ctx.secure) return refuse(ctx, 403, 'Only HTTPS is supported')
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return refuse(ctx, 404, 'Not Found')
    const { assets, page } = await files()
    const name = /^\/console\/assets\/([^/]*)$/.exec(ctx.path)?.[1]
    // Every other path is one of the pages that the script shows, which knows them all.
    const file = name === undefined ? page : assets.get(name)
    if (!file) return refuse(ctx, 404, 'Not Found')
    send(ctx, file, name === undefined ? 'private, no-cache' : ONE_YEAR)
  }
}

/** True for the path of the console and those below it. */
function isOurs(path: string): boolean {
  return path === PATH || path.startsWith(`${PATH}/`)
}

/** Sends a file in the shortest form that the client accepts. */
function send(ctx: Context, file: SentFile, caching: string): void {
  ctx.status = 200
  ctx.set('Cache-Control', caching)
  ctx.set('ETag', file.tag)
  ctx.vary('Accept-Encoding')
  if (ctx.fresh) {
    ctx.status = 304
    return
  }
  ctx.type = file.type
  const { forms } = file
  const encoding = forms && (['br', 'gzip'] as const).find((one) => ctx.acceptsEncodings(one) === one)
  if (encoding) ctx.set('Content-Encoding', encoding)
  ctx.body = encoding ? forms[encoding] : file.bytes
}

function refuse(ctx: Context, status: number, message: string): void {
  ctx.status = status
  ctx.type = 'text/plain; charset=utf-8'
  ctx.set('Cache-Control', 'no-store')
  ctx.body = `${message}\n`
}

/**
 * Headers of every answer. Scripts, styles and calls of this origin and nothing else; pictures that people have uploaded are shown from
 * memory. Texts never become elements: the browser refuses to parse any, because no policy of Trusted Types exists.
 */
function headersOf(frameAncestors: readonly string[]): Record<string, string> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self' blob: data:",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${frameAncestors.length === 0 ? "'none'" : frameAncestors.join(' ')}`,
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ]
  return {
    'Content-Security-Policy': policy.join('; '),
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), microphone=(), geolocation=()',
  }
}
