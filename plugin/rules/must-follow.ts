import type { Rule } from '../schema/define-rule.js'

/** The end must come after the start; texts of times sort as times do. */
export function mustFollow(field: string, settings: { readonly after: string }) {
  return { rule: 'mustFollow', field, ...settings } as const
}

export const mustFollowRule: Rule = {
  fields: (use) => [String(use['field']), String(use['after'])],
  before({ fail, next }, use) {
    const [end, start] = [next[String(use['field'])], next[String(use['after'])]]
    if (typeof end === 'string' && typeof start === 'string' && end <= start) fail(String(use['field']), 'end_before_start')
  },
}
