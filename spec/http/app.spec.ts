import { expect } from 'chai'
import Koa from 'koa'
import { koaBody } from 'koa-body'
import mount from 'koa-mount'
import { createApp, createMiddleware } from '../../plugin/http/app.js'
import { serving } from './client.js'
import { stubs, TOKEN } from './stubs.js'

describe('http/app: a guest in the host', () => {
  it('answers below the prefix that it is mounted under', async () => {
    const { deps } = stubs()
    const host = new Koa().use(mount('/api', createApp(deps)))
    await serving(host, async ({ send }) => {
      const { status, json } = await send('/api/v1/requests/1', { headers: TOKEN })
      expect([status, json]).to.deep.equal([200, { id: 1, name: 'one' }])
    })
  })

  it('works as one middleware among others', async () => {
    const { deps } = stubs()
    const host = new Koa().use(createMiddleware(deps))
    await serving(host, async ({ send }) => {
      expect((await send('/v1')).json).to.deep.equal({})
    })
  })

  it('leaves every path outside /v1 to the host, with its state untouched', async () => {
    const { deps } = stubs()
    const host = new Koa().use(createMiddleware(deps))
    host.use((ctx) => {
      ctx.body = `host: ${Object.keys(ctx.state)}`
    })
    await serving(host, async ({ send }) => {
      for (const path of ['/', '/v2/requests', '/v1x', '/health', '/V1/requests']) {
        const { status, text, headers } = await send(path)
        expect([path, status, text]).to.deep.equal([path, 200, 'host: '])
        expect(headers).to.not.have.property('x-request-id')
      }
    })
  })

  it('never passes a request below /v1 on to the host', async () => {
    const { deps } = stubs()
    const host = new Koa().use(mount('/api', createApp(deps)))
    host.use((ctx) => {
      ctx.body = 'host'
    })
    await serving(host, async ({ send }) => {
      for (const [method, path] of [
        ['GET', '/api/v1/nothing'],
        ['PUT', '/api/v1/requests'],
        ['OPTIONS', '/api/v1/requests'],
        ['DELETE', '/api/v1'],
      ] as const) {
        const { status, json } = await send(path, { method, headers: TOKEN })
        expect([path, status, json]).to.deep.equal([path, 404, { message: 'Not Found' }])
      }
    })
  })

  it('keeps two instances in one process apart', async () => {
    const first = stubs({ baseUrl: 'https://a.example/v1' })
    const second = stubs({ baseUrl: 'https://b.example/v1' })
    const host = new Koa().use(mount('/a', createApp(first.deps))).use(mount('/b', createApp(second.deps)))
    await serving(host, async ({ send }) => {
      const sent = { method: 'POST', headers: TOKEN, body: { subject: 'x' } }
      expect((await send('/a/v1/requests', sent)).headers.location).to.equal('https://a.example/v1/requests/1')
      expect((await send('/b/v1/requests', sent)).headers.location).to.equal('https://b.example/v1/requests/1')
      expect([first.asked.length, second.asked.length]).to.deep.equal([2, 2])
    })
  })

  it('keeps all that it remembers of a request in ctx.state.itsm', async () => {
    const { deps } = stubs()
    const states: string[][] = []
    const host = new Koa()
    host.use(async (ctx, next) => {
      await next()
      states.push(Object.keys(ctx.state))
    })
    host.use(createMiddleware(deps))
    await serving(host, async ({ send }) => {
      await send('/v1/requests', { headers: TOKEN })
      expect(states).to.deep.equal([['itsm']])
    })
  })

  it('takes what a body parser of the host has left, and says so once', async () => {
    const { deps, asked, logged } = stubs()
    const host = new Koa().use(koaBody()).use(mount('/api', createApp(deps)))
    await serving(host, async ({ send }) => {
      const headers = { ...TOKEN, 'Content-Type': 'application/json' }
      for (const subject of ['a', 'b']) {
        const { status } = await send('/api/v1/requests', { method: 'POST', headers, body: { subject } })
        expect(status).to.equal(201)
      }
      expect(asked.filter(([name]) => name === 'save').map(([, , , body]) => body)).to.deep.equal([
        { subject: 'a' },
        { subject: 'b' },
      ])
      expect(logged.map(([level]) => level)).to.deep.equal(['warn'])
    })
  })

  it('parses JSON of any content type behind a body parser of the host', async () => {
    const { deps, asked } = stubs()
    const host = new Koa().use(koaBody({ includeUnparsed: true })).use(createMiddleware(deps))
    await serving(host, async ({ send }) => {
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/vnd.odd']) {
        const headers = { ...TOKEN, 'Content-Type': type }
        await send('/v1/requests', { method: 'POST', headers, body: { subject: 'a=b&c' } })
      }
      const bodies = asked.filter(([name]) => name === 'save').map(([, , , body]) => body)
      expect(bodies).to.deep.equal([{ subject: 'a=b&c' }, { subject: 'a=b&c' }, { subject: 'a=b&c' }])
    })
  })

  it('cleans what a body parser of the host let through', async () => {
    const { deps, asked } = stubs()
    const host = new Koa()
    host.use(async (ctx, next) => {
      const chunks: Buffer[] = []
      for await (const chunk of ctx.req) chunks.push(chunk as Buffer)
      Object.assign(ctx.request, { body: JSON.parse(Buffer.concat(chunks).toString()) })
      return next()
    })
    host.use(createMiddleware(deps))
    await serving(host, async ({ send }) => {
      const post = (body: string) => send('/v1/requests', { method: 'POST', headers: TOKEN, body })
      await post('{"subject":"a","__proto__":{"admin":true}}')
      const body = asked[0]?.[3] as Record<string, unknown>
      expect(Object.getOwnPropertyNames(body)).to.deep.equal(['subject'])
      expect(body['admin']).to.equal(undefined)
      const { json } = await post('[1,{"subject":"b","__proto__":{"admin":true}}]')
      expect(json).to.deep.include.members([{ status: 400, message: 'Body should be a JSON object' }])
      expect(Object.getOwnPropertyNames(asked.findLast(([name]) => name === 'save')?.[3])).to.deep.equal(['subject'])
      expect((await post('7')).json).to.deep.equal({ message: 'Body should be a JSON object' })
    })
  })

  it('does not take a body for empty that somebody else has swallowed', async () => {
    const { deps, asked, logged } = stubs()
    const host = new Koa()
    host.use(async (ctx, next) => {
      for await (const _ of ctx.req);
      return next()
    })
    host.use(createMiddleware(deps))
    await serving(host, async ({ send }) => {
      const { status } = await send('/v1/requests/1', { method: 'PATCH', headers: TOKEN, body: { subject: 'x' } })
      expect(status).to.equal(500)
      expect(asked).to.deep.equal([])
      expect(logged.at(-1)?.[1]['err']).to.be.instanceOf(Error)
    })
  })
})
