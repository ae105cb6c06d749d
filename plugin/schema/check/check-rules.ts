/** Reports mistakes in the rules of a definition: a misspelled phase would never run. */
import { suggestion } from '../../core/text/nearest.js'
import { shown } from '../../core/text/shown.js'
import type { Definition } from '../language/define-record.js'
import { type Behavior, PHASES, type Rule, TELLS } from '../language/define-rule.js'
import { isObject } from '../language/shapes.js'
import { mustBeFields } from './check-collection.js'
import { checkKeeps } from './check-keeps.js'
import { checkLooksUp } from './check-looks-up.js'
import type { Report } from './check-names.js'
import type { Definitions } from './check-paths.js'

/** Names that a rule may have: phases, and properties that describe its settings. */
const OF_RULE: readonly string[] = [...PHASES, ...TELLS]

/** Reports every mistake in one rule: its functions, and the fields that its settings name. */
export function checkRule({ rule, does }: Rule, definition: Definition, all: Definitions, report: Report): void {
  const path = `.rules.${rule}`
  const behavior = behaviorOf(does, (text) => report(path, text))
  if (behavior === null) return
  if (!isObject(behavior)) {
    report(path, `must return an object with one of the phases ${PHASES.join(', ')}, not ${shown(behavior)}`)
    return
  }
  const given = Object.entries(behavior).filter(([, value]) => value !== undefined)
  for (const [name, value] of given) {
    if (!OF_RULE.includes(name)) report(`${path}.${name}`, `is not a phase${suggestion(name, OF_RULE)}`)
    else if (name === 'moves') checkMoves(value, path, report)
    else if (name === 'alsoOnUndo' || name === 'begins') {
      if (value !== true) report(`${path}.${name}`, `must be true, or be left out, not ${shown(value)}`)
    } else if (name === 'looksUp') checkLooksUp(value, { definition, all }, (text) => report(`${path}.looksUp`, text))
    else if (name === 'keeps') checkKeeps(value, { definition, all }, (text) => report(`${path}.keeps`, text))
    else if (isTelling(name)) checkNames(value, name, definition, path, report)
    else if (typeof value !== 'function') report(`${path}.${name}`, 'must be a function')
  }
  if (!given.some(([name]) => !isTelling(name))) report(path, `must have one of the phases ${PHASES.join(', ')}`)
}

/** The functions of the rule; null if it throws because its settings have another shape than it expects. */
function behaviorOf(does: Rule['does'], report: (text: string) => void): Behavior | null {
  try {
    return does()
  } catch (error) {
    report(`the rule cannot read its settings: ${error instanceof Error ? error.message : String(error)}`)
    return null
  }
}

function isTelling(name: string): boolean {
  return TELLS.some((tell) => tell === name)
}

/** Checks the shape only: moves are descriptions, and have no effect. */
function checkMoves(moves: unknown, path: string, report: Report): void {
  const isMove = (one: unknown) => isObject(one) && typeof one['when'] === 'string'
  if (!Array.isArray(moves) || !moves.every(isMove)) report(`${path}.moves`, `must be a list of moves, each with 'when'`)
}

/** Checks that the names are texts: without settings, those of `stamp` are undefined. */
function checkNames(names: unknown, tell: string, definition: Definition, path: string, report: Report): void {
  if (!Array.isArray(names)) {
    report(`${path}.${tell}`, `must be a list of fields, not ${shown(names)}`)
    return
  }
  const wrong = names.filter((name) => typeof name !== 'string')
  for (const name of wrong) report(`${path}.${tell}`, `must name fields, not ${shown(name)}`)
  if (wrong.length === 0) mustBeFields(report, definition, path, names)
}
