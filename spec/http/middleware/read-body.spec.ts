import { connect } from 'node:net'
import { expect } from 'chai'
import { createApp } from '../../../plugin/http/app.js'
import { type Answer, serving } from '../client.js'
import { type Asked, stubs, TOKEN } from '../stubs.js'

async function post(body: string | Buffer | object, headers: Record<string, string> = {}) {
  const { deps, asked, logged } = stubs()
  const answer: Answer = await serving(createApp(deps), ({ send }) =>
    send('/v1/requests', { method: 'POST', headers: { ...TOKEN, ...headers }, body }),
  )
  return { answer, saved: savedIn(asked), logged }
}

function savedIn(asked: Asked): unknown {
  return asked.find(([name]) => name === 'save')?.[3]
}

describe('http/middleware/read-body', () => {
  it('parses JSON whatever the content type says', async () => {
    for (const type of ['application/json', 'text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
      const { saved, logged } = await post({ subject: 'a=b' }, { 'Content-Type': type })
      expect(saved, type).to.deep.equal({ subject: 'a=b' })
      expect(logged).to.deep.equal([])
    }
  })

  it('takes an empty body for an empty object, and a byte order mark for nothing', async () => {
    expect((await post('')).saved).to.deep.equal({})
    expect((await post(' \r\n')).saved).to.deep.equal({})
    expect((await post('\ufeff{"subject":"a"}')).saved).to.deep.equal({ subject: 'a' })
  })

  it('reads characters that arrive in pieces', async () => {
    const { deps, asked } = stubs()
    await serving(createApp(deps), async ({ port }) => {
      const body = Buffer.from('{"subject":"Zoë 😀"}')
      const head = `POST /v1/requests HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer TOKEN\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n`
      const socket = connect(port, '127.0.0.1').setNoDelay(true)
      socket.write(head)
      for (const byte of body) {
        socket.write(Buffer.from([byte]))
        await new Promise((resolve) => setImmediate(resolve))
      }
      for await (const _ of socket);
      expect(savedIn(asked)).to.deep.equal({ subject: 'Zoë 😀' })
    })
  })

  const HOSTILE: [name: string, body: string | Buffer, status: number, message: string][] = [
    ['text that is no JSON', 'subject=x', 400, 'Invalid JSON string posted'],
    ['an unfinished object', '{"subject":', 400, 'Invalid JSON string posted'],
    ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 400, 'Invalid JSON string posted'],
    ['UTF-16', Buffer.from('{"a":1}', 'utf16le'), 400, 'Invalid JSON string posted'],
    ['an array', '[{"subject":"x"}]', 400, 'Body should be a JSON object'],
    ['a scalar', '"x"', 400, 'Body should be a JSON object'],
    ['null', 'null', 400, 'Body should be a JSON object'],
    [
      'deep nesting',
      `{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`,
      400,
      'Body should not be nested deeper than 32 levels',
    ],
    ['more than 2 MB', `{"a":"${'x'.repeat(2 ** 21)}"}`, 413, 'Body is too big (maximum is 2 MB)'],
  ]
  for (const [name, body, status, message] of HOSTILE) {
    it(`refuses ${name}`, async () => {
      const { answer, saved } = await post(body)
      expect([answer.status, answer.json, saved]).to.deep.equal([status, { message }, undefined])
    })
  }

  it('refuses a big body that does not say its length', async () => {
    const { answer } = await post(`{"a":"${'x'.repeat(2 ** 21)}"}`, { 'Transfer-Encoding': 'chunked' })
    expect(answer.status).to.equal(413)
  })

  it('never lets keys reach for prototypes', async () => {
    const { saved } = await post('{"subject":"a","__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}}}')
    expect(JSON.stringify(saved)).to.equal('{"subject":"a"}')
    expect(({} as Record<string, unknown>)['admin']).to.equal(undefined)
  })

  it('ignores a body, and a content type, of GET and DELETE', async () => {
    const { deps } = stubs()
    await serving(createApp(deps), async ({ send }) => {
      const headers = { ...TOKEN, 'Content-Type': 'application/json', 'Content-Length': 1 }
      expect((await send('/v1/requests', { headers, body: '{' })).status).to.equal(200)
      expect((await send('/v1/tasks/1', { method: 'DELETE', headers, body: '{' })).status).to.equal(204)
    })
  })

  it('keeps the connection usable after errors that left the body unread', async () => {
    const { deps } = stubs()
    await serving(createApp(deps), async ({ send, connections }) => {
      const body = Buffer.alloc(2 ** 19, 'x')
      const statuses = []
      for (const [path, headers] of [
        ['/v1/requests', {}],
        ['/v1/nothing', TOKEN],
        ['/v1/requests', TOKEN],
        ['/v1/requests', { ...TOKEN, 'X-SVC-Account': 'unknown' }],
      ] as const) {
        statuses.push((await send(path, { method: 'POST', headers, body })).status)
      }
      statuses.push(
        (await send('/v1/requests', { method: 'POST', headers: TOKEN, body: Buffer.alloc(2 ** 21 + 1, 'x') })).status,
      )
      statuses.push((await send('/v1/requests', { headers: TOKEN })).status)
      expect(statuses).to.deep.equal([401, 404, 400, 400, 413, 200])
      expect(connections()).to.equal(1)
    })
  })

  it('takes no harm when the caller goes away in the middle of a body', async () => {
    const { deps, asked, logged } = stubs()
    await serving(createApp(deps), async ({ port, send }) => {
      const socket = connect(port, '127.0.0.1')
      socket.write(
        'POST /v1/requests HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer TOKEN\r\nContent-Length: 100\r\n\r\n{"subject"',
      )
      await new Promise((resolve) => setTimeout(resolve, 20))
      socket.destroy()
      expect((await send('/v1/requests', { headers: TOKEN })).status).to.equal(200)
      expect([savedIn(asked), logged.map(([level]) => level)]).to.deep.equal([undefined, ['debug']])
    })
  })
})
