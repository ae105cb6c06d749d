import { rule } from '../../schema/language/define-rule.js'

/** The referenced record must be linked to this one: the coordinator of a team is one of its members (behaviour: Teams). */
export const mustBeLinked = rule(
  'mustBeLinked',
  (field: string, { by, code }: { readonly by: string; readonly code: string }) => ({
    fields: [field],
    async check({ changed, fail, fieldOf, linked, next, type }) {
      const { column } = fieldOf(field)
      if (!next[column] || !changed(column)) return
      if (!(await linked(type, next['id'], by, next[column]))) fail(field, code)
    },
  }),
)
