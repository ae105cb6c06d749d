import { runInNewContext } from 'node:vm'
import { expect } from 'chai'
import { createApp } from '../../../plugin/http/app.js'
import type { HttpDeps } from '../../../plugin/http/deps.js'
import { serving } from '../client.js'
import { ines, PASSWORD, type StubOptions, stubs, TOKEN } from '../stubs.js'

interface Wrapped {
  meta: Record<string, unknown>
  data: unknown
}

async function get(path: string, options: StubOptions = {}, overrides: Partial<HttpDeps> = {}, headers: object = TOKEN) {
  const { deps } = stubs(overrides, options)
  return serving(createApp(deps), ({ send }) => send(path, { headers: { ...headers } }))
}

/** Runs the answer as a browser would. */
function run(script: string, name: string): Wrapped {
  const seen: Wrapped[] = []
  runInNewContext(script, { [name]: (argument: Wrapped) => seen.push(JSON.parse(JSON.stringify(argument))) })
  expect(seen).to.have.length(1)
  return seen[0] ?? { meta: {}, data: null }
}

describe('http/middleware/jsonp', () => {
  it('calls the function with meta and data', async () => {
    const { status, headers, text } = await get('/v1/requests?callback=show&per_page=1', { total: 3 })
    expect([status, headers['content-type']]).to.deep.equal([200, 'application/javascript; charset=utf-8'])
    expect(text).to.match(/^\/\*\*\/show\(/)
    const { meta, data } = run(text, 'show')
    expect(data).to.deep.equal([{ id: 1, name: 'one' }])
    expect(meta).to.include({
      status: 200,
      'X-Pagination-Current-Page': '1',
      'X-Pagination-Per-Page': '1',
      'X-Pagination-Total-Entries': '3',
      'X-RateLimit-Limit': '3600',
      'Content-Type': 'application/json; charset=utf-8',
    })
    expect(meta['Link']).to.deep.equal([
      ['https://desk.example/v1/requests?page=1&per_page=1', { rel: 'first' }],
      ['https://desk.example/v1/requests?page=2&per_page=1', { rel: 'next' }],
      ['https://desk.example/v1/requests?page=3&per_page=1', { rel: 'last' }],
    ])
  })

  it('carries the status of errors in meta, also when nobody is known', async () => {
    const missing = await get('/v1/requests/99?callback=show')
    expect([missing.status, run(missing.text, 'show').meta['status']]).to.deep.equal([200, 404])
    const unknown = await get('/v1/requests?callback=show', {}, {}, {})
    const { meta, data } = run(unknown.text, 'show')
    expect([meta['status'], data]).to.deep.equal([401, { message: 'access credentials required' }])
    expect(meta['X-RateLimit-Remaining']).to.equal('3599')
    expect(unknown.headers).to.not.have.property('www-authenticate')
  })

  it('escapes what ends a line in old scripts', async () => {
    const text = 'a\u2028b\u2029c</script>'
    const answer = await get('/v1/requests/1?callback=show', { records: { 1: { id: 1, text } } })
    expect(answer.text).to.not.match(/[\u2028\u2029]/)
    expect(run(answer.text, 'show').data).to.deep.equal({ id: 1, text })
  })

  it('refuses names that could be anything else than a function', async () => {
    for (const name of ['alert(1)', 'a;b', '<script>', 'a b', '1a', '', 'a\u2028b', 'a[0]', 'a%0d%0aX:y']) {
      const { status, json, headers } = await get(`/v1/requests?callback=${encodeURIComponent(name)}`)
      expect([name, status, json]).to.deep.equal([name, 400, { message: "Parameter 'callback' must name a function" }])
      expect(headers).to.include({ 'content-type': 'application/json; charset=utf-8', 'x-ratelimit-limit': '3600' })
    }
  })

  it('takes names of functions within objects', async () => {
    expect((await get('/v1/requests/1?callback=$my.app_1.show')).text).to.match(/^\/\*\*\/\$my\.app_1\.show\(/)
  })

  it('is ignored by other verbs', async () => {
    const { deps } = stubs()
    await serving(createApp(deps), async ({ send }) => {
      const sent = { method: 'POST', headers: TOKEN, body: { subject: 'x' } }
      const { status, headers } = await send('/v1/requests?callback=alert(1)', sent)
      expect([status, headers['content-type']]).to.deep.equal([201, 'application/json; charset=utf-8'])
    })
  })

  it('always has its data, even when the browser knows the tag', async () => {
    const first = await get('/v1/requests/1?callback=show')
    const headers = { ...TOKEN, 'If-None-Match': first.headers.etag }
    const again = await get('/v1/requests/1?callback=show', {}, {}, headers)
    expect([again.status, run(again.text, 'show').meta['status']]).to.deep.equal([200, 200])
  })

  it('accepts the media types that browsers ask for scripts with', async () => {
    const headers = { ...TOKEN, Accept: 'text/javascript, application/javascript' }
    expect((await get('/v1/requests?callback=show', {}, {}, headers)).status).to.equal(200)
  })

  const REFUSED = { message: "Parameter 'callback' requires credentials in parameter 'api_token'" }
  const remembered = {
    remembered: PASSWORD,
    'remembered, from a sibling domain': { ...PASSWORD, 'Sec-Fetch-Site': 'same-site' },
  }
  for (const [name, headers] of Object.entries(remembered)) {
    it(`gives nothing to a page that relies on a password that the browser has ${name}`, async () => {
      let asked = 0
      const identify = async () => {
        asked += 1
        return { actor: ines, signedInWith: 'password' as const }
      }
      const { status, text } = await get('/v1/requests?callback=show', {}, { authenticator: { identify } }, headers)
      const { meta, data } = run(text, 'show')
      expect([status, meta['status'], data, asked]).to.deep.equal([200, 400, REFUSED, 0])
    })
  }

  it('gives nothing to a page that relies on the session of the host', async () => {
    const signedIn = async () => ines
    const { text } = await get('/v1/requests?callback=show', {}, { signedIn }, {})
    const { meta, data } = run(text, 'show')
    expect([meta['status'], data]).to.deep.equal([400, REFUSED])
  })

  it('believes the token in the address, whatever the browser sends beside it', async () => {
    for (const headers of [{}, PASSWORD, { Authorization: 'Basic bm9ib2R5Ong=' }, { Authorization: 'Negotiate x' }]) {
      const { text } = await get('/v1/me?callback=show&api_token=TOKEN', {}, {}, headers)
      expect(run(text, 'show').meta['status']).to.equal(200)
    }
    expect(run((await get('/v1/me?callback=show&api_token=no', {}, {}, PASSWORD)).text, 'show').meta['status']).to.equal(401)
  })

  it('answers what needs no credentials, and does not ask who the browser remembers', async () => {
    const signedIn = async () => ines
    for (const headers of [{}, PASSWORD, { Authorization: 'Basic bm9ib2R5Ong=' }]) {
      const { deps, calls } = stubs({ signedIn })
      const { text } = await serving(createApp(deps), ({ send }) => send('/v1?callback=show', { headers: { ...headers } }))
      expect([run(text, 'show').data, calls[0]?.actor]).to.deep.equal([{}, null])
    }
  })

  it('never holds the API token, not even for a page of this origin', async () => {
    const headers = { ...PASSWORD, 'Sec-Fetch-Site': 'same-origin' }
    expect((await get('/v1/me', {}, {}, headers)).text).to.include('api_token')
    const { text } = await get('/v1/me?callback=show', {}, {}, headers)
    const { meta, data } = run(text, 'show')
    expect(meta['status']).to.equal(200)
    expect(data).to.have.property('name', 'one')
    expect(text).to.not.include('token of')
  })

  it('may be embedded in other origins, unlike every other answer', async () => {
    const policies = []
    for (const path of ['/v1?callback=show', '/v1', '/v1/requests/99', '/v1/requests']) {
      policies.push((await get(path)).headers['cross-origin-resource-policy'])
    }
    expect(policies).to.deep.equal(['cross-origin', 'same-origin', 'same-origin', 'same-origin'])
  })
})
