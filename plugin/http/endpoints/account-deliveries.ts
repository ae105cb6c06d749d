import { mayUse } from '../../access/sight/decide.js'
import type { Call } from '../../core/call.js'
import { Forbidden } from '../../core/errors.js'
import type { DeliveryLog } from '../../deliveries/log/delivery-log.js'
import type { LogPage, Place } from '../../deliveries/log/read-log.js'
import type { Catalog } from '../../schema/catalog.js'
import { SUBSCRIPTION } from '../../schema/language/built-in-types.js'
import { answerJson, answerPage } from '../answers/answer.js'
import { type Context, type Endpoint, parameterOf } from '../contract.js'

/** Dependencies of the endpoints. */
export interface DeliveriesDeps {
  readonly baseUrl: string
  readonly catalog: Catalog
  readonly deliveryLog: DeliveryLog
}

/**
 * `/deliveries`: what an account has sent, or waits to be sent, on all channels: webhooks, mails, listeners, and channels of the
 * host (behaviour: Log of deliveries).
 */
export function deliveries(deps: DeliveriesDeps): readonly Endpoint[] {
  const { baseUrl, deliveryLog } = deps
  const placeIn = (ctx: Context, call: Call): Place => {
    admit(deps, call)
    const channel = parameterOf(ctx, 'channel')
    return { accountId: call.account.id, ...(channel !== undefined && { channel }) }
  }
  return [
    {
      method: 'GET',
      path: '/deliveries',
      parameters: 'list',
      description: {
        operation: 'list_deliveries',
        summary: 'List deliveries',
        description: 'Those of the account, the newest first. For account administrators.',
        parameters: [{ name: 'channel', description: 'webhook, mail, listener, or a channel of the host.' }, ...FILTERS],
        answers: { 200: { description: 'The deliveries.', schema: { type: 'array', items: DELIVERY } } },
      },
      async run(ctx, call) {
        const place = placeIn(ctx, call)
        const parameters = ctx.state.itsm.parameters.filter(([name]) => name !== 'channel')
        answerLog(ctx, baseUrl, await deliveryLog.list(call, place, parameters))
      },
    },
    {
      method: 'GET',
      path: '/deliveries/:id',
      description: {
        operation: 'read_delivery',
        summary: 'Read a delivery',
        description: 'With all of its attempts.',
        parameters: [{ name: 'id', schema: { type: 'integer' } }],
        answers: { 200: { description: 'The delivery.', schema: DELIVERY } },
      },
      async run(ctx, call) {
        answerJson(ctx, 200, await deliveryLog.read(call, placeIn(ctx, call), Number(ctx.state.itsm.named['id'])))
      },
    },
    {
      method: 'POST',
      path: '/deliveries/:id/retry',
      description: {
        operation: 'retry_delivery',
        summary: 'Send a delivery again',
        description: RETRY,
        parameters: [{ name: 'id', schema: { type: 'integer' } }],
        answers: RETRIED,
      },
      post: {
        async act(ctx, call) {
          const value = await deliveryLog.retry(call, placeIn(ctx, call), Number(ctx.state.itsm.named['id']))
          return { status: 200, value }
        },
        again: async (ctx, call) => placeIn(ctx, call),
      },
    },
  ]
}

/**
 * Lets account administrators pass. A token that is limited to record types does not: deliveries have records of any type.
 *
 * @throws Forbidden
 */
export function admit({ catalog }: Pick<DeliveriesDeps, 'catalog'>, call: Call): void {
  if (call.token?.recordTypes || !mayUse(call, catalog.type(SUBSCRIPTION))) throw new Forbidden()
}

/** Responds with a page of deliveries. */
export function answerLog(ctx: Context, baseUrl: string, { items, total, ...paging }: LogPage): void {
  const totalPages = Math.ceil(total / paging.perPage)
  const shown = items.map((item) => ({ ...item }))
  answerPage(ctx, baseUrl, { ...paging, items: shown as never, totalEntries: total, totalPages, throttled: false })
}

/** What a retry does. */
export const RETRY = 'Now, also after the last attempt; the id that its receiver knows stays.'

const MOMENT = { type: 'string', format: 'date-time' }
const MAYBE = { ...MOMENT, type: ['string', 'null'] }
/** A delivery. Lists show neither its request nor its attempts. */
export const DELIVERY = {
  title: 'LoggedDelivery',
  type: 'object',
  properties: {
    id: { type: 'integer' },
    channel: { type: 'string', maxLength: 32 },
    target: { type: 'string', maxLength: 160, description: 'Id of the webhook, name of the listener, or who gets the mail.' },
    webhook: {
      title: 'DeliveryWebhook',
      type: 'object',
      properties: { id: { type: 'integer' }, name: { type: 'string', maxLength: 255 } },
      additionalProperties: false,
    },
    listener: { type: 'string', maxLength: 160 },
    subject: { type: ['string', 'null'], maxLength: 1024 },
    event: { type: ['string', 'null'], maxLength: 128 },
    object_id: { type: ['integer', 'null'] },
    test: { type: 'boolean', description: 'Of a test, whose `object_id` is made up.' },
    state: { type: 'string', enum: ['waiting', 'sent', 'failed', 'dropped'] },
    attempts: { type: 'integer' },
    created_at: MOMENT,
    next_at: MAYBE,
    finished_at: MAYBE,
    last_error: { type: ['string', 'null'], maxLength: 255 },
    request: {
      title: 'DeliveryRequest',
      type: ['object', 'null'],
      description: 'As it is or was sent; *** stands for secrets.',
      properties: {
        method: { type: 'string', maxLength: 16 },
        uri: { type: ['string', 'null'], maxLength: 4096 },
        headers: { title: 'SentHeaders', type: 'object', additionalProperties: { type: 'string', maxLength: 8192 } },
        body: { type: 'string', maxLength: 65_535 },
      },
      additionalProperties: false,
    },
    log: {
      type: 'array',
      description: 'The attempts.',
      items: {
        title: 'DeliveryAttempt',
        type: 'object',
        properties: {
          at: MOMENT,
          milliseconds: { type: 'integer' },
          status: { type: ['integer', 'null'] },
          reason: { type: ['string', 'null'], maxLength: 255 },
          answer: { type: ['string', 'null'], maxLength: 1024, description: 'Its first 1 KB.' },
        },
        additionalProperties: false,
      },
    },
  },
  additionalProperties: false,
}
/** Filters of lists of deliveries. */
export const FILTERS = [
  { name: 'state', description: 'waiting, sent, failed or dropped.' },
  { name: 'event' },
  { name: 'object_id' },
  { name: 'created_at' },
  { name: 'sort', description: 'id or created_at; -id by default.' },
] as const
/** Answers to a retry. */
export const RETRIED = {
  200: { description: 'The delivery, which waits.', schema: DELIVERY },
  409: { description: 'It is due or being sent, it is a test, or its target is disabled or gone.' },
}
