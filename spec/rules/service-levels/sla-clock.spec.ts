import { expect } from 'chai'
import { createCompileCalendar } from '../../../plugin/core/time/working-time.js'
import { type ClockRequest, type ClockState, clockAt } from '../../../plugin/rules/service-levels/sla-clock.js'

const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri'] as const
const office = createCompileCalendar()({
  hours: WEEKDAYS.map((weekday) => ({ weekday, time_from: '09:00', time_until: '17:00' })),
  holidays: [],
}).in('Amsterdam')

/** Friday, 16:00 in Amsterdam, one hour before the end of the week. */
const STARTED = '2026-11-20T15:00:00Z'
const STATE: ClockState = {
  accountability: 'provider',
  maximum_response_duration: 120,
  maximum_resolution_duration: 480,
  started_at: STARTED,
  actual_response_at: null,
  actual_resolution_at: null,
  stopped_clock_at: null,
  stopped_clock_duration: 0,
}
const REQUEST: ClockRequest = { status: 'assigned', completed_at: null, desired_completion_at: null }
const [RESPONSE, RESOLUTION] = ['2026-11-23T09:00:00Z', '2026-11-23T15:00:00Z']
const MONDAY = '2026-11-23T08:30:00Z'

type Case = readonly [name: string, state: Partial<ClockState>, request: Partial<ClockRequest>, expected: object]
const CASES: readonly Case[] = [
  [
    'counts targets in support hours',
    {},
    {},
    { response_target_at: RESPONSE, resolution_target_at: RESOLUTION, next_target_at: RESPONSE },
  ],
  ['starts now', { started_at: null }, {}, { started_at: MONDAY, response_target_at: '2026-11-23T10:30:00Z' }],
  [
    'has no targets without maximums',
    { maximum_response_duration: null, maximum_resolution_duration: null },
    {},
    { response_target_at: null, resolution_target_at: null, next_target_at: 'best_effort' },
  ],
  ['does not take a declined request for answered', {}, { status: 'declined' }, { actual_response_at: null }],
  [
    'stops at the response, in support hours',
    {},
    { status: 'accepted' },
    { actual_response_at: MONDAY, actual_response_duration: 90, next_target_at: RESOLUTION },
  ],
  ['keeps the first response', { actual_response_at: STARTED }, {}, { actual_response_at: STARTED }],
  [
    'stands still while the customer has to answer',
    { actual_response_at: STARTED },
    { status: 'waiting_for_customer' },
    { stopped_clock_at: MONDAY, stopped_clock_duration: 0, next_target_at: 'clock_stopped' },
  ],
  [
    'stands still since the same time',
    { actual_response_at: STARTED, stopped_clock_at: STARTED },
    { status: 'waiting_for_customer' },
    { stopped_clock_at: STARTED },
  ],
  [
    'moves the target by the support hours that it stood still',
    { actual_response_at: STARTED, stopped_clock_at: STARTED, stopped_clock_duration: 30 },
    { status: 'in_progress' },
    { stopped_clock_at: null, stopped_clock_duration: 120, resolution_target_at: '2026-11-24T09:00:00Z' },
  ],
  [
    'ends when the request is completed, without the time that it stood still',
    { actual_response_at: STARTED, stopped_clock_duration: 30 },
    { status: 'completed', completed_at: MONDAY },
    { actual_resolution_at: MONDAY, actual_resolution_duration: 60, next_target_at: null },
  ],
  [
    'does not end before it has begun',
    { started_at: null },
    { status: 'completed', completed_at: STARTED },
    { started_at: MONDAY, actual_resolution_at: MONDAY, actual_resolution_duration: 0, next_target_at: null },
  ],
  [
    'goes on when the request is opened again',
    { actual_response_at: STARTED, actual_resolution_at: MONDAY },
    { status: 'assigned' },
    { actual_resolution_at: null, actual_resolution_duration: null, next_target_at: RESOLUTION },
  ],
  ['has no target when nobody is accountable', { accountability: 'sla_not_affected' }, {}, { next_target_at: null }],
  [
    'follows a desired completion that is later',
    { actual_response_at: STARTED },
    { status: 'in_progress', desired_completion_at: '2026-12-01T09:00:00Z' },
    { next_target_at: '2026-12-01T09:00:00Z', resolution_target_at: RESOLUTION },
  ],
  [
    'does not follow one that is earlier',
    { actual_response_at: STARTED },
    { status: 'in_progress', desired_completion_at: MONDAY },
    { next_target_at: RESOLUTION },
  ],
]

describe('the clock of an affected SLA', () => {
  for (const [name, state, request, expected] of CASES) {
    it(name, () => {
      const values = clockAt(MONDAY, { ...STATE, ...state }, { ...REQUEST, ...request }, office, 75)
      expect(values).to.include(expected)
      // Setting the clock again at the same time changes nothing.
      expect(clockAt(MONDAY, { ...STATE, ...state, ...values }, { ...REQUEST, ...request }, office, 75)).to.deep.equal(values)
    })
  }
})
