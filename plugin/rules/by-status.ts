/** Fields that depend on the value of another one, as waiting_until depends on the status. */
import { isBlank } from '../core/blank.js'
import type { RuleUse } from '../schema/define-record.js'
import type { Rule, RuleContext } from '../schema/define-rule.js'
import type { Json } from '../schema/fields.js'

interface ValueTest {
  readonly field: string
  readonly values: readonly Json[]
}

/**
 * The field can be given only while the other one has one of the values, and is cleared when that leaves them (gaps 7.1).
 * `code` says so of fields that depend on something else than a status.
 */
export function onlyWhile(field: string, test: ValueTest & { readonly code?: string }) {
  return { rule: 'onlyWhile', target: field, code: 'only_with_status', ...test } as const
}

/** The field must have a value while the other one has one of the values (gaps 7.4: the reason of a completion). */
export function requiredWhen(field: string, test: ValueTest) {
  return { rule: 'requiredWhen', target: field, ...test } as const
}

export const onlyWhileRule: Rule = {
  fields: fieldsOf,
  before(context, use) {
    const { fail, given, next } = context
    const { target, column, values, enumeration } = testIn(context, use)
    if (isMet(context, use) || isBlank(next[column])) return
    if (given.has(target)) fail(target, String(use['code']), { enumeration, values: values.map(String) })
    else next[column] = null
  },
}

/** What was stored before the rule was there does not keep anybody from changing something else. */
export const requiredWhenRule: Rule = {
  fields: fieldsOf,
  before(context, use) {
    const { before, changed, fail, next } = context
    const { target, column, tested } = testIn(context, use)
    const isTouched = !before || changed(column) || changed(tested)
    if (isTouched && isMet(context, use) && isBlank(next[column])) fail(target, 'blank')
  },
}

function fieldsOf(use: RuleUse): readonly string[] {
  return [String(use['target']), String(use['field'])]
}

function testIn({ fieldOf }: RuleContext, use: RuleUse) {
  const target = String(use['target'])
  const values = use['values'] as readonly Json[]
  const { column: tested, enumeration } = fieldOf(String(use['field']))
  return { target, column: fieldOf(target).column, tested, enumeration, values }
}

function isMet(context: RuleContext, use: RuleUse): boolean {
  const { tested, values } = testIn(context, use)
  return values.includes(context.next[tested] ?? null)
}
