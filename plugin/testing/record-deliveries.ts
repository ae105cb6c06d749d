/** Mocks receivers of deliveries with nock, where a test cannot have a real one: for host names, certificates and failures. */

/** The function `nock` of the package of that name, as far as it is used: `persist`, `post`, `reply`. */
export type Nock = (origin: string) => {
  persist(): {
    post(path: (uri: string) => boolean): {
      reply(
        answer: (
          this: { readonly req: { readonly headers: Record<string, string | string[]> } },
          uri: string,
          body: unknown,
        ) => [status: number, body: string],
      ): unknown
    }
  }
}

/** A delivery as the receiver gets it. */
export interface RecordedDelivery {
  /** With the query. */
  readonly path: string
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  /** Form parameters by name: `event`, `object_id`, `payload[status]` … */
  readonly body: Readonly<Record<string, string>>
}

/** A receiver of webhooks that keeps what it gets. */
export interface DeliveryRecorder {
  /** In the order of their arrival. */
  readonly deliveries: readonly RecordedDelivery[]
  /** Waits until `count` deliveries have arrived. @throws Error after `withinMs`, default 10,000 */
  gets(count: number, withinMs?: number): Promise<void>
}

const WAIT = 10_000

/**
 * Responds to all POST requests to an origin, and records them. nock sees deliveries only with the option
 * `webhooks: { fetch: (url, init) => fetch(url, init) }`. `nock.cleanAll()` ends the recording.
 *
 * @param nock the function that the package nock exports
 * @param origin `https://hooks.example`
 * @param answer status of the response; `index` counts from 0. Default 200
 */
export function recordDeliveries(
  nock: Nock,
  origin: string,
  answer: (delivery: RecordedDelivery, index: number) => number = () => 200,
): DeliveryRecorder {
  const deliveries: RecordedDelivery[] = []
  const waiting = new Set<() => void>()
  nock(origin)
    .persist()
    .post(() => true)
    .reply(function (uri, body) {
      const headers = Object.entries(this.req.headers).map(([name, value]) => [name.toLowerCase(), String(value)])
      const delivery = {
        path: uri,
        headers: Object.fromEntries(headers),
        body: Object.fromEntries(new URLSearchParams(String(body))),
      }
      deliveries.push(delivery)
      for (const check of waiting) check()
      return [answer(delivery, deliveries.length - 1), '']
    })
  return {
    deliveries,
    gets: (count, withinMs = WAIT) =>
      new Promise((resolve, reject) => {
        const check = () => {
          if (deliveries.length < count) return
          clearTimeout(timer)
          waiting.delete(check)
          resolve()
        }
        const timer = setTimeout(() => {
          waiting.delete(check)
          reject(new Error(`${deliveries.length} of ${count} deliveries arrived within ${withinMs} ms`))
        }, withinMs)
        waiting.add(check)
        check()
      }),
  }
}
