/** A receiver of webhooks: a real server on this machine that records its requests and responds as a spec needs. */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** Form parameters by name. */
  readonly body: Readonly<Record<string, string>>
  /** The body as it came. */
  readonly raw: string
  readonly at: Date
}

/** A status, `hang` for no response at all, `close` for a connection that ends without one, or the whole response. */
export type Answer =
  | number
  | 'hang'
  | 'close'
  | {
      readonly status: number
      readonly reason?: string
      readonly headers?: Record<string, string>
      readonly body?: string | Buffer
    }

export interface Receiver {
  /** Without a slash at the end. */
  readonly url: string
  readonly received: Received[]
  /** Number of connections so far. */
  readonly connections: number
  /** The largest number of requests that were in progress at the same time. */
  readonly mostAtOnce: number
  /** Resolves when `count` requests have arrived. */
  gets(count: number): Promise<void>
  close(): Promise<void>
}

export interface ReceiverOptions {
  /** Default: 200. `index` counts requests from 0. */
  readonly answer?: (request: Received, index: number) => Answer | Promise<Answer>
}

export async function startReceiver(options: ReceiverOptions = {}): Promise<Receiver> {
  const received: Received[] = []
  const sockets = new Set<Socket>()
  const waiting: { count: number; resolve: () => void }[] = []
  let [connections, atOnce, mostAtOnce] = [0, 0, 0]

  const server = createServer(async (incoming, outgoing) => {
    atOnce += 1
    mostAtOnce = Math.max(mostAtOnce, atOnce)
    outgoing.once('close', () => {
      atOnce -= 1
    })
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    const raw = Buffer.concat(chunks).toString()
    const body = Object.fromEntries(new URLSearchParams(raw))
    const request = { path: incoming.url ?? '', headers: incoming.headers, body, raw, at: new Date() }
    received.push(request)
    for (const { count, resolve } of waiting) if (received.length >= count) resolve()
    answer(outgoing, (await options.answer?.(request, received.length - 1)) ?? 200)
  })
  server.on('connection', (socket) => {
    connections += 1
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('The receiver has no port')

  return {
    url: `http://127.0.0.1:${address.port}`,
    received,
    get connections() {
      return connections
    },
    get mostAtOnce() {
      return mostAtOnce
    },
    async gets(count) {
      if (received.length < count) await new Promise<void>((resolve) => waiting.push({ count, resolve }))
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

function answer(outgoing: ServerResponse, answer: Answer): void {
  if (answer === 'hang') return
  if (answer === 'close') {
    outgoing.socket?.destroy()
    return
  }
  const { status, reason, headers, body } =
    typeof answer === 'number' ? ({ status: answer } as Exclude<Answer, number | string>) : answer
  if (reason === undefined) outgoing.writeHead(status, headers)
  else outgoing.writeHead(status, reason, headers)
  outgoing.end(body)
}
