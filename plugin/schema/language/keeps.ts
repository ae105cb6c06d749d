/** Stored values that follow from others, as the rules and settlings that keep them list them. Plain data. ADR 0049. */

/**
 * Stored values, each with everything that it follows from. Both are fields, or links, of the record itself, or `base.field` of
 * others. A base is a source of the settling, a reference of the record, `owner` for the owner of a sub-record, or a record type.
 *
 * A source alone stands for which records it has, and `id` for the existence of a record. `account.locale` and the like are
 * those of the account.
 */
export type Keeps = { readonly [value: string]: readonly string[] }
