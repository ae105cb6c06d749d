import { createHash } from 'node:crypto'
import { request } from 'node:http'
import { gunzipSync, gzipSync } from 'node:zlib'
import { expect } from 'chai'
import Koa from 'koa'
import { createApp, createMiddleware } from '../../../plugin/http/app.js'
import { serving } from '../client.js'
import { PASSWORD, stubs, TOKEN } from '../stubs.js'

const NAME = 'a name that is repeated '.repeat(100)
const RECORD = JSON.stringify({ id: 1, name: NAME })
const TAG = `W/"${createHash('sha256').update(RECORD).digest('hex').slice(0, 32)}"`
const GZIP = { 'Accept-Encoding': 'gzip, deflate, br' }
const records = { 1: { id: 1, name: NAME }, 2: { id: 2, name: 'short' } }

interface Got {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly bytes: Buffer
}

/** The answer as it comes, byte by byte. */
function get(port: number, path: string, headers: object, method = 'GET'): Promise<Got> {
  return new Promise((resolve, reject) => {
    const sent = { port, path, method, host: '127.0.0.1', headers: { ...TOKEN, ...headers } }
    const outgoing = request(sent, (incoming) => {
      const chunks: Buffer[] = []
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject)
      incoming.on('end', () =>
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, bytes: Buffer.concat(chunks) }),
      )
    })
    outgoing.on('error', reject).end()
  })
}

function asking<T>(work: (ask: (path: string, headers?: object, method?: string) => Promise<Got>) => Promise<T>, host?: Koa) {
  const { deps } = stubs({}, { records })
  const app = host ? host.use(createMiddleware(deps)) : createApp(deps)
  return serving(app, ({ port }) => work((path, headers = GZIP, method = 'GET') => get(port, path, headers, method)))
}

describe('http/middleware/compress', () => {
  it('compresses long texts for those who accept it, under the tag of the plain text', async () => {
    await asking(async (ask) => {
      const { status, headers, bytes } = await ask('/v1/requests/1')
      expect([status, headers['content-encoding'], headers['etag']]).to.deep.equal([200, 'gzip', TAG])
      expect(headers['content-length']).to.equal(String(bytes.length))
      expect(bytes.length).to.be.below(RECORD.length / 5)
      expect(gunzipSync(bytes).toString()).to.equal(RECORD)
      expect(headers['vary']).to.match(/, Accept-Encoding$/)
    })
  })

  it('leaves short ones, and those for others, as they are', async () => {
    await asking(async (ask) => {
      for (const accepted of ['identity', 'br', 'gzip;q=0', '', 'identity;q=1, gzip;q=0.5']) {
        const { headers, bytes } = await ask('/v1/requests/1', { 'Accept-Encoding': accepted })
        expect([accepted, headers['content-encoding'], bytes.toString()]).to.deep.equal([accepted, undefined, RECORD])
        expect(headers['vary']).to.match(/, Accept-Encoding$/)
      }
      expect((await ask('/v1/requests/1', {})).bytes.toString()).to.equal(RECORD)
      const short = await ask('/v1/requests/2')
      expect([short.headers['content-encoding'], short.bytes.toString()]).to.deep.equal([undefined, '{"id":2,"name":"short"}'])
      expect((await ask('/v1/requests/99')).headers['content-encoding']).to.equal(undefined)
    })
  })

  it('works with 304, HEAD, lists, enumerations and scripts', async () => {
    await asking(async (ask) => {
      const known = await ask('/v1/requests/1', { ...GZIP, 'If-None-Match': TAG })
      expect([known.status, known.bytes.length, known.headers['content-encoding']]).to.deep.equal([304, 0, undefined])
      expect([known.headers['etag'], known.headers['vary']]).to.deep.equal([TAG, (await ask('/v1/requests/1')).headers['vary']])

      const whole = await ask('/v1/requests/1')
      const head = await ask('/v1/requests/1', GZIP, 'HEAD')
      expect([head.status, head.bytes.length]).to.deep.equal([200, 0])
      for (const name of ['content-encoding', 'content-length', 'etag', 'content-type', 'vary'])
        expect(head.headers[name], name).to.equal(whole.headers[name])

      const list = await ask('/v1/requests')
      expect(JSON.parse(gunzipSync(list.bytes).toString())).to.have.length(2)
      const script = await ask('/v1/requests/1?callback=show')
      expect([script.status, script.headers['content-type']]).to.deep.equal([200, 'application/javascript; charset=utf-8'])
      expect(gunzipSync(script.bytes).toString()).to.match(/^\/\*\*\/show\(\{"meta":.*a name that is repeated/)
      expect((await ask('/v1/openapi.json')).headers['content-encoding']).to.equal('gzip')
    })
  })

  it('leaves it to a host that compresses', async () => {
    let left = 0
    // As koa-compress does it.
    const host = new Koa().use(async (ctx, next) => {
      ctx.vary('Accept-Encoding')
      await next()
      if (ctx.response.get('Content-Encoding') || /no-transform/.test(ctx.response.get('Cache-Control'))) return
      left += 1
      ctx.body = gzipSync(String(ctx.body))
      ctx.set('Content-Encoding', 'gzip')
    })
    await asking(async (ask) => {
      const { headers, bytes } = await ask('/v1/requests/1')
      expect([headers['content-encoding'], gunzipSync(bytes).toString()]).to.deep.equal(['gzip', RECORD])
      expect(left).to.equal(1)
      const secret = await ask('/v1/me', { ...GZIP, ...PASSWORD })
      expect(secret.headers['content-encoding']).to.equal(undefined)
    }, host)
  })

  it('never compresses what holds an API token', async () => {
    await asking(async (ask) => {
      for (const [path, method] of [
        ['/v1/me', 'GET'],
        ['/v1/people/me', 'GET'],
        ['/v1/me/reset_api_token', 'POST'],
      ] as const) {
        const { headers, bytes } = await ask(path, { ...GZIP, ...PASSWORD }, method)
        expect([path, headers['content-encoding']]).to.deep.equal([path, undefined])
        expect(headers['cache-control']).to.equal('max-age=0, private, must-revalidate, no-transform')
        expect(JSON.parse(bytes.toString())).to.have.property('api_token')
      }
      expect((await ask('/v1/me')).headers['content-encoding']).to.equal('gzip')
    })
  })
})
