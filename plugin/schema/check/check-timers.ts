/** Reports mistakes in timers. A wrong timer would do nothing, or fire again and again. */
import { suggestion } from '../../core/text/nearest.js'
import { kindOf } from '../kinds/kinds.js'
import { type Condition, criterionOf, type Scalar, testsIn } from '../language/conditions.js'
import type { Definition } from '../language/define-record.js'
import { canMeet, renewalNames, TIMER_VERBS, type Timer, timerName } from '../language/define-timer.js'
import type { Field } from '../language/field.js'
import type { Report } from './check-names.js'
import { type Definitions, fieldOf, hasColumn, mistakesOfCondition } from './check-paths.js'
import { mistakeInTest } from './check-tests.js'
import { indexedTests } from './timer-index.js'

/** Reports every mistake in the timers of a type. */
export function checkTimers(definition: Definition, all: Definitions, report: Report): void {
  const names = (definition.timers ?? []).map(timerName)
  for (const [index, timer] of (definition.timers ?? []).entries()) {
    const name = timerName(timer)
    const sayHere = (text: string) => report('.timers', `'${timer.due}': ${text}`, `timers=${name}`)
    const mistakes = [
      ...(names.indexOf(name) < index ? ['the same timer occurs twice'] : []),
      ...mistakesInDue(timer, definition),
      ...mistakesInTests('while', timer.while, definition, all),
      ...renewalNames(timer.renews).flatMap((name) => mistakesInTests(name, timer.renews?.[name] ?? {}, definition, all)),
      ...mistakesInSet(timer, definition),
      ...mistakesInRaises(timer, definition),
    ]
    for (const text of mistakes.length > 0 ? mistakes : mistakesInEnd(timer, definition)) sayHere(text)
  }
}

function mistakesInDue({ due }: Timer, definition: Definition): readonly string[] {
  const field = fieldOf(definition, due)
  if (!field) return [`there is no field '${due}'${suggestion(due, Object.keys(definition.fields))}`]
  if (field.kind !== 'datetime' || !hasColumn(field)) return ['a timer needs a stored datetime field']
  return field.keywords ? ['the field must not have keywords in place of a time'] : []
}

function mistakesInTests(part: string, tests: Condition, definition: Definition, all: Definitions): readonly string[] {
  const mistakes = mistakesOfCondition(tests, definition, all)
  if (mistakes.length > 0) return mistakes.map((text) => `${part}: ${text}`)
  return testsIn(criterionOf(tests)).flatMap(({ path, values }) => {
    const name = path.join('.')
    const field = fieldOf(definition, name)
    if (!field || !hasColumn(field)) return [`${part}: '${name}' is not a stored field of ${definition.name} itself`]
    const hasPlaceholder = values.some((value) => typeof value === 'object' && value !== null)
    return hasPlaceholder ? [`${part}: '${name}': placeholders such as me and now depend on a call, and timers have none`] : []
  })
}

function mistakesInSet({ set }: Timer, definition: Definition): readonly string[] {
  const names = Object.keys(set)
  if (names.length === 0) return ['set: must have at least one field']
  return names.flatMap((name) => {
    const field = fieldOf(definition, name)
    if (!field) return [`set: there is no field '${name}'${suggestion(name, Object.keys(definition.fields))}`]
    if (name === 'id' || !hasColumn(field)) return [`set: '${name}' cannot be set`]
    const mistake = mistakeInSetting(field, set[name] ?? null)
    return mistake === null ? [] : [`set: '${name}': ${mistake}`]
  })
}

function mistakesInRaises({ raises }: Timer, { events = [] }: Definition): readonly string[] {
  // The shape of a timer says which words there are.
  const isKnown = TIMER_VERBS.some((verb) => verb === raises)
  return !isKnown || raises === undefined || events.includes(raises)
    ? []
    : [`raises: add '${raises}' to the events of the type`]
}

function mistakeInSetting(field: Field, value: Scalar): string | null {
  if (value === null) return field.required || field.default !== undefined ? 'the field cannot be empty' : null
  // Ids differ between installations.
  if (field.kind === 'ref') return 'a reference can only be cleared, with null'
  if (kindOf(field).filter === null) return 'the field must accept a single value'
  const isTooLong = field.max !== undefined && String(value).length > field.max
  return isTooLong ? `longer than ${field.max} characters` : mistakeInTest(value, field)
}

/**
 * A record that still waits after its timer has fired would stay due forever. Without indexed values, all past records would be
 * read each time.
 */
function mistakesInEnd(timer: Timer, definition: Definition): readonly string[] {
  if (timer.set[timer.due] === null) return []
  const valueIn = (name: string) => (Object.hasOwn(timer.set, name) ? timer.set[name] : undefined)
  if (canMeet(criterionOf(timer.while), valueIn))
    return [`set: the records would still be due; set a value that while does not allow, or '${timer.due}' to null`]
  if (indexedTests(timer, (name) => fieldOf(definition, name)).length > 0) return []
  return [`while: must list values of waiting records; otherwise all past records are read each time`]
}
