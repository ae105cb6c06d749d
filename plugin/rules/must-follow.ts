import { rule } from '../schema/define-rule.js'

interface FollowSettings {
  readonly after: string
  /** Says so of times that are called otherwise. */
  readonly code?: string
}

/** The end must come after the start; texts of times sort as times do. */
export const mustFollow = rule('mustFollow', (field: string, { after, code = 'end_before_start' }: FollowSettings) => ({
  fields: [field, after],
  check({ fail, next }) {
    const [end, start] = [next[field], next[after]]
    if (typeof end === 'string' && typeof start === 'string' && end <= start) fail(field, code)
  },
}))
