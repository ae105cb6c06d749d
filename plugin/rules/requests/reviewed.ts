import { rule } from '../../schema/language/define-rule.js'

interface ReviewSettings {
  /** A request without this reference needs no review. */
  readonly without: string
  /** A request with one of these references needs no review. */
  readonly linked: readonly string[]
  /** The field that says if the request is part of a group, which needs no review either. */
  readonly grouping: string
}

/**
 * Requests that problem management need not look at are reviewed: those without a service instance, with a problem or a change,
 * in a group, and those that are solved and whose impact is not top. Applied on each save, whatever the body says; the field
 * stays true when none of this holds any longer (behaviour: Requests).
 */
export const reviewedWhen = rule('reviewedWhen', (field: string, { without, linked, grouping }: ReviewSettings) => ({
  fields: [field, without, ...linked, grouping, 'completion_reason', 'impact'],
  keeps: { [field]: [without, ...linked, grouping, 'completion_reason', 'impact'] },
  fill({ fieldOf, next }) {
    const isSolved = next['completion_reason'] === 'solved' && next['impact'] !== 'top'
    const isLinked = linked.some((name) => Boolean(next[fieldOf(name).column]))
    if (isSolved || isLinked || !next[fieldOf(without).column] || next[grouping] === 'grouped') next[field] = true
  },
}))
