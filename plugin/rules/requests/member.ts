/** The member of a team that works on a request (behaviour: Requests). */
import { isOfRule } from '../../core/call.js'
import { isBlank } from '../../core/text/blank.js'
import { rule } from '../../schema/language/define-rule.js'
import type { RuleContext } from '../../schema/language/rule-context.js'
import type { ValueTest } from '../general/by-status.js'
import { teamOf } from '../people/team-of.js'
import { actingPerson } from './by-hand.js'

/**
 * The referenced person must be a member of the team. Stored records may keep a person who has left the team since; what rules
 * and settling save is not checked, because the caller has not chosen it.
 */
export const memberOfTeam = rule('memberOfTeam', (member: string, { team }: { readonly team: string }) => ({
  fields: [member, team],
  looksUp: [{ path: `${team}.members`, to: member }],
  async check({ call, changed, fail, fieldOf, linked, next }) {
    if (isOfRule(call)) return
    const { column: teamColumn, record } = fieldOf(team)
    const { column } = fieldOf(member)
    if (!next[column] || !next[teamColumn]) return
    if (!changed(column) && !changed(teamColumn)) return
    if (!(await linked(record, next[teamColumn], 'members', next[column]))) fail(member, 'not_a_member')
  },
}))

/**
 * While the field has one of the values, somebody works on the record: the acting person becomes the missing member. If that
 * person is not in the team, the team becomes one of theirs, unless the body names a team. The member may stay empty for imports,
 * for what the system does, and for people who are in no team at all: an administrator can close requests.
 */
export const workedOn = rule('workedOn', (member: string, { field, values, team }: ValueTest & { readonly team: string }) => ({
  fields: [member, field, team],
  async fill(context) {
    const { fieldOf, given, linked, next } = context
    const acting = workerWithoutMember(context, member, { field, values })
    if (acting === null) return
    const { column, record } = fieldOf(team)
    const [isIn, own] = await Promise.all([linked(record, next[column], 'members', acting), teamOf(context, acting)])
    if (!isIn && (given.has(team) || own === null)) return
    next[fieldOf(member).column] = acting
    if (!isIn) next[column] = own
  },
  async check(context) {
    const acting = workerWithoutMember(context, member, { field, values })
    if (acting !== null && (await teamOf(context, acting)) !== null) context.fail(member, 'blank')
  },
}))

/** The acting person, if somebody works on the record from now on and the member is missing; null otherwise. */
function workerWithoutMember(
  { before, call, changed, fieldOf, next }: RuleContext,
  member: string,
  { field, values }: ValueTest,
): number | null {
  const [person, status] = [fieldOf(member).column, fieldOf(field).column]
  const isTouched = !before || changed(status) || changed(person)
  const isMissing = isTouched && values.includes(next[status] ?? null) && isBlank(next[person])
  return isMissing ? actingPerson(call) : null
}
