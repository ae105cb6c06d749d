/** Delivers what is due in the database of the first argument, in a separate process that a spec may kill. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '../../plugin/core/clock.js'
import { openStorage } from '../../plugin/storage/database/connections.js'
import { createLeases } from '../../plugin/storage/queues/leases.js'
import { deliveriesOf, keptLog, partsOf, settableClock } from './webhooks.js'

const storage = openStorage({ url: process.argv[2] ?? '' }, 'itsm_')
const log = keptLog()
const leases = createLeases({ storage, clock: systemClock, log, randomId: randomUUID })
const world = { storage, clock: settableClock('2000-01-01T00:00:00Z'), log, mails: [] }
const deliveries = deliveriesOf({ ...partsOf(world), clock: systemClock, leases, takeOverAfterMs: 500 })
for (let next: Date | null = new Date(); next; { next } = await deliveries.deliverDue()) {
  await sleep(Math.max(0, next.getTime() - Date.now()))
}
await deliveries.close()
await storage.close()
