import { rule } from '../../schema/language/define-rule.js'

interface FollowSettings {
  readonly after: string
  /** Violation for fields that are not called start and end. */
  readonly code?: string
}

/** The end must come after the start; times as texts sort in time order. */
export const mustFollow = rule('mustFollow', (field: string, { after, code = 'end_before_start' }: FollowSettings) => ({
  fields: [field, after],
  check({ fail, next }) {
    const [end, start] = [next[field], next[after]]
    if (typeof end === 'string' && typeof start === 'string' && end <= start) fail(field, code)
  },
}))
