import { type FillContext, type Row, rule } from '../../schema/language/define-rule.js'

/** Names of the copied fields, or for each field the one of the other record that it is copied from. */
type Sources<N extends string> = readonly N[] | { readonly [field in N]: string }

/**
 * Fields that the caller omits from a new record are copied from a referenced one, if they have a value there (behaviour:
 * Tasks, Changes, Problems). A field that is sent empty stays empty. References to disabled records are not copied: the save
 * would be refused for a record that the caller did not name.
 */
export const fillFrom = rule('fillFrom', <const N extends string>(from: string, fields: Sources<N>) => {
  const sources: readonly (readonly [field: N, from: string])[] = Array.isArray(fields)
    ? fields.map((field: N) => [field, field] as const)
    : (Object.entries(fields) as [N, string][])
  return {
    fields: [from, ...sources.map(([field]) => field)],
    fills: sources.map(([field]) => field),
    looksUp: sources.map(([, name]) => ({ path: `${from}.${name}` })),
    async fill(context) {
      const { before, fieldOf, load, next } = context
      if (before) return
      const { column, record } = fieldOf(from)
      const source = await load(record, next[column])
      if (source) await Promise.all(sources.map(([field, name]) => copyValue(context, source, field, name)))
    },
  }
})

/**
 * Copies the value of a field from another record, unless the caller names the field, or the value is empty or refers to a
 * disabled record.
 */
export async function copyValue(
  { fieldOf, given, load, next }: FillContext,
  source: Row,
  field: string,
  name = field,
): Promise<void> {
  const value = source[`${name}_id`] ?? source[name] ?? null
  if (value === null || given.has(field)) return
  const { column, record } = fieldOf(field)
  const isDisabled = record !== '' && (await load(record, value))?.['disabled'] === true
  if (!isDisabled) next[column] = value
}
