/** Which events a webhook has subscribed to: `event`, and those of `events`. Pure, but for the condition of queries. */
import type { Knex } from 'knex'

/** The columns of a webhook with the names of its events, as they are stored. */
export interface Subscription {
  readonly event: string
  /** A list, or its JSON; null for none. */
  readonly events: unknown
}

/** The end of a name that stands for all events of a record type. */
const ANY = '.*'

/** The names that a webhook has subscribed to, with `request.*` as it is; its single event first. */
export function subscribedNames({ event, events }: Subscription): readonly string[] {
  const further: unknown = typeof events === 'string' ? JSON.parse(events) : events
  return [...new Set([event, ...(Array.isArray(further) ? further.map(String) : [])])]
}

/** True if one of the names is the event, or stands for all events of its record type. */
export function subscribes(names: readonly string[], event: string): boolean {
  return names.includes(event) || names.includes(allOf(event))
}

/**
 * Limits a query of webhooks to those that may have subscribed to one of the events. In rare cases it finds others, because `_` in a
 * name stands for any letter: `subscribes` decides.
 */
export function whereSubscribed(query: Knex.QueryBuilder, events: readonly string[], alias = ''): void {
  const column = (name: string) => (alias === '' ? name : `${alias}.${name}`)
  const names = [...new Set(events)]
  const wanted = [...new Set(names.flatMap((name) => [name, allOf(name)]))]
  query.where((one) => {
    one.whereIn(column('event'), names)
    one.orWhere((several) => {
      several.whereNotNull(column('events')).where((any) => {
        for (const name of wanted) any.orWhere(column('events'), 'like', `%${JSON.stringify(name)}%`)
      })
    })
  })
}

/** The type of a name, with the ending for all of its events. */
function allOf(event: string): string {
  return `${event.slice(0, event.indexOf('.'))}${ANY}`
}
