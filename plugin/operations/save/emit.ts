/** Events that the host's own code causes, outside of rules (behaviour: Events). */
import type { Call } from '../../core/call.js'
import { emittedEvent } from '../../events/detect.js'
import { type EventData, eventDataOf } from '../../schema/language/event-data.js'
import { inTransaction } from '../../storage/database/transaction.js'
import type { ReadDeps } from '../read/read-deps.js'
import { visibleRow } from '../read/visible.js'
import { addEvents } from './related/add-events.js'
import type { EventDeps } from './related/write-deps.js'

/**
 * Creates the function. Its argument is the name of the event, `vehicle.towed`, of a record that the caller sees and may change, and
 * what it says.
 *
 * @throws RangeError for an event that no type emits, TypeError for data that is no object of JSON values; NotFound, Forbidden
 */
export function createEmit(deps: ReadDeps & EventDeps) {
  return async (call: Call, event: string, id: number, given?: EventData): Promise<void> => {
    const emitted = deps.findEmitted(event)
    const data = eventDataOf(event, given)
    await inTransaction(deps.storage, call, async (inside) => {
      const row = await visibleRow(deps, inside, emitted.type, id, { lock: true })
      await deps.decisions.decide(inside, 'update', emitted.type, row)
      await addEvents(deps, inside, [emittedEvent(inside, emitted, row, data, deps.clock.now())])
    })
  }
}
