import type { Call } from '../../../core/call.js'
import { eventNames } from '../../../events/detect.js'
import { dbOf, tellAfterCommit } from '../../../storage/database/transaction.js'
import { addToOutbox, type NewEvent } from '../../../storage/queues/outbox.js'
import type { EventDeps } from './write-deps.js'

/** Stores events in the transaction of the call, and wakes those who dispatch them after its commit. A call about history has none. */
export async function addEvents(deps: EventDeps, call: Call, events: readonly NewEvent[]): Promise<void> {
  if (call.isHistory || events.length === 0) return
  await addToOutbox(dbOf(deps.storage, call), deps.storage, events)
  tellAfterCommit(call, deps.wakeDispatch, eventNames(events))
}
