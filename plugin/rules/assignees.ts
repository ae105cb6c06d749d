/** Who a record goes to when nobody says. */
import type { Role } from '../core/call.js'
import type { Rule } from '../schema/define-rule.js'
import type { Json } from '../schema/fields.js'

/** On creation an empty reference becomes the acting person, if that has the role (gaps 7.6: the manager of a problem). */
export function fillWithHolder(field: string, role: Role) {
  return { rule: 'fillWithHolder', field, role } as const
}

/** Who sets the other field to one of the values without naming anybody is meant (gaps 7.6: who solves a problem). */
export function fillWithCallerWhen(field: string, test: { readonly field: string; readonly values: readonly Json[] }) {
  return { rule: 'fillWithCallerWhen', target: field, ...test } as const
}

/** On creation an empty team becomes a team of the person that the other field names (gaps 7.1). */
export function fillWithTeamOf(field: string, settings: { readonly person: string }) {
  return { rule: 'fillWithTeamOf', field, ...settings } as const
}

export const fillWithHolderRule: Rule = {
  fields: (use) => [String(use['field'])],
  fills: (use) => [String(use['field'])],
  async before({ before, call, fieldOf, hasRole, next }, use) {
    const { column } = fieldOf(String(use['field']))
    if (before || next[column] || !call.actor) return
    if (await hasRole(call.actor.id, use['role'] as Role)) next[column] = call.actor.id
  },
}

export const fillWithCallerWhenRule: Rule = {
  fields: (use) => [String(use['target']), String(use['field'])],
  fills: (use) => [String(use['target'])],
  before({ call, changed, fieldOf, next }, use) {
    const [target, tested] = [fieldOf(String(use['target'])), fieldOf(String(use['field']))]
    const isSo = (use['values'] as readonly Json[]).includes(next[tested.column] ?? null)
    if (isSo && changed(tested.column)) next[target.column] ??= call.actor?.id ?? null
  },
}

export const fillWithTeamOfRule: Rule = {
  fields: (use) => [String(use['field']), String(use['person'])],
  fills: (use) => [String(use['field'])],
  async before({ before, fieldOf, find, next }, use) {
    const [team, person] = [fieldOf(String(use['field'])), fieldOf(String(use['person']))]
    const member = next[person.column]
    if (before || next[team.column] || !member) return
    const [own] = await find(team.record, { members: Number(member), disabled: false })
    next[team.column] = own?.['id'] ?? null
  },
}
