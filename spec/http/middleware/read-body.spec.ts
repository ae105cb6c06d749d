import { connect } from 'node:net'
import { text as textOfRequest } from 'node:stream/consumers'
import { expect } from 'chai'
import Koa from 'koa'
import { BadRequest } from '../../../plugin/core/errors.js'
import { createApp, createMiddleware } from '../../../plugin/http/app.js'
import type { HttpDeps } from '../../../plugin/http/deps.js'
import { cleanObject, parseForm } from '../../../plugin/http/requests/json-body.js'
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
    ['an array without bodies', '[]', 400, 'Body should be a JSON object, or an array of 1 to 500 of them'],
    [
      'an array of too many',
      `[${Array(501).fill('{}')}]`,
      400,
      'Body should be a JSON object, or an array of 1 to 500 of them',
    ],
    [
      'an array of too many, all wrong',
      `[${Array(5_000).fill('0')}]`,
      400,
      'Body should be a JSON object, or an array of 1 to 500 of them',
    ],
    ['an array that does not end', '[{"subject":"x"}', 400, 'Invalid JSON string posted'],
    [
      'an array over the budget',
      `[${Array(21).fill(`{${Array.from({ length: 999 }, (_, n) => `"u${n}":0`)}}`)}]`,
      400,
      'Body should not have more than 20000 names and lists',
    ],
    [
      'an array of objects with too many names',
      `[{${Array.from({ length: 1_001 }, (_, n) => `"u${n}":0`)}}]`,
      400,
      'Body should not have more than 1000 names in an object',
    ],
    [
      'an array with too many entries',
      `[${Array(3).fill(`{"a":[${Array(9_000).fill(0)}]}`)}]`,
      400,
      'Body should not have more than 20000 entries in its lists',
    ],
    [
      'an array that is too deep',
      `[{"a":${'['.repeat(32)}${']'.repeat(32)}}]`,
      400,
      'Body should not be nested deeper than 33 levels',
    ],
    ['an array that is too big', `[{"subject":"${'x'.repeat(2 ** 21)}"}]`, 413, 'Body is too big (maximum is 2 MB)'],
    ['a scalar', '"x"', 400, 'Body should be a JSON object'],
    ['null', 'null', 400, 'Body should be a JSON object'],
    [
      'deep nesting',
      `{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`,
      400,
      'Body should not be nested deeper than 32 levels',
    ],
    [
      '1.8 MB of names, for the names',
      `{${Array.from({ length: 120_000 }, (_, n) => `"u${n}":${n}`).join()}}`,
      400,
      'Body should not have more than 1000 names in an object',
    ],
    ['more than 512 KB', `{"a":"${'x'.repeat(2 ** 19)}"}`, 413, 'Body is too big (maximum is 512 KB)'],
  ]
  for (const [name, body, status, message] of HOSTILE) {
    it(`refuses ${name}`, async () => {
      const { answer, saved } = await post(body)
      expect([answer.status, answer.json, saved]).to.deep.equal([status, { message }, undefined])
    })
  }

  const MANY_NAMES = Object.fromEntries(Array.from({ length: 1_001 }, (_, n) => [`name_${n}`, n]))
  const TOO_MANY_NAMES = 'Body should not have more than 1000 names in an object'

  it('refuses a body of more names than any record has, whoever parsed it, before anything reads it', async () => {
    const form = new URLSearchParams(
      Object.entries(MANY_NAMES).map(([name, n]): [string, string] => [name, String(n)]),
    ).toString()
    expect((await post(MANY_NAMES)).answer.json).to.deep.equal({ message: TOO_MANY_NAMES })
    expect((await post({ subject: 'x', data: { inside: [MANY_NAMES] } })).answer.json).to.deep.equal({
      message: TOO_MANY_NAMES,
    })
    expect(() => parseForm(form)).to.throw(BadRequest, TOO_MANY_NAMES)
    expect(() => cleanObject({ list: [MANY_NAMES] })).to.throw(BadRequest, TOO_MANY_NAMES)
    expect(() => cleanObject({ a: Array(6_000).fill(1), b: [Array(6_000).fill(1)] })).to.throw(BadRequest, '10000 entries')
    const objects = Array.from({ length: 6 }, () => Object.fromEntries(Object.entries(MANY_NAMES).slice(1)))
    expect(() => cleanObject({ objects })).to.throw(BadRequest, '5000 names and lists')
    expect(() => cleanObject({ lists: Array(5_000).fill([]) })).to.throw(BadRequest, '5000 names and lists')
  })

  it('refuses a query of more parameters than that', async () => {
    const { deps } = stubs()
    const query = (count: number) => `/v1/requests?${'a&'.repeat(count)}`
    await serving(createApp(deps), async ({ send }) => {
      const refused = await send(query(1_001), { headers: TOKEN })
      expect([refused.status, refused.json]).to.deep.equal([
        400,
        { message: 'Query should not have more than 1000 parameters' },
      ])
      expect((await send(query(1_000), { headers: TOKEN })).status).to.equal(200)
    })
  })

  describe('with bodies over 256 KB', () => {
    const LARGE = JSON.stringify({ subject: 'x'.repeat(300_000) })

    /** Serves calls that wait in the operation until they are let go, then end as they should. */
    async function holding(
      work: (tools: {
        begin: (body?: string, chunked?: boolean) => Promise<number>
        held: (count: number) => Promise<void>
        letGo: () => void
        port: number
      }) => Promise<void>,
      end: () => void = () => {},
    ) {
      const { deps } = stubs()
      let waiting: (() => void)[] = []
      let told = () => {}
      const wait = async () => {
        await new Promise<void>((resolve) => {
          waiting.push(resolve)
          told()
        })
        end()
      }
      const operations: HttpDeps['operations'] = {
        ...deps.operations,
        submit: async (...asked) => wait().then(() => deps.operations.submit(...asked)),
        submitEach: async (...asked) => wait().then(() => deps.operations.submitEach(...asked)),
      }
      await serving(createApp({ ...deps, operations }), async ({ port }) => {
        const begin = async (body = LARGE, chunked = false) => {
          const sent = chunked ? new Blob([body]).stream() : body
          const answer = await fetch(`http://127.0.0.1:${port}/v1/requests`, {
            ...{ method: 'POST', headers: TOKEN, body: sent },
            ...(chunked && ({ duplex: 'half' } as object)),
          })
          await answer.text()
          return answer.status === 429 ? 429 + Number(answer.headers.get('Retry-After')) : answer.status
        }
        await work({
          begin,
          port,
          async held(count) {
            while (waiting.length < count) await new Promise<void>((resolve) => (told = resolve))
          },
          letGo() {
            for (const go of waiting) go()
            waiting = []
          },
        })
      })
    }
    const [REFUSED, DONE] = [430, 201]

    it('works on four of a person at once, and refuses more with Retry-After', async () => {
      await holding(async ({ begin, held, letGo }) => {
        const four = [begin(), begin(), begin(LARGE, true), begin(LARGE, true)]
        await held(4)
        expect([await begin(), await begin(LARGE, true)]).to.deep.equal([REFUSED, REFUSED])
        const small = begin('{"subject":"x"}')
        await held(5)
        letGo()
        expect(await Promise.all([...four, small])).to.deep.equal(Array(5).fill(DONE))
        const next = begin()
        await held(1)
        letGo()
        expect(await next).to.equal(DONE)
      })
    })

    it('counts an array of more than a hundred bodies among them, however small', async () => {
      const many = (count: number) => `[${Array(count).fill('{"subject":"x"}')}]`
      await holding(async ({ begin, held, letGo }) => {
        const four = [begin(many(101)), begin(many(101)), begin(many(101)), begin()]
        await held(4)
        expect([await begin(many(101)), await begin()]).to.deep.equal([REFUSED, REFUSED])
        const small = begin(many(100))
        await held(5)
        letGo()
        expect(await Promise.all([...four, small])).to.deep.equal([200, 200, 200, DONE, 200])
      })
    })

    it('gives the place back when the call fails, is refused, or its client goes away', async () => {
      await holding(
        async ({ begin, held, letGo, port }) => {
          const failing = [begin(), begin(), begin(), begin()]
          await held(4)
          letGo()
          expect(await Promise.all(failing)).to.deep.equal([500, 500, 500, 500])
          for (let round = 0; round < 5; round++) expect(await begin(`${LARGE}}`)).to.equal(400)
          for (let round = 0; round < 5; round++) await leaveInTheMiddle(port)
          // The server learns of it a little later than we do.
          const patient = async (): Promise<number> => {
            const status = await begin()
            return status === REFUSED ? patient() : status
          }
          const four = [patient(), patient(), patient(), patient()]
          await held(4)
          letGo()
          await Promise.all(four)
        },
        () => {
          throw new Error('the database is on fire')
        },
      )
    })

    it('gives the place back when the time of the call is over, also if a hook never ends', async () => {
      const { deps } = stubs({ callMs: 50 })
      const callers: HttpDeps['callers'] = { ...deps.callers, callFor: () => new Promise(() => {}) }
      await serving(createApp({ ...deps, callers }), async ({ send }) => {
        const call = () => send('/v1/requests', { method: 'POST', headers: TOKEN, body: LARGE })
        for (let round = 0; round < 2; round++) {
          const calls = await Promise.all(Array.from({ length: 4 }, call))
          expect(calls.map(({ status }) => status)).to.deep.equal([504, 504, 504, 504])
        }
      })
    })

    it('counts those that a parser of the host has read, whatever they announce', async () => {
      for (const asText of [false, true]) {
        const { deps } = stubs({ callMs: 200 })
        const callers: HttpDeps['callers'] = { ...deps.callers, callFor: () => new Promise(() => {}) }
        const host = new Koa().use(async (ctx, next) => {
          const text = await textOfRequest(ctx.req)
          Object.assign(ctx.request, { body: asText ? text : JSON.parse(text) })
          await next()
        })
        await serving(host.use(createMiddleware({ ...deps, callers })), async ({ port }) => {
          const call = (body: string) =>
            fetch(`http://127.0.0.1:${port}/v1/requests`, {
              ...{ method: 'POST', headers: TOKEN, body: new Blob([body]).stream() },
              ...({ duplex: 'half' } as object),
            })
          const five = await Promise.all(Array.from({ length: 5 }, () => call(LARGE)))
          expect(five.map(({ status }) => status).sort()).to.deep.equal([429, 504, 504, 504, 504])
          expect((await call(JSON.stringify({ list: Array(30).fill('é'.repeat(40_000)) }))).status).to.equal(413)
        })
      }
    })

    async function leaveInTheMiddle(port: number): Promise<void> {
      const socket = connect(port, '127.0.0.1')
      socket.on('error', () => {})
      await new Promise<void>((resolve) =>
        socket.write(
          `POST /v1/requests HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer TOKEN\r\nContent-Length: 400000\r\n\r\n${LARGE}`,
          () => resolve(),
        ),
      )
      const closed = new Promise((resolve) => socket.once('close', resolve))
      socket.destroy()
      await closed
    }
  })

  it('leaves room for a picture where a record may have one', async () => {
    const { deps } = stubs()
    const [person, [, field]] = [deps.catalog.type('person'), [...deps.catalog.type('person').fields][1] ?? expect.fail()]
    const fields = new Map(person.fields).set('picture_uri', { ...field, name: 'picture_uri', format: 'picture' })
    const catalog = { ...deps.catalog, types: new Map(deps.catalog.types).set('person', { ...person, fields }) }
    await serving(createApp({ ...deps, catalog }), async ({ send }) => {
      const statusOf = async (path: string, size: number) =>
        (await send(path, { method: 'POST', headers: TOKEN, body: `{"subject":"${'x'.repeat(size)}"}` })).status
      expect([await statusOf('/v1/people', 1_400_000), await statusOf('/v1/requests', 1_400_000)]).to.deep.equal([201, 413])
      expect(await statusOf('/v1/people', 1_600_000)).to.equal(413)
    })
  })

  it('refuses a big body that does not say its length', async () => {
    const { answer } = await post(`{"a":"${'x'.repeat(2 ** 19)}"}`, { 'Transfer-Encoding': 'chunked' })
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
