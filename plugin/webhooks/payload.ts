/** Form body and Link header of a delivery. Pure (spec, Events, Delivery 2 and 3; behaviour: Webhook delivery). */
import type { Assignee } from '../storage/queues/messages.js'
import type { Snapshot } from '../storage/queues/outbox.js'

/** One event for one webhook. */
export interface WebhookMessage {
  readonly webhook: { readonly id: number; readonly name: string }
  /** URL of the webhook's account in the user interface, without a slash at the end. */
  readonly accountAddress: string
  readonly event: string
  readonly recordId: number
  /** Null for events of the system. */
  readonly person: { readonly id: number; readonly name: string } | null
  readonly auditLineId: number | null
  readonly snapshot: Snapshot
  readonly team: Assignee | null
  readonly member: Assignee | null
}

/**
 * Returns the form body, with parameters in the order of the specification's table. Empty values are omitted as the table says;
 * person_id and person_name are always present, empty for events of the system.
 */
export function formBody(message: WebhookMessage): string {
  return new URLSearchParams(parametersOf(message).map(([name, value]): [string, string] => [name, String(value)])).toString()
}

/**
 * Returns the Link header: the record in the user interface and in the API, and the note that was added.
 *
 * @param baseUrl base URL of the API, ends with `/v1`
 * @param path last segment of the collection's path
 */
export function linkHeader(
  baseUrl: string,
  path: string,
  message: Pick<WebhookMessage, 'accountAddress' | 'recordId' | 'snapshot'>,
) {
  const { accountAddress, recordId, snapshot } = message
  const links = [
    [`${accountAddress}/${path}/${recordId}`, 'canonical'],
    [`${baseUrl}/${path}/${recordId}`, 'resource'],
    ...(snapshot.note_id ? [[`${baseUrl}/${path}/${recordId}/notes/${snapshot.note_id}`, 'related']] : []),
  ]
  // Parsing escapes characters that are not allowed in a header or between angle brackets, except the comma
  // (behaviour: Link header).
  return links.map(([url = '', rel]) => `<${new URL(url).href.replaceAll(',', '%2C')}>; rel="${rel}"`).join(', ')
}

/** A parameter of a form body: `payload[team][id]`. */
export type Parameter = readonly [name: string, value: string | number | boolean]

/** The parameters of a message, in the order of the specification's table. */
export function parametersOf(message: WebhookMessage): Parameter[] {
  const { webhook, person, snapshot, team, member } = message
  return [
    ['webhook_id', webhook.id],
    ['account', message.accountAddress],
    ['name', webhook.name],
    ['event', message.event],
    ['object_id', message.recordId],
    ['person_id', person?.id ?? ''],
    ['person_name', person?.name ?? ''],
    ...given('payload[audit_line_id]', message.auditLineId),
    ...given('payload[source]', snapshot.source),
    ...given('payload[sourceID]', snapshot.sourceID),
    ...given('payload[status]', snapshot.status),
    ...given('payload[previous_status]', snapshot.previous_status),
    ...given('payload[target]', snapshot.target),
    ...(team ? teamOf(team) : []),
    ...(member ? memberOf(member) : []),
  ]
}

function teamOf(team: Assignee): Parameter[] {
  return [
    ['payload[team][id]', team.id],
    ['payload[team][name]', team.name],
    ...given('payload[team][sourceID]', team.sourceID),
    ...(team.disabled ? [['payload[team][disabled]', true] as const] : []),
    ['payload[team][account][id]', team.account.id],
    ['payload[team][account][name]', team.account.name],
  ]
}

// The same names as for a team, in another order, as in the table of the specification.
function memberOf(member: Assignee): Parameter[] {
  return [
    ['payload[member][id]', member.id],
    ['payload[member][name]', member.name],
    ['payload[member][account][id]', member.account.id],
    ['payload[member][account][name]', member.account.name],
    ...given('payload[member][sourceID]', member.sourceID),
    ...(member.disabled ? [['payload[member][disabled]', true] as const] : []),
  ]
}

function given(name: string, value: string | number | null | undefined): Parameter[] {
  return value === null || value === undefined || value === '' ? [] : [[name, value]]
}
