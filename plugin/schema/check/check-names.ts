/** Names and types that all checks of definitions share. */

/**
 * Lower-case letters, digits and underscores, beginning with a letter: names of record types, paths, tables, links and lists.
 */
export const NAME = /^[a-z][a-z0-9_]*$/

/**
 * Reports a mistake, and its place in the definition.
 *
 * @param part the part that an extension may have added, by its name in `merge.ts` (`events=update`); default: the place
 */
export type Report = (where: string, text: string, part?: string) => void
