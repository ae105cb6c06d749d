/** Reports what can be wrong with what records do: operations, events and rules that the type cannot have. */
import { suggestion } from '../../core/nearest.js'
import { NOTE } from '../built-in-types.js'
import { type Definition, type RuleUse, type Verb, WATCHED_COLUMNS } from '../define-record.js'
import type { Rule, RuleBook } from '../define-rule.js'
import { mustBeFields } from './check-collection.js'
import type { Say } from './check-names.js'
import { type Definitions, fieldOf, hasColumn, isPartOf } from './check-paths.js'
import { mistakesInRule } from './check-rules.js'

/** Reports every mistake in operations, events and rules. */
export function checkBehavior(definition: Definition, all: Definitions, rules: RuleBook, say: Say): void {
  checkOperations(definition, say)
  for (const verb of definition.events ?? []) {
    const mistake = mistakeInVerb(verb, definition, all)
    if (mistake) say('.events', `'${verb}' never happens: ${mistake}`, `events=${verb}`)
  }
  for (const [index, use] of (definition.rules ?? []).entries()) {
    const sayHere: Say = (where, text) => say(where, text, `rules=${index}`)
    const rule = Object.hasOwn(rules, use.rule) ? rules[use.rule] : undefined
    if (!rule) {
      sayHere('.rules', `there is no rule '${use.rule}'${suggestion(use.rule, Object.keys(rules))}`)
      continue
    }
    for (const [part, text] of mistakesInRule(rule)) sayHere(`.rules.${use.rule}${part}`, text)
    mustBeFields(sayHere, definition, `.rules.${use.rule}`, fieldsNamed(rule, use, sayHere))
  }
}

function checkOperations(definition: Definition, say: Say): void {
  const { access, collection, nested, operations, partOf, pathBelow } = definition
  const isPart = partOf !== undefined
  if (!isPart && nested) say('.nested', 'only sub-records are below others; say partOf')
  if (!isPart && pathBelow !== undefined) say('.pathBelow', 'only sub-records are below others; say partOf')
  if (!isPart && collection.below) say('.collection.below', 'only sub-records are below others; say partOf')
  for (const [where, offered] of [
    ['.operations', operations],
    ['.nested', nested],
  ] as const) {
    if (offered?.includes('remove') && !access.remove) say(where, 'remove is for nobody; say in access.remove who may')
  }
}

/** Why an event cannot happen to records of the type; null when it can. */
function mistakeInVerb(verb: Verb, definition: Definition, all: Definitions): string | null {
  if (verb === 'note-added') {
    const note = all.get(NOTE)
    return !note || isPartOf(note, definition) ? null : `records have no notes; name '${NOTE}' among the parts`
  }
  const column = WATCHED_COLUMNS.find(([watching]) => watching === verb)?.[1]
  if (column === undefined) return null
  const name = column.replace(/_id$/, '')
  const field = fieldOf(definition, name)
  const isKind = (field?.kind === 'ref') === (name !== column)
  if (field && hasColumn(field) && isKind) return null
  return `it follows the field '${name}', ${field ? 'which is not one that can change so' : 'which is not there'}`
}

/** The fields that a rule names in its settings; settings of another shape than it expects may let it fail. */
function fieldsNamed(rule: Rule, use: RuleUse, say: Say): readonly string[] {
  if (typeof rule?.fields !== 'function') return []
  try {
    return rule.fields(use).map(String)
  } catch (error) {
    say(`.rules.${use.rule}`, `the rule cannot read its settings: ${error instanceof Error ? error.message : String(error)}`)
    return []
  }
}
