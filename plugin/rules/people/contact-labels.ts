import { reversedDigits } from '../../core/text/telephone-digits.js'
import type { Json } from '../../schema/kinds/fields.js'
import { type RuleContext, rule } from '../../schema/language/define-rule.js'

/**
 * Limits the labels of an address or a contact by the type of its owner (behaviour: Addresses and contacts). A label that is
 * stored stays valid.
 */
export const labelsOfOwner = rule('labelsOfOwner', (labels: { readonly [ownerType: string]: readonly Json[] }) => ({
  fields: ['label'],
  check({ changed, fail, next }) {
    const allowed = labels[String(next['owner_type'])]
    if (changed('label') && allowed && next['label'] && !allowed.includes(next['label'])) fail('label', 'inclusion')
  },
}))

/** Records with the flag cannot be changed or removed by callers; the import that set it may (behaviour: Import rows). */
export const refuseWhile = rule('refuseWhile', (flag: string, { code }: { readonly code: string }) => {
  const refuse = ({ before, call, fail }: RuleContext) => {
    if (before?.[flag] === true && call.origin !== 'import') fail('base', code)
  }
  return { fields: [flag], check: refuse, remove: refuse }
})

/**
 * Stores the digits of a telephone number in reverse order, so that it can be looked up by its end (behaviour: Telephone
 * lookup).
 */
export const keepDigits = rule(
  'keepDigits',
  (column: string, settings: { readonly of: string; readonly protocol: string }) => ({
    fields: [column, settings.of, settings.protocol],
    keeps: { [column]: [settings.of, settings.protocol] },
    fill({ next }) {
      const isTelephone = next[settings.protocol] === 'telephone'
      next[column] = isTelephone ? reversedDigits(String(next[settings.of] ?? '')) : null
    },
  }),
)
