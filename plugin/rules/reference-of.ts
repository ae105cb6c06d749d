import type { Rule } from '../schema/define-rule.js'
import type { Json } from '../schema/fields.js'

/**
 * A text that stands for the record: the fields in lower case, blanks replaced by underscores, joined by slashes. It follows
 * the fields, unless it is to be kept as it was made; fields that are empty are left out (gaps 6.7, 7.20).
 */
export function referenceOf(
  column: string,
  settings: { readonly of: readonly string[]; readonly max: number; readonly kept?: true },
) {
  return { rule: 'referenceOf', column, ...settings } as const
}

export const referenceOfRule: Rule = {
  fields: (use) => [String(use['column']), ...(use['of'] as readonly string[])],
  before({ before, next }, use) {
    if (before && use['kept'] === true) return
    const words = (use['of'] as readonly string[]).map((field) => wordOf(next[field])).filter((word) => word !== '')
    next[String(use['column'])] = words.join('/').slice(0, Number(use['max'])) || null
  },
}

function wordOf(value: Json | undefined): string {
  return typeof value === 'string' ? value.trim().toLowerCase().replace(/\s/g, '_') : ''
}
