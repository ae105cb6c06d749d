/**
 * A receiver of deliveries in a process of its own. It counts by path, with the time of the last one, and tells that to whoever
 * asks. What is sent to a path that hangs gets no answer until it hangs no more: then the connection ends.
 */
import { createServer, type ServerResponse } from 'node:http'
import { listen } from './child.js'

/** What has come to a path. Times are milliseconds of the epoch. */
export interface Received {
  readonly count: number
  readonly firstAt: number
  readonly lastAt: number
}

/** What the parent sends: a path that hangs from now on, null for none. All that was counted is forgotten. */
export interface Anew {
  readonly hanging: string | null
}

const received = new Map<string, { count: number; firstAt: number; lastAt: number }>()
const held = new Set<ServerResponse>()
let hanging: string | null = null

const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  const path = request.url ?? ''
  const now = performance.timeOrigin + performance.now()
  const one = received.get(path)
  if (one) {
    one.count += 1
    one.lastAt = now
  } else received.set(path, { count: 1, firstAt: now, lastAt: now })
  request.resume()
  if (path === hanging) held.add(response)
  else response.end()
})
process.on('message', (asked: Anew | 'received') => {
  if (asked === 'received') process.send?.(Object.fromEntries(received))
  else {
    received.clear()
    hanging = asked.hanging
    for (const response of held) response.destroy()
    held.clear()
    process.send?.({})
  }
})
process.on('disconnect', () => process.exit(0))
process.send?.({ port: await listen(server) })
