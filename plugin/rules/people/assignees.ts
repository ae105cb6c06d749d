/** People and teams that a record is assigned to by default. */
import type { Role } from '../../core/call.js'
import type { Json } from '../../schema/kinds/fields.js'
import { rule } from '../../schema/language/define-rule.js'
import { teamOf } from './team-of.js'

/**
 * On creation an empty reference becomes the acting person, if that person has the role (the manager of a problem; behaviour:
 * Problems).
 */
export const fillWithHolder = rule('fillWithHolder', <const N extends string>(field: N, role: Role) => ({
  fields: [field],
  fills: [field],
  async fill({ before, call, fieldOf, hasRole, next }) {
    const { column } = fieldOf(field)
    if (before || next[column] || !call.actor) return
    if (await hasRole(call.actor.id, role)) next[column] = call.actor.id
  },
}))

/**
 * An empty reference becomes the caller when the other field is set to one of the values (the solver of a problem; behaviour:
 * Problems).
 */
export const fillWithCallerWhen = rule(
  'fillWithCallerWhen',
  <const N extends string>(target: N, { field, values }: { readonly field: string; readonly values: readonly Json[] }) => ({
    fields: [target, field],
    fills: [target],
    fill({ call, changed, fieldOf, next }) {
      const tested = fieldOf(field).column
      const isSo = values.includes(next[tested] ?? null)
      if (isSo && changed(tested)) next[fieldOf(target).column] ??= call.actor?.id ?? null
    },
  }),
)

/** On creation an empty team becomes a team of the person that the other field names (behaviour: Tasks). */
export const fillWithTeamOf = rule(
  'fillWithTeamOf',
  <const N extends string>(field: N, { person }: { readonly person: string }) => ({
    fields: [field, person],
    fills: [field],
    async fill(context) {
      const { before, fieldOf, next } = context
      const { column } = fieldOf(field)
      if (!before && !next[column]) next[column] = await teamOf(context, next[fieldOf(person).column])
    },
  }),
)
