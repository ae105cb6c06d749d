/** The member of a team that works on a request (behaviour: Requests). */
import { isOfRule } from '../../core/call.js'
import { isBlank } from '../../core/text/blank.js'
import { rule } from '../../schema/language/define-rule.js'
import type { ValueTest } from '../general/by-status.js'
import { teamOf } from '../people/team-of.js'
import { actingPerson } from './by-hand.js'

/**
 * The referenced person must be a member of the team. Stored records may keep a person who has left the team since; what rules
 * and settling save is not checked, because the caller has not chosen it.
 */
export const memberOfTeam = rule('memberOfTeam', (member: string, { team }: { readonly team: string }) => ({
  fields: [member, team],
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
    const { before, call, changed, fieldOf, given, linked, next } = context
    const [person, status] = [fieldOf(member).column, fieldOf(field).column]
    const acting = actingPerson(call)
    const isTouched = !before || changed(status) || changed(person)
    if (acting === null || !isTouched || !values.includes(next[status] ?? null) || !isBlank(next[person])) return
    const { column, record } = fieldOf(team)
    const [isIn, own] = await Promise.all([linked(record, next[column], 'members', acting), teamOf(context, acting)])
    if (!isIn && (given.has(team) || own === null)) return
    next[person] = acting
    if (!isIn) next[column] = own
  },
  async check(context) {
    const { before, call, changed, fail, fieldOf, next } = context
    const [person, status] = [fieldOf(member).column, fieldOf(field).column]
    const acting = actingPerson(call)
    const isTouched = !before || changed(status) || changed(person)
    if (acting === null || !isTouched || !values.includes(next[status] ?? null) || !isBlank(next[person])) return
    if ((await teamOf(context, acting)) !== null) fail(member, 'blank')
  },
}))
