/** What specs of the feed share: events become messages, and clients follow the feed. */
import type { Storage } from '../../plugin/storage/database/connections.js'
import { addMessages } from '../../plugin/storage/queues/messages.js'
import { readOutbox, removeFromOutbox } from '../../plugin/storage/queues/outbox.js'
import type { Mounted, Reply } from './mounted.js'

/** A message as a client reads it. */
export interface Told {
  readonly sequence: number
  readonly event: string
  readonly type: string
  readonly object_id: number
  readonly at: string
  readonly person_id?: number | null
  readonly person_name?: string | null
  readonly payload?: Readonly<Record<string, unknown>>
  readonly changes?: Readonly<Record<string, readonly [unknown, unknown]>>
  readonly cause?: string
}

/** Moves all events from the outbox into messages, as the relay does. */
export async function relayEvents(storage: Storage): Promise<void> {
  for (;;) {
    const events = await readOutbox(storage.knex, storage, 0, 200)
    if (events.length === 0) return
    await storage.knex.transaction(async (db) => {
      const occurred = events.map((event) => ({ ...event, team: null, member: null }))
      await addMessages(db, storage, occurred)
      await removeFromOutbox(db, storage, events)
    })
  }
}

/** The path of the header `Link`, after `/v1`. */
export function nextOf({ headers }: Pick<Reply, 'headers'>): string {
  return /<[^>]*\/v1([^>]*)>; rel="next"/.exec(String(headers['link'] ?? ''))?.[1] ?? ''
}

/** Follows the feed from a path to its end. */
export async function followed(ask: (path: string) => Promise<Reply>, path: string): Promise<readonly Told[]> {
  const all: Told[] = []
  for (let [at, last] = [path, '']; at !== last; ) {
    const reply = await ask(at)
    if (reply.status !== 200) throw new Error(`${at}: ${reply.status} ${reply.text}`)
    all.push(...(reply.json as readonly Told[]))
    ;[last, at] = [at.includes('after') ? at : '', nextOf(reply)]
  }
  return all
}

/** The feed of a person of the world, from the beginning. */
export async function feedOf(mounted: Mounted, as: string, parameters = ''): Promise<readonly Told[]> {
  return followed((path) => mounted.ask(as, 'GET', path), `/feed?after=0${parameters}&per_page=500`)
}
