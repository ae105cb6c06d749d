/** A receiver of webhooks on plain sockets: it counts what reaches it, and may answer as no server does. */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'

/** A request, as far as it has been read. */
export interface RawRequest {
  /** The first part of the path. */
  readonly way: string
  readonly headers: Readonly<Record<string, string>>
  /** Empty if the answer comes before the body. */
  readonly body: string
  /** Number of earlier requests with this way. */
  readonly index: number
}

/** How a request is answered. */
export interface Way {
  answer(socket: Socket, request: RawRequest): void
  /** True to answer as soon as the head has come. */
  readonly early?: boolean
}

export interface RawReceiver {
  /** Without a slash at the end. */
  readonly url: string
  /** Requests by way, in order. */
  readonly requests: ReadonlyMap<string, readonly RawRequest[]>
  /** Connections so far, with or without a request. */
  readonly connections: number
  close(): Promise<void>
}

/** An answer in one piece, with its length. */
export function written(status: string, headers: readonly string[] = [], body: string | Buffer = ''): Buffer {
  const lines = [`HTTP/1.1 ${status}`, `Content-Length: ${Buffer.byteLength(body)}`, ...headers, '', '']
  return Buffer.concat([Buffer.from(lines.join('\r\n'), 'latin1'), Buffer.from(body)])
}

/** Starts a receiver. @param wayOf how a request is answered @param makeServer default: without TLS */
export async function startRawReceiver(
  wayOf: (way: string, index: number) => Way,
  makeServer: (serve: (socket: Socket) => void) => Server = createServer,
): Promise<RawReceiver> {
  const requests = new Map<string, RawRequest[]>()
  const open = new Set<Socket>()
  let connections = 0

  const server = makeServer((socket) => {
    let bytes = ''
    let ahead: Way | null = null
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      bytes += chunk.toString('latin1')
      const end = bytes.indexOf('\r\n\r\n')
      if (end < 0) return
      const [line = '', ...lines] = bytes.slice(0, end).split('\r\n')
      const headers = Object.fromEntries(lines.map((one) => [one.split(': ', 1)[0]?.toLowerCase(), one.replace(/^.*?: /, '')]))
      const way = line.split(/[ /?]+/)[1] ?? ''
      const known = requests.get(way) ?? []
      const chosen = ahead ?? wayOf(way, known.length)
      const body = bytes.slice(end + 4)
      const isWhole = body.length >= Number(headers['content-length'] ?? 0)
      const request = { way, headers, body: chosen.early ? '' : body, index: known.length }
      if (!ahead && (chosen.early || isWhole)) {
        requests.set(way, [...known, request])
        chosen.answer(socket, request)
      }
      ahead = isWhole ? null : chosen.early ? chosen : null
      if (isWhole) bytes = ''
    })
  })
  server.on('connection', (socket: Socket) => {
    connections += 1
    open.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => open.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    get connections() {
      return connections
    },
    async close() {
      for (const socket of open) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
