import { ROLES } from '../../core/call.js'
import { BadRequest, NotFound } from '../../core/errors.js'
import { answerJson, answerNothing } from '../answer.js'
import type { Endpoint } from '../endpoint.js'
import type { HttpParts } from '../parts.js'
import { type Context, parameterOf } from '../state.js'

/**
 * `/people/:id/permissions`: which roles a person has in which account (gaps 2.4). Roles come as the parameter `roles`, comma
 * separated, mostly with an empty body.
 */
export function permissions({ permissions }: Pick<HttpParts, 'permissions'>): readonly Endpoint[] {
  const all = '/people/:id/permissions'
  const one = '/people/:id/permissions/:account_id'
  const places = (ctx: Context) => {
    const { id, account_id: accountId = '' } = ctx.state.itsm.named
    return { personId: Number(id), accountId }
  }
  return [
    {
      method: 'GET',
      path: all,
      run: async (ctx, call) => answerJson(ctx, 200, await permissions.list(call, places(ctx).personId)),
    },
    {
      method: 'DELETE',
      path: all,
      run: async (ctx, call) => {
        await permissions.revokeAll(call, places(ctx).personId)
        answerNothing(ctx)
      },
    },
    {
      method: 'GET',
      path: one,
      run: async (ctx, call) => {
        const { personId, accountId } = places(ctx)
        const found = (await permissions.list(call, personId)).find(({ account }) => account.id === accountId)
        if (!found) throw new NotFound()
        answerJson(ctx, 200, found)
      },
    },
    {
      method: 'POST',
      path: one,
      body: 'form',
      run: async (ctx, call) => {
        const { personId, accountId } = places(ctx)
        answerJson(ctx, 200, await permissions.add(call, personId, accountId, requiredRoles(ctx)))
      },
    },
    {
      method: 'PATCH',
      path: one,
      body: 'form',
      run: async (ctx, call) => {
        const { personId, accountId } = places(ctx)
        answerJson(ctx, 200, await permissions.replace(call, personId, accountId, requiredRoles(ctx)))
      },
    },
    {
      method: 'DELETE',
      path: one,
      run: async (ctx, call) => {
        const { personId, accountId } = places(ctx)
        await permissions.revoke(call, personId, accountId, rolesOf(ctx))
        answerNothing(ctx)
      },
    },
  ]
}

function requiredRoles(ctx: Context): readonly string[] {
  const roles = rolesOf(ctx)
  if (roles === null) throw new BadRequest("Parameter 'roles' is missing")
  return roles
}

/** The roles that the query or the body names; null when neither speaks of roles. */
function rolesOf(ctx: Context): readonly string[] | null {
  const given = parameterOf(ctx, 'roles') ?? ctx.state.itsm.body['roles']
  if (given === undefined) return null
  const names = (Array.isArray(given) ? given : String(given).split(',')).map((name) => String(name).trim())
  const roles = [...new Set(names.filter((name) => name !== ''))]
  const unknown = roles.find((role) => !(ROLES as readonly string[]).includes(role))
  if (unknown !== undefined) throw new BadRequest(`Invalid value '${unknown}' for parameter 'roles'`)
  return roles
}
