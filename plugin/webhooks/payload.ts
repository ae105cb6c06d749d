/** Form body and Link header of a delivery. Pure (spec, Events, Delivery 2 and 3; behaviour: Delivery). */
import type { Assignee } from '../storage/queues/messages.js'
import type { Snapshot } from '../storage/queues/outbox.js'

/** What form encoding leaves as it is. */
const PLAIN = /^[\w.*-]*$/
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
  return parametersOf(message)
    .map(([name, value]) => `${name.replaceAll('[', '%5B').replaceAll(']', '%5D')}=${encoded(String(value))}`)
    .join('&')
}

/** Form-encodes a text. Most values are plain; what `URLSearchParams` needs for one is as much as for all of them. */
function encoded(text: string): string {
  return PLAIN.test(text) ? text : new URLSearchParams([['', text]]).toString().slice(1)
}

/**
 * Returns the Link header: the record in the user interface and in the API, and the note that was added.
 *
 * @param baseUrl base URL of the API, ends with `/v1`
 * @param path last segment of the collection's path
 * @param escapeUrl `escaped`, which may remember what it has escaped
 */
export function linkHeader(
  baseUrl: string,
  path: string,
  message: Pick<WebhookMessage, 'accountAddress' | 'recordId' | 'snapshot'>,
  escapeUrl = escaped,
): string {
  const { accountAddress, recordId, snapshot } = message
  const [shown, resource] = [escapeUrl(`${accountAddress}/${path}/`), escapeUrl(`${baseUrl}/${path}/`)]
  const links = `<${shown}${recordId}>; rel="canonical", <${resource}${recordId}>; rel="resource"`
  return snapshot.note_id ? `${links}, <${resource}${recordId}/notes/${snapshot.note_id}>; rel="related"` : links
}

/**
 * The beginning of URLs of records, as it may stand in the header. Parsing escapes characters that are not allowed in a header or
 * between angle brackets, except the comma (behaviour: Link header); numbers that follow need no escaping.
 */
export function escaped(url: string): string {
  return new URL(url).href.replaceAll(',', '%2C')
}

/** A parameter of a form body: `payload[team][id]`. */
export type Parameter = readonly [name: string, value: string | number | boolean]

/** The parameters of a message, in the order of the specification's table. */
export function parametersOf(message: WebhookMessage): Parameter[] {
  const { webhook, person, snapshot, team, member } = message
  const found: Parameter[] = [
    ['webhook_id', webhook.id],
    ['account', message.accountAddress],
    ['name', webhook.name],
    ['event', message.event],
    ['object_id', message.recordId],
    ['person_id', person?.id ?? ''],
    ['person_name', person?.name ?? ''],
  ]
  add(found, 'payload[audit_line_id]', message.auditLineId)
  add(found, 'payload[source]', snapshot.source)
  add(found, 'payload[sourceID]', snapshot.sourceID)
  add(found, 'payload[status]', snapshot.status)
  add(found, 'payload[previous_status]', snapshot.previous_status)
  add(found, 'payload[target]', snapshot.target)
  if (team) {
    found.push(['payload[team][id]', team.id], ['payload[team][name]', team.name])
    add(found, 'payload[team][sourceID]', team.sourceID)
    if (team.disabled) found.push(['payload[team][disabled]', true])
    found.push(['payload[team][account][id]', team.account.id], ['payload[team][account][name]', team.account.name])
  }
  if (member) {
    // The same names as for a team, in another order, as in the table of the specification.
    found.push(['payload[member][id]', member.id], ['payload[member][name]', member.name])
    found.push(['payload[member][account][id]', member.account.id], ['payload[member][account][name]', member.account.name])
    add(found, 'payload[member][sourceID]', member.sourceID)
    if (member.disabled) found.push(['payload[member][disabled]', true])
  }
  return found
}

/** Empty values are omitted. */
function add(to: Parameter[], name: string, value: string | number | null | undefined): void {
  if (value !== null && value !== undefined && value !== '') to.push([name, value])
}
