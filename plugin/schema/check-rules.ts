/** Looks for mistakes in the rules of a host: what is misspelt there would never run. */
import { suggestion } from '../core/nearest.js'
import { PHASES, TELLS } from './define-rule.js'

/** What a rule may have: phases, and what it tells of its settings. */
const OF_RULE: readonly string[] = [...PHASES, ...TELLS]

/** All mistakes in rules by name, one sentence each; none for what is not an object. */
export function mistakesInRules(rules: unknown): readonly string[] {
  const book = typeof rules === 'object' && rules !== null ? Object.entries(rules) : []
  return book.flatMap(([name, rule]) => mistakesInRule(`rules.${name}`, rule))
}

function mistakesInRule(place: string, rule: unknown): readonly string[] {
  if (typeof rule !== 'object' || rule === null || Array.isArray(rule)) {
    return [`${place}: must be an object with one of the phases ${PHASES.join(', ')}`]
  }
  const given = Object.entries(rule).filter(([, value]) => value !== undefined)
  const mistakes = given.flatMap(([name, value]) => {
    if (!OF_RULE.includes(name)) return [`${place}.${name}: there is no such phase${suggestion(name, OF_RULE)}`]
    return typeof value === 'function' ? [] : [`${place}.${name}: must be a function`]
  })
  const hasPhase = given.some(([name]) => !TELLS.some((tell) => tell === name))
  return hasPhase ? mistakes : [...mistakes, `${place}: must have one of the phases ${PHASES.join(', ')}`]
}
