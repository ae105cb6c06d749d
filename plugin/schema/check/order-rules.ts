/** The order in which the rules of a type run: that of the list, apart from rules with a place. */
import { suggestion } from '../../core/text/nearest.js'
import type { Rule } from '../language/define-rule.js'

/** A rule whose place does not exist, by its index in the list, and the reason. */
export type Misplaced = readonly [index: number, text: string]

interface Ordered {
  readonly rules: readonly Rule[]
  readonly mistakes: readonly Misplaced[]
}

/**
 * Orders the rules. Each one with a place goes next to the rules that it names, once all of these have their places; several at
 * the same place keep the order of the list.
 */
export function orderRules(rules: readonly Rule[]): Ordered {
  const names = new Set(rules.map(({ rule }) => rule))
  const mistakes: Misplaced[] = []
  const ordered = rules.filter((one) => anchorOf(one) === null)
  let waiting = rules.filter((one) => anchorOf(one) !== null)
  for (const [index, one] of rules.entries()) {
    const anchor = anchorOf(one)
    if (anchor === null || names.has(anchor)) continue
    mistakes.push([index, `it is placed next to '${anchor}', but the type has no such rule${suggestion(anchor, names)}`])
    waiting = waiting.filter((other) => other !== one)
  }
  for (;;) {
    const next = waiting.find((one) => !waiting.some((other) => other !== one && other.rule === anchorOf(one)))
    if (!next || next.rule === anchorOf(next)) break
    waiting = waiting.filter((one) => one !== next)
    ordered.splice(placeFor(next, ordered), 0, next)
  }
  const circle = waiting.map(({ rule }) => rule).join(', ')
  for (const one of waiting) mistakes.push([rules.indexOf(one), `its place depends on itself: ${circle} wait for each other`])
  return { rules: ordered, mistakes }
}

/** The name of the rules next to which the rule is placed; null if the list decides. */
function anchorOf({ after, before }: Rule): string | null {
  return after ?? before ?? null
}

function placeFor(one: Rule, ordered: readonly Rule[]): number {
  const anchor = anchorOf(one)
  if (one.after === undefined) return ordered.findIndex(({ rule }) => rule === anchor)
  let place = ordered.findLastIndex(({ rule }) => rule === anchor) + 1
  while (ordered[place]?.after === anchor) place += 1
  return place
}
