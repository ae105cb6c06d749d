import { expect } from 'chai'
import { Webhook } from 'standardwebhooks'
import type { Call } from '../../plugin/core/call.js'
import { createSeal } from '../../plugin/core/seal.js'
import { verifyDelivery } from '../../plugin/receive/index.js'
import { createRequester } from '../../plugin/webhooks/safe-request.js'
import { createSend } from '../../plugin/webhooks/sign.js'
import { type Received, type Receiver, type ReceiverOptions, startReceiver } from '../support/receiver.js'
import { DAY, MINUTE, SECRET, withWebhooks } from '../support/webhooks.js'

const { seal } = createSeal(SECRET, 'field seal')
const FIRST = `whsec_${Buffer.alloc(32, 1).toString('base64')}`
const SECOND = `whsec_${Buffer.alloc(24, 2).toString('base64')}`
const THIRD = `whsec_${Buffer.alloc(64, 3).toString('base64')}`

const NOBODY = { actor: null } as Call

describe('signatures of deliveries', () => {
  const world = withWebhooks()
  const receivers: Receiver[] = []

  afterEach(async () => {
    for (const receiver of receivers.splice(0)) await receiver.close()
  })

  async function receiver(answer: ReceiverOptions['answer'] = () => 200): Promise<Receiver> {
    const started = await startReceiver({ answer })
    receivers.push(started)
    return started
  }

  const instant = (time: number) => new Date(time).toISOString().slice(0, 19).replace('T', ' ')
  const now = () => world.clock.now().getTime()
  const change = (id: number, values: object) =>
    world.storage.knex(world.storage.table('webhooks')).where({ id }).update(values)
  const header = ({ headers }: Received, name: string) => String(headers[name])
  const isSignedWith = ({ headers, raw }: Received, secret: string) => {
    const at = new Date(Number(headers['webhook-timestamp']) * 1000)
    try {
      return verifyDelivery(raw, headers, secret, { now: at }).body
    } catch {
      return null
    }
  }

  it('are not there without a secret; the id and the time of a delivery always are', async () => {
    const { url, received } = await receiver((_, index) => (index === 0 ? 500 : 200))
    const id = await world.addWebhook({ uri: url })
    await world.queue(id, 2)
    const { deliverDue } = world.deliveries()
    const { next } = await deliverDue()
    const started = now()
    world.clock.set(next?.toISOString() ?? '')
    await deliverDue()
    const [first, second, again] = received as [Received, Received, Received]
    expect(first.headers).to.not.have.property('webhook-signature')
    expect(header(first, 'webhook-id')).to.match(/^msg_\d+$/)
    const byNumber = (number: string) => received.filter(({ body }) => body['number'] === number)
    expect(new Set(byNumber(String(first.body['number'])).map((one) => header(one, 'webhook-id'))).size).to.equal(1)
    expect(header(again, 'webhook-id')).to.equal(header(first, 'webhook-id')).and.not.equal(header(second, 'webhook-id'))
    expect(header(first, 'webhook-timestamp')).to.equal(String(Math.floor(started / 1000)))
    expect(header(again, 'webhook-timestamp')).to.equal(String(Math.floor(now() / 1000)))
  })

  it('cover the id, the time and the bytes of the body, as the library of Standard Webhooks checks them', async () => {
    const { url, received } = await receiver()
    const id = await world.addWebhook({ uri: url, secret: seal(FIRST), signed: true })
    await world.queue(id, 1, { body: 'name=%C3%89t%C3%A9+%26+more' })
    // The library asks the clock of the machine.
    world.clock.set(new Date().toISOString())
    await world.deliveries().deliverDue()
    const [delivery] = received as [Received]
    expect(header(delivery, 'webhook-signature')).to.match(/^v1,[A-Za-z0-9+/]{43}=$/)
    expect(isSignedWith(delivery, FIRST)).to.deep.equal({ name: 'Été & more' })
    expect(isSignedWith(delivery, SECOND)).to.equal(null)
    // It parses JSON only: a form that it accepts fails there, and only there.
    const headers = delivery.headers as Record<string, string>
    expect(() => new Webhook(FIRST).verify(delivery.raw, headers)).to.throw(SyntaxError)
    expect(() => new Webhook(SECOND).verify(delivery.raw, headers)).to.throw('No matching signature found')
    expect(() => new Webhook(FIRST).verify(`${delivery.raw} `, headers)).to.throw('No matching signature found')
  })

  it('are made at each attempt, with the secret of that time', async () => {
    const { url, received } = await receiver((_, index) => (index < 2 ? 500 : 200))
    const id = await world.addWebhook({ uri: url, secret: seal(FIRST) })
    await world.queue(id, 1)
    const { deliverDue } = world.deliveries()
    for (const secret of [seal(SECOND), null]) {
      const { next } = await deliverDue()
      await change(id, { secret })
      world.clock.set(next?.toISOString() ?? '')
    }
    await deliverDue()
    const signatures = received.map((one) => [FIRST, SECOND].map((secret) => isSignedWith(one, secret) !== null))
    expect(signatures).to.deep.equal([
      [true, false],
      [false, true],
      [false, false],
    ])
    expect(received[2]?.headers).to.not.have.property('webhook-signature')
  })

  it('are two after a rotation, the new one first, until its time is over', async () => {
    const { url, received } = await receiver()
    const id = await world.addWebhook({
      uri: url,
      secret: seal(SECOND),
      previous_secret: seal(FIRST),
      previous_secret_until: instant(now() + DAY),
    })
    const { deliverDue } = world.deliveries()
    for (const wait of [0, DAY - MINUTE, MINUTE]) {
      world.clock.pass(wait)
      await world.queue(id, 1)
      await deliverDue()
    }
    expect(received.map((one) => header(one, 'webhook-signature').split(' ').length)).to.deep.equal([2, 2, 1])
    const [newest = '', before = ''] = header(received[0] as Received, 'webhook-signature').split(' ')
    const only = (one: Received, signature: string) => ({ ...one, headers: { ...one.headers, 'webhook-signature': signature } })
    expect(isSignedWith(only(received[0] as Received, newest), SECOND)).to.not.equal(null)
    expect(isSignedWith(only(received[0] as Received, before), FIRST)).to.not.equal(null)
    expect(received.map((one) => isSignedWith(one, FIRST) !== null)).to.deep.equal([true, true, false])
    expect(received.every((one) => isSignedWith(one, SECOND))).to.equal(true)
  })

  it('never fall away: a secret that cannot be opened is a failure like any other, and the next secret ends it', async () => {
    const { url, received } = await receiver()
    const sealedElsewhere = createSeal('another secret of thirty-two characters', 'field seal').seal(FIRST)
    const id = await world.addWebhook({ uri: url, secret: sealedElsewhere })
    await world.queue(id, 1)
    const { deliverDue, test, close } = world.deliveries()
    const { failed, next } = await deliverDue()
    expect(failed).to.equal(1)
    expect(received).to.deep.equal([])
    const reason = 'The secret of the webhook cannot be read: set another one'
    expect((await world.waiting())[0]).to.include({ attempts: 1, last_error: reason })
    expect(world.mails[0]?.text).to.contain(reason).and.not.contain(sealedElsewhere)
    await change(id, { secret: seal(THIRD), previous_secret: 'nonsense', previous_secret_until: instant(now() + DAY) })
    world.clock.set(next?.toISOString() ?? '')
    expect(await deliverDue()).to.include({ delivered: 1 })
    expect(isSignedWith(received[0] as Received, THIRD)).to.not.equal(null)
    await change(id, { secret: 'nonsense' })
    ;(await test(NOBODY, { id, accountId: 'acme', name: 'Portal', event: 'person.update', uri: url })).begin()
    await close()
    expect((await world.rows('webhooks'))[0]?.['last_error']).to.equal(reason)
    expect(received).to.have.length(1)
  })

  it('are on tests too, which have an id of their own', async () => {
    const { url, received } = await receiver()
    const id = await world.addWebhook({ uri: url, secret: seal(FIRST) })
    for (const _ of [1, 2]) {
      const { test, close } = world.deliveries()
      ;(await test(NOBODY, { id, accountId: 'acme', name: 'Portal', event: 'person.update', uri: url })).begin()
      await close()
    }
    expect(received.map((one) => (isSignedWith(one, FIRST) as { object_id: string }).object_id)).to.deep.equal([
      '12345',
      '12345',
    ])
    const ids = received.map((one) => header(one, 'webhook-id'))
    expect(new Set(ids).size).to.equal(2)
    for (const one of ids) expect(one).to.match(/^msg_d\d+$/)
  })

  it('have ids that are not given again when a message was delivered', async () => {
    const { url, received } = await receiver()
    const id = await world.addWebhook({ uri: url })
    const { deliverDue } = world.deliveries()
    for (const _ of [1, 2, 3]) {
      await world.queue(id, 1)
      await deliverDue()
    }
    expect(new Set(received.map((one) => header(one, 'webhook-id'))).size).to.equal(3)
  })

  it('are the same for JSON; headers of the webhook are opened when it is sent, and replace none of ours', async () => {
    const { url, received } = await receiver()
    const sealed = (values: object) => JSON.stringify({ names: Object.keys(values), sealed: seal(JSON.stringify(values)) })
    const requester = createRequester({ clock: world.clock, userAgent: 'specs', timeoutMs: 2000, allowPrivateAddresses: true })
    const send = createSend({ clock: world.clock, requester, fieldSeal: createSeal(SECRET, 'field seal') })
    const signing = { secret: seal(FIRST), previous: null, previousUntil: null }
    const message = {
      id: 'msg_1',
      link: '<https://acme.example>; rel="canonical"',
      body: '{"type":"x"}',
      contentType: 'json',
    } as const
    const own = sealed({ Authorization: 'Bearer hush', 'X-Env': 'test' })
    expect(await send({ uri: url, signing, headers: own }, message)).to.include({ ok: true })
    const withUser = url.replace('http://', 'http://user:word@')
    expect(await send({ uri: withUser, signing, headers: own }, message)).to.include({ ok: true })
    const broken = JSON.stringify({ names: ['X-Env'], sealed: createSeal(`${SECRET}!`, 'field seal').seal('{}') })
    const [first, second] = received as [Received, Received]
    expect(first.headers).to.include({
      authorization: 'Bearer hush',
      'x-env': 'test',
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'specs',
    })
    expect(isSignedWith(first, FIRST)).to.deep.equal({ type: 'x' })
    expect(header(second, 'authorization')).to.equal(`Basic ${Buffer.from('user:word').toString('base64')}`)
    expect(await send({ uri: url, signing, headers: broken }, message)).to.deep.include({
      ok: false,
      reason: 'The headers of the webhook cannot be read: set them again',
    })
    expect(received).to.have.length(2)
    await requester.close()
  })
})
