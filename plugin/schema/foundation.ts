/**
 * The record types that the house itself relies on, whatever else the catalog holds. All other code cannot tell one type from
 * another; these names stand here and nowhere else outside of `records/`, `rules/` and `http/endpoints/`.
 */

/** Who acts, is referred to as author, and signs in. */
export const PERSON = 'person'
/** Whose members `myTeams` means. */
export const TEAM = 'team'
/** The tree that makes an organization internal. */
export const ORGANIZATION = 'organization'
/** What a field with the option `note` becomes. */
export const NOTE = 'note'
/** What tells who changed what. */
export const AUDIT_LINE = 'audit_line'
/** Who wants to be told of events. */
export const WEBHOOK = 'webhook'
