/** Looks for mistakes in rules: a misspelt phase would never run. */
import { suggestion } from '../../core/nearest.js'
import { PHASES, TELLS } from '../define-rule.js'

/** Names that a rule may have: phases, and functions about its settings. */
const OF_RULE: readonly string[] = [...PHASES, ...TELLS]

/** All mistakes in rules by name, one sentence each; none for what is not an object. */
export function mistakesInRules(rules: unknown): readonly string[] {
  const book = typeof rules === 'object' && rules !== null ? Object.entries(rules) : []
  return book.flatMap(([name, rule]) => mistakesInRule(rule).map(([part, text]) => `rules.${name}${part}: ${text}`))
}

/** A mistake in a part of a rule: `.before`, or empty for the rule as a whole. */
type Mistake = readonly [part: string, text: string]

/** All mistakes in one rule. */
export function mistakesInRule(rule: unknown): readonly Mistake[] {
  if (typeof rule !== 'object' || rule === null || Array.isArray(rule)) {
    return [['', `must be an object with one of the phases ${PHASES.join(', ')}`]]
  }
  const given = Object.entries(rule).filter(([, value]) => value !== undefined)
  const mistakes = given.flatMap(([name, value]): readonly Mistake[] => {
    if (!OF_RULE.includes(name)) return [[`.${name}`, `there is no such phase${suggestion(name, OF_RULE)}`]]
    return typeof value === 'function' ? [] : [[`.${name}`, 'must be a function']]
  })
  const hasPhase = given.some(([name]) => !TELLS.some((tell) => tell === name))
  return hasPhase ? mistakes : [...mistakes, ['', `must have one of the phases ${PHASES.join(', ')}`]]
}
