/** Real HTTP against a real server. node:http, because fetch adds caching headers of its own. */
import { Agent, createServer, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type Koa from 'koa'

export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  text: string
  /** The body as JSON; undefined when it is none. */
  json: unknown
}

export interface Sent {
  method?: string
  headers?: OutgoingHttpHeaders
  /** Objects are sent as JSON, texts and bytes as they are. */
  body?: object | string | Buffer
}

export interface Client {
  port: number
  /** Sends a request as it stands: no redirects, no added headers, the path unescaped. One connection, kept alive. */
  send(path: string, sent?: Sent): Promise<Answer>
  /** Connections that the server has seen. */
  connections(): number
}

/** Serves the application on a free port while the work runs. */
export async function serving<T>(app: Koa, work: (client: Client) => Promise<T>): Promise<T> {
  let connections = 0
  const server = createServer(app.callback())
  server.on('connection', () => {
    connections += 1
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  try {
    return await work({ port, connections: () => connections, send: (path, sent) => send(agent, port, path, sent) })
  } finally {
    agent.destroy()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}

function send(agent: Agent, port: number, path: string, { method = 'GET', headers = {}, body }: Sent = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ agent, port, host: '127.0.0.1', path, method, headers }, (incoming) => {
      const chunks: Buffer[] = []
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.on('error', reject)
      incoming.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8')
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text, json: parse(text) })
      })
    })
    outgoing.on('error', reject)
    const isRaw = body === undefined || typeof body === 'string' || Buffer.isBuffer(body)
    outgoing.end(isRaw ? body : JSON.stringify(body))
  })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
