/** Hands events on: outbox → listeners and webhooks. Run after every commit that made events, and by the sweep. */
import type { ListenerCalls } from '../events/listeners.js'
import type { Relay } from '../events/relay.js'
import type { Deliveries } from '../webhooks/deliveries.js'
import type { Jobs } from './agenda.js'

export const HAND_ON = 'hand-on-events'
const DELIVER = 'deliver-webhooks'
const LISTEN = 'call-listeners'

export interface HandOnParts {
  readonly jobs: Jobs
  readonly relay: Relay
  readonly deliveries: Deliveries
  readonly listeners: ListenerCalls
}

/** Defines the three jobs. Each looks at its rows; what is due later wakes it again at that time. */
export function defineHandOn({ jobs, relay, deliveries, listeners }: HandOnParts): void {
  jobs.define(HAND_ON, { concurrency: 1 }, async () => {
    await relay.run()
    await Promise.all([jobs.wake(DELIVER), jobs.wake(LISTEN)])
  })
  jobs.define(DELIVER, { concurrency: 1 }, async (_ids, { stopping }) => {
    const { next } = await deliveries.deliverDue(stopping)
    if (next && !stopping.aborted) await jobs.wake(DELIVER, undefined, next)
  })
  jobs.define(LISTEN, { concurrency: 1 }, async (_ids, { stopping }) => {
    const { next } = await listeners.callDue(stopping)
    if (next && !stopping.aborted) await jobs.wake(LISTEN, undefined, next)
  })
}
