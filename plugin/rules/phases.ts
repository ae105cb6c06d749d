/** Ordered parts that other records stand in, as tasks stand in the phases of a project (gaps 6.8). */
import type { Rule } from '../schema/define-rule.js'
import type { Json } from '../schema/fields.js'
import { findAll } from './find-all.js'

/** A new part without a position comes after the last one of its owner. */
export function fillWithPosition(field: string) {
  return { rule: 'fillWithPosition', field } as const
}

/** The referenced part must be one of the record that the other field refers to. */
export function mustBePartOf(field: string, settings: { readonly owner: string; readonly code: string }) {
  return { rule: 'mustBePartOf', field, ...settings } as const
}

/** Only what still has the value can be removed. */
export function removableWhile(field: string, settings: { readonly value: Json; readonly code: string }) {
  return { rule: 'removableWhile', field, ...settings } as const
}

/** All parts of an owner can be removed at once only while no record refers to the owner. */
export function removableWithout(record: string, settings: { readonly by: string; readonly code: string }) {
  return { rule: 'removableWithout', record, ...settings } as const
}

/** Records that refer to the removed one lose the reference. */
export function clearedOnRemoval(record: string, settings: { readonly field: string }) {
  return { rule: 'clearedOnRemoval', record, reference: settings.field } as const
}

export const fillWithPositionRule: Rule = {
  fields: (use) => [String(use['field'])],
  fills: (use) => [String(use['field'])],
  async before({ before, find, next, type }, use) {
    const field = String(use['field'])
    if (before || (next[field] ?? null) !== null) return
    const siblings = { owner_type: String(next['owner_type']), owner_id: Number(next['owner_id']) }
    let last = 0
    for await (const sibling of findAll(find, type, siblings)) last = Math.max(last, Number(sibling[field] ?? 0))
    next[field] = last + 1
  },
}

export const mustBePartOfRule: Rule = {
  fields: (use) => [String(use['field']), String(use['owner'])],
  async before({ changed, fail, fieldOf, load, next }, use) {
    const [part, owner] = [fieldOf(String(use['field'])), fieldOf(String(use['owner']))]
    if (!changed(part.column) && !changed(owner.column)) return
    const found = await load(part.record, next[part.column])
    // A part that is not there is reported as such.
    if (found && found['owner_id'] !== next[owner.column]) fail(String(use['field']), String(use['code']))
  },
}

export const removableWhileRule: Rule = {
  fields: (use) => [String(use['field'])],
  remove({ fail, next }, use) {
    if (next[String(use['field'])] !== use['value']) fail('base', String(use['code']))
  },
}

export const removableWithoutRule: Rule = {
  async removeAll({ fail, find, next }, use) {
    const [first] = await find(String(use['record']), { [String(use['by'])]: Number(next['owner_id']) })
    if (first) fail('base', String(use['code']))
  },
}

export const clearedOnRemovalRule: Rule = {
  async removed({ find, next, save }, use) {
    const [record, reference] = [String(use['record']), String(use['reference'])]
    for await (const one of findAll(find, record, { [reference]: Number(next['id']) })) {
      await save(record, Number(one['id']), { [`${reference}_id`]: null })
    }
  },
}
