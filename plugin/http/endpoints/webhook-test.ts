import { NotFound } from '../../core/errors.js'
import type { Operations } from '../../operations/contract.js'
import type { Webhooks } from '../../webhooks/webhooks.js'
import type { Endpoint } from '../contract.js'

/**
 * `POST /webhooks/:id/test`: one delivery with object_id 12345, whether or not the webhook is enabled. 204 at once,
 * with the delivery as its `Location`; `last_error` of the webhook then has the result (spec, Webhook management; behaviour: Webhook management).
 */
export function webhookTest(parts: { readonly operations: Operations; readonly webhooks: Webhooks }): readonly Endpoint[] {
  return [
    {
      method: 'POST',
      path: '/webhooks/:id/test',
      description: {
        operation: 'test_webhook',
        summary: 'Try a webhook',
        description: 'Sends one delivery to its receiver.',
        parameters: [{ name: 'id', schema: { type: 'integer' } }],
        answers: {
          204: {
            description: 'It is being sent. Then last_error of the webhook says how it ended, null for success.',
            isLocated: true,
          },
        },
      },
      post: {
        async act(ctx, call) {
          const id = Number(ctx.state.itsm.named['id'])
          const webhook = await parts.operations.read(call, 'webhook', id)
          const [name, event, uri] = [webhook['name'], webhook['event'], webhook['uri']]
          if (typeof event !== 'string' || typeof uri !== 'string') throw new NotFound()
          const tested = { id, accountId: call.account.id, name: String(name ?? event), event, uri }
          const { begin, id: delivery } = await parts.webhooks.test(call, tested)
          return { status: 204, location: `/webhooks/${id}/deliveries/${delivery}`, afterwards: begin }
        },
        again: (ctx, call) => parts.operations.read(call, 'webhook', Number(ctx.state.itsm.named['id'])),
      },
    },
  ]
}
