import { ItsmError } from '../../core/errors.js'
import { parseWithin } from '../../core/json-text.js'
import { EVENT_PARAMETERS } from '../../event-submission/event-parameters.js'
import type { EventSubmission } from '../../event-submission/event-submission.js'
import { schemaNamed } from '../../schema/kinds/json-schema.js'
import type { Context, Endpoint } from '../contract.js'
import { formPairs } from '../requests/form-pairs.js'
import { cleanObject } from '../requests/json-body.js'

/** Dependencies of the endpoint. */
export interface EventsDeps {
  readonly eventSubmission: EventSubmission
}

/**
 * `POST /events`: turns an event of a monitoring tool into a request, or adds it to the one that it matches (spec, Event
 * submission; behaviour: Event submission).
 */
export function events({ eventSubmission }: EventsDeps): readonly Endpoint[] {
  return [
    {
      method: 'POST',
      path: '/events',
      type: 'request',
      body: 'form',
      // It checks them itself, also those in the body.
      parameters: 'list',
      description: {
        operation: 'submit_event',
        summary: 'Submit an event of a monitoring tool',
        description:
          'Creates a request, or responds with the open one of the last 24 hours that the event matches. Parameters come in the query, as a form or as JSON; those in the query win.',
        parameters: EVENT_PARAMETERS.map(({ about, name }) => ({ name, description: about })),
        body: { 'application/json': SUBMISSION, 'application/x-www-form-urlencoded': SUBMISSION },
        answers: {
          200: { description: 'The request that the event matches.', schema: SHOWN, isRecord: true },
          201: { description: 'The new request.', schema: SHOWN, isRecord: true },
        },
      },
      post: {
        before: (ctx, call) => eventSubmission.beforeSubmit(call, parametersOf(ctx)),
        async act(ctx, call) {
          const {
            call: there,
            id,
            ignored,
            isNew,
          } = await eventSubmission.submit(call, parametersOf(ctx), { handling: ctx.state.itsm.handling })
          const record = { type: 'request', id }
          const location = isNew ? { location: '/requests' } : {}
          return { status: isNew ? 201 : 200, call: there, record, ignored, ...location }
        },
      },
    },
  ]
}

const SHOWN = schemaNamed('request')
const SUBMISSION = {
  title: 'EventSubmission',
  type: 'object',
  properties: Object.fromEntries(EVENT_PARAMETERS.map(({ about, name }) => [name, { description: about }])),
}

/** Parameters that any request may have: credentials, and one that bypasses caches. A script parameter is only for GET. */
const OTHERS = new Set(['api_token', '_'])
const SCRIPT = 'callback'

/** The parameter with a list. */
const LISTED = 'custom_fields'

/** The parameters of the body and of the query, whose first value wins. */
function parametersOf(ctx: Context): ReadonlyMap<string, unknown> {
  const { body, handling } = ctx.state.itsm
  const isOther = (name: string) => OTHERS.has(name) || (name === SCRIPT && handling !== 'strict')
  const inQuery = formPairs(ctx.querystring)
    .filter(([name]) => !isOther(name))
    .toReversed()
  const all = new Map<string, unknown>([...Object.entries(body), ...inQuery])
  const fields = all.get(LISTED)
  return typeof fields === 'string' && fields.trim() !== '' ? all.set(LISTED, listIn(fields)) : all
}

/** A list in a query or a form is a text. @throws BadRequest if it is over the budget of bodies */
function listIn(text: string): unknown {
  let value: unknown
  try {
    value = parseWithin(text)
  } catch (error) {
    if (error instanceof ItsmError) throw error
    return text
  }
  return cleanObject({ [LISTED]: value })[LISTED]
}
