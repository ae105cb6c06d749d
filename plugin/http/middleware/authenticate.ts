import type { Actor } from '../../core/call.js'
import { BadRequest, HookFailed, ItsmError, Unauthenticated } from '../../core/errors.js'
import type { Credentials, HttpParts, Identity } from '../parts.js'
import { type Context, type Middleware, parameterOf } from '../state.js'
import { callbackOf } from './jsonp.js'

type Parts = Pick<HttpParts, 'authenticator' | 'signedIn'>

/**
 * Finds out who calls: e-mail and password or an API token by basic authentication, a token as bearer or as the parameter
 * api_token (spec, Authentication; gaps 9.2). Credentials that are sent must be right, also where none are needed.
 */
export function authenticate(parts: Parts): Middleware {
  return async (ctx, next) => {
    const credentials = credentialsOf(ctx)
    const identity = credentials ? await parts.authenticator.identify(credentials) : await signedIn(parts, ctx)
    if (identity === null && !ctx.state.itsm.route?.anonymous) throw new Unauthenticated(true)
    ctx.state.itsm.identity = identity
    return next()
  }
}

async function signedIn(parts: Parts, ctx: Context): Promise<Identity | null> {
  const actor = await askHost(parts, ctx)
  if (actor === null) return null
  // Browsers send the host's session with scripts of any page, and a script's answer belongs to the page.
  if (callbackOf(ctx) !== undefined) throw new BadRequest("Parameter 'callback' requires credentials in the request")
  return { actor, signedInWith: 'host' }
}

async function askHost({ signedIn }: Parts, ctx: Context): Promise<Actor | null> {
  try {
    return (await signedIn?.(ctx)) ?? null
  } catch (error) {
    throw error instanceof ItsmError ? error : new HookFailed('signedIn', error)
  }
}

/** What the request carries; null when it carries nothing. */
function credentialsOf(ctx: Context): Credentials | null {
  const remoteAddress = ctx.ip
  const header = ctx.get('Authorization').trim()
  if (header !== '') {
    const [scheme = '', rest = ''] = header.split(/\s+(.*)/s)
    if (/^basic$/i.test(scheme)) return { basic: basicOf(rest), remoteAddress }
    if (/^bearer$/i.test(scheme) && rest !== '') return { bearer: rest, remoteAddress }
  }
  const token = parameterOf(ctx, 'api_token')
  if (token) return { token, remoteAddress }
  if (header !== '') throw new Unauthenticated()
  return null
}

function basicOf(encoded: string): { name: string; password: string } {
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  return colon < 0 ? { name: text, password: '' } : { name: text.slice(0, colon), password: text.slice(colon + 1) }
}
