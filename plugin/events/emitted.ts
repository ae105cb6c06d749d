/** Events with verbs of the host, `vehicle.towed`: its code causes them (behaviour: Events). */
import { suggestion } from '../core/text/nearest.js'
import { shown } from '../core/text/shown.js'
import type { Catalog, RecordType } from '../schema/catalog.js'

/** The type and the verb of an event that host code may cause. */
export interface Emitted {
  readonly type: RecordType
  readonly verb: string
}

/** Finds the type of an event by its name. @throws RangeError for one that no type emits */
export type FindEmitted = (event: string) => Emitted

/** Lists the events once for all of them. */
export function emittedEvents(catalog: Catalog): FindEmitted {
  const emitted = new Map<string, Emitted>()
  for (const type of catalog.types.values()) for (const verb of type.emits) emitted.set(`${type.name}.${verb}`, { type, verb })
  return (event) => {
    const found = emitted.get(event)
    if (found) return found
    throw new RangeError(`No record type emits ${shown(event)}${suggestion(String(event), [...emitted.keys()])}`)
  }
}
