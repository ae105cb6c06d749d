import type { Call } from '../../core/call.js'
import { instantOf } from '../../core/clock.js'
import { BadRequest } from '../../core/errors.js'
import type { LoggedTarget } from '../../deliveries/log/delivery-log.js'
import type { Operations } from '../../operations/contract.js'
import { KEPT_BY } from '../../webhooks/kept-by.js'
import type { Webhooks } from '../../webhooks/webhooks.js'
import { answerJson } from '../answers/answer.js'
import { type Context, type Endpoint, parameterOf } from '../contract.js'
import { admit, answerLog, DELIVERY, type DeliveriesDeps, FILTERS, RETRIED, RETRY } from './account-deliveries.js'

/** Dependencies of the endpoints. */
export interface WebhookDeliveriesDeps extends DeliveriesDeps {
  readonly operations: Operations
  readonly webhooks: Webhooks
}

/**
 * The deliveries of a webhook: list, single, retry and replay; its health; and why an event was told or was not. For account
 * administrators (behaviour: Log of deliveries).
 */
export function webhookDeliveries(deps: WebhookDeliveriesDeps): readonly Endpoint[] {
  const { baseUrl, deliveryLog, operations, webhooks } = deps
  const channel = webhooks.channel.name
  const numberIn = (ctx: Context, name: string) => Number(ctx.state.itsm.named[name])
  /** @throws Forbidden, NotFound */
  const placeIn = async (ctx: Context, call: Call): Promise<LoggedTarget> => {
    admit(deps, call)
    const id = numberIn(ctx, 'id')
    await operations.read(call, 'webhook', id)
    return { accountId: call.account.id, channel, target: String(id) }
  }
  return [
    {
      method: 'GET',
      path: '/webhooks/:id/deliveries',
      parameters: 'list',
      description: {
        operation: 'list_deliveries_of_webhook',
        summary: 'List deliveries of a webhook',
        description: 'The newest first. For account administrators.',
        parameters: [ID, ...FILTERS],
        answers: { 200: { description: 'The deliveries.', schema: { type: 'array', items: DELIVERY } } },
      },
      async run(ctx, call) {
        answerLog(ctx, baseUrl, await deliveryLog.list(call, await placeIn(ctx, call), ctx.state.itsm.parameters))
      },
    },
    {
      method: 'GET',
      path: '/webhooks/:id/deliveries/:delivery_number',
      description: {
        operation: 'read_delivery_of_webhook',
        summary: 'Read a delivery of a webhook',
        description: 'With headers and body, without secrets, and with all attempts.',
        parameters: [ID, NUMBER],
        answers: { 200: { description: 'The delivery.', schema: DELIVERY } },
      },
      async run(ctx, call) {
        answerJson(ctx, 200, await deliveryLog.read(call, await placeIn(ctx, call), numberIn(ctx, 'delivery_number')))
      },
    },
    {
      method: 'POST',
      path: '/webhooks/:id/deliveries/:delivery_number/retry',
      description: {
        operation: 'retry_delivery_of_webhook',
        summary: 'Send a delivery of a webhook again',
        description: RETRY,
        parameters: [ID, NUMBER],
        answers: RETRIED,
      },
      post: {
        async act(ctx, call) {
          return {
            status: 200,
            value: await deliveryLog.retry(call, await placeIn(ctx, call), numberIn(ctx, 'delivery_number')),
          }
        },
        again: placeIn,
      },
    },
    {
      method: 'POST',
      path: '/webhooks/:id/replay',
      body: 'json',
      description: {
        operation: 'replay_deliveries_of_webhook',
        summary: 'Send deliveries of a time again',
        description: 'In order, behind what is due. At most 100,000.',
        parameters: [ID],
        body: { 'application/json': REPLAY },
        answers: {
          202: { description: 'They wait to be sent.', schema: REPLAYED },
          409: { description: 'The webhook is disabled.' },
        },
      },
      post: {
        async receive(ctx, call, respond) {
          const place = await placeIn(ctx, call)
          const { body } = ctx.state.itsm
          const by = { accountId: call.account.id, personId: call.actor?.id ?? 0 }
          // In transactions of its own, so that a hundred thousand rows are never locked at once.
          await respond({ by, digest: async () => JSON.stringify(body), isOutside: true }, async (inside) => ({
            status: 202,
            value: await deliveryLog.replay(inside, place, body),
          }))
        },
        again: placeIn,
      },
    },
    {
      method: 'GET',
      path: '/webhooks/:id/health',
      description: {
        operation: 'read_health_of_webhook',
        summary: 'Read the health of a webhook',
        description: 'Failures in a row, what waits, and the attempts of the last hour and day.',
        parameters: [ID],
        answers: { 200: { description: 'The health.', schema: HEALTH } },
      },
      async run(ctx, call) {
        const place = await placeIn(ctx, call)
        const { failingSince, failures } = await webhooks.health(call, Number(place.target))
        const figures = await deliveryLog.figures(place)
        answerJson(ctx, 200, { failing_since: failingSince && instantOf(failingSince), failed_in_row: failures, ...figures })
      },
    },
    {
      method: 'GET',
      path: '/webhooks/:id/why',
      description: {
        operation: 'explain_webhook',
        summary: 'Explain if a webhook is told of an event',
        description: 'Decides about the newest event of this name and record, for the webhook as it is now.',
        parameters: [ID, { name: 'event', required: true }, { name: 'object_id', required: true, schema: { type: 'integer' } }],
        answers: { 200: { description: 'Matched, or what keeps the event from the webhook.', schema: WHY } },
      },
      async run(ctx, call) {
        const { target } = await placeIn(ctx, call)
        const [event = '', given = ''] = [parameterOf(ctx, 'event'), parameterOf(ctx, 'object_id')]
        const objectId = ID_TEXT.test(given) ? Number(given) : Number.NaN
        if (event === '') throw new BadRequest("Parameter 'event' is missing")
        if (!Number.isSafeInteger(objectId)) throw new BadRequest("Parameter 'object_id' must be the id of a record")
        answerJson(ctx, 200, await webhooks.why(call, Number(target), { event, objectId }))
      },
    },
  ]
}

const ID_TEXT = /^\s*\d{1,16}\s*$/
const ID = { name: 'id', schema: { type: 'integer' } } as const
const NUMBER = { name: 'delivery_number', schema: { type: 'integer' } } as const
const MOMENT = { type: 'string', format: 'date-time' }
const MAYBE = { ...MOMENT, type: ['string', 'null'] }
const REPLAY = {
  title: 'DeliveryReplay',
  type: 'object',
  properties: {
    from: MOMENT,
    to: { ...MOMENT, description: 'Default: now.' },
    state: {
      type: 'string',
      enum: ['failed', 'all'],
      description: 'failed (default): given up or dropped. all: also sent ones, and events that match but had no delivery.',
    },
    event: { type: ['string', 'null'], maxLength: 128 },
  },
  required: ['from'],
  additionalProperties: false,
}
const REPLAYED = {
  title: 'DeliveryCount',
  type: 'object',
  properties: { count: { type: 'integer', minimum: 0 } },
  required: ['count'],
  additionalProperties: false,
}
const ATTEMPTED = {
  title: 'DeliveryFigures',
  type: 'object',
  properties: { sent: { type: 'integer' }, failed: { type: 'integer' } },
  additionalProperties: false,
}
const HEALTH = {
  title: 'WebhookHealth',
  type: 'object',
  properties: {
    failing_since: MAYBE,
    failed_in_row: { type: 'integer' },
    waiting: { type: 'integer' },
    oldest_waiting_at: MAYBE,
    last_hour: ATTEMPTED,
    last_day: ATTEMPTED,
  },
  additionalProperties: false,
}
const WHY = {
  title: 'WebhookReason',
  type: 'object',
  properties: {
    matched: { type: 'boolean' },
    reason: { type: ['string', 'null'], maxLength: 32, description: `${KEPT_BY.join(', ')}.` },
    term: { type: ['string', 'null'], maxLength: 65_536, description: 'What the webhook asks for.' },
    met: { description: 'The value that the term met.' },
    occurred_at: MOMENT,
    delivery_id: { type: ['integer', 'null'], description: 'The delivery that the event had.' },
  },
  additionalProperties: false,
}
