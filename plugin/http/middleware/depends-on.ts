import type { RecordType } from '../../schema/catalog.js'
import { isText } from '../answers/answer.js'
import type { Context, Middleware } from '../contract.js'
import type { HttpDeps } from '../deps.js'
import { PERSON_HEADER } from '../requests/named-person.js'
import { SESSION_HEADER } from '../requests/session-cookie.js'

type Deps = Pick<HttpDeps, 'catalog' | 'headerPrefixes' | 'sessions' | 'signedIn'>

/**
 * Declares what a response depends on: `Vary` lists the request headers, in addition to those of the host; `Content-Language`
 * is the language of records with translated texts. Files are the same for all callers.
 */
export function dependsOn({ catalog, headerPrefixes, sessions, signedIn }: Deps): Middleware {
  const names = ['Account', 'Language', PERSON_HEADER, ...(sessions ? [SESSION_HEADER] : [])]
  const headers = headerPrefixes.flatMap((prefix) => names.map((name) => prefix + name))
  const ofBrowsers = [...(sessions || signedIn ? ['Cookie'] : []), ...(sessions ? ['Sec-Fetch-Site', 'Origin'] : [])]
  const listed = ['Accept', 'Authorization', ...headers, ...ofBrowsers]
  const all = listed.join(', ')
  const translated = new Set([...catalog.types.values()].filter(isTranslated).map(({ name }) => name))
  return async (ctx, next) => {
    const { route } = ctx.state.itsm
    if (route?.anyMedia) return next()
    if (!ctx.response.get('Vary')) ctx.set('Vary', all)
    else ctx.vary(listed)
    await next()
    const { call } = ctx.state.itsm
    if (call && route?.type && translated.has(route.type) && hasBody(ctx)) ctx.set('Content-Language', call.language)
  }
}

function isTranslated({ fields, translations }: RecordType): boolean {
  return translations !== null || [...fields.values()].some((field) => field.translated || field.derived?.as === 'translation')
}

function hasBody({ body, status }: Context): boolean {
  return status < 300 && isText(body)
}
