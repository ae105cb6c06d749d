/** What all checks of definitions share. */

/** Lower-case letters, digits and underscores, a letter first: names of record types, paths, tables, links and lists. */
export const NAME = /^[a-z][a-z0-9_]*$/

/**
 * Says what is wrong, and where in the definition.
 *
 * @param part the part that an extension may have added, as `merge.ts` calls it (`events=update`); default: the place
 */
export type Say = (where: string, text: string, part?: string) => void
