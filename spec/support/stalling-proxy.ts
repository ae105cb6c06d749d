/** A proxy to a database server that can be blocked: for a server, or a network, that stops responding. */
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

export interface StallingProxy {
  /** URL of the database through the proxy. */
  readonly url: string
  /** Number of open connections. */
  readonly open: number
  /** Number of connections so far. */
  readonly connections: number
  /** From now on nothing passes, in either direction; new connections are accepted but get no response. */
  stall(): void
  /** Stalls before, or after, the next statement with this text reaches the server. Resolves when it has come. */
  stallAt(text: string, when: 'before' | 'after'): Promise<void>
  /** Everything passes again, held data first. */
  resume(): void
  /** Ends each open connection at its next use, like a server that has closed it in the meantime. */
  loseIdle(): void
  close(): Promise<void>
}

interface Pair {
  readonly client: Socket
  readonly server: Socket
  lost: boolean
}

/** @param target URL of a MySQL server, `mysql://root@127.0.0.1:3306/database` */
export async function startStallingProxy(target: string): Promise<StallingProxy> {
  const { hostname, port } = new URL(target)
  const pairs = new Set<Pair>()
  let connections = 0
  let isStalled = false
  let trap: { readonly text: string; readonly when: 'before' | 'after'; readonly sprung: () => void } | null = null

  const stall = () => {
    isStalled = true
    for (const { client, server } of pairs) {
      client.pause()
      server.pause()
    }
  }

  const listener = createServer((client) => {
    connections += 1
    const server = connect(Number(port), hostname)
    const pair: Pair = { client, server, lost: false }
    pairs.add(pair)
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      from.on('error', () => {})
      from.on('close', () => {
        to.destroy()
        pairs.delete(pair)
      })
    }
    client.on('data', (bytes) => {
      if (pair.lost) {
        client.destroy()
        return
      }
      const sprung = trap && bytes.includes(trap.text) ? trap : null
      if (!sprung) {
        server.write(bytes)
        return
      }
      trap = null
      stall()
      if (sprung.when === 'before') client.unshift(bytes)
      else server.write(bytes)
      sprung.sprung()
    })
    server.on('data', (bytes) => void client.write(bytes))
    if (isStalled) {
      client.pause()
      server.pause()
    }
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const address = listener.address()
  if (typeof address !== 'object' || address === null) throw new Error('The proxy has no port')
  const url = new URL(target)
  url.hostname = '127.0.0.1'
  url.port = String(address.port)

  return {
    url: url.href,
    get open() {
      return pairs.size
    },
    get connections() {
      return connections
    },
    stall,
    stallAt: (text, when) =>
      new Promise((resolve) => {
        trap = { text, when, sprung: resolve }
      }),
    resume() {
      isStalled = false
      trap = null
      for (const { client, server } of pairs) {
        client.resume()
        server.resume()
      }
    },
    loseIdle() {
      for (const pair of pairs) pair.lost = true
    },
    async close() {
      for (const { client, server } of pairs) {
        client.destroy()
        server.destroy()
      }
      listener.close()
      await once(listener, 'close')
    },
  }
}
