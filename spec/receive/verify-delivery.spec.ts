import { createHmac } from 'node:crypto'
import { expect } from 'chai'
import { Webhook } from 'standardwebhooks'
import {
  type DeliveryHeaders,
  DeliveryRefused,
  type Refusal,
  type VerifiedDelivery,
  verifyDelivery,
} from '../../plugin/receive/index.js'

const KEY = Buffer.from('0123456789abcdef0123456789abcdef')
const SECRET = `whsec_${KEY.toString('base64')}`
const OTHER = `whsec_${Buffer.alloc(24, 7).toString('base64')}`
const AT = 1_790_000_000
const NOW = { now: new Date(AT * 1000) }
const FORM = 'application/x-www-form-urlencoded; charset=utf-8'
const BODY =
  'webhook_id=4&event=request.create&person_name=Ines+%C3%81lvarez&payload%5Bteam%5D%5Bid%5D=7&payload%5Bteam%5D%5Bname%5D=Desk&payload%5Bstatus%5D=declared'

/** By the words of the specification of Standard Webhooks, with nothing but Node. */
function signed(body: string | Buffer, { id = 'msg_1', at = AT, key = KEY }: { id?: string; at?: number; key?: Buffer } = {}) {
  return `v1,${createHmac('sha256', key)
    .update(Buffer.concat([Buffer.from(`${id}.${at}.`), Buffer.from(body)]))
    .digest('base64')}`
}

function headers(more: { readonly [name: string]: string | string[] | undefined } = {}, body: string | Buffer = BODY) {
  return {
    'content-type': FORM,
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(AT),
    'webhook-signature': signed(body),
    ...more,
  }
}

function refusal(work: () => unknown): Refusal | 'accepted' {
  try {
    work()
  } catch (error) {
    if (!(error instanceof DeliveryRefused)) throw error
    expect(error.message).to.not.contain(SECRET.slice(6))
    return error.reason
  }
  return 'accepted'
}

const reasonFor = (more: Parameters<typeof headers>[0], body: string | Buffer = BODY, secrets: unknown = SECRET, now = NOW) =>
  refusal(() => verifyDelivery(body, headers(more, body), secrets as string, now))

describe('verifyDelivery', () => {
  const expected: VerifiedDelivery<object> = {
    id: 'msg_1',
    timestamp: NOW.now,
    body: {
      webhook_id: '4',
      event: 'request.create',
      person_name: 'Ines Álvarez',
      payload: { team: { id: '7', name: 'Desk' }, status: 'declared' },
    },
  }

  it('knows the vector that was computed outside of it', () => {
    // printf 'msg_1.1790000000.a=1' | openssl dgst -sha256 -hmac 0123456789abcdef0123456789abcdef -binary | base64
    const signature = 'v1,GI7Opq8+mWVnCfXk9StIhe4MgXVbQ8fKgkbqqL0w8YQ='
    const delivery = verifyDelivery('a=1', headers({ 'webhook-signature': signature }), SECRET, NOW)
    expect(delivery.body).to.deep.equal({ a: '1' })
  })

  it('returns the form with its payload as an object, from a text or bytes, with headers of Node or of fetch', () => {
    const upper = Object.fromEntries(Object.entries(headers()).map(([name, value]) => [name.toUpperCase(), value]))
    const all: readonly DeliveryHeaders[] = [headers(), upper, new Headers(headers() as Record<string, string>)]
    for (const given of all) {
      expect(verifyDelivery(BODY, given, SECRET, NOW)).to.deep.equal(expected)
      expect(verifyDelivery(Buffer.from(BODY), given, SECRET, NOW)).to.deep.equal(expected)
      expect(verifyDelivery(new Uint8Array(Buffer.from(BODY)), given, [OTHER, SECRET], NOW)).to.deep.equal(expected)
    }
  })

  it('returns JSON by its content type', () => {
    const json = '{"type":"request.create","data":{"id":1,"name":"é"}}'
    for (const type of ['application/json', 'Application/JSON; charset=utf-8', 'application/cloudevents+json'])
      expect(verifyDelivery(json, headers({ 'content-type': type }, json), SECRET, NOW).body).to.deep.equal(JSON.parse(json))
    expect(reasonFor({ 'content-type': 'application/json' }, '{')).to.equal('invalid_body')
    for (const type of ['text/plain', '', undefined]) expect(reasonFor({ 'content-type': type })).to.equal('unknown_type')
  })

  it('accepts one of several signatures, and ignores those of versions that it does not know', () => {
    const right = signed(BODY)
    const wrong = signed(BODY, { key: Buffer.alloc(32) })
    for (const all of [`${wrong} ${right}`, `v1a,abc ${right}`, `${right} v2,x`, `nonsense ${right} `])
      expect(reasonFor({ 'webhook-signature': all }), all).to.equal('accepted')
    expect(reasonFor({ 'webhook-signature': [wrong, right] })).to.equal('accepted')
    for (const all of [wrong, right.replace('v1', 'v2'), right.slice(3), 'v1,', 'v1', ' ', `${right.slice(0, -4)}AAA=`])
      expect(reasonFor({ 'webhook-signature': all }), all).to.equal('wrong_signature')
  })

  it('refuses what has been changed on its way', () => {
    expect(refusal(() => verifyDelivery(`${BODY} `, headers(), SECRET, NOW))).to.equal('wrong_signature')
    expect(reasonFor({ 'webhook-id': 'msg_2' })).to.equal('wrong_signature')
    expect(reasonFor({ 'webhook-timestamp': String(AT + 1) })).to.equal('wrong_signature')
    expect(reasonFor({}, BODY, OTHER)).to.equal('wrong_signature')
  })

  it('accepts five minutes either way, and not a second more', () => {
    const at = (seconds: number) => ({ now: new Date((AT + seconds) * 1000) })
    expect([-300, 0, 300].map((seconds) => reasonFor({}, BODY, SECRET, at(seconds)))).to.deep.equal(Array(3).fill('accepted'))
    expect(reasonFor({}, BODY, SECRET, at(301))).to.equal('too_old')
    expect(reasonFor({}, BODY, SECRET, at(-301))).to.equal('too_new')
    expect(reasonFor({}, BODY, SECRET, { now: new Date(Number.NaN) })).to.equal('too_new')
    expect(refusal(() => verifyDelivery(BODY, headers(), SECRET))).to.be.oneOf(['too_old', 'too_new'])
    for (const odd of ['1e9', '-5', '0x10', ' 1', '1790000000.5', 'soon', '9'.repeat(400)])
      expect(reasonFor({ 'webhook-timestamp': odd }), odd).to.equal('invalid_timestamp')
  })

  it('says which header is missing', () => {
    for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature'])
      for (const value of [undefined, ''])
        expect(() => verifyDelivery(BODY, headers({ [name]: value }), SECRET, NOW))
          .to.throw(DeliveryRefused, name)
          .with.property('reason', 'missing_header')
  })

  it('refuses secrets that protect nothing, and bodies that were parsed', () => {
    const odd = [null, '', [], 'whsec_', 'whsec_!!', KEY.toString('base64'), `whsec_${KEY.subarray(0, 23).toString('base64')}`]
    for (const secret of [...odd, `whsec_${Buffer.alloc(65).toString('base64')}`, 5, [SECRET, '']])
      expect(reasonFor({}, BODY, secret), String(secret)).to.equal('invalid_secret')
    expect(refusal(() => verifyDelivery(BODY, headers(), undefined as unknown as string, NOW))).to.equal('invalid_secret')
    for (const body of [{ a: 1 }, null, undefined, 5])
      expect(refusal(() => verifyDelivery(body as unknown as string, headers(), SECRET, NOW))).to.equal('not_raw')
  })

  it('reads odd names of forms without harm', () => {
    const deep = `a${'[b]'.repeat(1000)}`
    const form = `__proto__[polluted]=1&constructor=2&x[]=3&y[a=4&[z]=5&${deep}=6&n=7&n[o]=8&p[q]=9&p=10&r[s][t]=11&r[s][u]=12&=13`
    const { body } = verifyDelivery(form, headers({}, form), SECRET, NOW)
    expect(Object.hasOwn({}, 'polluted') || 'polluted' in {}).to.equal(false)
    const { ['__proto__']: own, ...rest } = Object.fromEntries(Object.entries(body))
    expect(own ?? Object.getOwnPropertyDescriptor(body, '__proto__')?.value).to.deep.equal({ polluted: '1' })
    expect(rest).to.deep.include({ constructor: '2', 'x[]': '3', 'y[a': '4', '[z]': '5', [deep]: '6', '': '13' })
    expect(rest).to.deep.include({ n: { o: '8' }, p: '10', r: { s: { t: '11', u: '12' } } })
  })

  it('agrees with the library of Standard Webhooks', () => {
    const library = new Webhook(SECRET)
    const now = new Date()
    const at = Math.floor(now.getTime() / 1000)
    const json = '{"event":"request.create"}'
    const theirs = {
      'webhook-id': 'msg_9',
      'webhook-timestamp': String(at),
      'webhook-signature': library.sign('msg_9', now, json),
      'content-type': 'application/json',
    }
    expect(verifyDelivery(json, theirs, SECRET).body).to.deep.equal({ event: 'request.create' })
    expect(theirs['webhook-signature']).to.equal(signed(json, { id: 'msg_9', at }))
    expect(library.verify(json, theirs)).to.deep.equal({ event: 'request.create' })
    expect(() => new Webhook(OTHER).verify(json, theirs)).to.throw()
  })
})
