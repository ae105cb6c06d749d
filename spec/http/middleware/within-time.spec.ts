import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import Koa from 'koa'
import type { Call } from '../../../plugin/core/call.js'
import type { CallSignal } from '../../../plugin/core/call-signal.js'
import { createMiddleware } from '../../../plugin/http/app.js'
import type { HttpDeps } from '../../../plugin/http/deps.js'
import { serving } from '../client.js'
import { stubs, TOKEN } from '../stubs.js'

const LIMIT = 100

/** An interface whose lists take as long as `list` says. */
function slow(list: (call: Call) => Promise<void>, overrides: Partial<HttpDeps> = {}) {
  const { deps, logged } = stubs({ callMs: LIMIT, ...overrides })
  const signals: (CallSignal | undefined)[] = []
  const operations: HttpDeps['operations'] = {
    ...deps.operations,
    list: async (call, type, asked) => {
      signals.push(call.signal)
      await list(call)
      return deps.operations.list(call, type, asked)
    },
  }
  const callers: HttpDeps['callers'] = {
    ...deps.callers,
    callFor: async (identity, options) => ({
      ...(await deps.callers.callFor(identity, options)),
      ...(options.signal ? { signal: options.signal } : {}),
    }),
  }
  return { parts: { ...deps, operations, callers }, signals, logged }
}

/** In a host that still has work to do when we have answered. */
function hostOf(deps: HttpDeps, after: () => Promise<void> = async () => {}): Koa {
  const host = new Koa()
  host.use(async (_ctx, next) => {
    await next()
    await after()
  })
  host.use(createMiddleware(deps))
  return host
}

describe('http/middleware/within-time', () => {
  it('answers 504 when the time of a call is over, and tells the work', async () => {
    const { parts, signals, logged } = slow(() => new Promise(() => {}))
    await serving(hostOf(parts), async ({ send }) => {
      const start = performance.now()
      const { status, json } = await send('/v1/requests', { headers: TOKEN })
      expect([status, json]).to.deep.equal([504, { message: 'Gateway timeout' }])
      expect(performance.now() - start).to.be.within(LIMIT - 10, LIMIT + 200)
      expect(signals.map((signal) => signal?.aborted)).to.deep.equal([true])
      expect(logged.map(([level, , message]) => [level, message])).to.deep.equal([['error', 'Answered with 504']])
    })
  })

  it('leaves a call alone that is in time', async () => {
    const { parts, signals } = slow(() => sleep(10))
    await serving(hostOf(parts), async ({ send }) => {
      expect((await send('/v1/requests', { headers: TOKEN })).status).to.equal(200)
      await sleep(2 * LIMIT)
      expect(signals.map((signal) => signal?.aborted)).to.deep.equal([false])
    })
  })

  it('does not count what is untimed, but what comes before and after it', async () => {
    const wait = (untimed: number, after: number): HttpDeps['callers']['callFor'] => {
      return async (...asked) => {
        await contexts.at(-1)?.state['itsm'].untimed(() => sleep(untimed))
        await sleep(after)
        return stubs().deps.callers.callFor(...asked)
      }
    }
    const contexts: Koa.Context[] = []
    const statusOf = async (untimed: number, after: number): Promise<number> => {
      const { deps } = stubs({ callMs: LIMIT })
      const host = new Koa()
      host.use((ctx, next) => {
        contexts.push(ctx)
        return next()
      })
      host.use(createMiddleware({ ...deps, callers: { ...deps.callers, callFor: wait(untimed, after) } }))
      let status = 0
      await serving(host, async ({ send }) => {
        status = (await send('/v1/requests', { headers: TOKEN })).status
      })
      return status
    }
    expect(await statusOf(3 * LIMIT, 0)).to.equal(200)
    expect(await statusOf(3 * LIMIT, LIMIT / 2)).to.equal(200)
    expect(await statusOf(LIMIT, 2 * LIMIT)).to.equal(504)
  })

  it('wraps the answer for JSON-P like all others', async () => {
    const { parts } = slow(() => new Promise(() => {}))
    await serving(hostOf(parts), async ({ send }) => {
      const { status, text } = await send('/v1/requests?callback=f', { headers: TOKEN })
      expect(status).to.equal(200)
      expect(text).to.match(/^\/\*\*\/f\(\{"meta":\{"status":504,.*"data":\{"message":"Gateway timeout"\}\}\);$/)
    })
  })

  it('does not let what comes too late into the answer', async () => {
    const { parts } = slow(() => sleep(LIMIT + 50))
    await serving(
      hostOf(parts, () => sleep(150)),
      async ({ send }) => {
        const { status, json, headers } = await send('/v1/requests', { headers: TOKEN })
        expect([status, json]).to.deep.equal([504, { message: 'Gateway timeout' }])
        expect(headers).to.not.have.property('x-pagination-per-page')
      },
    )
  })

  it('covers what happens before anybody is known', async () => {
    const { deps } = stubs({ callMs: LIMIT, authenticator: { identify: () => new Promise(() => {}) } })
    await serving(hostOf(deps), async ({ send }) => {
      expect((await send('/v1/requests', { headers: TOKEN })).status).to.equal(504)
    })
  })

  it('counts from the last byte of a request that takes its time to come', async () => {
    const { deps } = stubs({ callMs: LIMIT })
    await serving(hostOf(deps), async ({ port }) => {
      const slowly = async (pause: number) => {
        const headers = { ...TOKEN, 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' }
        const outgoing = request({ port, host: '127.0.0.1', path: '/v1/requests', method: 'POST', headers })
        const answered = new Promise<number | undefined>((resolve, reject) => {
          outgoing.on('response', (incoming) => {
            incoming.resume()
            resolve(incoming.statusCode)
          })
          outgoing.on('error', reject)
        })
        for (const piece of ['{', '"name"', ':', '"one"', '}']) {
          outgoing.write(piece)
          await sleep(pause)
        }
        outgoing.end()
        return answered
      }
      expect(await slowly(LIMIT * 0.6)).to.equal(201)
      expect(await slowly(LIMIT * 2.5)).to.equal(504)
    })
  })
})
