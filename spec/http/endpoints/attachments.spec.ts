import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import Koa from 'koa'
import { koaBody } from 'koa-body'
import { Forbidden, Invalid, NotFound } from '../../../plugin/core/errors.js'
import type { Download, Files } from '../../../plugin/files/files.js'
import { NAME_PLACE } from '../../../plugin/files/keys.js'
import type { Uploader } from '../../../plugin/files/uploads.js'
import { createApp, createMiddleware } from '../../../plugin/http/app.js'
import { attachments } from '../../../plugin/http/endpoints/attachments.js'
import { type Answer, type Client, serving } from '../client.js'
import { PASSWORD, stubs } from '../stubs.js'

const BOUNDARY = '0123456789ABLEWASIEREISAWELBA9876543210'
const LIMIT = 100_000
const BYTES = Buffer.from([0x25, 0x50, 0x44, 0x46, 0xff, 0xfe, 0x00, 0x0d, 0x0a, 0x2d, 0x2d])
const TEMPLATE = `attachments/wdc/1-abc/${NAME_PLACE}`
/** A person whose form is still good, but who may not upload any more. */
const DISABLED = 13
const INES: Uploader = { accountId: 'wdc', personId: 1 }
const DOCUMENT = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
const SIGNED = [text('x-svc-expiration', '2026-11-21T10:30:00Z'), text('x-svc-signature', 'good')]

/** What senders say, what answers say, and what browsers do with it. */
const TYPES = [
  ['image/png', 'image/png', 'inline'],
  ['image/svg+xml', 'application/octet-stream', 'attachment'],
  ['text/html', 'application/octet-stream', 'attachment'],
  ['application/xhtml+xml', 'application/octet-stream', 'attachment'],
  ['text/xml', 'application/octet-stream', 'attachment'],
  ['text/javascript', 'application/octet-stream', 'attachment'],
  ['text/plain', 'text/plain', 'attachment'],
  [DOCUMENT, DOCUMENT, 'attachment'],
] as const

interface Taken {
  readonly uploader: Uploader
  readonly key: string | null
  readonly name: string
  readonly type: string
  readonly size: number | null
  readonly bytes: Buffer
}

describe('http/endpoints/attachments', () => {
  let taken: Taken[]
  /** Uploads end only when this does. */
  let held: Promise<void> = Promise.resolve()
  let folder: string
  const temporary = process.env['TMPDIR']
  beforeEach(() => {
    taken = []
    folder = mkdtempSync(join(tmpdir(), 'specs-'))
    process.env['TMPDIR'] = folder
  })
  afterEach('nothing is left of any request', () => {
    if (temporary === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = temporary
    const left = readdirSync(folder)
    rmSync(folder, { recursive: true })
    expect(left).to.deep.equal([])
  })

  describe('the form', () => {
    it('has the entries that come back with the file, for whoever is signed in', async () => {
      await serving(app(), async ({ send }) => {
        const answer = await send('/v1/attachments/storage?per_page=100', { headers: PASSWORD })
        expect(answer.json).to.deep.equal({
          size_limit: LIMIT,
          allowed_extensions: ['pdf'],
          provider: 'local',
          upload_uri: 'https://desk.example/v1/attachments',
          local: {
            key: TEMPLATE,
            'x-svc-expiration': '2026-11-21T10:30:00Z',
            'x-svc-signature': 'good',
          },
        })
        expect(answer.headers['x-ratelimit-limit']).to.equal('3600')
        expect((await send('/v1/attachments/storage')).status).to.equal(401)
      })
    })

    it('has the prefix of the headers in its names', async () => {
      await serving(createApp(parts(['X-Desk-', 'X-SVC-'])), async (client) => {
        const answer = await client.send('/v1/attachments/storage', { headers: PASSWORD })
        const { local } = answer.json as { local: object }
        expect(Object.keys(local)).to.deep.equal(['key', 'x-desk-expiration', 'x-desk-signature'])
        const named = [text('X-Desk-Signature', 'good'), text('x-desk-expiration', '2026-11-21T10:30:00Z')]
        expect((await post(client, [text('key', 'k'), ...named, file()], {})).status).to.equal(200)
        expect((await post(client, [text('key', 'k'), ...SIGNED, file()], {})).status).to.equal(200)
      })
    })

    it('has the prefix that the caller uses, else the first one', async () => {
      await serving(createApp(parts(['X-SVC-', 'X-ACME-', 'X-Desk-'])), async ({ send }) => {
        for (const [headers, prefix] of [
          [{}, 'x-svc-'],
          [{ 'X-ACME-Account': 'wdc' }, 'x-acme-'],
          [{ 'x-desk-language': 'nl' }, 'x-desk-'],
          [{ 'X-DESK-Source': 'app', 'X-SVC-Account': 'wdc' }, 'x-svc-'],
          [{ 'X-Other-Account': 'wdc', 'X-ACME-Id': '1' }, 'x-svc-'],
        ] as const) {
          const answer = await send('/v1/attachments/storage', { headers: { ...PASSWORD, ...headers } })
          const { local } = answer.json as { local: object }
          expect(Object.keys(local)).to.deep.equal(['key', `${prefix}expiration`, `${prefix}signature`])
        }
      })
    })
  })

  describe('an upload', () => {
    it('is taken with credentials, the parts in any order, without final line end', async () => {
      const entries = [text('Content-Type', 'application/pdf'), text('key', TEMPLATE), file()]
      await serving(app(), async (client) => {
        for (const sent of [entries, [...entries].reverse()]) {
          const answer = await post(client, sent)
          expect([answer.status, answer.json]).to.deep.equal([200, { key: 'the key' }])
        }
      })
      const expected = {
        uploader: INES,
        key: TEMPLATE,
        name: 'zoë – 名前.pdf',
        type: 'application/pdf',
        size: BYTES.length,
        bytes: BYTES,
      }
      expect(taken).to.deep.equal([expected, expected])
    })

    it('is taken byte by byte, with or without content types of its parts', async () => {
      const key = part('name="key"', 'text/plain; charset=utf-8', 'attachments/wdc/1-abc/zoë')
      await serving(app(), async (client) => {
        for (const type of ['image/png', null]) {
          expect((await post(client, [key, part('name="file"; filename="a"', type, BYTES)])).status).to.equal(200)
        }
        expect((await post(client, [part('name="upload"; filename="a"', null, BYTES)])).status).to.equal(200)
      })
      expect(taken.map(({ key, type, bytes }) => [key, type, bytes])).to.deep.equal([
        ['attachments/wdc/1-abc/zoë', 'image/png', BYTES],
        ['attachments/wdc/1-abc/zoë', '', BYTES],
        [null, '', BYTES],
      ])
    })

    it('is taken with the entries of a form in place of credentials', async () => {
      await serving(app(), async (client) => {
        const answer = await post(client, [...SIGNED, text('key', 'attachments/wdc/9-abc/a'), file()], {})
        expect([answer.status, taken[0]?.uploader]).to.deep.equal([200, { accountId: 'wdc', personId: 9 }])
        // Who asked for the form uploads, whatever credentials come along.
        await post(client, [...SIGNED, text('key', 'attachments/wdc/9-abc/a'), file()])
        expect(taken[1]?.uploader).to.deep.equal({ accountId: 'wdc', personId: 9 })
      })
    })

    it('is refused to anonymous callers, and with entries that are not ours', async () => {
      const wrong = [text('x-svc-expiration', '2026-11-21T10:30:00Z'), text('x-svc-signature', 'bad')]
      await serving(app(), async (client) => {
        expect((await post(client, [file()], {})).status).to.equal(401)
        expect((await post(client, [...wrong, text('key', 'k'), file()], {})).status).to.equal(403)
        expect((await post(client, [...wrong, text('key', 'k'), file()])).status).to.equal(403)
        expect((await post(client, [file()], { Authorization: 'Bearer WRONG' })).status).to.equal(401)
      })
      expect(taken).to.deep.equal([])
    })

    it('passes on what the service says against the file', async () => {
      await serving(app(), async (client) => {
        const answer = await post(client, [text('key', 'refused'), file()])
        expect([answer.status, answer.json]).to.deep.equal([422, refusal('key', 'invalid')])
      })
    })

    const big = Buffer.alloc(LIMIT + 1, 'x')
    const REFUSED: readonly (readonly [name: string, parts: readonly Buffer[], code: string])[] = [
      ['no file', [text('key', 'k')], 'blank'],
      ['a file input that nobody used', [part('name="file"; filename=""', 'application/octet-stream', '')], 'blank'],
      ['two files', [file(), file()], 'many_values'],
      ['three files', [file(), file(), file()], 'many_values'],
      ['too many bytes', [text('key', 'k'), part('name="file"; filename="a"', 'x/y', big)], 'file_too_big {"max":0.095}'],
      ['too many bytes without content type', [part('name="file"; filename="a"', null, big)], 'file_too_big {"max":0.095}'],
      ['endless texts', [text('key', 'x'.repeat(70_000)), file()], 'invalid'],
      ['more texts than a form has', [...Array.from({ length: 30 }, (_, index) => text(`n${index}`, 'x')), file()], 'invalid'],
    ]
    for (const [name, sent, code] of REFUSED) {
      it(`is refused with ${name}, and the connection is kept`, async () => {
        await serving(app(), async (client) => {
          const answer = await post(client, sent)
          expect([answer.status, answer.json]).to.deep.equal([422, refusal('file', code)])
          expect((await post(client, [file()])).status).to.equal(200)
          expect(client.connections()).to.equal(1)
        })
      })
    }

    it('is refused when the body is malformed or cut off', async () => {
      const whole = Buffer.concat([text('key', 'k'), file(), Buffer.from(`--${BOUNDARY}--`)])
      await serving(app(), async (client) => {
        const send = (type: string, body: Buffer | string) =>
          client.send('/v1/attachments', { method: 'POST', headers: { ...PASSWORD, 'Content-Type': type }, body })
        const form = `multipart/form-data; boundary=${BOUNDARY}`
        for (const [type, body] of [
          ['multipart/form-data', whole],
          ['multipart/form-data; boundary=other', whole],
          [form, 'nonsense'],
          [form, whole.subarray(0, whole.length - 20)],
          [form, whole.subarray(0, 60)],
        ] as const) {
          const answer = await send(type, body)
          expect([answer.status, answer.json], body.toString('latin1')).to.deep.equal([422, refusal('file', 'invalid')])
        }
        const encoded = whole.toString('latin1').replace('Content-Type', 'Content-Transfer-Encoding: x-other\r\nContent-Type')
        const answer = await send(form, Buffer.from(encoded, 'latin1'))
        expect([answer.status, answer.json]).to.deep.equal([422, refusal('file', 'invalid')])
        expect((await send('application/json', '{"file": "x"}')).json).to.deep.equal(refusal('file', 'blank'))
      })
      expect(taken).to.deep.equal([])
    })

    describe('is refused before the file comes', () => {
      const whole = [...SIGNED, text('key', 'attachments/wdc/9-abc/a'), file()]
      const wrong = [text('x-svc-expiration', '2026-11-21T10:30:00Z'), text('x-svc-signature', 'bad')]
      const late = [text('x-svc-expiration', '2020-01-01T00:00:00Z'), text('x-svc-signature', 'good')]
      const REFUSED: readonly (readonly [name: string, parts: readonly Buffer[], headers: object, status: number])[] = [
        ['to anonymous callers', [file()], {}, 401],
        ['to anonymous callers whose entries come after it', [file(), ...whole], {}, 401],
        ['to anonymous callers whose key comes after it', [...SIGNED.slice(0, 1), file(), ...whole], {}, 401],
        ['with a wrong signature', [...wrong, text('key', 'k'), file()], {}, 403],
        ['with a form that is too old', [...late, text('key', 'k'), file()], {}, 403],
        ['with the form of somebody who may not upload any more', [...SIGNED, text('key', 'disabled'), file()], {}, 403],
        ['with credentials and a wrong signature', [...wrong, text('key', 'k'), file()], PASSWORD, 403],
        [
          'with an ending that is not allowed',
          [text('key', 'k'), part('name="file"; filename="a.exe"', null, '')],
          PASSWORD,
          422,
        ],
        ['when the request says that it is too big', [file()], PASSWORD, 422],
      ]
      for (const [name, sent, headers, status] of REFUSED) {
        it(name, async () => {
          await serving(app(), async ({ port }) => {
            const socket = connect(port, '127.0.0.1')
            const answered = firstLineOf(socket)
            socket.write(head({ ...headers, 'Content-Length': name.endsWith('too big') ? '900000' : '90000' }))
            socket.write(Buffer.concat(sent))
            expect(await answered).to.include(` ${status} `)
            expect(readdirSync(folder)).to.deep.equal([])
            socket.destroy()
          })
          expect(taken).to.deep.equal([])
        })
      }

      it('also when its own head is endless', async () => {
        for (const headers of [{}, PASSWORD]) {
          await serving(app(), async ({ port }) => {
            const socket = connect(port, '127.0.0.1')
            const answered = firstLineOf(socket)
            socket.write(head({ ...headers, 'Content-Length': '90000000' }))
            socket.write(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="`)
            for (let kilobytes = 0; kilobytes < 400; kilobytes += 1) socket.write('x'.repeat(1_024))
            expect(await answered).to.include(' 422 ')
            socket.destroy()
          })
        }
      })

      it('and the connection is closed when the client sends on and on', async () => {
        await serving(app(), async ({ port }) => {
          const socket = connect(port, '127.0.0.1')
          const answered = firstLineOf(socket)
          const closed = new Promise((resolve) => socket.once('close', resolve).on('error', () => {}))
          socket.write(head({ 'Transfer-Encoding': 'chunked' }))
          const chunk = (bytes: Buffer) =>
            Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])
          socket.write(chunk(file().subarray(0, 200)))
          expect(await answered).to.include(' 401 ')
          let sent = 0
          const more = setInterval(() => {
            if (socket.writableLength < 100_000) sent += Number(socket.write(chunk(Buffer.alloc(60_000))))
          }, 1)
          await closed
          clearInterval(more)
          expect(sent).to.be.below(500)
        })
      })
    })

    it('waits while the person has others under way, and nothing is read of it meanwhile', async () => {
      let release = () => {}
      held = new Promise<void>((resolve) => {
        release = resolve
      })
      const entries = [...SIGNED, text('key', 'attachments/wdc/9-abc/a'), file()]
      await serving(app(), async ({ port }) => {
        const sockets = Array.from({ length: 6 }, () => connect(port, '127.0.0.1'))
        const answers = sockets.map(firstLineOf)
        const body = Buffer.concat([...entries, Buffer.from(`--${BOUNDARY}--`)])
        for (const socket of sockets)
          socket.write(Buffer.concat([Buffer.from(head({ 'Content-Length': String(body.length) })), body]))
        await until(() => readdirSync(folder).length === 4)
        await sleep(100)
        expect(readdirSync(folder)).to.have.length(4)
        release()
        for (const line of await Promise.all(answers)) expect(line).to.include(' 200 ')
        for (const socket of sockets) socket.destroy()
      })
      held = Promise.resolve()
      expect(taken).to.have.length(6)
    })

    it('leaves nothing when the body is cut off, wherever that is, or holds too many files', async () => {
      const whole = Buffer.concat([text('key', 'k'), file(), Buffer.from(`--${BOUNDARY}--`)])
      const headers = { ...PASSWORD, 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` }
      await serving(app(), async ({ send }) => {
        for (let length = 1; length < whole.length - 2; length += 3) {
          const answer = await send('/v1/attachments', { method: 'POST', headers, body: whole.subarray(0, length) })
          expect([length, answer.status]).to.deep.equal([length, 422])
        }
        for (let attempt = 0; attempt < 50; attempt += 1) {
          const body = Buffer.concat([...Array.from({ length: 3 + (attempt % 3) }, file), Buffer.from(`--${BOUNDARY}--`)])
          expect((await send('/v1/attachments', { method: 'POST', headers, body })).status).to.equal(422)
        }
        await sleep(50)
      })
      expect([readdirSync(folder), taken]).to.deep.equal([[], []])
    })

    it('leaves nothing when the client breaks off', async () => {
      let ended: () => void = () => {}
      const end = new Promise<void>((resolve) => {
        ended = resolve
      })
      const host = new Koa().use(async (_, next) => next().finally(ended)).use(createMiddleware(parts()))
      host.silent = true
      await serving(host, async ({ port }) => {
        const socket = connect(port, '127.0.0.1')
        const head = [`POST /v1/attachments HTTP/1.1`, 'Host: x', `Authorization: ${PASSWORD.Authorization}`]
        const type = `Content-Type: multipart/form-data; boundary=${BOUNDARY}`
        socket.write(`${[...head, type, 'Content-Length: 90000'].join('\r\n')}\r\n\r\n`)
        socket.write(file().subarray(0, 120), () => socket.destroy())
        await end
      })
      expect(taken).to.deep.equal([])
    })
  })

  describe('behind a parser of the host', () => {
    const host = () => new Koa().use(koaBody({ multipart: true })).use(createMiddleware(parts()))

    it('is taken all the same', async () => {
      await serving(host(), async (client) => {
        const key = part('name="key"', 'text/plain', 'attachments/wdc/1-abc/a')
        expect((await post(client, [key, file()])).status).to.equal(200)
        expect((await post(client, [part('name="file"; filename="a"', null, 'plain text')])).status).to.equal(200)
        expect((await post(client, [])).json).to.deep.equal(refusal('file', 'blank'))
      })
      expect(taken.map(({ key, name, bytes }) => [key, name, bytes])).to.deep.equal([
        ['attachments/wdc/1-abc/a', 'zoë – 名前.pdf', BYTES],
        [null, '', Buffer.from('plain text')],
      ])
    })

    it('is refused when the parser has taken bytes for a text', async () => {
      await serving(host(), async (client) => {
        const answer = await post(client, [part('name="file"; filename="a"', null, BYTES)])
        expect(answer.json).to.deep.equal(refusal('file', 'invalid'))
      })
    })
  })

  describe('a download', () => {
    const at = (name: string) => `/v1/attachments/wdc/1-abc/${name}?expires=9&signature=good`

    it('gives the bytes under the name of the file, without credentials, whatever Accept says', async () => {
      await serving(app(), async ({ send }) => {
        const answer = await send(at('zo%C3%AB%20%22%E5%90%8D%22.pdf'), { headers: { Accept: 'image/png' } })
        expect([answer.status, answer.text]).to.deep.equal([200, 'the bytes'])
        expect(answer.headers).to.include({
          'content-type': 'application/pdf',
          'content-length': '9',
          'content-disposition': `attachment; filename="zoë \\"?\\".pdf"; filename*=UTF-8''zo%C3%AB%20%22%E5%90%8D%22.pdf`,
          'x-content-type-options': 'nosniff',
          'content-security-policy': "default-src 'none'; sandbox",
          'cross-origin-resource-policy': 'cross-origin',
          etag: '"digest"',
        })
        const head = await send(at('a.pdf'), { method: 'HEAD' })
        expect([head.status, head.text, head.headers['content-length']]).to.deep.equal([200, '', '9'])
      })
    })

    it('is not repeated for whoever has the file', async () => {
      await serving(app(), async ({ send }) => {
        const answer = await send(at('a.pdf'), { headers: { 'If-None-Match': '"other", "digest"' } })
        expect([answer.status, answer.text]).to.deep.equal([304, ''])
      })
    })

    it('shows images and nothing else in the page, and runs nothing', async () => {
      await serving(app(), async ({ send }) => {
        for (const [index, [type, shown, disposition]] of TYPES.entries()) {
          const { headers } = await send(at(String(index)))
          const found = [headers['content-type'], headers['content-disposition']?.split(';')[0]]
          expect(found, type).to.deep.equal([shown, disposition])
        }
      })
    })

    it('is refused without our signature, and when there is no such file', async () => {
      await serving(app(), async ({ send }) => {
        expect((await send('/v1/attachments/wdc/1-abc/a.pdf')).status).to.equal(403)
        expect((await send(at('none'))).status).to.equal(404)
        expect((await send('/v1/attachments/wdc/1-abc', { headers: PASSWORD })).status).to.equal(404)
        expect((await send(at('..%2F..%2Fetc%2Fpasswd'))).status).to.equal(404)
      })
    })

    it('that cannot begin is an error like any other', async () => {
      await serving(app(), async ({ send }) => {
        const answer = await send(at('broken'))
        expect([answer.status, answer.json]).to.deep.equal([500, { message: 'Internal Server Error' }])
        expect(answer.headers['content-disposition']).to.equal(undefined)
      })
    })

    it('that ends too early does not look like a whole file', async () => {
      await serving(app(), async ({ send }) => {
        const failed = await send(at('short')).then(
          () => false,
          () => true,
        )
        expect(failed).to.equal(true)
      })
    })
  })

  it('shows pictures to everybody who knows their address, and lets them be kept for a day', async () => {
    await serving(app(), async ({ send }) => {
      const answer = await send('/v1/pictures/wdc/1-abc/picture.png')
      expect([answer.status, answer.text]).to.deep.equal([200, 'the bytes'])
      expect(answer.headers['cache-control']).to.equal('max-age=86400, private')
      expect((await send('/v1/pictures/wdc/1-abc/none')).status).to.equal(404)
    })
  })

  it('does not count files that are there, but tries for others', async () => {
    const keys: string[] = []
    const rateLimits = {
      async count(key: string) {
        keys.push(key)
        return { limit: 3600, remaining: 3599, resetAt: 1_800_000_000, retryAfter: null }
      },
    }
    await serving(createApp({ ...parts(), rateLimits }), async ({ send }) => {
      await send('/v1/pictures/wdc/1-abc/picture.png')
      expect(keys).to.deep.equal([])
      await send('/v1/pictures/wdc/1-abc/none')
      await send('/v1/attachments/wdc/1-abc/a.pdf')
      expect(keys).to.deep.equal(['address 127.0.0.1', 'address 127.0.0.1'])
      await send('/v1/pictures/wdc/1-abc/picture.png', { headers: PASSWORD })
      expect(keys.at(-1)).to.equal('person wdc 1')
    })
  })

  function parts(headerPrefixes: readonly string[] = ['X-SVC-']) {
    return stubs({
      headerPrefixes,
      endpoints: attachments({
        files: stubFiles(),
        baseUrl: 'https://desk.example/v1',
        headerPrefixes,
      }),
    }).deps
  }

  function app(): Koa {
    const silent = createApp(parts())
    silent.silent = true
    return silent
  }

  function stubFiles(): Omit<Files, 'addresses'> {
    const form = { expiration: '2026-11-21T10:30:00Z', signature: 'good' }
    return {
      sizeLimit: LIMIT,
      allowedExtensions: ['pdf'],
      form: () => ({ key: TEMPLATE, ...form }),
      uploaderOf(key, given) {
        if (given.signature !== 'good' || given.expiration !== form.expiration) throw new Forbidden()
        return { accountId: 'wdc', personId: key === 'disabled' ? DISABLED : 9 }
      },
      async admit({ personId }) {
        if (personId === DISABLED) throw new Forbidden()
      },
      check(_, { name }) {
        if (name.endsWith('.exe')) throw new Invalid([['file', 'file_type']])
      },
      async upload(uploader, { content, ...file }) {
        if (file.key === 'refused') throw new Invalid([['key', 'invalid']])
        await held
        const pieces: Uint8Array[] = []
        for await (const piece of content) pieces.push(piece)
        taken.push({ uploader, ...file, bytes: Buffer.concat(pieces) })
        return { key: 'the key', size: 1 }
      },
      async attachment(key, { expires, signature }) {
        if (expires !== '9' || signature !== 'good') throw new Forbidden()
        return downloadOf(key)
      },
      picture: async (key) => downloadOf(key),
      askStore: null,
      cleanUp: async () => {},
    }
  }
})

function downloadOf(key: string): Download {
  const name = key.split('/').at(-1) ?? ''
  if (name === 'none' || key.includes('..')) throw new NotFound()
  return {
    name,
    type: TYPES[Number(name)]?.[0] ?? 'application/pdf',
    size: 9,
    sha256: 'digest',
    async *content() {
      if (name === 'broken') throw new Error('the store is away')
      yield Buffer.from('the ')
      if (name === 'short') throw new Error('the store went away')
      yield Buffer.from('bytes')
    },
  }
}

function text(name: string, value: string): Buffer {
  return part(`name="${name}"`, null, value)
}

function file(): Buffer {
  return part('name="file"; filename="zoë – 名前.pdf"', 'application/pdf', BYTES)
}

function part(disposition: string, type: string | null, content: string | Buffer): Buffer {
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\n${type ? `Content-Type: ${type}\r\n` : ''}\r\n`
  return Buffer.concat([Buffer.from(head), Buffer.from(content), Buffer.from('\r\n')])
}

function post({ send }: Client, parts: readonly Buffer[], credentials: object = PASSWORD): Promise<Answer> {
  return send('/v1/attachments', {
    method: 'POST',
    headers: { ...credentials, 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` },
    body: Buffer.concat([...parts, Buffer.from(`--${BOUNDARY}--`)]),
  })
}

/** The head of an upload, ended by an empty line. */
function head(headers: object): string {
  const lines = Object.entries({ Host: 'x', 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}`, ...headers })
  return ['POST /v1/attachments HTTP/1.1', ...lines.map(([name, value]) => `${name}: ${value}`), '', ''].join('\r\n')
}

function firstLineOf(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    socket.once('data', (bytes) => resolve(bytes.toString().split('\r\n')[0] ?? ''))
    socket.once('close', () => reject(new Error('There was no answer')))
  })
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await sleep(5)
}

function refusal(field: string, code: string): object {
  return { message: 'Validation Failed', errors: [[field, `en-US .${field} ${code}`]] }
}
