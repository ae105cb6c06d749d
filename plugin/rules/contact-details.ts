import { reversedDigits } from '../core/telephone.js'
import type { Rule } from '../schema/define-rule.js'
import type { Json } from '../schema/fields.js'

/** Which labels an address may have depends on the type of its owner (gaps 6.17). */
export function labelsOfOwner(labels: { readonly [ownerType: string]: readonly string[] }) {
  return { rule: 'labelsOfOwner', labels } as const
}

/** Records with the flag cannot be changed or removed by callers; the import that set it may (gaps 4.4). */
export function refuseWhile(flag: string, settings: { readonly code: string }) {
  return { rule: 'refuseWhile', flag, ...settings } as const
}

/** Keeps the digits of a telephone number, from the last one on, so that it can be looked up (gaps 2.6). */
export function keepDigits(column: string, settings: { readonly of: string; readonly protocol: string }) {
  return { rule: 'keepDigits', column, ...settings } as const
}

export const labelsOfOwnerRule: Rule = {
  fields: () => ['label'],
  before({ fail, next }, use) {
    const allowed = (use['labels'] as Record<string, readonly Json[]>)[String(next['owner_type'])]
    if (allowed && next['label'] && !allowed.includes(next['label'])) fail('label', 'inclusion')
  },
}

export const refuseWhileRule: Rule = {
  fields: (use) => [String(use['flag'])],
  before({ before, call, fail }, use) {
    if (before?.[String(use['flag'])] === true && call.origin !== 'import') fail('base', String(use['code']))
  },
  remove({ before, call, fail }, use) {
    if (before?.[String(use['flag'])] === true && call.origin !== 'import') fail('base', String(use['code']))
  },
}

export const keepDigitsRule: Rule = {
  fields: (use) => [String(use['column']), String(use['of']), String(use['protocol'])],
  before({ next }, use) {
    const isTelephone = next[String(use['protocol'])] === 'telephone'
    next[String(use['column'])] = isTelephone ? reversedDigits(String(next[String(use['of'])] ?? '')) : null
  },
}
