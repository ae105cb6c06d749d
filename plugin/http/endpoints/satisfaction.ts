import { type Call, followingCall } from '../../core/call.js'
import { Invalid, NotFound } from '../../core/errors.js'
import type { Operations } from '../../operations/contract.js'
import { schemaNamed } from '../../schema/kinds/json-schema.js'
import { readBoolean } from '../../schema/kinds/values/read-values.js'
import type { Context, Endpoint, PostAnswer, Work } from '../contract.js'

/**
 * `POST /requests/:id/satisfied` and `/dissatisfied`: the people who requested a completed request, or for whom it was, rate
 * it, as often as they like. `dissatisfied` needs a reason, and may reopen the request (behaviour: Requests).
 */
export function satisfaction({ operations }: { readonly operations: Operations }): readonly Endpoint[] {
  const again: Work['again'] = (ctx, call) => operations.read(call, 'request', idIn(ctx))
  const before: Work['before'] = (ctx, call) => operations.beforeSubmit(call, 'request', { id: idIn(ctx), body: {} })
  return [
    {
      method: 'POST',
      path: '/requests/:id/satisfied',
      type: 'request',
      description: {
        operation: 'rate_request_as_satisfactory',
        summary: 'Rate a request as satisfactory',
        description: 'For those who asked for the request, or whom it was for, when it is completed.',
        parameters: [ID],
        answers: ANSWERS,
      },
      post: { act: (ctx, call) => rate(operations, ctx, call, { satisfaction: 'satisfied' }), before, again },
    },
    {
      method: 'POST',
      path: '/requests/:id/dissatisfied',
      type: 'request',
      body: 'form',
      description: {
        operation: 'rate_request_as_unsatisfactory',
        summary: 'Rate a request as unsatisfactory',
        description: 'The same with a reason; may also reopen the request.',
        parameters: [ID],
        body: { 'application/json': REASON, 'application/x-www-form-urlencoded': REASON },
        answers: ANSWERS,
      },
      post: {
        act(ctx, call) {
          const { note, note_attachments, reopen } = ctx.state.itsm.body
          return rate(operations, ctx, call, {
            satisfaction: 'dissatisfied',
            note,
            ...(note_attachments === undefined ? {} : { note_attachments }),
            ...(readBoolean(reopen) ? { status: 'assigned', completion_reason: null } : {}),
          })
        },
        before,
        again,
      },
    },
  ]
}

const ID = { name: 'id', schema: { type: 'integer' } } as const
const ANSWERS = {
  204: { description: 'Done.' },
  304: { description: 'Nothing changed: the request is not completed, or the caller did not ask for it.' },
}
const REASON = {
  title: 'Dissatisfaction',
  type: 'object',
  properties: {
    // As long as a note may be.
    note: { type: 'string', maxLength: 65_536, description: 'Why; it becomes a note of the request.' },
    note_attachments: schemaNamed('file_changes'),
    reopen: { type: 'boolean', description: 'True assigns the request again.' },
  },
}

/** The caller cannot set these fields otherwise, so the plugin does; the rule of the field checks the caller and the time. */
async function rate(operations: Operations, ctx: Context, call: Call, body: object): Promise<PostAnswer> {
  const id = idIn(ctx)
  // A request that the caller cannot see is treated as missing.
  await operations.read(call, 'request', id)
  // A request that another account has passed on is rated there. With a key, the call is already that one.
  const there = call.transaction ? call : await operations.beforeSubmit(call, 'request', { id, body: {} })
  const [outcome] = await operations.saveAll(followingCall(there, 'satisfaction of request'), 'request', [{ id, body }])
  if (!outcome) throw new NotFound()
  if (outcome.outcome === 'denied') throw outcome.error
  const violations = outcome.outcome === 'refused' ? outcome.violations : []
  if (violations.some(([field]) => field === 'satisfaction')) return { status: 304 }
  if (violations.length > 0) throw new Invalid(violations)
  return { status: 204 }
}

function idIn(ctx: Context): number {
  return Number(ctx.state.itsm.named['id'])
}
