import { instantOf } from '../../core/clock.js'
import type { Log } from '../../core/log.js'
import type { Operations } from '../../operations/contract.js'
import { readSaved } from '../../operations/read/read-saved.js'
import { schemaNamed } from '../../schema/kinds/json-schema.js'
import { answerShown, beginAnswer, withSecrets } from '../answers/answer.js'
import type { Endpoint } from '../contract.js'

/** Milliseconds in which the secret before a rotation signs as well. */
const BOTH_FOR = 24 * 3600_000

/**
 * `POST /webhooks/:id/rotate_secret`: a new secret, shown once. For 24 hours deliveries are signed with the one before as well, so
 * that a receiver can change over in that time (behaviour: Signatures). 422 for a webhook without a secret.
 */
export function webhookSecret(parts: { readonly operations: Operations; readonly log: Log }): readonly Endpoint[] {
  const { operations } = parts
  return [
    {
      method: 'POST',
      path: '/webhooks/:id/rotate_secret',
      description: {
        operation: 'rotate_secret_of_webhook',
        summary: 'Replace the secret of a webhook',
        description: 'For 24 hours the one before signs as well.',
        parameters: [{ name: 'id', schema: { type: 'integer' } }],
        answers: { 200: { description: 'The webhook with the secret.', schema: schemaNamed('webhook') } },
      },
      post: {
        async act(ctx, call) {
          const id = Number(ctx.state.itsm.named['id'])
          await operations.read(call, 'webhook', id)
          const until = instantOf(new Date(Date.parse(call.now) + BOTH_FOR))
          // The end of the time is not for callers. Strict: if the host's hooks close one of the fields, nothing is done.
          const item = { id, body: { secret: true, previous_secret_until: until }, handling: 'strict' } as const
          const { shownOnce } = await operations.submit({ ...call, setsReadOnly: true }, 'webhook', item)
          return {
            async answerOnce(shown, outside) {
              const record = await readSaved(parts, outside, 'webhook', id)
              beginAnswer(shown)
              answerShown(shown, 200, withSecrets(shown, record, shownOnce), record)
            },
          }
        },
      },
    },
  ]
}
