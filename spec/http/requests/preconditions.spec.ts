import { createHash } from 'node:crypto'
import { expect } from 'chai'
import Koa from 'koa'
import { createApp, createMiddleware } from '../../../plugin/http/app.js'
import { serving } from '../client.js'
import { stubs, TOKEN } from '../stubs.js'

const TAG = createHash('sha256').update('{"id":1,"name":"one"}').digest('hex').slice(0, 32)

/** The statuses of one request with each of the headers. */
const statusesOf = async (name: string, values: readonly string[], method = 'PATCH', path = '/v1/requests/1') => {
  const { deps, asked } = stubs()
  const found: (readonly [string, number])[] = []
  await serving(createApp(deps), async ({ send }) => {
    for (const value of values) {
      const { status, json } = await send(path, {
        method,
        headers: { ...TOKEN, [name]: value },
        ...(method === 'GET' ? {} : { body: {} }),
      })
      if (status === 412) expect(json).to.deep.equal({ message: 'Precondition Failed' })
      found.push([value, status])
    }
  })
  return { found, asked }
}
const all = (values: readonly string[], status: number) => values.map((value) => [value, status])

describe('http/preconditions', () => {
  it('let a change through for the tag of now, in any spelling', async () => {
    const good = [`W/"${TAG}"`, `"${TAG}"`, TAG, `w/"${TAG}"`, `"other", W/"${TAG}"`, `"a,b","${TAG}"`, '*', `"${TAG}-gzip"`]
    for (const method of ['PATCH', 'PUT'])
      expect((await statusesOf('If-Match', good, method)).found).to.deep.equal(all(good, 200))
  })

  it('refuse a change for every other tag, and for none', async () => {
    const bad = ['"other"', `W/"${TAG.slice(1)}"`, `"${TAG}0"`, `"x,${TAG},y"`, '"*"', '""', '', ',', `"${'0'.repeat(32)}"`]
    for (const method of ['PATCH', 'PUT']) {
      const { asked, found } = await statusesOf('If-Match', bad, method)
      expect(found).to.deep.equal(all(bad, 412))
      expect(asked.filter(([operation]) => operation === 'save')).to.deep.equal([])
    }
  })

  it('compare the time of the last change', async () => {
    const good = ['Fri, 20 Nov 2026 08:00:00 GMT', 'Saturday, 21-Nov-26 00:00:00 GMT', 'Sat Nov 21 00:00:00 2026']
    expect((await statusesOf('If-Unmodified-Since', good)).found).to.deep.equal(all(good, 200))
    const bad = ['Fri, 20 Nov 2026 07:59:59 GMT', 'Sunday, 06-Nov-94 08:49:37 GMT', 'Thu Nov 19 08:00:00 2026']
    expect((await statusesOf('If-Unmodified-Since', bad)).found).to.deep.equal(all(bad, 412))
  })

  it('ignore what is not a date, and dates beside tags', async () => {
    const unread = ['', '0', '2026-11-20', 'Thu, 19 Nov 2026 08:00:00', 'Thu, 31 Nov 2026 08:00:00 GMT']
    expect((await statusesOf('If-Unmodified-Since', unread)).found).to.deep.equal(all(unread, 200))
    const { deps } = stubs()
    await serving(createApp(deps), async ({ send }) => {
      const headers = { ...TOKEN, 'If-Match': `"${TAG}"`, 'If-Unmodified-Since': 'Thu, 19 Nov 2026 08:00:00 GMT' }
      expect((await send('/v1/requests/1', { method: 'PATCH', headers, body: {} })).status).to.equal(200)
    })
  })

  it('refuse a change of a record that must not be there, or must be another one', async () => {
    const bad = ['*', `"${TAG}"`, `"other", ${TAG}`]
    expect((await statusesOf('If-None-Match', bad)).found).to.deep.equal(all(bad, 412))
    expect((await statusesOf('If-None-Match', ['"other"', ''])).found).to.deep.equal(all(['"other"', ''], 200))
    expect((await statusesOf('Etag', [TAG])).found).to.deep.equal(all([TAG], 200))
  })

  it('say of a POST only whether its URL is there', async () => {
    for (const path of ['/v1/requests', '/v1/changes/1/tasks']) {
      expect((await statusesOf('If-Match', ['*', TAG], 'POST', path)).found).to.deep.equal([
        ...all(['*'], 201),
        ...all([TAG], 412),
      ])
      expect((await statusesOf('If-None-Match', ['*', TAG], 'POST', path)).found).to.deep.equal(all(['*', TAG], 201))
    }
  })

  it('refuse If-Match where GET shows nothing', async () => {
    for (const path of ['/v1/me/reset_api_token', '/v1/requests/1/watchers/2']) {
      const { asked, found } = await statusesOf('If-Match', ['*', TAG], 'POST', path)
      expect(found).to.deep.equal(all(['*', TAG], 412))
      expect(asked).to.deep.equal([])
    }
    expect((await statusesOf('If-Match', [TAG], 'POST', '/v1/nothing')).found).to.deep.equal(all([TAG], 404))
  })

  it('let a DELETE of what is there through where GET is not compared', async () => {
    const { deps } = stubs({
      endpoints: [
        {
          method: 'DELETE',
          path: '/webhooks/:id/test',
          description: {
            operation: 'try',
            summary: 'Remove',
            description: 'Removes it.',
            answers: { 204: { description: 'Removed.' } },
          },
          run: (ctx) => {
            ctx.status = 204
          },
        },
      ],
    })
    await serving(createApp(deps), async ({ send }) => {
      const statusWith = async (tag: string) =>
        (await send('/v1/webhooks/1/test', { method: 'DELETE', headers: { ...TOKEN, 'If-Match': tag } })).status
      expect([await statusWith('*'), await statusWith(TAG), await statusWith('')]).to.deep.equal([204, 412, 412])
    })
  })

  it('hold for GET as well', async () => {
    const good = ['*', TAG, `"other", W/"${TAG}"`]
    expect((await statusesOf('If-Match', good, 'GET')).found).to.deep.equal(all(good, 200))
    expect((await statusesOf('If-Match', ['"other"', ''], 'GET')).found).to.deep.equal(all(['"other"', ''], 412))
    expect((await statusesOf('If-Match', ['"other"'], 'GET', '/v1/requests/9')).found).to.deep.equal(all(['"other"'], 404))
    expect((await statusesOf('If-Match', ['"other"'], 'GET', '/v1/requests/1?callback=f')).found).to.deep.equal(
      all(['"other"'], 200),
    )
  })

  it('hold behind a host that tags and compares responses itself', async () => {
    const { deps } = stubs()
    const host = new Koa()
    host.use(async (ctx, next) => {
      await next()
      if (ctx.response.get('ETag') === '' && ctx.body) ctx.set('ETag', '"of the host"')
      if (ctx.fresh) ctx.status = 304
    })
    host.use(createMiddleware(deps))
    await serving(host, async ({ send }) => {
      const first = await send('/v1/requests/1', { headers: TOKEN })
      expect(first.headers.etag).to.equal(`W/"${TAG}"`)
      expect((await send('/v1/requests/1', { headers: { ...TOKEN, 'If-None-Match': `W/"${TAG}"` } })).status).to.equal(304)
      const change = async (tag: string) =>
        send('/v1/requests/1', { method: 'PATCH', headers: { ...TOKEN, 'If-Match': tag }, body: {} })
      const done = await change(`W/"${TAG}"`)
      expect([done.status, done.headers.etag]).to.deep.equal([200, `W/"${TAG}"`])
      expect((await change('"other"')).status).to.equal(412)
    })
  })

  it('leave the errors of a request as they are', async () => {
    const { deps } = stubs()
    await serving(createApp(deps), async ({ send }) => {
      const sent = { method: 'PATCH', headers: { ...TOKEN, 'If-Match': '"other"' } }
      expect((await send('/v1/requests/1', { method: 'PATCH', headers: { 'If-Match': '"other"' } })).status).to.equal(401)
      expect((await send('/v1/requests/1', { ...sent, headers: { ...sent.headers, Accept: 'text/html' } })).status).to.equal(
        406,
      )
      expect((await send('/v1/requests/1', { ...sent, body: '{' })).status).to.equal(400)
    })
  })
})
