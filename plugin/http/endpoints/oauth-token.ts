import type { StoredClient } from '../../access/oauth/clients.js'
import type { OAuth } from '../../access/oauth/oauth.js'
import type { Limits } from '../../access/tokens/limited-rows.js'
import { answerJson } from '../answers/answer.js'
import type { Context, Endpoint } from '../contract.js'
import { readForm } from '../requests/form-body.js'
import { OAuthRefusal } from '../requests/oauth-refusal.js'
import { readTokenRequest, unknownClient } from '../requests/token-request.js'

/** The path at which clients get tokens. */
export const TOKEN_PATH = '/oauth/token'

/** The form of the request. */
const BODY = {
  title: 'OauthTokenForm',
  type: 'object',
  required: ['grant_type'],
  properties: {
    grant_type: { type: 'string', enum: ['client_credentials'] },
    client_id: { type: 'string', description: 'Omitted with HTTP Basic authentication.' },
    client_secret: { type: 'string', description: 'Omitted with HTTP Basic authentication.' },
    scope: { type: 'string', description: 'Scopes with spaces between them, for less than the client may do.' },
  },
}

const TOKEN = {
  title: 'OauthGrant',
  type: 'object',
  required: ['access_token', 'token_type', 'expires_in'],
  properties: {
    access_token: { type: 'string' },
    token_type: { type: 'string', enum: ['bearer'] },
    expires_in: { type: 'integer', description: 'In seconds.' },
    scope: { type: 'string', description: 'The scopes of a token with limits.' },
  },
}

const REFUSAL = {
  title: 'OauthRefusal',
  type: 'object',
  required: ['error', 'error_description'],
  properties: { error: { type: 'string' }, error_description: { type: 'string' } },
}

/**
 * `POST /oauth/token`: an access token for an OAuth client (RFC 6749, 4.4; behaviour: OAuth). The client signs in here, and
 * nowhere else, with its secret; the token acts as the person of the client.
 */
export function oauthToken({ oauth }: { readonly oauth: OAuth }): Endpoint {
  const granted = new WeakMap<Context, { readonly client: StoredClient; readonly limits: Limits; readonly inHeader: boolean }>()
  return {
    method: 'POST',
    path: TOKEN_PATH,
    body: 'own',
    homeAccount: true,
    description: {
      operation: 'create_oauth_access_token',
      summary: 'Get an access token for an OAuth client',
      description:
        'OAuth 2 client credentials. The client signs in by parameters of the form, or by HTTP Basic authentication.',
      body: { 'application/x-www-form-urlencoded': BODY },
      answers: {
        200: { description: 'The token, for the header Authorization: Bearer.', schema: TOKEN },
        400: { description: 'The request is wrong.', schema: REFUSAL },
        401: { description: 'The client is unknown, or its secret is wrong.', schema: REFUSAL },
      },
    },
    async identify(ctx) {
      // Of refusals, too (RFC 6749, 5.2).
      ctx.set({ 'Cache-Control': 'no-store, no-transform', Pragma: 'no-cache' })
      const query = ctx.state.itsm.parameters.map(([name]) => name)
      const authorization = ctx.get('Authorization')
      const { id, inHeader, scope, secret } = readTokenRequest({ authorization, query, form: await readForm(ctx) })
      const found = await oauth.signIn(id, secret, ctx.ip)
      if (!found) throw unknownClient(inHeader)
      const limits = oauth.narrow(found.client, scope)
      if (!limits) throw new OAuthRefusal('invalid_scope', 'A scope is unknown, or exceeds those of the client')
      granted.set(ctx, { client: found.client, limits, inHeader })
      return { actor: found.actor, signedInWith: 'client' }
    },
    post: {
      // Another token does no harm, and errors have another form here.
      ignoresKey: true,
      async act(ctx, call) {
        const grant = granted.get(ctx)
        const token = grant && (await oauth.issue(call, grant.client, grant.limits))
        if (!token) throw unknownClient(grant?.inHeader ?? false)
        const { expiresIn, scope, text } = token
        const limits = scope === null ? {} : { scope }
        const shown = { access_token: text, token_type: 'bearer', expires_in: expiresIn, ...limits }
        return { answerOnce: async () => answerJson(ctx, 200, shown) }
      },
    },
  }
}
