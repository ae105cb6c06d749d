/**
 * The record types that the plugin itself relies on, whatever else the catalog holds. All other code cannot tell one type from
 * another; these names stand here and nowhere else outside of `records/`, `rules/` and `http/endpoints/`.
 */

/** Who acts, is referred to as author, and signs in. */
export const PERSON = 'person'
/** Whose members `myTeams` means. */
export const TEAM = 'team'
/** The tree that makes an organization internal. */
export const ORGANIZATION = 'organization'
/** What covers people: services and service instances are provided to them. */
export const AGREEMENT = 'sla'
/** Whose users an agreement may cover. */
export const CONFIGURATION_ITEM = 'ci'
/** What a field with the option `note` becomes. */
export const NOTE = 'note'
/** A file that is shown with a record or a note. */
export const ATTACHMENT = 'attachment'
/** What tells who changed what. */
export const AUDIT_LINE = 'audit_line'
/** Who wants to be told of events. */
export const WEBHOOK = 'webhook'
