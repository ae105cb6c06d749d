/** Names of listeners: deliveries wait for a name, so that a host may move its listeners, and deploy others, while they wait. */
import { shown } from '../core/text/shown.js'
import type { HostEvent } from '../deliveries/host-event.js'

/** A function of the host that is told of events. */
export type Listener<Event extends HostEvent = HostEvent> = (event: Event) => unknown

/** Maximum number of characters of a name. */
const MAX_NAME = 64
const NAME = Symbol('name of a listener')

/**
 * Names a listener: `on: { 'request.create': [listener('pager', (event) => …)] }`. Without it, the name is that of the function. What
 * waits for a name that is gone is kept for a day.
 *
 * ```ts
 * import { type HostEvent, listener } from 'koa-itsm'
 *
 * export const pager = listener('pager', async ({ id, recordId }: HostEvent) => {
 *   await fetch('https://pager.example/alarms', { method: 'POST', body: JSON.stringify({ key: id, request: recordId }) })
 * })
 * ```
 *
 * @param name at most 64 characters; no other listener has it
 */
export function listener<Event extends HostEvent>(name: string, listens: Listener<Event>): Listener<Event> {
  return Object.assign((event: Event) => listens(event), { [NAME]: name })
}

/** The name of a listener; empty if it has none. */
export function nameOfListener(listens: Listener<never>): string {
  return NAME in listens ? String(listens[NAME]) : listens.name
}

/** Returns mistakes in the names of listeners: without a name, or with that of another function. */
export function mistakesInListeners(on: unknown, path: string): readonly string[] {
  const known = new Map<string, { readonly listens: unknown; readonly place: string }>()
  const mistakes: string[] = []
  for (const [event, listeners] of Object.entries(Object(on) as object)) {
    for (const [index, listens] of (Array.isArray(listeners) ? listeners : []).entries()) {
      if (typeof listens !== 'function') continue
      const place = `${path}.${event}[${index}]`
      const name = nameOfListener(listens as Listener)
      const other = known.get(name)
      if (name === '' || name.length > MAX_NAME) mistakes.push(`${place}: must have a name: listener('pager', (event) => …)`)
      else if (other && other.listens !== listens)
        mistakes.push(`${place}: must have another name than ${other.place}, not ${shown(name)}`)
      else if (other?.place.startsWith(`${path}.${event}[`)) mistakes.push(`${place}: is listed twice`)
      known.set(name, { listens, place })
    }
  }
  return mistakes
}
