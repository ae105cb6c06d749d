import type { Rule } from '../schema/define-rule.js'

/** The end must come after the start; texts of times sort as times do. `code` says so where they are called otherwise. */
export function mustFollow(field: string, settings: { readonly after: string; readonly code?: string }) {
  return { rule: 'mustFollow', field, ...settings } as const
}

export const mustFollowRule: Rule = {
  fields: (use) => [String(use['field']), String(use['after'])],
  before({ fail, next }, use) {
    const [end, start] = [next[String(use['field'])], next[String(use['after'])]]
    if (typeof end === 'string' && typeof start === 'string' && end <= start)
      fail(String(use['field']), String(use['code'] ?? 'end_before_start'))
  },
}
