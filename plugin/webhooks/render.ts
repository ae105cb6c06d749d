/** Messages as webhooks get them (spec, Events, Delivery 1 to 3). */
import type { Delivery } from '../deliveries/delivery.js'
import type { Catalog } from '../schema/catalog.js'
import type { Message } from '../storage/queues/messages.js'
import { bodyOf } from './delivery-bodies.js'
import { linkHeader, type WebhookMessage } from './payload.js'
import type { Extras } from './read-extras.js'
import type { Outgoing } from './sign.js'
import type { WebhookRow } from './webhook-rows.js'

/** Dependencies of rendering. */
export interface RenderDeps {
  readonly catalog: Catalog
  /** Base URL of the API, ends with `/v1`. */
  readonly baseUrl: string
  /** URL of an account in the user interface, without a slash at the end. */
  readonly accountAddress: (accountId: string) => string
  /** For `linkHeader`. */
  readonly escapeUrl?: (url: string) => string
}

/**
 * The delivery as it is sent. Rendered for each attempt, so that a changed name or format holds for repeats. Without a message it
 * is a test, or a process of the version before has queued it, with an id of its own: both are rendered already.
 */
export function outgoingOf(deps: RenderDeps, webhook: WebhookRow, delivery: Delivery, extras: Extras = {}): Outgoing {
  const { content, id, message } = delivery
  if (!message) return { id: idOf(id), ...(content as Omit<Outgoing, 'id'>) }
  const { body, contentType, link } = render(deps, webhook, message, extras)
  return { id: idOf(id), link, body, contentType }
}

/** The id of a message for a webhook. Not only digits: those are ids of the version before, which receivers may have seen. */
export function idOf(deliveryId: number): string {
  return `msg_d${deliveryId}`
}

/** The part of a message that deliveries show. */
export type Told = Omit<Message, 'accountId' | 'eventId' | 'sequence'>

/** Body and Link header of a message for a webhook. */
export function render(
  { accountAddress, baseUrl, catalog, escapeUrl }: RenderDeps,
  { accountId, id, name, sending: { contentType } }: Pick<WebhookRow, 'accountId' | 'id' | 'name' | 'sending'>,
  message: Told,
  extras: Extras = {},
): Required<Omit<Outgoing, 'id'>> {
  const { auditLineId, event, member, personId, recordId, recordType, snapshot, team } = message
  const told: WebhookMessage = {
    webhook: { id, name },
    accountAddress: accountAddress(accountId),
    event,
    recordId,
    person: personId === null ? null : { id: personId, name: message.personName },
    auditLineId,
    snapshot,
    team,
    member,
  }
  const path = catalog.types.get(recordType)?.path ?? `${recordType}s`
  const said = { ...(snapshot.data && { data: snapshot.data }), ...extras }
  return { contentType, body: bodyOf(contentType, told, message.at, said), link: linkHeader(baseUrl, path, told, escapeUrl) }
}
