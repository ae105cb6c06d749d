import type { Credentials } from '../../access/sign-in/authenticate.js'
import type { Actor } from '../../core/call.js'
import { BadRequest, Unauthenticated } from '../../core/errors.js'
import { type Context, type Identity, type Middleware, parameterOf } from '../contract.js'
import type { HttpDeps } from '../deps.js'
import { mustBeNamedPerson } from '../requests/named-person.js'
import { callbackOf } from './jsonp.js'
import { createSessionCaller, type SessionCaller, type SessionCallerDeps } from './session-caller.js'

/** Dependencies of finding the caller. */
export interface CallerDeps extends Pick<HttpDeps, 'authenticator' | 'signedIn'>, SessionCallerDeps {}

interface Deps extends Pick<CallerDeps, 'authenticator' | 'signedIn'> {
  readonly session: SessionCaller
}

/** What is read of the context of a host's route. */
type HostContext = Pick<Context, 'get' | 'ip' | 'query' | 'req'>

/**
 * Finds the caller: e-mail and password or an API token by basic authentication, a token as bearer or as the parameter
 * api_token, the session of a page (spec, Authentication; behaviour: Signing in, Sessions). Credentials in a request must be right,
 * even if none are needed, and so must the person whom it names.
 */
export function authenticate(given: CallerDeps): Middleware {
  const deps = withSession(given)
  return async (ctx, next) => {
    const { route } = ctx.state.itsm
    const identity = await (route?.identify?.(ctx) ?? (isForScripts(ctx) ? callerOfScript(deps, ctx) : callerOf(deps, ctx)))
    // A browser that is challenged asks for a password by itself, and sends it with all calls from then on.
    if (identity === null && !route?.anonymous) throw new Unauthenticated(!deps.session.asks(ctx))
    mustBeNamedPerson(ctx, given.headerPrefixes, identity)
    ctx.state.itsm.identity = identity
    await next()
  }
}

/**
 * Finds the caller of requests of the host's own routes, by the same credentials, sessions and hooks; null if nobody is signed in.
 * Throws Unauthenticated for wrong credentials and for somebody else than the request names, TooManyRequests for credentials of an
 * address with too many wrong ones.
 */
export function createHostRouteCaller(given: CallerDeps): (ctx: HostContext) => Promise<Identity | null> {
  const deps = withSession(given)
  return async (ctx) => {
    const { api_token: token } = ctx.query
    const credentials = credentialsIn(ctx, typeof token === 'string' ? token : undefined)
    const identity = credentials
      ? await deps.authenticator.identify(credentials)
      : ((await deps.session.find(ctx)) ?? (await callerOfHost(deps, ctx as Context)))
    mustBeNamedPerson(ctx, given.headerPrefixes, identity)
    return identity
  }
}

function withSession(deps: CallerDeps): Deps {
  return { authenticator: deps.authenticator, signedIn: deps.signedIn, session: createSessionCaller(deps) }
}

async function callerOf(deps: Deps, ctx: Context): Promise<Identity | null> {
  const credentials = credentialsOf(ctx)
  if (credentials) return deps.authenticator.identify(credentials)
  // The hook is not asked about a session that has ended: the page would go on as somebody else without noticing.
  const caller = callbackOf(ctx) === undefined ? await deps.session.find(ctx) : null
  return caller ?? callerOfHost(deps, ctx)
}

async function callerOfHost(deps: Deps, ctx: Context): Promise<Identity | null> {
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
