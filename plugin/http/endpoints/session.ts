import type { RightPassword } from '../../access/sessions/sessions.js'
import type { SessionSignIn } from '../../access/sign-in/session-sign-in.js'
import { instantOf } from '../../core/clock.js'
import { Forbidden, Invalid, Unauthenticated, type Violation } from '../../core/errors.js'
import { formatInstant } from '../../core/time/zoned-time.js'
import { schemaNamed } from '../../schema/kinds/json-schema.js'
import { isStorable } from '../../schema/kinds/values/read-values.js'
import { answerJson, answerNothing } from '../answers/answer.js'
import type { Context, Endpoint } from '../contract.js'
import type { HttpDeps } from '../deps.js'
import type { JsonObject } from '../requests/json-body.js'
import { sessionCookie } from '../requests/session-cookie.js'
import { readSmallJson } from '../requests/small-json.js'

interface SessionDeps extends Pick<HttpDeps, 'baseUrl' | 'headerPrefixes'> {
  readonly sessions: SessionSignIn
}

/** Maximum characters of what is sent, in the order in which mistakes are told. */
const LIMITS = { email: 255, password: 1_024 } as const
/** Maximum number of unknown names that a response lists. */
const MAX_UNKNOWN = 10

/**
 * `POST /session` signs a person in for the pages of this origin, by a cookie that scripts cannot read, and `DELETE /session` out
 * (behaviour: Sessions). The password is checked, and counted against guessing, like that of any call.
 */
export function session({ baseUrl, headerPrefixes, sessions }: SessionDeps): readonly Endpoint[] {
  const cookie = sessionCookie({ baseUrl, headerPrefixes })
  const signedIn = new WeakMap<Context, RightPassword>()
  /** Also for responses to refused calls. */
  const begin = (ctx: Context) => {
    ctx.set('Cache-Control', 'no-store')
    if (!cookie.isOfPage(ctx)) throw new Forbidden(`Only for pages of the same origin, with the header ${cookie.header}`)
  }
  return [
    {
      method: 'POST',
      path: '/session',
      body: 'own',
      homeAccount: true,
      description: {
        operation: 'begin_session',
        summary: 'Sign in for the pages of this origin',
        description: `The session is in a cookie. Needs the header ${cookie.header}, as do all calls with the cookie.`,
        body: { 'application/json': BODY },
        answers: {
          201: { description: 'Who has signed in, and a cookie.', schema: SESSION },
          401: { description: 'The address or the password is wrong.', schema: schemaNamed('api_error') },
          403: {
            description: 'The header is missing, or a page of another origin has called.',
            schema: schemaNamed('api_error'),
          },
          429: { description: 'Too many wrong passwords from this address.', schema: schemaNamed('api_error') },
        },
      },
      async identify(ctx) {
        begin(ctx)
        const { email, password } = readBody(await readSmallJson(ctx))
        // Without an @ it would be the name of a token.
        if (!email.includes('@') || !isStorable(email)) throw new Unauthenticated()
        const right = await sessions.checkPassword(email, password, ctx.ip)
        signedIn.set(ctx, right)
        return { actor: right.actor, signedInWith: 'password' }
      },
      post: {
        // Another session does no harm, and its text must not be stored.
        ignoresKey: true,
        async act(ctx, call) {
          const right = signedIn.get(ctx)
          if (!right) throw new Unauthenticated()
          const { text, expiresAt } = await sessions.begin(call, right)
          const { id, name, email } = right.actor
          const shown = {
            ...{ id, name, primary_email: email },
            account: { id: call.account.id, name: call.account.name },
            expires_at: formatInstant(instantOf(expiresAt), call.zone),
          }
          return {
            async answerOnce() {
              answerJson(ctx, 201, shown)
              ctx.set('Location', `${baseUrl}/session`)
              cookie.set(ctx, text)
            },
          }
        },
      },
    },
    {
      method: 'DELETE',
      path: '/session',
      anonymous: true,
      description: {
        operation: 'end_session',
        summary: 'Sign out',
        description: `Ends the session of the cookie, if there is one. Needs the header ${cookie.header}.`,
        answers: { 204: { description: 'Signed out, and the cookie is gone.' } },
      },
      // A session that has ended must not be an error here, and other credentials do not matter.
      async identify(ctx) {
        begin(ctx)
        return null
      },
      async run(ctx) {
        for (const text of cookie.values(ctx).slice(0, MAX_ENDED)) await sessions.end(text)
        answerNothing(ctx)
        cookie.clear(ctx)
      },
    },
  ]
}

/** Maximum number of sessions that one call ends: browsers send one. */
const MAX_ENDED = 2

/** @throws Invalid with all violations */
function readBody(body: JsonObject): { readonly email: string; readonly password: string } {
  const violations: Violation[] = []
  const unknown = Object.keys(body).filter((name) => !Object.hasOwn(LIMITS, name))
  for (const name of unknown.slice(0, MAX_UNKNOWN)) violations.push([name.slice(0, LIMITS.email), 'unknown_field'])
  const read = (name: keyof typeof LIMITS): string => {
    const given = body[name]
    if (given === undefined || given === null || given === '') violations.push([name, 'blank'])
    else if (typeof given !== 'string') violations.push([name, 'invalid'])
    else if (given.length > LIMITS[name]) violations.push([name, 'too_long', { max: LIMITS[name] }])
    else return given
    return ''
  }
  const [email, password] = [read('email'), read('password')]
  if (violations.length > 0) throw new Invalid(violations)
  return { email, password }
}

const BODY = {
  title: 'SessionPassword',
  type: 'object',
  required: ['email', 'password'],
  properties: {
    email: { type: 'string', maxLength: LIMITS.email },
    password: { type: 'string', format: 'password', maxLength: LIMITS.password },
  },
  additionalProperties: false,
}

const SESSION = {
  title: 'NewSession',
  type: 'object',
  required: ['id', 'name', 'primary_email', 'account', 'expires_at'],
  properties: {
    id: { type: 'integer', description: 'Of the person.' },
    name: { type: 'string', maxLength: 128 },
    primary_email: { type: 'string', maxLength: LIMITS.email },
    account: schemaNamed('account_reference'),
    expires_at: { type: 'string', format: 'date-time', description: 'When the session ends unless it is used.' },
  },
}
