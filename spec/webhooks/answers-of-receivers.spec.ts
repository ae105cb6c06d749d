import { createServer } from 'node:http'
import type { Socket } from 'node:net'
import { expect } from 'chai'
import { systemClock } from '../../plugin/core/clock.js'
import { createMask, maskedHeaders, maskedUri } from '../../plugin/webhooks/masks.js'
import { createRequester, type RequesterDeps } from '../../plugin/webhooks/safe-request.js'
import { startRawReceiver, written } from '../support/raw-receiver.js'
import { type ReceiverOptions, startReceiver } from '../support/receiver.js'

const MESSAGE = { headers: { 'webhook-signature': 'v1,c2lnbmF0dXJl' }, body: 'name=value' }
const SETTINGS = { clock: systemClock, userAgent: 'specs', allowPrivateAddresses: true, timeoutMs: 2000 }

describe('answers of receivers', () => {
  async function answerTo(
    answer: NonNullable<ReceiverOptions['answer']>,
    deps: Partial<RequesterDeps> = {},
    place: (url: string) => string = (url) => url,
  ) {
    const receiver = await startReceiver({ answer })
    const requester = createRequester({ ...SETTINGS, ...deps })
    try {
      const outcome = await requester.post({ uri: place(receiver.url), ...MESSAGE })
      return { ...outcome, connections: receiver.connections }
    } finally {
      await requester.close()
      await receiver.close()
    }
  }
  const sent = (body: string | Buffer, type?: string) => () => ({
    status: 200,
    body,
    ...(type !== undefined && { headers: { 'content-type': type } }),
  })

  it('are read by their charset', async () => {
    const utf16 = Buffer.from('\ufeffgrün', 'utf16le')
    const cases: readonly (readonly [Buffer, string | undefined, string])[] = [
      [Buffer.from('grün ✓'), undefined, 'grün ✓'],
      [Buffer.from('grün', 'latin1'), 'text/plain; charset=ISO-8859-1', 'grün'],
      [Buffer.from([0x82, 0xa0]), 'text/html; charset="Shift_JIS"', 'あ'],
      [utf16, 'text/plain', 'grün'],
      [utf16, 'text/plain; charset=utf-16le', 'grün'],
      [Buffer.from('plain'), 'text/plain; charset=klingon', 'plain'],
      [Buffer.from('plain'), `text/plain; charset=${'x'.repeat(3000)}`, 'plain'],
      [Buffer.from([0x61, 0xff, 0x00, 0x07, 0x0a, 0x62]), 'image/png', 'a\ufffd\ufffd\ufffd\nb'],
    ]
    for (const [body, type, text] of cases) expect(await answerTo(sent(body, type)), text).to.include({ answer: text })
    expect(await answerTo(sent(''))).to.not.have.property('answer')
  })

  it('are kept up to 1 KB, and never cut within a character', async () => {
    for (const fetch of [undefined, globalThis.fetch as NonNullable<RequesterDeps['fetch']>]) {
      const { answer = '' } = (await answerTo(sent('€'.repeat(20_000)), { fetch })) as { answer?: string }
      expect(answer).to.equal('€'.repeat(341))
    }
  })

  it('do not show the secrets of the request that they repeat, also at the end of what is kept', async () => {
    const echo: ReceiverOptions['answer'] = ({ headers, path }) => ({
      status: 418,
      reason: 'no pa55word',
      body: `${JSON.stringify(headers)} ${path} pa55word`.padStart(1030, '.'),
    })
    const place = (url: string) => `${url.replace('//', '//ops:pa55word@')}/hook?token=s3cr3t%2Fvalue&n=1`
    const { answer, reason } = (await answerTo(echo, {}, place)) as { answer?: string; reason?: string }
    const basic = Buffer.from('ops:pa55word').toString('base64')
    for (const secret of ['pa55', 's3cr3t', basic, 'c2lnbmF0dXJl']) expect(`${answer} ${reason}`).to.not.contain(secret)
    expect(reason).to.equal('418 no ***')
    expect(answer).to.contain('"authorization":"***').and.contain('/hook?token=***&n=1')
  })

  it('do not show a part of the secrets that they repeat, although not all of it is read', async () => {
    const headers = Object.fromEntries(
      ['one', 'two', 'three', 'four', 'five', 'six'].map((name) => [`x-${name}`, name.repeat(300)]),
    )
    const receiver = await startReceiver({ answer: (request) => ({ status: 500, body: JSON.stringify(request.headers) }) })
    const requester = createRequester(SETTINGS)
    const { answer } = await requester.post({ uri: receiver.url, headers, body: '' })
    expect(answer)
      .to.contain('"x-three":"***"')
      .and.not.match(/(one|two|three|four|five|six){2}/)
    await requester.close()
    await receiver.close()
  })

  it('that never end cost nothing but their connection, and count by their status', async () => {
    const server = createServer((_, outgoing) => {
      outgoing.writeHead(200, { 'content-type': 'text/plain' })
      const timer = setInterval(() => outgoing.write('x'.repeat(100)), 5)
      outgoing.once('close', () => clearInterval(timer))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number }
    for (const fetch of [undefined, globalThis.fetch as NonNullable<RequesterDeps['fetch']>]) {
      const requester = createRequester({ ...SETTINGS, timeoutMs: 300, fetch })
      const outcome = await requester.post({ uri: `http://127.0.0.1:${port}/`, ...MESSAGE })
      expect(outcome).to.include({ ok: true, status: 200 })
      expect(outcome.answer).to.match(/^x{100,1024}$/)
      await requester.close()
    }
    server.closeAllConnections()
    server.close()
  })

  it('may come before the request has been read, of which the rest does not matter', async () => {
    for (const end of [(socket: Socket) => void socket.pause(), (socket: Socket) => void socket.pause().end()]) {
      const answer = (socket: Socket) => {
        socket.write(written('413 Too Large', [], 'big'))
        end(socket)
      }
      const receiver = await startRawReceiver(() => ({ answer, early: true }))
      const requester = createRequester(SETTINGS)
      for (const count of [1, 2]) {
        const outcome = await requester.post({ uri: `${receiver.url}/big`, ...MESSAGE, body: 'x'.repeat(5_000_000) })
        expect(outcome).to.deep.equal({ ok: false, status: 413, reason: '413 Too Large', answer: 'big' })
        expect([receiver.requests.get('big')?.length, receiver.connections]).to.deep.equal([count, count])
      }
      await requester.close()
      await receiver.close()
    }
  })

  it('may come from a function of the host in any form', async () => {
    const reader = { read: () => new Promise<never>(() => {}), cancel: async () => {} }
    const bodies: readonly unknown[] = [
      undefined,
      null,
      { cancel: async () => {} },
      { cancel: () => Promise.reject(new Error('locked')) },
      { getReader: () => reader, cancel: async () => {} },
      {
        getReader() {
          throw new TypeError('locked')
        },
        cancel: async () => {},
      },
    ]
    for (const body of bodies) {
      const fetch = (async () => ({ status: 204, body })) as unknown as NonNullable<RequesterDeps['fetch']>
      const requester = createRequester({ ...SETTINGS, timeoutMs: 50, fetch })
      expect(await requester.post({ uri: 'https://hooks.example/', ...MESSAGE })).to.deep.equal({ ok: true, status: 204 })
    }
  })
})

describe('masks', () => {
  it('hide credentials and the values of the query', () => {
    expect(maskedUri('https://ops:secret@hooks.example:8443/a?token=abc&flag&x=%20')).to.equal(
      'https://***@hooks.example:8443/a?token=***&***&x=***',
    )
    expect(maskedUri('https://hooks.example/a')).to.equal('https://hooks.example/a')
    expect(maskedUri('nowhere')).to.equal(null)
  })

  it('hide headers with secrets, however they are written', () => {
    const headers = { Authorization: 'Bearer abc', 'webhook-signature': 'v1,x', link: '<https://desk.example/>' }
    expect(maskedHeaders(headers)).to.deep.equal({ ...headers, Authorization: '***', 'webhook-signature': '***' })
  })

  it('hide secrets that are written as in JSON or in a form', () => {
    const secret = 'a"quoted/secret\\'
    const mask = createMask(new URL('https://hooks.example/'), { 'x-api-key': secret })
    const php = JSON.stringify(secret).replaceAll('/', '\\/')
    expect(mask(`${JSON.stringify({ secret })} ${php} ${new URLSearchParams({ secret })} ${secret}.`)).to.equal(
      '{"secret":"***"} "***" secret=*** ***.',
    )
  })

  it('hide the beginning of a secret at the end of a text that may be cut', () => {
    const mask = createMask(new URL('https://hooks.example/?x=s3cr3t-val%C3%BC%C3%A9'), {})
    const long = '.'.repeat(1100)
    for (const end of ['s3cr3t', 's3cr3t-val', 's3cr3t-val\ufffd', 's3cr3t-valü', 's3cr3t-valü\ufffd', 's3cr3t-valüé'])
      expect(mask(`${long}${end}`), end).to.equal(`${long}***`)
    for (const end of ['s3cr', 's3cr3t-other', 's3cr3t.', 'other\ufffd'])
      expect(mask(`${long}${end}`), end).to.equal(`${long}${end}`)
    expect(mask('its key is s3cr3t')).to.equal('its key is s3cr3t')
  })

  it('hide the longer secret of which another one is a part', () => {
    const mask = createMask(new URL('https://a:short1@hooks.example/?x=short1-and-more'), {})
    expect(mask('short1-and-more short1 short')).to.equal('*** *** short')
  })
})
