import { rule } from '../schema/define-rule.js'

/** What is copied, or which field of the other record each one is copied from. */
type Sources = readonly string[] | { readonly [field: string]: string }

/**
 * What the caller leaves out of a new record is copied from a referenced one, where that has a value (behaviour: Tasks,
 * Changes, Problems). A field that is sent empty stays empty, and so does one whose record has been disabled since: nobody who
 * did not name it has to be refused.
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
