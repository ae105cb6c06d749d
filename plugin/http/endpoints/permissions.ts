import { type Call, ROLES } from '../../core/call.js'
import { BadRequest, NotFound } from '../../core/errors.js'
import { schemaNamed } from '../../schema/kinds/json-schema.js'
import { answerItems, answerJson, answerNothing, wholeList } from '../answers/answer.js'
import { type Context, type Endpoint, parameterOf } from '../contract.js'
import type { RouteDeps } from '../deps.js'
import { preconditionOf } from '../requests/preconditions.js'

/**
 * `/people/:id/permissions`: the roles of a person by account (behaviour: Roles). Roles are sent as the parameter `roles`,
 * comma separated, mostly with an empty body.
 */
export function permissions({ baseUrl, permissions }: Pick<RouteDeps, 'baseUrl' | 'permissions'>): readonly Endpoint[] {
  const all = '/people/:id/permissions'
  const one = '/people/:id/permissions/:account_id'
  const places = (ctx: Context) => {
    const { id, account_id: accountId = '' } = ctx.state.itsm.named
    return { personId: Number(id), accountId }
  }
  const find = async (ctx: Context, call: Call) => {
    const { personId, accountId } = places(ctx)
    return (await permissions.list(call, personId)).find(({ account }) => account.id === accountId)
  }
  const ofOne = (ctx: Context, call: Call) => preconditionOf(ctx, call, async (inside) => (await find(ctx, inside)) ?? null)
  const ofAll = (ctx: Context, call: Call) =>
    preconditionOf(ctx, call, async (inside) => wholeList(ctx, await permissions.list(inside, places(ctx).personId)))
  const answerOfOne = { 200: { description: 'The roles in that account.', schema: PERMISSION } }
  const revoked = { 204: { description: 'Revoked.' } }
  return [
    {
      method: 'GET',
      path: all,
      description: {
        operation: 'list_roles_of_person',
        summary: 'List the roles of a person',
        description: 'One entry for each account in which the person has roles.',
        parameters: [PERSON_ID],
        answers: { 200: { description: 'One entry for each account.', schema: { type: 'array', items: PERMISSION } } },
      },
      run: async (ctx, call) => answerItems(ctx, baseUrl, await permissions.list(call, places(ctx).personId)),
    },
    {
      method: 'DELETE',
      conditional: true,
      path: all,
      description: {
        operation: 'revoke_all_roles_of_person',
        summary: 'Revoke all roles of a person',
        description: 'Takes the roles away in all accounts.',
        parameters: [PERSON_ID],
        answers: revoked,
      },
      run: async (ctx, call) => {
        await permissions.revokeAll(call, places(ctx).personId, ofAll(ctx, call))
        answerNothing(ctx)
      },
    },
    {
      method: 'GET',
      path: one,
      description: {
        operation: 'read_roles_of_person',
        summary: 'Read the roles of a person in an account',
        description: 'The roles that the person has there.',
        parameters: [PERSON_ID],
        answers: answerOfOne,
      },
      run: async (ctx, call) => {
        const found = await find(ctx, call)
        if (!found) throw new NotFound()
        answerJson(ctx, 200, found)
      },
    },
    {
      method: 'POST',
      conditional: true,
      path: one,
      description: {
        operation: 'add_roles_of_person',
        summary: 'Add roles',
        description: 'Gives the person further roles in the account and keeps the others.',
        parameters: [PERSON_ID, ROLES_GIVEN],
        body: ROLES_BODY,
        answers: answerOfOne,
      },
      body: 'form',
      post: {
        act: async (ctx, call) => {
          const { personId, accountId } = places(ctx)
          return { status: 200, value: await permissions.add(call, personId, accountId, requiredRoles(ctx), ofOne(ctx, call)) }
        },
        again: (ctx, call) => permissions.list(call, places(ctx).personId),
      },
    },
    {
      method: 'PATCH',
      conditional: true,
      path: one,
      description: {
        operation: 'replace_roles_of_person',
        summary: 'Replace the roles',
        description: 'Gives the person exactly these roles in the account.',
        parameters: [PERSON_ID, ROLES_GIVEN],
        body: ROLES_BODY,
        answers: answerOfOne,
      },
      body: 'form',
      run: async (ctx, call) => {
        const { personId, accountId } = places(ctx)
        answerJson(ctx, 200, await permissions.replace(call, personId, accountId, requiredRoles(ctx), ofOne(ctx, call)))
      },
    },
    {
      method: 'DELETE',
      conditional: true,
      path: one,
      description: {
        operation: 'revoke_roles_of_person',
        summary: 'Revoke roles',
        description: 'Takes the named roles in the account away, or all of them.',
        parameters: [PERSON_ID, ROLES_GIVEN],
        answers: revoked,
      },
      body: 'form',
      run: async (ctx, call) => {
        const { personId, accountId } = places(ctx)
        await permissions.revoke(call, personId, accountId, rolesOf(ctx), ofOne(ctx, call))
        answerNothing(ctx)
      },
    },
  ]
}

const PERSON_ID = { name: 'id', schema: { type: 'integer' } }
const ROLES_GIVEN = { name: 'roles', description: 'Separated by commas; may also come in the body.' }
const ROLES_BODY = {
  'application/json': {
    title: 'RolesGiven',
    type: 'object',
    properties: { roles: { type: 'array', items: { type: 'string', enum: ROLES } } },
  },
  'application/x-www-form-urlencoded': {
    title: 'RolesGivenForm',
    type: 'object',
    properties: { roles: { type: 'string', description: 'Separated by commas.' } },
  },
}
const PERMISSION = {
  title: 'AccountRoles',
  type: 'object',
  properties: {
    account: schemaNamed('account_reference'),
    roles: { type: 'array', items: { type: 'string', enum: ROLES } },
  },
  required: ['account', 'roles'],
  additionalProperties: false,
}

function requiredRoles(ctx: Context): readonly string[] {
  const roles = rolesOf(ctx)
  if (roles === null) throw new BadRequest("Parameter 'roles' is missing")
  return roles
}

/** The roles in the query or the body; null if neither has any. */
function rolesOf(ctx: Context): readonly string[] | null {
  const given = parameterOf(ctx, 'roles') ?? ctx.state.itsm.body['roles']
  if (given === undefined) return null
  const names = (Array.isArray(given) ? given : String(given).split(',')).map((name) => String(name).trim())
  const roles = [...new Set(names.filter((name) => name !== ''))]
  const unknown = roles.find((role) => !(ROLES as readonly string[]).includes(role))
  if (unknown !== undefined) throw new BadRequest(`Invalid value '${unknown}' for parameter 'roles'`)
  return roles
}
