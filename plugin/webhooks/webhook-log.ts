/** What the log of deliveries shows of webhooks (behaviour: Log of deliveries). */
import type { Knex } from 'knex'
import type { ChannelLog, Heard } from '../deliveries/log/channel-log.js'
import { SUBSCRIPTION } from '../schema/language/built-in-types.js'
import { dbOf } from '../storage/database/transaction.js'
import { accountsHeard, createDecide, type DecideDeps } from './kept-by.js'
import { MASK, maskedHeaders, maskedUri } from './masks.js'
import { keyOf, placeOf } from './plan-messages.js'
import type { ReadExtras } from './read-extras.js'
import { outgoingOf, type RenderDeps } from './render.js'
import { authorizationOf } from './safe-request.js'
import { addedNames, headersOf } from './sign.js'
import { subscribedNames, subscribes } from './subscribes.js'
import { readWebhooks } from './webhook-rows.js'

/** Dependencies of the log. */
export interface WebhookLogDeps extends DecideDeps, RenderDeps {
  readonly userAgent: string
  readonly readExtras: ReadExtras
}

/** Creates the part of webhooks, without any I/O. */
export function createWebhookLog(deps: WebhookLogDeps): ChannelLog {
  const { catalog, readExtras, storage, userAgent } = deps
  const decide = createDecide(deps)
  const one = async (db: Knex, target: string) => (await readWebhooks(storage, db, [Number(target)])).get(Number(target))
  return {
    ownerOf: (target) => ({ type: SUBSCRIPTION, id: Number(target) }),
    belongs: async (db, accountId, target) => (await one(db, target))?.accountId === accountId,
    async summarize(call, deliveries) {
      const ids = [...new Set(deliveries.map(({ target }) => Number(target)))]
      const webhooks = await readWebhooks(storage, dbOf(storage, call), ids)
      return deliveries.map(({ target }) => {
        const webhook = webhooks.get(Number(target))
        return webhook ? { webhook: { id: webhook.id, name: webhook.name } } : {}
      })
    },
    async reveal(delivery, sentAt) {
      const webhook = await one(storage.knex, delivery.target)
      if (!webhook) return null
      const { payload } = webhook.sending
      const asked = delivery.message ? [{ accountId: webhook.accountId, payload, message: delivery.message }] : []
      const [extras] = await readExtras(asked)
      const outgoing = outgoingOf(deps, webhook, delivery, extras ?? {})
      const timestamp = sentAt && String(Math.floor(sentAt.getTime() / 1000))
      const authorization = URL.canParse(webhook.uri) ? authorizationOf(new URL(webhook.uri)) : {}
      const signatures = webhook.signing.secret === null ? [] : [MASK]
      const added = Object.fromEntries(addedNames(webhook.sending.headers).map((name) => [name, MASK]))
      const headers = { 'user-agent': userAgent, ...added, ...headersOf(outgoing, timestamp, signatures), ...authorization }
      return { method: 'POST', uri: maskedUri(webhook.uri), headers: maskedHeaders(headers), body: outgoing.body }
    },
    async heardBy(db, target): Promise<Heard | null> {
      const webhook = await one(db, target)
      if (!webhook || webhook.disabled) return null
      const names = subscribedNames(webhook.asking)
      return {
        events: catalog.events.filter((event) => subscribes(names, event)),
        accountIds: await accountsHeard(deps, db, webhook.accountId),
        async plan(reading, messages) {
          const decided = await decide(reading, messages, [webhook])
          const place = placeOf(webhook)
          return messages.map((message) =>
            decided(webhook, message) === null ? { ...place, key: keyOf(message.event, message.recordId) } : null,
          )
        },
      }
    },
  }
}
