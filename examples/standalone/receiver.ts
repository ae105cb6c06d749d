/** A receiver for webhooks: a server on this machine that stores and decodes its deliveries. */
import { timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export interface Delivery {
  readonly headers: IncomingHttpHeaders
  /** Parameters of the form body, in their order. */
  readonly parameters: readonly (readonly [name: string, value: string])[]
  readonly event: string
}

export interface Receiver {
  /** The URL to register; its secret distinguishes our deliveries from other requests. */
  readonly uri: string
  readonly deliveries: readonly Delivery[]
  close(): Promise<void>
}

export async function startReceiver(secret: string): Promise<Receiver> {
  const deliveries: Delivery[] = []
  const server = createServer(async (request, response) => {
    const given = new URL(request.url ?? '/', 'http://localhost').searchParams.get('secret') ?? ''
    if (!isSame(given, secret)) return response.writeHead(403).end()
    const parameters = [...new URLSearchParams(await text(request))]
    const event = parameters.find(([name]) => name === 'event')?.[1] ?? ''
    deliveries.push({ headers: request.headers, parameters, event })
    return response.writeHead(200).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    uri: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook?secret=${secret}`,
    deliveries,
    async close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}
