import type { Rule } from '../schema/define-rule.js'

/** The referenced record and the owner of the part must refer to the same third one (gaps 6.21: the service). */
export function agreesWithOwner(field: string, settings: { readonly in: string; readonly code: string }) {
  return { rule: 'agreesWithOwner', field, ...settings } as const
}

export const agreesWithOwnerRule: Rule = {
  fields: (use) => [String(use['field'])],
  async before({ changed, fail, fieldOf, load, next }, use) {
    const { column, record } = fieldOf(String(use['field']))
    if (!next[column] || !changed(column)) return
    const owner = await load(String(next['owner_type']), next['owner_id'])
    const other = await load(record, next[column])
    const third = `${use['in']}_id`
    // A record that is not there is reported as such.
    if (owner && other && owner[third] !== other[third]) fail(String(use['field']), String(use['code']))
  },
}
