import { MAX_TOKENS } from '../../operations/people/personal-tokens.js'
import { MAX_TOKEN_DAYS, MAX_TOKEN_NAME, typesForTokens } from '../../operations/people/token-input.js'
import { answerItems, answerJson, answerNothing, beginAnswer } from '../answers/answer.js'
import type { HttpDeps } from '../deps.js'
import type { Endpoint } from '../endpoint-table.js'
import { inPerson, mustBeInPerson } from '../requests/in-person.js'
import type { Context } from '../state.js'

/**
 * `/me/tokens`: the personal tokens of the caller. Only for callers with a password or the session of the host: a leaked token
 * must not make others or show which there are. `/people/:id/tokens` lets account administrators list and revoke those of the
 * people of their account (behaviour: Tokens).
 */
export function tokens(deps: Pick<HttpDeps, 'baseUrl' | 'catalog' | 'personalTokens'>): readonly Endpoint[] {
  const { baseUrl, catalog, personalTokens } = deps
  const idIn = (ctx: Context, name: string) => Number(ctx.state.itsm.named[name])
  const revoked = { 204: { description: 'Revoked; the token is refused from now on.' } }
  return [
    {
      method: 'GET',
      path: '/me/tokens',
      homeAccount: true,
      description: {
        operation: 'list_my_tokens',
        summary: 'List your personal tokens',
        description: 'Without their texts, latest first. Not for callers who sign in with a token.',
        answers: { 200: { description: 'The tokens.', schema: TOKENS } },
      },
      run: inPerson(async (ctx, call) => answerItems(ctx, baseUrl, await personalTokens.list(call))),
    },
    {
      method: 'POST',
      path: '/me/tokens',
      homeAccount: true,
      body: 'json',
      description: {
        operation: 'create_my_token',
        summary: 'Make a personal token',
        description: `The response shows its text, this once. A person has at most ${MAX_TOKENS} that have not expired.`,
        body: { 'application/json': inputSchema(typesForTokens(catalog)) },
        answers: { 201: { description: 'The token with its text.', schema: NEW_TOKEN } },
      },
      post: {
        act: async ({ state }, call) => {
          const made = await personalTokens.create(call, state.itsm.body)
          return {
            async answerOnce(ctx) {
              beginAnswer(ctx)
              ctx.set('Location', `${baseUrl}/me/tokens/${made.id}`)
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
      path: '/me/tokens/:id',
      homeAccount: true,
      description: {
        operation: 'read_my_token',
        summary: 'Read a personal token',
        description: 'Without its text. Not for callers who sign in with a token.',
        parameters: [ID],
        answers: { 200: { description: 'The token.', schema: TOKEN } },
      },
      run: inPerson(async (ctx, call) => answerJson(ctx, 200, await personalTokens.read(call, idIn(ctx, 'id')))),
    },
    {
      method: 'DELETE',
      path: '/me/tokens/:id',
      homeAccount: true,
      description: {
        operation: 'revoke_my_token',
        summary: 'Revoke a personal token',
        description: 'Not for callers who sign in with a token.',
        parameters: [ID],
        answers: revoked,
      },
      run: inPerson(async (ctx, call) => {
        await personalTokens.revoke(call, idIn(ctx, 'id'))
        answerNothing(ctx)
      }),
    },
    {
      method: 'GET',
      path: '/people/:id/tokens',
      description: {
        operation: 'list_tokens_of_person',
        summary: 'List the personal tokens of a person',
        description: 'For account administrators, without the texts.',
        parameters: [ID],
        answers: { 200: { description: 'The tokens.', schema: TOKENS } },
      },
      run: async (ctx, call) => answerItems(ctx, baseUrl, await personalTokens.list(call, idIn(ctx, 'id'))),
    },
    {
      method: 'DELETE',
      path: '/people/:id/tokens/:token_number',
      description: {
        operation: 'revoke_token_of_person',
        summary: 'Revoke a personal token of a person',
        description: 'For account administrators.',
        parameters: [ID, { ...ID, name: 'token_number' }],
        answers: revoked,
      },
      async run(ctx, call) {
        await personalTokens.revoke(call, idIn(ctx, 'token_number'), idIn(ctx, 'id'))
        answerNothing(ctx)
      },
    },
  ]
}

const ID = { name: 'id', schema: { type: 'integer' } } as const
const TIME = { type: ['string', 'null'], format: 'date-time' }
const TOKEN_PROPERTIES = {
  id: { type: 'integer' },
  name: { type: 'string', maxLength: MAX_TOKEN_NAME },
  read_only: { type: 'boolean' },
  record_types: { type: ['array', 'null'], items: { type: 'string', maxLength: 64 }, description: 'Null for all.' },
  expires_at: TIME,
  last_used_at: { ...TIME, description: 'To the minute.' },
  created_at: { type: 'string', format: 'date-time' },
}
const TOKEN = {
  title: 'PersonalToken',
  type: 'object',
  properties: TOKEN_PROPERTIES,
  required: Object.keys(TOKEN_PROPERTIES),
  additionalProperties: false,
}
const TOKENS = { type: 'array', items: TOKEN }
const NEW_TOKEN = {
  ...TOKEN,
  title: 'NewPersonalToken',
  properties: { ...TOKEN_PROPERTIES, token: { type: 'string', pattern: '^itsm_pat_[0-9A-Za-z]{36}$' } },
  required: [...TOKEN.required, 'token'],
}

function inputSchema(types: readonly string[]) {
  return {
    title: 'PersonalTokenCreate',
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 1, maxLength: MAX_TOKEN_NAME, description: 'What it is for.' },
      read_only: { type: 'boolean', description: 'True for a token that may only read. Default: false.' },
      record_types: {
        type: ['array', 'null'],
        items: { type: 'string', enum: types },
        minItems: 1,
        description: 'Null for all. Sub-records, notes and audit lines follow the records that they belong to.',
      },
      expires_at: {
        ...TIME,
        description: 'In the future; not together with expires_in_days. Without either, the token does not expire.',
      },
      expires_in_days: {
        type: ['integer', 'null'],
        minimum: 1,
        maximum: MAX_TOKEN_DAYS,
        description: 'In place of expires_at.',
      },
    },
    required: ['name'],
    additionalProperties: false,
  }
}
