import { mustBeUnlimited, withoutLimits } from '../../access/tokens/token-limits.js'
import type { Call } from '../../core/call.js'
import { Forbidden } from '../../core/errors.js'
import { readSaved } from '../../operations/read/read-saved.js'
import { schemaNamed } from '../../schema/kinds/json-schema.js'
import { answerJson } from '../answers/answer.js'
import type { Context, Endpoint } from '../contract.js'
import type { RouteDeps } from '../deps.js'
import { callbackOf } from '../middleware/jsonp.js'

/** The person record with the account, which the records of other people have only if it is another account. */
const ME = {
  title: 'Myself',
  type: 'object',
  required: ['id', 'name', 'primary_email', 'account'],
  properties: {
    id: { type: 'integer' },
    name: { type: 'string' },
    primary_email: { type: 'string' },
    account: schemaNamed('account_reference'),
    api_token: { type: 'string' },
  },
  additionalProperties: true,
  description: 'All fields of the person, the account, and the API token if the call used the password.',
}

/**
 * `GET /me`, also `/people/me`: the calling person, always from the account of the own person record, with the API token if the
 * call used the password. `POST /me/reset_api_token` creates a new token and returns the same (spec, Utility endpoints;
 * behaviour: Me).
 */
export function me({ operations, apiTokens, log }: Pick<RouteDeps, 'operations' | 'apiTokens' | 'log'>): readonly Endpoint[] {
  const answerMe = async (ctx: Context, call: Call, read: typeof operations.read, tokenOf: (id: number) => Promise<string>) => {
    const { identity } = ctx.state.itsm
    if (!identity) throw new Forbidden()
    const { id } = identity.actor
    // Also for tokens without the type of people: programs begin by asking who they are.
    const person = await read(withoutLimits(call), 'person', id)
    const answer = { ...person, account: { id: call.account.id, name: call.account.name } }
    // Not for callers with a token or the host's session, and never in a script: any website can run one.
    const showsToken = identity.signedInWith === 'password' && callbackOf(ctx) === undefined
    if (showsToken) ctx.set('Cache-Control', `${ctx.response.get('Cache-Control')}, no-transform`)
    answerJson(ctx, 200, showsToken ? { ...answer, api_token: await tokenOf(id) } : answer)
  }
  const answers = { 200: { description: 'The person; the API token only with e-mail address and password.', schema: ME } }
  const show = {
    method: 'GET',
    homeAccount: true,
    run: (ctx: Context, call: Call) => answerMe(ctx, call, operations.read, apiTokens.show),
  } as const
  const description = {
    summary: 'Read the person who calls',
    description: 'The own record in full, with the API token for those who gave their password.',
    answers,
  }
  return [
    { ...show, path: '/me', description: { operation: 'read_me', ...description } },
    // Some clients begin here (behaviour: Me).
    { ...show, path: '/people/me', description: { operation: 'read_me_among_people', ...description } },
    {
      method: 'POST',
      path: '/me/reset_api_token',
      homeAccount: true,
      description: {
        operation: 'reset_my_api_token',
        summary: 'Make a new API token',
        description: 'The old token is invalid at once. Only a password reveals the new one.',
        answers,
      },
      post: {
        act: async (_, inside) => {
          mustBeUnlimited(inside)
          const token = await apiTokens.resetApiToken(inside)
          // The old token is gone: whatever fails from now on, the new one must be shown.
          const read = readSaved.bind(null, { operations, log })
          return { answerOnce: (ctx, call) => answerMe(ctx, call, read, async () => token) }
        },
      },
    },
  ]
}
