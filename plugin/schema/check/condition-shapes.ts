/** The shapes of conditions, and of the values in them. */
import { shown } from '../../core/text/shown.js'
import { COMPARISONS, PLACEHOLDERS } from '../language/conditions.js'
import { below, checkShape, isObject, type ReportAt, type Shape } from '../language/shapes.js'

/** A condition on the fields of a record. */
export const CONDITION: Shape = { check: checkCondition }
/** One value of a field. */
export const SCALAR: Shape = {
  check(value, path, report) {
    if (!isScalar(value)) report(path, `must be a text, a number, true, false or null, not ${shown(value)}`)
  },
}

function checkCondition(value: unknown, path: string, report: ReportAt): void {
  if (!isObject(value)) {
    report(path, `must be a condition, { field: value }, not ${shown(value)}`)
    return
  }
  for (const [name, test] of Object.entries(value)) {
    const isGroup = (name === 'anyOf' || name === 'allOf') && Array.isArray(test)
    if (isGroup) checkShape(test, { list: CONDITION }, below(path, name), report)
    else checkTest(test, `${path}: '${name}'`, report)
  }
  const isMixed = Object.keys(value).length > 1 && ['anyOf', 'allOf'].some((name) => Array.isArray(value[name]))
  if (isMixed) report(path, 'anyOf and allOf must be alone in their object; move the other tests into their lists')
}

function checkTest(test: unknown, path: string, report: ReportAt): void {
  if (isScalar(test) || (Array.isArray(test) && test.every(isScalar))) return
  if (isObject(test)) {
    const isValue = (value: unknown) => isScalar(value) || isPlaceholder(value)
    if (isPlaceholder(test)) return
    if (Array.isArray(test['not']) && test['not'].every(isValue)) return
    if (COMPARISONS.some((one) => one === test['compare']) && isValue(test['to'])) return
  }
  report(
    path,
    `must be tested with a value, a list of values, a placeholder such as me, not() or compared(), not with ${shown(test)}`,
  )
}

function isScalar(value: unknown): boolean {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value)
}

function isPlaceholder(value: unknown): boolean {
  return isObject(value) && PLACEHOLDERS.some((one) => one === value['placeholder'])
}
