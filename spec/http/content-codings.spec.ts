/** Bodies that clients compress, and headers and names that they send in their own way (behaviour: Error responses). */
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { expect } from 'chai'
import { withMounted } from '../support/mounted.js'

describe('compressed bodies', function () {
  this.timeout(60_000)
  const mounted = withMounted('mounted under a prefix', { rateLimit: { burst: false, perHour: 1_000_000 } })
  const post = (bytes: Buffer, coding: string, path = '/requests', as: string | null = '@sam', type = 'application/json') =>
    mounted.ask(as, 'POST', path, bytes, { 'Content-Encoding': coding, 'Content-Type': type })
  const BODY = JSON.stringify({ subject: 'Gepackt – ü', category: 'rfi' })
  const refusal = async (bytes: Buffer, coding: string, path?: string) => {
    const { json, status } = await post(bytes, coding, path)
    return [status, (json as { message: string }).message]
  }

  it('are read in every common coding', async () => {
    const sent: [coding: string, bytes: Buffer][] = [
      ['gzip', gzipSync(BODY)],
      ['GZIP', gzipSync(BODY)],
      ['x-gzip', gzipSync(BODY)],
      ['deflate', deflateSync(BODY)],
      ['deflate', deflateRawSync(BODY)],
      ['br', brotliCompressSync(BODY)],
      ['identity', Buffer.from(BODY)],
      ['', Buffer.from(BODY)],
      ['identity, gzip', gzipSync(BODY)],
      ['deflate, gzip', gzipSync(deflateSync(BODY))],
      ['gzip', Buffer.concat([gzipSync(BODY.slice(0, 10)), gzipSync(BODY.slice(10))])],
    ]
    for (const [coding, bytes] of sent) {
      const reply = await post(bytes, coding)
      expect(reply.status, `${coding} ${reply.text}`).to.equal(201)
      expect(reply.json).to.include({ subject: 'Gepackt – ü' })
    }
    const form = gzipSync('subject=Zipped+form')
    expect((await post(form, 'gzip', '/events', '@sam', 'application/x-www-form-urlencoded')).status).to.equal(201)
    const many = await post(gzipSync(`[${BODY},${BODY}]`), 'gzip')
    expect((many.json as { status: number }[]).map(({ status }) => status)).to.deep.equal([201, 201])
  })

  it('are refused in others, by name', async () => {
    for (const coding of ['zstd', 'compress', 'gzip, zstd', 'nonsense', 'constructor', 'gzip;q=1'])
      expect(await refusal(gzipSync(BODY), coding), coding).to.satisfy(
        ([status, message]: [number, string]) => status === 400 && message.includes(coding.replace('gzip, ', '')),
      )
    const thrice = gzipSync(gzipSync(gzipSync(BODY)))
    expect(await refusal(thrice, 'gzip, gzip, gzip')).to.deep.equal([400, 'A body can have at most 2 encodings'])
  })

  it('are refused if they are no such bytes, cut off, changed, or have more behind them', async () => {
    const whole = gzipSync(BODY)
    const changed = Buffer.from(whole)
    changed[whole.length - 1] = (changed[whole.length - 1] ?? 0) ^ 1
    const crc = Buffer.from(whole)
    crc[whole.length - 6] = (crc[whole.length - 6] ?? 0) ^ 1
    const broken: [Buffer, string][] = [
      [Buffer.from(BODY), 'gzip'],
      [Buffer.from(BODY), 'br'],
      [whole.subarray(0, -1), 'gzip'],
      [whole.subarray(0, 12), 'gzip'],
      [changed, 'gzip'],
      [crc, 'gzip'],
      [Buffer.concat([whole, Buffer.from('junk')]), 'gzip'],
      [Buffer.concat([whole, Buffer.alloc(10)]), 'gzip'],
      [Buffer.concat([deflateSync(BODY), Buffer.from('junk')]), 'deflate'],
      [Buffer.concat([brotliCompressSync(BODY), Buffer.from('junk')]), 'br'],
      [whole, 'deflate'],
    ]
    for (const [index, [bytes, coding]] of broken.entries()) {
      const [status, message] = await refusal(bytes, coding)
      expect([status, message], `${index} ${coding}`).to.satisfy(
        ([code, text]: [number, string]) => code === 400 && text.includes(coding),
      )
    }
  })

  it('have the budget of what they become', async () => {
    const huge = gzipSync(Buffer.alloc(200_000_000, 0x20))
    const start = performance.now()
    for (const [bytes, coding] of [
      [huge, 'gzip'],
      [gzipSync(huge), 'gzip, gzip'],
      [brotliCompressSync(Buffer.alloc(20_000_000)), 'br'],
    ] as const)
      expect((await refusal(bytes, coding))[0]).to.equal(400)
    expect(performance.now() - start).to.be.below(5_000)
    const names = JSON.stringify(Object.fromEntries(Array.from({ length: 1_001 }, (_, n) => [`n${n}`, n])))
    expect(await refusal(gzipSync(names), 'gzip')).to.deep.equal([
      400,
      'Body should not have more than 1000 names in an object',
    ])
    expect((await refusal(gzipSync(JSON.stringify({ subject: 'x'.repeat(700_000) })), 'gzip'))[0]).to.equal(413)
  })

  it('are refused for files, and read where people sign in', async () => {
    const reply = await post(gzipSync('--x--'), 'gzip', '/import', '@owen', 'multipart/form-data; boundary=x')
    expect([reply.status, (reply.json as { message: string }).message]).to.deep.equal([
      400,
      "Forms with files cannot be sent with Content-Encoding 'gzip'",
    ])
  })
})

describe('texts that callers send in their own way', function () {
  this.timeout(60_000)
  const mounted = withMounted()
  const request = (headers: Record<string, string>, more: object = {}) =>
    mounted.ask('@sam', 'POST', '/requests', { subject: 'x', category: 'rfi', ...more }, headers)
  const inUtf8 = (text: string) => Buffer.from(text).toString('latin1')

  it('are read as UTF-8 in headers', async () => {
    expect((await request({ 'X-SVC-Source': inUtf8('Überwachung Zürich') })).json).to.include({ source: 'Überwachung Zürich' })
    expect((await request({ 'User-Agent': inUtf8('監視ツール') })).json).to.include({ source: '監視ツール' })
    expect((await request({ 'X-SVC-Source': 'Zürich' })).json).to.include({ source: 'Zürich' })
    const many = await request({ 'X-SVC-Source': inUtf8('🔥'.repeat(40)) })
    expect((many.json as { source: string }).source).to.equal('🔥'.repeat(30))
  })

  it('are never lost without a word in custom data', async () => {
    const send = (text: string, path = '/requests', headers: Record<string, string> = {}) =>
      mounted.ask('@sam', 'POST', path, Buffer.from(text), headers)
    const bodies = [
      '"custom_data":{"__proto__":{"admin":true}}',
      '"custom_data":{"a":[{"__proto__":1}]}',
      '"custom_data":"{\\"__proto__\\":1}"',
      '"custom_data":{"constructor":{"prototype":{"admin":true}}}',
      '"custom_fields":[{"id":"__proto__","value":1}]',
      '"custom_fields":[{"id":"a","value":{"__proto__":null}}]',
      '"custom_fields":"[{\\"id\\":\\"__proto__\\",\\"value\\":1}]"',
    ]
    for (const body of bodies) {
      const reply = await send(`{"subject":"x","category":"rfi",${body}}`)
      expect([reply.status, /__proto__|constructor/.test(reply.text)], body).to.deep.equal([422, true])
    }
    const event = await send('{"subject":"x","custom_fields":[{"id":"__proto__","value":1}]}', '/events')
    expect(event.status, event.text).to.equal(422)
    const form = 'subject=x&custom_fields=[{"id":"a","value":{"__proto__":1}}]'
    const inForm = await send(form, '/events', { 'Content-Type': 'application/x-www-form-urlencoded' })
    expect([inForm.status, inForm.text.includes('custom_fields')], inForm.text).to.deep.equal([422, true])
    const kept = await send(
      '{"subject":"x","category":"rfi","custom_data":{"constructor":"Otis","toString":1,"hasOwnProperty":null}}',
    )
    expect((kept.json as { custom_data: object }).custom_data).to.deep.equal({
      constructor: 'Otis',
      toString: 1,
      hasOwnProperty: null,
    })
    expect(({} as Record<string, unknown>)['admin']).to.equal(undefined)
  })
})
