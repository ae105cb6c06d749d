/** Events about the targets of a request: a warning, then that it was missed (behaviour: Requests; ADR 61). */
import { datetime, integer } from '../schema/kinds/fields.js'
import { due, TARGETS } from '../schema/language/define-timer.js'

const MARK = { readOnly: true, hidden: true, mark: true } as const

/** The time of the next event about each target, empty if none will follow, and how many there were. */
export const targetEvents = {
  response_event_at: datetime(MARK),
  response_events: integer({ ...MARK, default: 0 }),
  resolution_event_at: datetime(MARK),
  resolution_events: integer({ ...MARK, default: 0 }),
}

/** Timers that count the events, so that each occurs once. */
export const TARGET_TIMERS = TARGETS.flatMap((target) => {
  const [at, events] = [`${target}_event_at`, `${target}_events`] as const
  return [
    due(at, { while: { [events]: 0 }, set: { [events]: 1 }, raises: 'target-warning', target }),
    due(at, { while: { [events]: 1 }, set: { [events]: 2 }, raises: 'target-missed', target }),
  ]
})
