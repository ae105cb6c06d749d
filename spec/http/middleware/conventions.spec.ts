import { expect } from 'chai'
import Koa from 'koa'
import { createApp, createMiddleware } from '../../../plugin/http/app.js'
import { serving } from '../client.js'
import { stubs, TOKEN } from '../stubs.js'

describe('http/middleware/common-headers', () => {
  it('begins every answer with its id, its run time and headers for browsers', async () => {
    const { deps } = stubs()
    await serving(createApp(deps), async ({ send }) => {
      for (const path of ['/v1', '/v1/nothing', '/v1/requests']) {
        const { headers } = await send(path, { headers: TOKEN })
        expect(headers['x-request-id']).to.match(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)
        expect(headers['x-runtime']).to.match(/^\d+\.\d{6}$/)
        expect(headers).to.include({
          'content-type': 'application/json; charset=utf-8',
          'x-content-type-options': 'nosniff',
          'content-security-policy': "default-src 'none'",
          'cache-control': 'max-age=0, private, must-revalidate',
        })
      }
    })
  })
})

describe('the id of a request', () => {
  it('is that of the caller when it is sane, also in calls, logs and scripts', async () => {
    const { deps, calls, logged } = stubs({}, { fail: new Error('x') })
    await serving(createApp(deps), async ({ send }) => {
      for (const id of ['Root=1-67891233-abcdef012345678912345678'.slice(5), 'abc.def:1_2-3', 'x'.repeat(128), '12345678']) {
        const { status, headers } = await send('/v1/requests', { headers: { ...TOKEN, 'X-Request-Id': id } })
        expect([status, headers['x-request-id']]).to.deep.equal([500, id])
        expect([calls.at(-1)?.requestId, logged.at(-1)?.[1]['requestId']]).to.deep.equal([id, id])
      }
      const { text } = await send('/v1?callback=show', { headers: { 'X-Request-Id': 'abcdefgh' } })
      expect(text).to.include('"X-Request-Id":"abcdefgh"')
    })
  })

  it('is a new one otherwise', async () => {
    const { deps } = stubs()
    await serving(createApp(deps), async ({ send }) => {
      for (const id of [
        '',
        'short',
        'x'.repeat(129),
        'with blank inside',
        'quote"quote',
        '<script>1</script>',
        'ümläüte1',
        'a,b,c,d,e,f',
      ])
        expect((await send('/v1', { headers: { 'X-Request-Id': id } })).headers['x-request-id'], id).to.match(
          /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/,
        )
    })
  })
})

describe('http/middleware/depends-on', () => {
  const headers = ['X-SVC-', 'X-Old-'].flatMap((prefix) => ['Account', 'Language', 'Person'].map((name) => prefix + name))
  const LISTED = ['Accept', 'Authorization', ...headers, 'Accept-Encoding'].join(', ')

  it('lists the request headers that answers depend on, errors too', async () => {
    const { deps } = stubs()
    await serving(createApp(deps), async ({ send }) => {
      for (const path of ['/v1', '/v1/requests', '/v1/requests/99', '/v1/nothing'])
        expect((await send(path, { headers: TOKEN })).headers.vary, path).to.equal(LISTED)
      expect((await send('/v1?callback=show')).headers.vary).to.equal(`Sec-Fetch-Site, ${LISTED}`)
    })
    const session = stubs({ signedIn: async () => null })
    await serving(createApp(session.deps), async ({ send }) => {
      expect((await send('/v1')).headers.vary).to.equal(LISTED.replace('Accept-E', 'Cookie, Accept-E'))
    })
  })

  it('leaves what the host has listed', async () => {
    const { deps } = stubs()
    const host = new Koa().use(async (ctx, next) => {
      ctx.vary(['Origin', 'authorization'])
      await next()
      ctx.vary('X-Host')
    })
    await serving(host.use(createMiddleware(deps)), async ({ send }) => {
      const { vary } = (await send('/v1/requests', { headers: TOKEN })).headers
      expect(vary).to.equal(`Origin, authorization, ${LISTED.replace('Authorization, ', '')}, X-Host`)
    })
  })

  it('names the language of refusals', async () => {
    const { deps } = stubs({}, { refuse: [['subject', 'blank']] })
    await serving(createApp(deps), async ({ send }) => {
      const headers = { ...TOKEN, 'X-SVC-Language': 'fr' }
      const answer = await send('/v1/requests', { method: 'POST', headers, body: {} })
      expect([answer.status, answer.headers['content-language']]).to.deep.equal([422, 'fr'])
      expect((await send('/v1/requests/99', { headers })).headers).to.not.have.property('content-language')
      expect((await send('/v1/requests/1', { headers })).headers).to.not.have.property('content-language')
    })
  })
})

describe('http/middleware/secure-only', () => {
  it('refuses plain HTTP before anything else', async () => {
    const { deps, calls } = stubs({ allowInsecure: false })
    await serving(createApp(deps), async ({ send }) => {
      const { status, json, headers } = await send('/v1/requests', { headers: { ...TOKEN, 'X-Forwarded-Proto': 'https' } })
      expect([status, json, calls]).to.deep.equal([403, { message: 'Only HTTPS is supported' }, []])
      expect(headers).to.not.have.property('strict-transport-security')
    })
  })

  it('believes the proxy where the host does', async () => {
    const { deps } = stubs({ allowInsecure: false })
    const host = new Koa({ proxy: true }).use(createMiddleware(deps))
    await serving(host, async ({ send }) => {
      const { status, headers } = await send('/v1/requests', { headers: { ...TOKEN, 'X-Forwarded-Proto': 'https' } })
      expect([status, headers['strict-transport-security']]).to.deep.equal([200, 'max-age=31536000'])
    })
  })
})

describe('http/middleware/json-only', () => {
  const ACCEPTED: [path: string, accept: string | undefined, status: number][] = [
    ['/v1/requests', undefined, 200],
    ['/v1/requests', '*/*', 200],
    ['/v1/requests', 'application/json; charset=utf-8', 200],
    ['/v1/requests', 'application/*;q=0.5', 200],
    ['/v1/requests', 'text/html,application/xml;q=0.9,*/*;q=0.8', 200],
    ['/v1/requests', 'text/html', 406],
    ['/v1/requests', 'application/json;q=0', 406],
    ['/v1/requests', 'application/json; q=0.0, */*', 406],
    ['/v1/requests', 'text/html, Application/JSON;version=1;q=0.1', 200],
    ['/v1/requests', ';;;', 406],
    ['/v1/requests.json', 'text/html', 200],
    ['/v1/requests/1.json', undefined, 200],
    ['/v1/requests/open.json', undefined, 200],
    ['/v1/requests/1.json/', undefined, 200],
    ['/v1/requests.xml', undefined, 406],
    ['/v1/requests/1.xml', 'application/json', 406],
    ['/v1/requests.csv', undefined, 406],
    ['/v1/requests.odd', undefined, 404],
    ['/v1/nothing.xml', undefined, 404],
    ['/v1/', undefined, 200],
    ['/v1/requests/', undefined, 200],
    ['/v1/requests/1//', undefined, 200],
    ['/v1/requests/open/?per_page=10', undefined, 200],
  ]
  for (const [path, accept, status] of ACCEPTED) {
    it(`answers ${path} for '${accept ?? 'anything'}' with ${status}`, async () => {
      const { deps } = stubs()
      await serving(createApp(deps), async ({ send }) => {
        const answer = await send(path, { headers: { ...TOKEN, ...(accept === undefined ? {} : { Accept: accept }) } })
        expect(answer.status).to.equal(status)
        if (status === 406) expect(answer.json).to.deep.equal({ message: 'Not Acceptable' })
      })
    })
  }
})

describe('http/middleware/open-call', () => {
  it('takes account, language and source from the headers, under every prefix', async () => {
    const { deps, calls } = stubs()
    await serving(createApp(deps), async ({ send }) => {
      await send('/v1/requests', {
        headers: { ...TOKEN, 'X-Old-Account': 'trusted', 'X-SVC-Language': ' fr ', 'X-Svc-Source': 'monitor' },
      })
      expect(calls[0]).to.include({ language: 'fr', source: 'monitor' })
      expect(calls[0]?.account.id).to.equal('trusted')
    })
  })

  it('lets the first prefix win', async () => {
    const { deps, calls } = stubs()
    await serving(createApp(deps), async ({ send }) => {
      await send('/v1/requests', { headers: { ...TOKEN, 'X-Old-Account': 'wdc', 'X-SVC-Account': 'trusted' } })
      expect(calls[0]?.account.id).to.equal('trusted')
    })
  })

  it('refuses an account that the caller has no part in', async () => {
    const { deps } = stubs()
    await serving(createApp(deps), async ({ send }) => {
      const { status, json } = await send('/v1/requests', { headers: { ...TOKEN, 'X-SVC-Account': 'other' } })
      expect([status, json]).to.deep.equal([403, { message: 'Forbidden' }])
    })
  })

  it('falls back to the user agent and to "api" for the source, at most 30 characters', async () => {
    const { deps, calls } = stubs()
    await serving(createApp(deps), async ({ send }) => {
      await send('/v1/requests', { headers: { ...TOKEN, 'User-Agent': `agent/${'1'.repeat(40)}` } })
      await send('/v1/requests', { headers: { ...TOKEN, 'X-SVC-Source': '  ' } })
      expect(calls.map(({ source }) => source)).to.deep.equal([`agent/${'1'.repeat(24)}`, 'api'])
    })
  })
})
