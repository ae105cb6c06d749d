import type { Json } from '../../schema/kinds/fields.js'
import { type FillContext, type Row, rule } from '../../schema/language/define-rule.js'
import { withAncestors } from '../general/ancestors.js'
import { teamOf } from '../people/team-of.js'

/**
 * Default team of a request (behaviour: Requests). With a service instance: its first line team. If there is none, or the
 * caller is in the first line or support team: the support team of the instance, or else of the service. Without a service
 * instance: the service desk of the nearest first line support agreement, or else of the account. If that finds no team: any
 * team of the caller. A member in the body who is not in that team gets the request in the only team that the member has; with
 * several teams, nobody knows which one is meant. If there is no team, the completeness check reports it.
 */
export const requestTeam = rule('requestTeam', () => ({
  fields: ['team', 'member', 'service_instance', 'organization'],
  fills: ['team'],
  async fill(context) {
    const { given, linked, next } = context
    if (next['team_id']) return
    next['team_id'] = await defaultTeam(context)
    const member = given.has('member') ? (next['member_id'] ?? null) : null
    if (member === null || (await linked('team', next['team_id'], 'members', member))) return
    next['team_id'] = (await onlyTeamOf(context, member)) ?? next['team_id']
  },
}))

async function defaultTeam(context: FillContext): Promise<Json> {
  const { call, load, next } = context
  const instance = await load('service_instance', next['service_instance_id'])
  const team = instance ? await teamOfInstance(context, instance) : await serviceDeskOf(context)
  return team ?? teamOf(context, call.actor?.id)
}

/** The only enabled team of a person in the account, or in those that it trusts if there is none here; null without, and with more. */
async function onlyTeamOf({ call, findBy }: FillContext, person: Json): Promise<Json> {
  const all = await findBy('team', 'members', person, { disabled: false }, { trusted: true })
  const here = all.filter((team) => team['account_id'] === call.account.id)
  const [only, ...others] = here.length > 0 ? here : all
  return others.length === 0 ? (only?.['id'] ?? null) : null
}

async function teamOfInstance({ call, linked, load }: FillContext, instance: Row): Promise<Json> {
  const service = await load('service', instance['service_id'])
  const firstLine = instance['first_line_team_id'] ?? null
  const support = instance['support_team_id'] ?? service?.['support_team_id'] ?? null
  const memberships = [firstLine, support].map((team) => linked('team', team, 'members', call.actor?.id))
  const isMember = (await Promise.all(memberships)).includes(true)
  return firstLine === null || isMember ? (support ?? firstLine) : firstLine
}

/**
 * The enabled service desk of an active agreement for the organization of the request, or for the nearest one above it; without
 * one, that of the account.
 */
export async function serviceDeskOf({ call, findBy, load, next }: FillContext): Promise<Json> {
  const organizations = await withAncestors({ load }, 'organization', next['organization_id'])
  // Nearest organization first, and its oldest agreement.
  const agreements = await Promise.all(organizations.map((id) => findBy('flsa', 'customer', id, { status: 'active' })))
  const desks = await Promise.all(agreements.flat().map((agreement) => load('team', agreement['service_desk_team_id'])))
  const found = desks.find(isEnabled) ?? (await load('team', call.account.serviceDeskTeamId))
  return found && isEnabled(found) ? (found['id'] ?? null) : null
}

function isEnabled(team: Row | null): boolean {
  return team?.['disabled'] === false
}
