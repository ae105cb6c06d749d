import type { Operations } from '../../operations/contract.js'
import { answerJson } from '../answers/answer.js'
import { type Endpoint, parameterOf } from '../contract.js'

/**
 * `GET /calendars/:id/duration`: the active minutes of a calendar between two times. Parameters come in the query or as a JSON
 * body; those in the query win (spec, Additional endpoints; behaviour: Calendars).
 */
export function duration({ operations }: { readonly operations: Operations }): readonly Endpoint[] {
  return [
    {
      method: 'GET',
      path: '/calendars/:id/duration',
      type: 'calendar',
      body: 'json',
      description: {
        operation: 'count_minutes_of_calendar',
        summary: 'Count the active minutes of a calendar',
        description: 'Whole minutes within the hours and outside of the holidays. Parameters may also be sent as a JSON body.',
        parameters: [
          { name: 'id', schema: { type: 'integer' } },
          { name: 'start', description: 'Required. Without an offset: in the time zone of the caller.', schema: TIME },
          { name: 'end', description: 'Required, not before the start.', schema: TIME },
          { name: 'time_zone', description: 'Zone in which the hours and holidays apply, default UTC.' },
        ],
        answers: { 200: { description: 'The number of minutes.', schema: DURATION } },
      },
      async run(ctx, call) {
        const { body, named } = ctx.state.itsm
        const given = (name: string) => parameterOf(ctx, name) ?? body[name]
        const asked = { start: given('start'), end: given('end'), time_zone: given('time_zone') }
        answerJson(ctx, 200, { duration: await operations.duration(call, Number(named['id']), asked) })
      },
    },
  ]
}

const TIME = { type: 'string', format: 'date-time' }
const DURATION = {
  title: 'CountedMinutes',
  type: 'object',
  properties: { duration: { type: 'integer', minimum: 0 } },
  required: ['duration'],
  additionalProperties: false,
}
