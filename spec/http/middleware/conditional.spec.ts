import { createHash } from 'node:crypto'
import { expect } from 'chai'
import { createApp } from '../../../plugin/http/app.js'
import { serving } from '../client.js'
import { stubs, TOKEN } from '../stubs.js'

const TAG = createHash('sha256').update('{"id":1,"name":"one"}').digest('hex').slice(0, 32)

describe('http/middleware/conditional', () => {
  it('tags the root as it is known to be tagged', async () => {
    const { deps } = stubs()
    await serving(createApp(deps), async ({ send }) => {
      expect((await send('/v1')).headers.etag).to.equal('W/"44136fa355b3678a1146ad16f7e8649e"')
    })
  })

  it('answers 304 without a body when the caller has the current record', async () => {
    const { deps } = stubs()
    await serving(createApp(deps), async ({ send }) => {
      const known = [`W/"${TAG}"`, `"${TAG}"`, TAG, `w/"${TAG}"`, `"other", W/"${TAG}"`, '*']
      for (const name of ['If-None-Match', 'Etag']) {
        for (const tag of known) {
          const { status, text, headers } = await send('/v1/requests/1', { headers: { ...TOKEN, [name]: tag } })
          expect([name, tag, status, text]).to.deep.equal([name, tag, 304, ''])
          expect(headers).to.include({ etag: `W/"${TAG}"`, 'x-ratelimit-limit': '3600' })
        }
      }
    })
  })

  it('answers with the record when the caller has another one', async () => {
    const { deps } = stubs()
    await serving(createApp(deps), async ({ send }) => {
      for (const tag of ['"other"', TAG.slice(1), '']) {
        const { status } = await send('/v1/requests/1', { headers: { ...TOKEN, 'If-None-Match': tag } })
        expect([tag, status]).to.deep.equal([tag, 200])
      }
    })
  })

  it('tags what POST and PATCH answer, but never answers them with 304', async () => {
    const { deps } = stubs()
    await serving(createApp(deps), async ({ send }) => {
      for (const [method, path, known, status] of [
        ['POST', '/v1/requests', '*', 201],
        ['PATCH', '/v1/requests/1', '"other"', 200],
      ] as const) {
        const answer = await send(path, { method, headers: { ...TOKEN, 'If-None-Match': known }, body: {} })
        expect([answer.status, answer.headers.etag]).to.deep.equal([status, `W/"${TAG}"`])
      }
    })
  })

  it('tags neither errors nor answers without a body', async () => {
    const { deps } = stubs()
    await serving(createApp(deps), async ({ send }) => {
      const headers = { ...TOKEN, 'If-None-Match': '*' }
      expect((await send('/v1/requests/99', { headers })).headers).to.not.have.property('etag')
      expect((await send('/v1/tasks/1', { method: 'DELETE', headers })).headers).to.not.have.property('etag')
    })
  })

  it('treats HEAD like GET, without the body', async () => {
    const { deps } = stubs()
    await serving(createApp(deps), async ({ send }) => {
      const head = await send('/v1/requests/1', { method: 'HEAD', headers: TOKEN })
      expect([head.status, head.text, head.headers['content-length']]).to.deep.equal([200, '', '21'])
      const again = await send('/v1/requests/1', { method: 'HEAD', headers: { ...TOKEN, 'If-None-Match': `"${TAG}"` } })
      expect(again.status).to.equal(304)
    })
  })
})
