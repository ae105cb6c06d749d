/** Values that are filled in when the caller gives none. */
import type { Rule } from '../schema/define-rule.js'

/** On creation the reference defaults to the acting person. */
export function fillWithCaller(field: string) {
  return { rule: 'fillWithCaller', field } as const
}

/** An empty field takes the value of another one. */
export function fallBackTo(field: string, other: string) {
  return { rule: 'fallBackTo', field, other } as const
}

/** On creation the field is copied from a referenced record, and stays as it was then. */
export function copyOnCreate(field: string, source: { readonly from: string; readonly field: string }) {
  return { rule: 'copyOnCreate', target: field, ...source } as const
}

/** Counts how often a reference was set to another record. */
export function countChanges(field: string, settings: { readonly of: string }) {
  return { rule: 'countChanges', field, ...settings } as const
}

export const fillWithCallerRule: Rule = {
  fields: (use) => [String(use['field'])],
  fills: (use) => [String(use['field'])],
  before({ before, call, fieldOf, next }, use) {
    if (!before) next[fieldOf(String(use['field'])).column] ??= call.actor?.id ?? null
  },
}

export const fallBackToRule: Rule = {
  fields: (use) => [String(use['field']), String(use['other'])],
  fills: (use) => [String(use['field'])],
  before({ fieldOf, next }, use) {
    const [field, other] = [fieldOf(String(use['field'])), fieldOf(String(use['other']))]
    next[field.column] ??= next[other.column] ?? null
  },
}

export const copyOnCreateRule: Rule = {
  fields: (use) => [String(use['target']), String(use['from'])],
  fills: (use) => [String(use['target'])],
  async before({ before, fieldOf, load, next }, use) {
    if (before) return
    const [target, from] = [fieldOf(String(use['target'])), fieldOf(String(use['from']))]
    const source = await load(from.record, next[from.column])
    if (source) next[target.column] = source[`${use['field']}_id`] ?? source[String(use['field'])] ?? null
  },
}

export const countChangesRule: Rule = {
  fields: (use) => [String(use['field']), String(use['of'])],
  before({ before, changed, fieldOf, next }, use) {
    const { column } = fieldOf(String(use['of']))
    const field = String(use['field'])
    const count = Number(before?.[field] ?? 0)
    next[field] = changed(column) && next[column] ? count + 1 : count
  },
}
