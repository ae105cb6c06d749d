/** Reports mistakes in behavior: operations, events and rules that the type cannot have. */
import { NOTE } from '../language/built-in-types.js'
import { type Definition, VERBS, type Verb, WATCHED_COLUMNS } from '../language/define-record.js'
import { TIMER_VERBS } from '../language/define-timer.js'
import { grantName } from '../language/who.js'
import { mustNotBeTwice } from './check-collection.js'
import type { Report } from './check-names.js'
import { type Definitions, fieldOf, hasColumn, isPartOf } from './check-paths.js'
import { checkRule } from './check-rules.js'
import { orderRules } from './order-rules.js'

const EMITTED = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/
/** Maximum number of characters of the name of an event. */
const MAX_EVENT = 128

/** Reports every mistake in operations, events and rules. */
export function checkBehavior(definition: Definition, all: Definitions, report: Report): void {
  checkOperations(definition, report)
  mustNotBeTwice(report, '.events', definition.events ?? [])
  for (const verb of definition.events ?? []) {
    const mistake = mistakeInVerb(verb, definition, all)
    if (mistake) report('.events', `'${verb}' never happens: ${mistake}`, `events=${verb}`)
  }
  checkEmits(definition, report)
  for (const [index, rule] of (definition.rules ?? []).entries()) {
    checkRule(rule, definition, all, (where, text) => report(where, text, `rules=${index}`))
  }
  for (const [index, text] of orderRules(definition.rules ?? []).mistakes) {
    report(`.rules.${definition.rules?.[index]?.rule}`, text, `rules=${index}`)
  }
}

/** Verbs of the host cannot be ours: nobody could tell who caused the event. */
function checkEmits({ emits = [], name }: Definition, report: Report): void {
  mustNotBeTwice(report, '.emits', emits)
  for (const verb of emits) {
    const part = `emits=${verb}`
    if (VERBS.some((ours) => ours === verb)) report('.emits', `'${verb}' is an event of the plugin; add it to events`, part)
    else if (!EMITTED.test(verb) || `${name}.${verb}`.length > MAX_EVENT)
      report(
        '.emits',
        `'${verb}' must be lower-case letters, digits and single hyphens, at most ${MAX_EVENT} with the type`,
        part,
      )
  }
}

function checkOperations(definition: Definition, report: Report): void {
  const { access, collection, nested, operations, partOf, pathBelow } = definition
  const isPart = partOf !== undefined
  if (!isPart && nested) report('.nested', 'only sub-records can have it; set partOf')
  if (!isPart && pathBelow !== undefined) report('.pathBelow', 'only sub-records can have it; set partOf')
  if (!isPart && collection.below) report('.collection.below', 'only sub-records can have it; set partOf')
  for (const [where, offered] of [
    ['.operations', operations],
    ['.nested', nested],
  ] as const) {
    if (offered?.includes('remove') && !access.remove) report(where, 'remove needs grants in access.remove')
  }
  // Sub-records are also removed with the bodies of their owners.
  const [remover] = isPart || operations?.includes('remove') ? [] : (access.remove ?? [])
  if (remover !== undefined) {
    const part = `access.remove=${grantName(remover)}`
    report('.access.remove', "no record can be removed; add 'remove' to operations", part)
  }
}

/** Why an event cannot happen to records of the type; null if it can. */
function mistakeInVerb(verb: Verb, definition: Definition, all: Definitions): string | null {
  if (verb === 'note-added') {
    const note = all.get(NOTE)
    return !note || isPartOf(note, definition) ? null : `records have no notes; add '${NOTE}' to parts`
  }
  if (verb === 'delete') {
    if (definition.partOf !== undefined) return 'sub-records are removed with a change of their owner'
    return definition.operations?.includes('remove') ? null : "no record can be removed; add 'remove' to operations"
  }
  if (TIMER_VERBS.some((one) => one === verb)) {
    const isRaised = definition.timers?.some(({ raises }) => raises === verb)
    return isRaised ? null : `no timer raises it; add raises: '${verb}' to one`
  }
  const column = WATCHED_COLUMNS.find(([watching]) => watching === verb)?.[1]
  if (column === undefined) return null
  const name = column.replace(/_id$/, '')
  const field = fieldOf(definition, name)
  const isKind = (field?.kind === 'ref') === (name !== column)
  if (field && hasColumn(field) && isKind) return null
  return `it needs the field '${name}', which ${field ? 'is of another kind or not stored' : 'does not exist'}`
}
