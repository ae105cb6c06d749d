import type { Credentials } from '../../access/sign-in/authenticate.js'
import type { Actor } from '../../core/call.js'
import { BadRequest, Unauthenticated } from '../../core/errors.js'
import { type Context, type Identity, type Middleware, parameterOf } from '../contract.js'
import type { HttpDeps } from '../deps.js'
import { callbackOf } from './jsonp.js'

type Deps = Pick<HttpDeps, 'authenticator' | 'signedIn'>

/** What is read of the context of a host's route. */
type HostContext = Pick<Context, 'get' | 'ip' | 'query'>

/**
 * Finds the caller: e-mail and password or an API token by basic authentication, a token as bearer or as the parameter
 * api_token (spec, Authentication; behaviour: Signing in). Credentials in a request must be right, even if none are needed.
 */
export function authenticate(deps: Deps): Middleware {
  return async (ctx, next) => {
    const { route } = ctx.state.itsm
    const identity = await (route?.identify?.(ctx) ?? (isForScripts(ctx) ? callerOfScript(deps, ctx) : callerOf(deps, ctx)))
    if (identity === null && !route?.anonymous) throw new Unauthenticated(true)
    ctx.state.itsm.identity = identity
    await next()
  }
}

/**
 * The caller of a request of the host's own routes, by the same credentials and hooks; null if nobody is signed in.
 *
 * @throws Unauthenticated for wrong credentials, TooManyRequests for those of an address with too many wrong ones
 */
export async function callerOfHostRoute({ authenticator, signedIn }: Deps, ctx: HostContext): Promise<Identity | null> {
  const { api_token: token } = ctx.query
  const credentials = credentialsIn(ctx, typeof token === 'string' ? token : undefined)
  if (credentials) return authenticator.identify(credentials)
  const actor = await signedIn?.(ctx as Context)
  return actor ? { actor, signedInWith: 'host' } : null
}

async function callerOf(deps: Deps, ctx: Context): Promise<Identity | null> {
  const credentials = credentialsOf(ctx)
  if (credentials) return deps.authenticator.identify(credentials)
  const actor = await askHost(deps, ctx)
  return actor && { actor, signedInWith: 'host' }
}

/**
 * True if a page of another origin may run the response. Pages cannot set Sec-Fetch-Site; clients other than browsers do not.
 */
function isForScripts(ctx: Context): boolean {
  return callbackOf(ctx) !== undefined && !['same-origin', 'none'].includes(ctx.get('Sec-Fetch-Site'))
}

/**
 * Finds the caller if the response is a script (ADR 10). Any website can load it with the password or session that the browser
 * remembers, and read the response. So only credentials that the page itself knows count.
 *
 * @throws BadRequest for a caller whose credentials only the browser knows; anonymous routes ignore these
 */
async function callerOfScript(deps: Deps, ctx: Context): Promise<Identity | null> {
  const { authenticator } = deps
  const token = parameterOf(ctx, 'api_token')
  if (token) return authenticator.identify({ token, remoteAddress: ctx.ip })
  const credentials = credentialsOf(ctx)
  if (credentials?.bearer) return authenticator.identify(credentials)
  if (ctx.state.itsm.route?.anonymous) return null
  if (credentials || (await askHost(deps, ctx))) {
    throw new BadRequest("Parameter 'callback' requires credentials in parameter 'api_token'")
  }
  return null
}

async function askHost({ signedIn }: Deps, ctx: Context): Promise<Actor | null> {
  return (await signedIn?.(ctx)) ?? null
}

/** The credentials of the request; null if it has none. */
function credentialsOf(ctx: Context): Credentials | null {
  return credentialsIn(ctx, parameterOf(ctx, 'api_token'))
}

/** @param apiToken the parameter of the query */
function credentialsIn(ctx: HostContext, apiToken: string | undefined): Credentials | null {
  const remoteAddress = ctx.ip
  const header = ctx.get('Authorization').trim()
  if (header !== '') {
    const [scheme = '', rest = ''] = header.split(/\s+(.*)/s)
    if (/^basic$/i.test(scheme)) return { basic: basicOf(rest), remoteAddress }
    if (/^bearer$/i.test(scheme) && rest !== '') return { bearer: rest, remoteAddress }
  }
  if (apiToken) return { token: apiToken, remoteAddress }
  if (header !== '') throw new Unauthenticated()
  return null
}

function basicOf(encoded: string): { name: string; password: string } {
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  return colon < 0 ? { name: text, password: '' } : { name: text.slice(0, colon), password: text.slice(colon + 1) }
}
