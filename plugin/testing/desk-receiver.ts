/** A receiver of webhooks on this machine, for tests. */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A delivery as it has arrived. */
export interface ReceivedDelivery {
  /** With the query. */
  readonly path: string
  /** By lower-case name. */
  readonly headers: IncomingHttpHeaders
  /** As it came; signatures are about these characters. */
  readonly text: string
  /** Form parameters by name: `event`, `object_id`, `payload[status]` …; the parsed body of a webhook that sends JSON. */
  readonly body: Readonly<Record<string, unknown>>
}

/** A server that records what it gets. */
export interface DeskReceiver {
  /** For `uri` of webhooks; without a slash at the end. */
  readonly url: string
  /** In the order of their arrival. */
  readonly deliveries: readonly ReceivedDelivery[]
  /** The status of the next answers; 200 again after `restore()`. */
  answerWith(status: number): void
}

/** Starts a receiver. */
export async function startReceiver(): Promise<DeskReceiver & { clear(): void; close(): void }> {
  const deliveries: ReceivedDelivery[] = []
  let status = 200
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString()
    const isJson = request.headers['content-type']?.includes('json') ?? false
    const body = isJson ? JSON.parse(text) : Object.fromEntries(new URLSearchParams(text))
    deliveries.push({ path: request.url ?? '/', headers: request.headers, text, body })
    response.writeHead(status).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    deliveries,
    answerWith(answer) {
      status = answer
    },
    clear() {
      status = 200
      deliveries.length = 0
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
