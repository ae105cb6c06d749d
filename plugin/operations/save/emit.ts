/** Events that the host's own code causes (behaviour: Events). */
import type { Call } from '../../core/call.js'
import { suggestion } from '../../core/text/nearest.js'
import { shown } from '../../core/text/shown.js'
import { emittedEvent } from '../../events/detect.js'
import type { RecordType } from '../../schema/catalog.js'
import { inTransaction } from '../../storage/database/transaction.js'
import type { ReadDeps } from '../read/read-deps.js'
import { visibleRow } from '../read/visible.js'
import { addEvents } from './related/add-events.js'
import type { EventDeps } from './related/write-deps.js'

/**
 * Creates the function. Its argument is the name of the event, `vehicle.towed`, of a record that the caller sees and may change.
 *
 * @throws RangeError for an event that no type emits; NotFound, Forbidden
 */
export function createEmit(deps: ReadDeps & EventDeps) {
  const emitted = new Map<string, { readonly type: RecordType; readonly verb: string }>()
  for (const type of deps.catalog.types.values())
    for (const verb of type.emits) emitted.set(`${type.name}.${verb}`, { type, verb })

  return async (call: Call, event: string, id: number): Promise<void> => {
    const found = emitted.get(event)
    if (!found) throw new RangeError(`No record type emits ${shown(event)}${suggestion(String(event), [...emitted.keys()])}`)
    const { type, verb } = found
    await inTransaction(deps.storage, call, async (inside) => {
      const row = await visibleRow(deps, inside, type, id, { lock: true })
      await deps.decisions.decide(inside, 'update', type, row)
      await addEvents(deps, inside, [emittedEvent(inside, type, row, verb, deps.clock.now())])
    })
  }
}
