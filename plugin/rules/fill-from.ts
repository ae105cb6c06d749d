import { rule } from '../schema/define-rule.js'

/** Names of the copied fields, or for each field the one of the other record that it is copied from. */
type Sources = readonly string[] | { readonly [field: string]: string }

/**
 * Fields that the caller omits from a new record are copied from a referenced one, if they have a value there (behaviour:
 * Tasks, Changes, Problems). A field that is sent empty stays empty. References to disabled records are not copied: the save
 * would be refused for a record that the caller did not name.
 */
export const fillFrom = rule('fillFrom', (from: string, fields: Sources) => {
  const sources = Array.isArray(fields) ? fields.map((field: string) => [field, field] as const) : Object.entries(fields)
  return {
    fields: [from, ...sources.map(([field]) => field)],
    fills: sources.map(([field]) => field),
    async fill({ before, fieldOf, given, load, next }) {
      if (before) return
      const { column, record } = fieldOf(from)
      const source = await load(record, next[column])
      if (!source) return
      const copy = async ([field, name]: readonly [string, string]) => {
        const value = source[`${name}_id`] ?? source[name] ?? null
        if (value === null || given.has(field)) return
        const target = fieldOf(field)
        const isDisabled = target.record !== '' && (await load(target.record, value))?.['disabled'] === true
        if (!isDisabled) next[target.column] = value
      }
      await Promise.all(sources.map(copy))
    },
  }
})
