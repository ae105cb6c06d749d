import { type FillContext, type Row, rule } from '../schema/define-rule.js'
import type { Json } from '../schema/fields.js'
import { withAncestors } from './ancestors.js'
import { teamOf } from './team-of.js'

/**
 * Default team of a request (behaviour: Requests). With a service instance: its first line team. If there is none, or the
 * caller is in the first line or support team: the support team of the instance, or else of the service. Without a service
 * instance: the service desk of the nearest first line support agreement. If that finds no team: any team of the caller. If
 * there is none either, the completeness check reports the missing team.
 */
export const requestTeam = rule('requestTeam', () => ({
  fields: ['team', 'service_instance', 'organization'],
  fills: ['team'],
  async fill(context) {
    const { call, load, next } = context
    if (next['team_id']) return
    const instance = await load('service_instance', next['service_instance_id'])
    next['team_id'] = instance ? await teamOfInstance(context, instance) : await serviceDeskOf(context)
    next['team_id'] ??= await teamOf(context, call.actor?.id)
  },
}))

async function teamOfInstance({ call, linked, load }: FillContext, instance: Row): Promise<Json> {
  const service = await load('service', instance['service_id'])
  const firstLine = instance['first_line_team_id'] ?? null
  const support = instance['support_team_id'] ?? service?.['support_team_id'] ?? null
  const memberships = [firstLine, support].map((team) => linked('team', team, 'members', call.actor?.id))
  const isMember = (await Promise.all(memberships)).includes(true)
  return firstLine === null || isMember ? (support ?? firstLine) : firstLine
}

/** The enabled service desk of an active agreement for the organization of the request, or for the nearest one above it. */
export async function serviceDeskOf({ findBy, load, next }: FillContext): Promise<Json> {
  const organizations = await withAncestors({ load }, 'organization', next['organization_id'])
  // Nearest organization first, and its oldest agreement.
  const agreements = await Promise.all(organizations.map((id) => findBy('flsa', 'customer', id, { status: 'active' })))
  const desks = await Promise.all(agreements.flat().map((agreement) => load('team', agreement['service_desk_team_id'])))
  return desks.find((desk) => desk?.['disabled'] === false)?.['id'] ?? null
}
