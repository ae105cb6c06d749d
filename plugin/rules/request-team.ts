import type { Row, Rule, RuleContext } from '../schema/define-rule.js'
import type { Json } from '../schema/fields.js'

/**
 * The team of a request when none is given (gaps 7.4): the first line team of the service instance, or its support team when
 * there is none or the caller belongs to either; the support team of the service stands in for that of the instance (6.4);
 * without a service instance the service desk that the nearest first line support agreement names (6.12), else any team of the
 * caller. When nothing is found, the completeness check asks for a team.
 */
export function requestTeam() {
  return { rule: 'requestTeam' } as const
}

export const requestTeamRule: Rule = {
  fields: () => ['team', 'service_instance', 'organization'],
  fills: () => ['team'],
  async before(context) {
    const { call, find, linked, load, next } = context
    if (next['team_id']) return
    const instance = await load('service_instance', next['service_instance_id'])
    if (instance) {
      const service = await load('service', instance['service_id'])
      const firstLine = instance['first_line_team_id'] ?? null
      const support = instance['support_team_id'] ?? service?.['support_team_id'] ?? null
      const member = call.actor?.id
      const isMember = async (team: typeof firstLine) => team !== null && (await linked('team', team, 'members', member))
      next['team_id'] =
        firstLine === null || (await isMember(firstLine)) || (await isMember(support)) ? (support ?? firstLine) : firstLine
    } else {
      next['team_id'] = await serviceDesk(context)
    }
    if (!next['team_id'] && call.actor) {
      const [own] = await find('team', { members: call.actor.id, disabled: false })
      next['team_id'] = own?.['id'] ?? null
    }
  },
}

/** The enabled service desk of an active agreement for the organization of whom the request is for, or the nearest one above it. */
async function serviceDesk({ find, load, next }: RuleContext): Promise<Json> {
  const organizations: Json[] = []
  for (let id = next['organization_id'] ?? null; id !== null && !organizations.includes(id); ) {
    organizations.push(id)
    id = (await load('organization', id))?.['parent_id'] ?? null
  }
  if (organizations.length === 0) return null
  const agreements = await find('flsa', { status: 'active', customer: organizations.map(Number) })
  const distance = ({ customer_id }: Row) => organizations.indexOf(customer_id ?? null)
  for (const agreement of [...agreements].sort((one, other) => distance(one) - distance(other))) {
    const desk = await load('team', agreement['service_desk_team_id'])
    if (desk?.['disabled'] === false) return desk['id'] ?? null
  }
  return null
}
