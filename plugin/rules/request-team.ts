import type { Rule } from '../schema/define-rule.js'

/**
 * The team of a request when none is given (gaps 7.4): the first line team of the service instance, or its support team when
 * there is none or the caller belongs to either; the support team of the service stands in for that of the instance (6.4);
 * without a service instance any team of the caller. When nothing is found, the completeness check asks for a team.
 */
export function requestTeam() {
  return { rule: 'requestTeam' } as const
}

export const requestTeamRule: Rule = {
  fields: () => ['team', 'service_instance'],
  async before({ call, find, linked, load, next }) {
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
    }
    if (!next['team_id'] && call.actor) {
      const [own] = await find('team', { members: call.actor.id, disabled: false })
      next['team_id'] = own?.['id'] ?? null
    }
  },
}
