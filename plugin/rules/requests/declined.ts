/** Requests that the team does not take (behaviour: Requests). */
import { isOfRule } from '../../core/call.js'
import type { Json } from '../../schema/kinds/fields.js'
import { type FillContext, type Row, type RuleContext, rule } from '../../schema/language/define-rule.js'
import { serviceDeskOf } from './request-team.js'

/**
 * Keeps the team that the record had before this one. A team that has declined the record is not kept: two teams would pass it to
 * each other forever.
 */
export const remembersTeam = rule('remembersTeam', (field: string, settings: { readonly of: string }) => ({
  fields: [field, settings.of],
  fill(context) {
    const { before, changed, fieldOf, given, next } = context
    const { column } = fieldOf(settings.of)
    if (!before || !changed(column)) return
    const isDeclined = isDeclinedNow(context) && !given.has(settings.of)
    next[fieldOf(field).column] = isDeclined ? null : (before[column] ?? null)
  },
}))

/**
 * A request that is declined loses its member. It goes to the coordinator of its team; if there is none, or if the coordinator
 * declined it, back to the previous team; if there is none either, to the service desk. A member or a team in the body is kept. A
 * note of the system says where the request went. Imports bring what another system has decided.
 */
export const declinedGoesTo = rule('declinedGoesTo', ({ previous }: { readonly previous: string }) => ({
  fields: ['status', 'member', 'team', previous],
  async fill(context) {
    const { given, next } = context
    if (!isDeclinedNow(context) || (given.has('member') && next['member_id'])) return
    next['member_id'] = null
    if (given.has('team') && context.changed('team_id')) return
    const coordinator = await coordinatorOf(context)
    if (coordinator !== null) {
      next['member_id'] = coordinator
      return
    }
    const before = next[`${previous}_id`] ?? null
    const isOffered = before !== null && before !== next['team_id'] && (await isEnabled(context, 'team', before))
    next['team_id'] = (isOffered ? before : await serviceDeskOf(context)) ?? next['team_id'] ?? null
  },
  async writtenAll(contexts, { saveAll }) {
    const items = await Promise.all(
      contexts.filter(isDeclinedNow).map(async (context) => {
        const { load, next, sentence, type } = context
        const [person, team] = await Promise.all([load('person', next['member_id']), load('team', next['team_id'])])
        const params = { person: String(person?.['name'] ?? ''), team: String(team?.['name'] ?? '') }
        const text = sentence(codeOf(context, previous), params)
        return { id: null, body: { text, medium: 'system' }, owner: { type, id: Number(next['id']) } }
      }),
    )
    await saveAll('note', items)
  },
}))

function isDeclinedNow({ call, changed, next }: RuleContext): boolean {
  // What rules and settling save is decided already: the requests of a group follow the group.
  return next['status'] === 'declined' && changed('status') && call.origin !== 'import' && !isOfRule(call)
}

/** The coordinator of the team, who can take the request; null if it was the coordinator who declined it. */
async function coordinatorOf(context: FillContext): Promise<Json> {
  const { before, call, linked, load, next } = context
  const team = next['team_id'] ?? null
  const coordinator = (await load('team', team))?.['coordinator_id'] ?? null
  if (coordinator === null || coordinator === call.actor?.id || coordinator === before?.['member_id']) return null
  const [isMember, isActive] = await Promise.all([
    linked('team', team, 'members', coordinator),
    isEnabled(context, 'person', coordinator),
  ])
  return isMember && isActive ? coordinator : null
}

async function isEnabled({ load }: FillContext, type: string, id: Json): Promise<boolean> {
  const row: Row | null = await load(type, id)
  return row !== null && row['disabled'] !== true
}

function codeOf({ before, changed, next }: RuleContext, previous: string): string {
  if (next['member_id']) return 'declined_to_member'
  if (!before || !changed('team_id')) return 'declined_by_team'
  return before[`${previous}_id`] === next['team_id'] ? 'declined_to_previous_team' : 'declined_to_team'
}
