/** Fields that depend on the value of another one, as waiting_until depends on the status. */
import { isBlank } from '../../core/text/blank.js'
import type { Json } from '../../schema/kinds/fields.js'
import { type Behavior, type RuleContext, rule } from '../../schema/language/define-rule.js'

/** Test that a field has one of these values. */
export interface ValueTest {
  readonly field: string
  readonly values: readonly Json[]
}

/**
 * The field can be set only while the other one has one of the values, and is cleared when the other one leaves them
 * (behaviour: Tasks). `code` is the violation for fields that depend on something else than a status.
 */
export const onlyWhile = rule(
  'onlyWhile',
  (target: string, { field, values, code = 'only_with_status' }: ValueTest & { readonly code?: string }) => ({
    fields: [target, field],
    keeps: { [target]: [field] },
    fill({ fieldOf, given, next }) {
      const has = values.includes(next[fieldOf(field).column] ?? null)
      if (!has && !given.has(target)) next[fieldOf(target).column] = null
    },
    check({ fail, fieldOf, next }) {
      const { column, enumeration } = fieldOf(field)
      const isMisplaced = !values.includes(next[column] ?? null) && !isBlank(next[fieldOf(target).column])
      if (isMisplaced) fail(target, code, { enumeration, values: values.map(String) })
    },
  }),
)

/**
 * The field is empty unless the other one has one of the values. A value that is sent with others is dropped (complaints do not
 * concern a service; behaviour: Requests).
 */
export const emptyUnless = resetUnless('emptyUnless', null)

/** The field can be true only while the other one has one of the values, else it is false (spec, Request: addressed). */
export const falseUnless = resetUnless('falseUnless', false)

function resetUnless(name: string, otherwise: null | false) {
  return rule(name, (target: string, { field, values }: ValueTest) => ({
    fields: [target, field],
    keeps: { [target]: [field] },
    fill({ fieldOf, next }) {
      if (!values.includes(next[fieldOf(field).column] ?? null)) next[fieldOf(target).column] = otherwise
    },
  }))
}

/**
 * The field must have a value while the other one has one of the values (change_pending needs a change; behaviour: Problems).
 * Records that were stored before the rule existed can still be changed in other fields.
 */
export const requiredWhen = rule('requiredWhen', (target: string, test: ValueTest) => required(target, [test]))

/** The field must have a value while all tests hold (the reason of a completed incident; behaviour: Requests). */
export const requiredWhenAll = rule('requiredWhenAll', (target: string, tests: readonly ValueTest[]) => required(target, tests))

function required(target: string, tests: readonly ValueTest[]): Behavior {
  return {
    fields: [target, ...tests.map(({ field }) => field)],
    check({ before, changed, fail, fieldOf, next }: RuleContext) {
      const column = fieldOf(target).column
      const tested = tests.map(({ field, values }) => ({ column: fieldOf(field).column, values }))
      const isTouched = !before || changed(column) || tested.some((test) => changed(test.column))
      const isSo = tested.every((test) => test.values.includes(next[test.column] ?? null))
      if (isTouched && isSo && isBlank(next[column])) fail(target, 'blank')
    },
  }
}
