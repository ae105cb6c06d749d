/**
 * The record types that the plugin itself relies on, whatever else the catalog contains. All other code treats all types alike;
 * these names occur only here and in `records/`, `rules/` and `http/endpoints/`.
 */

/** People who act, sign in, and are referred to as authors. */
export const PERSON = 'person'
/** Teams, whose members `myTeams` stands for. */
export const TEAM = 'team'
/** Organizations, whose tree determines which of them are internal. */
export const ORGANIZATION = 'organization'
/** Agreements that cover people, for services and service instances. */
export const AGREEMENT = 'sla'
/** Configuration items, whose users an agreement may cover. */
export const CONFIGURATION_ITEM = 'ci'
/** Calendars, whose hours and holidays determine working time. */
export const CALENDAR = 'calendar'
/** Notes, which a field with the option `note` creates. */
export const NOTE = 'note'
/** Files of a record or a note. */
export const ATTACHMENT = 'attachment'
/** Changes of records and the acting person. */
export const AUDIT_LINE = 'audit_line'
/** Subscriptions to events. */
export const SUBSCRIPTION = 'webhook'
/** Requests, which events of monitoring tools become. */
export const REQUEST = 'request'
/** Categories of requests that concern a service; the others have neither a service instance nor an impact. */
export const SERVICE_CATEGORIES = ['incident', 'rfc', 'rfi'] as const
