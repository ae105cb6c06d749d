/** Messages as webhooks get them (spec, Events, Delivery 1 to 3). */
import type { Delivery } from '../deliveries/delivery.js'
import type { Catalog } from '../schema/catalog.js'
import type { Message } from '../storage/queues/messages.js'
import { formBody, linkHeader } from './payload.js'
import type { Outgoing } from './sign.js'
import type { WebhookRow } from './webhook-rows.js'

/** Dependencies of rendering. */
export interface RenderDeps {
  readonly catalog: Catalog
  /** Base URL of the API, ends with `/v1`. */
  readonly baseUrl: string
  /** URL of an account in the user interface, without a slash at the end. */
  readonly accountAddress: (accountId: string) => string
}

/**
 * The delivery as it is sent. Rendered for each attempt, so that a changed name or format holds for repeats. Without a message it
 * is a test, or a process of the version before has queued it, with an id of its own: both are rendered already.
 */
export function outgoingOf(deps: RenderDeps, webhook: WebhookRow, { content, id, message }: Delivery): Outgoing {
  const rendered = message ? render(deps, webhook, message) : (content as Omit<Outgoing, 'id'>)
  return { id: `msg_${id}`, ...rendered }
}

/** The part of a message that deliveries show. */
export type Told = Omit<Message, 'accountId' | 'at' | 'eventId' | 'sequence'>

/** Body and Link header of a message for a webhook. */
export function render(
  { accountAddress, baseUrl, catalog }: RenderDeps,
  { accountId, id, name }: Pick<WebhookRow, 'accountId' | 'id' | 'name'>,
  message: Told,
): Omit<Outgoing, 'id'> {
  const { personId, personName } = message
  const person = personId === null ? null : { id: personId, name: personName }
  const told = { ...message, webhook: { id, name }, accountAddress: accountAddress(accountId), person }
  const path = catalog.types.get(message.recordType)?.path ?? `${message.recordType}s`
  return { body: formBody(told), link: linkHeader(baseUrl, path, told) }
}
