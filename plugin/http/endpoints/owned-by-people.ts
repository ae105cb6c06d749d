/**
 * The endpoints of what people make for programs that act as them: personal tokens and OAuth clients. Those of the caller are only
 * for callers with a password or the session of the host: a leaked token must not make others or show which there are. Account
 * administrators list and revoke those of the people of their account.
 */
import type { OwnedByPeople } from '../../operations/people/owned-by-people.js'
import { MAX_TOKEN_NAME, typesForTokens } from '../../operations/people/token-input.js'
import type { Catalog } from '../../schema/catalog.js'
import { answerItems, answerJson, answerNothing, beginAnswer, neverStored } from '../answers/answer.js'
import type { Context, Endpoint } from '../contract.js'
import type { EndpointPath } from '../endpoint-paths.js'
import { inPerson, mustBeInPerson } from '../requests/in-person.js'

/** One kind of them, as paths and the OpenAPI document name it. */
export interface OwnedKind {
  readonly paths: {
    readonly mine: '/me/tokens' | '/me/oauth_clients'
    readonly ofPerson: EndpointPath
    /** Ends with a number: `token_number`. */
    readonly oneOfPerson: EndpointPath
  }
  /** In names of operations: `oauth_client`. */
  readonly name: string
  /** In summaries: `an OAuth client`, `OAuth clients`. */
  readonly noun: string
  readonly nouns: string
  /** In sentences, and in the name of the number: `client`. */
  readonly short: string
  /** What only the first response shows: `secret`. */
  readonly secret: string
  /** Title of the schema. */
  readonly title: string
  /** Schemas of what responses show, in their order. */
  readonly properties: Readonly<Record<string, object>>
  /** Schemas of the secret in responses, in their order. */
  readonly secretProperty: Readonly<Record<string, object>>
  /** Schemas of further inputs. */
  readonly inputs?: Readonly<Record<string, object>>
  /** What making one means. */
  readonly making: string
  /** What follows when one is revoked. */
  readonly revoked: string
}

/** The part of the operations that endpoints use. */
type Operations = OwnedByPeople<{ readonly id: number }, object>

/** Schema of a time that there may not be. */
export const TIME = { type: ['string', 'null'], format: 'date-time' }

/** Schemas of what responses show of all kinds. */
export const SHOWN = {
  id: { type: 'integer' },
  name: { type: 'string', maxLength: MAX_TOKEN_NAME },
  read_only: { type: 'boolean' },
  record_types: { type: ['array', 'null'], items: { type: 'string', maxLength: 64 }, description: 'Null for all.' },
  last_used_at: { ...TIME, description: 'To the minute.' },
  created_at: { type: 'string', format: 'date-time' },
}

const ID = { name: 'id', schema: { type: 'integer' } } as const
const IN_PERSON = 'Not for callers who sign in with a token.'

/** Creates the endpoints of one kind. */
export function ownedByPeople(
  { baseUrl, catalog }: { readonly baseUrl: string; readonly catalog: Catalog },
  operations: Operations,
  kind: OwnedKind,
): readonly Endpoint[] {
  const { name, noun, nouns, paths, secret, short } = kind
  const number = `${short}_number`
  const one = schemaOf(kind.title, kind.properties)
  const made = schemaOf(`New${kind.title}`, { ...kind.properties, ...kind.secretProperty })
  const listed = { 200: { description: `The ${short}s.`, schema: { type: 'array', items: one } } }
  const revoked = { 204: { description: kind.revoked } }
  const numberIn = (ctx: Context, parameter: string) => Number(ctx.state.itsm.named[parameter])
  return [
    {
      method: 'GET',
      path: paths.mine,
      homeAccount: true,
      description: {
        operation: `list_my_${name}s`,
        summary: `List your ${nouns}`,
        description: `Without their ${secret}s, latest first. ${IN_PERSON}`,
        answers: listed,
      },
      run: inPerson(async (ctx, call) => answerItems(ctx, baseUrl, await operations.list(call))),
    },
    {
      method: 'POST',
      path: paths.mine,
      homeAccount: true,
      body: 'json',
      description: {
        operation: `create_my_${name}`,
        summary: `Make ${noun}`,
        description: kind.making,
        body: { 'application/json': inputSchema(kind, typesForTokens(catalog)) },
        answers: { 201: { description: `The ${short} with its ${secret}.`, schema: made } },
      },
      post: {
        act: async ({ state }, call) => {
          const made = await operations.create(call, state.itsm.body)
          return {
            async answerOnce(ctx) {
              beginAnswer(ctx)
              ctx.set('Location', `${baseUrl}${paths.mine}/${made.id}`)
              neverStored(ctx)
              answerJson(ctx, 201, made)
            },
          }
        },
        check: mustBeInPerson,
      },
    },
    {
      method: 'GET',
      path: `${paths.mine}/:id`,
      homeAccount: true,
      description: {
        operation: `read_my_${name}`,
        summary: `Read ${noun}`,
        description: `Without its ${secret}. ${IN_PERSON}`,
        parameters: [ID],
        answers: { 200: { description: `The ${short}.`, schema: one } },
      },
      run: inPerson(async (ctx, call) => answerJson(ctx, 200, await operations.read(call, numberIn(ctx, 'id')))),
    },
    {
      method: 'DELETE',
      path: `${paths.mine}/:id`,
      homeAccount: true,
      description: {
        operation: `revoke_my_${name}`,
        summary: `Revoke ${noun}`,
        description: IN_PERSON,
        parameters: [ID],
        answers: revoked,
      },
      run: inPerson(async (ctx, call) => {
        await operations.revoke(call, numberIn(ctx, 'id'))
        answerNothing(ctx)
      }),
    },
    {
      method: 'GET',
      path: paths.ofPerson,
      description: {
        operation: `list_${name}s_of_person`,
        summary: `List the ${nouns} of a person`,
        description: `For account administrators, without the ${secret}s.`,
        parameters: [ID],
        answers: listed,
      },
      run: async (ctx, call) => answerItems(ctx, baseUrl, await operations.list(call, numberIn(ctx, 'id'))),
    },
    {
      method: 'DELETE',
      path: paths.oneOfPerson,
      description: {
        operation: `revoke_${name}_of_person`,
        summary: `Revoke ${noun} of a person`,
        description: 'For account administrators.',
        parameters: [ID, { ...ID, name: number }],
        answers: revoked,
      },
      async run(ctx, call) {
        await operations.revoke(call, numberIn(ctx, number), numberIn(ctx, 'id'))
        answerNothing(ctx)
      },
    },
  ]
}

function schemaOf(title: string, properties: OwnedKind['properties']) {
  return { title, type: 'object', properties, required: Object.keys(properties), additionalProperties: false }
}

function inputSchema({ inputs, short, title }: OwnedKind, types: readonly string[]) {
  return {
    title: `${title}Create`,
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 1, maxLength: MAX_TOKEN_NAME, description: 'What it is for.' },
      read_only: { type: 'boolean', description: `True for a ${short} that may only read. Default: false.` },
      record_types: {
        type: ['array', 'null'],
        items: { type: 'string', enum: types },
        minItems: 1,
        description: 'Null for all. Sub-records, notes and audit lines follow the records that they belong to.',
      },
      ...inputs,
    },
    required: ['name'],
    additionalProperties: false,
  }
}
