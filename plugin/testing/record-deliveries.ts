/** Plays the receiver of webhooks with nock, where a test can have no real one: for names, certificates and faults of others. */

/** The part of nock that this needs; the test brings its own copy. */
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

/** A delivery as a receiver sees it. */
export interface RecordedDelivery {
  /** With the query. */
  readonly path: string
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  /** Form parameters by name: `event`, `object_id`, `payload[status]` … */
  readonly body: Readonly<Record<string, string>>
}

export interface DeliveryRecorder {
  /** In the order in which they came. */
  readonly deliveries: readonly RecordedDelivery[]
  /** Waits until so many deliveries have come. @throws Error after so many milliseconds, 10,000 unless said otherwise */
  gets(count: number, withinMs?: number): Promise<void>
}

const WAIT = 10_000

/**
 * Answers everything that is posted to an origin, and keeps it. Deliveries take the way that nock can see with the option
 * `webhooks: { fetch: (url, init) => fetch(url, init) }`; `nock.cleanAll()` ends it.
 *
 * @param nock the function that the package nock exports
 * @param origin `https://hooks.example`
 * @param answer the status of the answer; `index` counts from 0. Default 200
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
          reject(new Error(`${deliveries.length} of ${count} deliveries came within ${withinMs} ms`))
        }, withinMs)
        waiting.add(check)
        check()
      }),
  }
}
