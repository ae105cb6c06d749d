import { MAX_CLIENTS, type OAuthClients } from '../../operations/people/oauth-clients.js'
import { MAX_TOKEN_NAME, typesForTokens } from '../../operations/people/token-input.js'
import { answerItems, answerJson, answerNothing, beginAnswer } from '../answers/answer.js'
import type { HttpDeps } from '../deps.js'
import type { Endpoint } from '../endpoint-table.js'
import { inPerson, mustBeInPerson } from '../requests/in-person.js'
import type { Context } from '../state.js'

/** Dependencies of the endpoints. */
export interface OAuthClientDeps extends Pick<HttpDeps, 'baseUrl' | 'catalog'> {
  readonly oauthClients: OAuthClients
}

/**
 * `/me/oauth_clients`: the OAuth clients that act as the caller. Only for callers with a password or the session of the host: a
 * leaked token must not make credentials that outlive it. `/people/:id/oauth_clients` lets account administrators list and revoke
 * those of the people of their account (behaviour: OAuth).
 */
export function oauthClients({ baseUrl, catalog, oauthClients: clients }: OAuthClientDeps): readonly Endpoint[] {
  const idIn = (ctx: Context, name: string) => Number(ctx.state.itsm.named[name])
  const revoked = { 204: { description: 'Revoked; the client and its access tokens are refused from now on.' } }
  const listed = { 200: { description: 'The clients.', schema: { type: 'array', items: CLIENT } } }
  return [
    {
      method: 'GET',
      path: '/me/oauth_clients',
      homeAccount: true,
      description: {
        operation: 'list_my_oauth_clients',
        summary: 'List your OAuth clients',
        description: 'Without their secrets, latest first. Not for callers who sign in with a token.',
        answers: listed,
      },
      run: inPerson(async (ctx, call) => answerItems(ctx, baseUrl, await clients.list(call))),
    },
    {
      method: 'POST',
      path: '/me/oauth_clients',
      homeAccount: true,
      body: 'json',
      description: {
        operation: 'create_my_oauth_client',
        summary: 'Make an OAuth client',
        description: `It acts as you. The response shows its secret, this once. A person has at most ${MAX_CLIENTS} clients.`,
        body: { 'application/json': inputSchema(typesForTokens(catalog)) },
        answers: { 201: { description: 'The client with its secret.', schema: NEW_CLIENT } },
      },
      post: {
        act: async ({ state }, call) => {
          const made = await clients.create(call, state.itsm.body)
          return {
            async answerOnce(ctx) {
              beginAnswer(ctx)
              ctx.set('Location', `${baseUrl}/me/oauth_clients/${made.id}`)
              ctx.set('Cache-Control', 'no-store, no-transform')
              answerJson(ctx, 201, made)
            },
          }
        },
        check: mustBeInPerson,
      },
    },
    {
      method: 'GET',
      path: '/me/oauth_clients/:id',
      homeAccount: true,
      description: {
        operation: 'read_my_oauth_client',
        summary: 'Read an OAuth client',
        description: 'Without its secret. Not for callers who sign in with a token.',
        parameters: [ID],
        answers: { 200: { description: 'The client.', schema: CLIENT } },
      },
      run: inPerson(async (ctx, call) => answerJson(ctx, 200, await clients.read(call, idIn(ctx, 'id')))),
    },
    {
      method: 'DELETE',
      path: '/me/oauth_clients/:id',
      homeAccount: true,
      description: {
        operation: 'revoke_my_oauth_client',
        summary: 'Revoke an OAuth client',
        description: 'Not for callers who sign in with a token.',
        parameters: [ID],
        answers: revoked,
      },
      run: inPerson(async (ctx, call) => {
        await clients.revoke(call, idIn(ctx, 'id'))
        answerNothing(ctx)
      }),
    },
    {
      method: 'GET',
      path: '/people/:id/oauth_clients',
      description: {
        operation: 'list_oauth_clients_of_person',
        summary: 'List the OAuth clients of a person',
        description: 'For account administrators, without the secrets.',
        parameters: [ID],
        answers: listed,
      },
      run: async (ctx, call) => answerItems(ctx, baseUrl, await clients.list(call, idIn(ctx, 'id'))),
    },
    {
      method: 'DELETE',
      path: '/people/:id/oauth_clients/:client_number',
      description: {
        operation: 'revoke_oauth_client_of_person',
        summary: 'Revoke an OAuth client of a person',
        description: 'For account administrators.',
        parameters: [ID, { ...ID, name: 'client_number' }],
        answers: revoked,
      },
      async run(ctx, call) {
        await clients.revoke(call, idIn(ctx, 'client_number'), idIn(ctx, 'id'))
        answerNothing(ctx)
      },
    },
  ]
}

const ID = { name: 'id', schema: { type: 'integer' } } as const
const CLIENT_PROPERTIES = {
  id: { type: 'integer' },
  name: { type: 'string', maxLength: MAX_TOKEN_NAME },
  client_id: { type: 'string' },
  read_only: { type: 'boolean' },
  record_types: { type: ['array', 'null'], items: { type: 'string' }, description: 'Null for all.' },
  last_used_at: { type: ['string', 'null'], format: 'date-time', description: 'To the minute.' },
  created_at: { type: 'string', format: 'date-time' },
}
const CLIENT = {
  title: 'OauthClient',
  type: 'object',
  properties: CLIENT_PROPERTIES,
  required: Object.keys(CLIENT_PROPERTIES),
  additionalProperties: false,
}
const NEW_CLIENT = {
  ...CLIENT,
  title: 'NewOauthClient',
  properties: { ...CLIENT_PROPERTIES, client_secret: { type: 'string', pattern: '^itsm_ocs_[0-9A-Za-z]{36}$' } },
  required: [...CLIENT.required, 'client_secret'],
}

function inputSchema(types: readonly string[]) {
  return {
    title: 'OauthClientCreate',
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 1, maxLength: MAX_TOKEN_NAME, description: 'What it is for.' },
      read_only: { type: 'boolean', description: 'True for a client that may only read. Default: false.' },
      record_types: {
        type: ['array', 'null'],
        items: { type: 'string', enum: types },
        minItems: 1,
        description: 'Null for all. Sub-records, notes and audit lines follow the records that they belong to.',
      },
    },
    required: ['name'],
    additionalProperties: false,
  }
}
