import type { Call } from '../core/call.js'
import { partsOfEvent } from '../events/names.js'
import type { Catalog } from '../schema/compile.js'
import { FORM } from './deliver.js'
import { formBody, linkHeader, type Message } from './payload.js'
import type { WebhookRow } from './queue.js'
import type { Outcome, Requester } from './safe-request.js'

/** The record that a test delivery is about does not exist (spec, Webhook management). */
export const TEST_OBJECT_ID = 12345

export interface TestParts {
  readonly catalog: Catalog
  readonly requester: Requester
  readonly baseUrl: string
  readonly accountAddress: (accountId: string) => string
}

/** What a test needs of a webhook. */
export type Tested = Pick<WebhookRow, 'id' | 'accountId' | 'name' | 'event' | 'uri'>

/**
 * Sends one delivery that looks like a real one without record data, whether the webhook is enabled or not. Not retried, not
 * counted, no mail (gaps 5.1). Never throws: the outcome says how it went.
 */
export async function deliverTest(parts: TestParts, webhook: Tested, call: Pick<Call, 'actor'>): Promise<Outcome> {
  const { catalog, requester, baseUrl, accountAddress } = parts
  const message: Message = {
    webhook: { id: webhook.id, name: webhook.name },
    accountAddress: accountAddress(webhook.accountId),
    event: webhook.event,
    recordId: TEST_OBJECT_ID,
    person: call.actor,
    auditLineId: null,
    snapshot: {},
    team: null,
    member: null,
  }
  const type = partsOfEvent(webhook.event)?.type ?? ''
  const link = linkHeader(baseUrl, catalog.types.get(type)?.path ?? `${type}s`, message)
  return requester.post({ uri: webhook.uri, headers: { 'content-type': FORM, link }, body: formBody(message) })
}
