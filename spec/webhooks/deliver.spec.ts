import { expect } from 'chai'
import { type Received, type Receiver, type ReceiverOptions, startReceiver } from '../support/receiver.js'
import { DAY, MINUTE, withWebhooks } from '../support/webhooks.js'

describe('delivering', () => {
  const world = withWebhooks()
  const receivers: Receiver[] = []

  afterEach(async () => {
    for (const receiver of receivers.splice(0)) await receiver.close()
  })

  async function receiver(answer?: ReceiverOptions['answer']): Promise<Receiver> {
    const started = await startReceiver(answer ? { answer } : {})
    receivers.push(started)
    return started
  }

  function numbers(received: readonly Received[]): number[] {
    return received.map(({ body }) => Number(body['number']))
  }

  const now = () => world.clock.now().getTime()

  /** One delivery a minute: a receiver that fails gets no more. Repetitions would only add to the failures. */
  async function deliverThree(id: number, deliverDue: () => Promise<unknown>): Promise<void> {
    for (const _ of [1, 2, 3]) {
      await world.queue(id, 1)
      await deliverDue()
      world.clock.pass(MINUTE)
      await world.storage.knex(world.storage.table('channel_deliveries')).delete()
    }
  }

  it('sends what is due and forgets what was received', async () => {
    const { url, received } = await receiver()
    await world.queue(await world.addWebhook({ uri: `${url}/hook` }), 1)
    expect(await world.deliveries().deliverDue()).to.deep.equal({ delivered: 1, failed: 0, next: null })
    expect(received[0]?.body).to.deep.equal({ number: '1' })
    expect(received[0]?.headers).to.include({
      'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
      'user-agent': 'koa-itsm/1.0 (https://docs.example.com)',
      link: '<https://acme.example.com/requests/1>; rel="canonical"',
    })
    expect(await world.waiting()).to.deep.equal([])
    expect(world.mails).to.deep.equal([])
  })

  it('does nothing when nothing is queued', async () => {
    expect(await world.deliveries().deliverDue()).to.deep.equal({ delivered: 0, failed: 0, next: null })
  })

  it('repeats a failed delivery after 1, 2, 4 … 256 minutes and drops it after the tenth failure', async () => {
    const { url, received } = await receiver(() => 500)
    await world.queue(await world.addWebhook({ uri: url }), 1)
    const { deliverDue } = world.deliveries()
    const waits: number[] = []
    for (let attempt = 1; attempt <= 10; attempt += 1) {
      const { failed, next } = await deliverDue()
      expect(failed).to.equal(1)
      const [row] = await world.rows('channel_deliveries')
      expect(row).to.include({ attempts: attempt, last_error: '500 Internal Server Error' })
      if (!next) break
      waits.push((next.getTime() - now()) / MINUTE)
      // Nothing is sent before its time.
      world.clock.set(new Date(next.getTime() - 1).toISOString())
      expect(await deliverDue()).to.deep.equal({ delivered: 0, failed: 0, next })
      world.clock.set(next.toISOString())
    }
    expect(waits).to.have.length(9)
    // Up to a tenth more, another one for each receiver, so that many are not asked at the same time.
    for (const [index, wait] of waits.entries()) {
      expect(wait / 2 ** index, String(index)).to.be.within(1, 1.1 + 1 / 60)
    }
    expect(new Set(waits.map((wait, index) => wait / 2 ** index)).size).to.be.above(5)
    expect(received).to.have.length(10)
    const [row] = await world.rows('channel_deliveries')
    const at = world.clock.now().toISOString().slice(0, 23).replace('T', ' ')
    expect(row).to.include({ state: 'failed', finished_at: at, last_error: '500 Internal Server Error' })
    world.clock.pass(30 * DAY)
    expect(await deliverDue()).to.deep.equal({ delivered: 0, failed: 0, next: null })
    expect(received).to.have.length(10)
  })

  it('forgets dropped messages after 30 days', async () => {
    const id = await world.addWebhook({ uri: 'http://127.0.0.1:9/' })
    for (const state of ['sent', 'failed', 'dropped'])
      await world.queue(id, 1, { state, finished_at: '2026-11-20 00:00:00.000' })
    await world.queue(id, 1, { next_at: '2026-11-20 00:00:00.000' })
    const { purge } = world.deliveries()
    await purge()
    expect(await world.rows('channel_deliveries')).to.have.length(4)
    world.clock.pass(30 * DAY)
    await purge()
    expect((await world.rows('channel_deliveries')).map(({ state }) => state)).to.deep.equal(['waiting'])
  })

  it('succeeds when a receiver is back', async () => {
    const { url, received } = await receiver((_, index) => (index === 0 ? 503 : 204))
    const id = await world.addWebhook({ uri: url })
    await world.queue(id, 1)
    const { deliverDue } = world.deliveries()
    expect(await deliverDue()).to.include({ delivered: 0, failed: 1 })
    expect(await world.rows('webhook_health')).to.have.nested.property('[0].failures', 1)
    world.clock.pass(1.1 * MINUTE)
    expect(await deliverDue()).to.deep.equal({ delivered: 1, failed: 0, next: null })
    expect(received).to.have.length(2)
    const [health] = await world.rows('webhook_health')
    expect(health).to.include({ failures: 0, failing_since: null })
    expect(await world.held('receiver')).to.deep.equal([])
  })

  it('counts a receiver that does not answer as failed', async () => {
    const { url } = await receiver(() => 'hang')
    await world.queue(await world.addWebhook({ uri: url }), 1)
    expect(await world.deliveries({ timeoutMs: 200 }).deliverDue()).to.include({ delivered: 0, failed: 1 })
    expect((await world.waiting())[0]).to.include({ last_error: 'Timeout after 0.2 seconds' })
  })

  it('counts redirects, closed and refused connections as failed', async () => {
    const target = await receiver()
    const moved = await receiver(() => ({ status: 302, headers: { location: target.url } }))
    const closing = await receiver(() => 'close')
    const gone = await startReceiver()
    await gone.close()
    for (const { url } of [moved, closing, gone]) await world.queue(await world.addWebhook({ uri: url }), 1)
    expect(await world.deliveries().deliverDue()).to.include({ delivered: 0, failed: 3 })
    const errors = (await world.waiting()).map((row) => row['last_error'])
    expect(errors).to.deep.equal(['302 Found', 'Connection closed by the receiver', 'Connection refused'])
    expect(target.received).to.have.length(0)
  })

  it('does not reach private addresses', async () => {
    const { url, received } = await receiver()
    await world.queue(await world.addWebhook({ uri: url }), 1)
    await world.deliveries({ allowPrivateAddresses: false }).deliverDue()
    expect((await world.waiting())[0]).to.include({ last_error: 'Address is not public' })
    expect(received).to.have.length(0)
  })

  it('keeps the order of events about one record, also when the receiver is slow', async () => {
    const started = await receiver(async ({ body }) => {
      await new Promise((resolve) => setTimeout(resolve, Number(body['number']) % 3))
      return 200
    })
    const id = await world.addWebhook({ uri: started.url })
    for (let number = 1; number <= 60; number += 1) {
      await world.queue(id, 1, { object_id: number % 4, body: `record=${number % 4}&number=${number}` })
    }
    expect(await world.deliveries().deliverDue()).to.include({ delivered: 60 })
    for (const record of ['0', '1', '2', '3']) {
      const own = numbers(started.received.filter(({ body }) => body['record'] === record))
      expect(own, record).to.deep.equal([...own].sort((one, other) => one - other))
    }
    expect(started.mostAtOnce).to.be.at.most(4)
  })

  it('does not hold up later events behind one that fails', async () => {
    const { url, received } = await receiver(({ body }) => (body['number'] === '1' ? 500 : 200))
    const id = await world.addWebhook({ uri: url })
    for (const number of [1, 2, 3]) await world.queue(id, 1, { object_id: 1, body: `number=${number}` })
    const { deliverDue } = world.deliveries()
    expect(await deliverDue()).to.include({ delivered: 2, failed: 1 })
    expect(numbers(received)).to.deep.equal([1, 2, 3])
    expect((await world.waiting()).map((row) => row['body'])).to.deep.equal(['number=1'])
  })

  it('sends at most 16 requests at once to one receiver', async () => {
    let release = () => {}
    const isFull = new Promise<void>((resolve) => {
      release = resolve
    })
    // Nobody is answered before sixteen wait; a seventeenth that comes too early would be seen in mostAtOnce.
    const started = await receiver(async (_request, index) => {
      if (index === 15) setTimeout(release, 20)
      await isFull
      return 200
    })
    await world.queue(await world.addWebhook({ uri: started.url }), 100)
    await world.deliveries({ timeoutMs: 10_000 }).deliverDue()
    expect(started.received).to.have.length(100)
    expect(started.mostAtOnce).to.equal(16)
  })

  it('sends few at once while requests wait for the processor, and all the same sends everything', async () => {
    const started = await receiver()
    await world.queue(await world.addWebhook({ uri: started.url }), 100)
    const traffic = { isHeavy: () => true }
    expect(await world.deliveries({ traffic }).deliverDue()).to.include({ delivered: 100 })
    expect(started.mostAtOnce).to.be.within(1, 4)
  })

  it('does not let a receiver that hangs hold up another', async () => {
    const hanging = await receiver(() => 'hang')
    const healthy = await receiver()
    await world.queue(await world.addWebhook({ uri: hanging.url }), 200)
    await world.queue(await world.addWebhook({ uri: healthy.url }), 400)
    const stop = new AbortController()
    const running = world.deliveries({ timeoutMs: 60_000 }).deliverDue(stop.signal)
    await healthy.gets(400)
    expect(hanging.received).to.have.length(16)
    stop.abort()
    await hanging.close()
    receivers.splice(receivers.indexOf(hanging), 1)
    expect(await running).to.include({ delivered: 400, failed: 16 })
  })

  it('finds what another process queues while a receiver hangs', async () => {
    const hanging = await receiver(() => 'hang')
    const healthy = await receiver()
    await world.queue(await world.addWebhook({ uri: hanging.url }), 1)
    const stop = new AbortController()
    const running = world.deliveries({ timeoutMs: 60_000 }).deliverDue(stop.signal)
    await hanging.gets(1)
    await world.queue(await world.addWebhook({ uri: healthy.url }), 1)
    await healthy.gets(1)
    stop.abort()
    await hanging.close()
    receivers.splice(receivers.indexOf(hanging), 1)
    expect(await running).to.include({ delivered: 1, failed: 1 })
  })

  it('delivers thousands of events, each once', async () => {
    const { url, received } = await receiver()
    await world.queue(await world.addWebhook({ uri: url }), 2000)
    expect(await world.deliveries().deliverDue()).to.deep.equal({ delivered: 2000, failed: 0, next: null })
    expect(new Set(numbers(received)).size).to.equal(2000)
    expect(received).to.have.length(2000)
  })

  it('looks again when it is called while it runs', async () => {
    const deliveries = world.deliveries()
    const { url, received } = await receiver(async (_, index) => {
      if (index === 0) {
        await world.queue(id, 1, { object_id: 2, body: 'number=2' })
        void deliveries.deliverDue()
      }
      return 200
    })
    const id = await world.addWebhook({ uri: url })
    await world.queue(id, 1)
    expect(await deliveries.deliverDue()).to.deep.equal({ delivered: 2, failed: 0, next: null })
    expect(numbers(received)).to.deep.equal([1, 2])
  })

  it('starts nothing after a stop, and leaves the rest for later', async () => {
    const stop = new AbortController()
    const { url, received } = await receiver(() => {
      stop.abort()
      return 200
    })
    await world.queue(await world.addWebhook({ uri: url }), 50)
    const { delivered, next } = await world.deliveries().deliverDue(stop.signal)
    expect(delivered).to.be.within(1, 16)
    expect(next?.getTime()).to.equal(now())
    expect(await world.waiting()).to.have.length(50 - delivered)
    expect(await world.held('receiver')).to.deep.equal([])
    await world.deliveries().deliverDue()
    expect(received).to.have.length(50)
  })

  it('rejects when the database fails, and delivers when it is back', async () => {
    const { url, received } = await receiver()
    await world.queue(await world.addWebhook({ uri: url }), 1)
    const { knex, table } = world.storage
    const { deliverDue } = world.deliveries()
    await knex.schema.renameTable(table('channel_deliveries'), table('deliveries_away'))
    const error = await deliverDue().then(
      () => null,
      (error) => error,
    )
    await knex.schema.renameTable(table('deliveries_away'), table('channel_deliveries'))
    expect(error).to.be.instanceOf(Error)
    expect(await deliverDue()).to.include({ delivered: 1 })
    expect(received).to.have.length(1)
  })

  it('sends one request a minute to a receiver that has failed five times in a row, and all the rest once it is back', async () => {
    let isUp = false
    const started = await receiver(() => (isUp ? 200 : 500))
    const id = await world.addWebhook({ uri: started.url })
    await world.queue(id, 100)
    const { deliverDue } = world.deliveries()
    // Those that were in flight at the fifth failure.
    const { failed: first } = await deliverDue()
    expect(first).to.be.within(16, 20)
    for (const probes of [1, 2]) {
      expect((await deliverDue()).failed, 'before the minute is over').to.equal(0)
      world.clock.pass(MINUTE)
      const { failed, next } = await deliverDue()
      expect([failed, next?.getTime(), started.received.length]).to.deep.equal([1, now() + MINUTE, first + probes])
    }
    isUp = true
    world.clock.pass(MINUTE)
    expect(await world.deliveries().deliverDue(), 'of another process').to.include({ failed: 0 })
    world.clock.pass(2.2 * MINUTE)
    await deliverDue()
    expect(await world.waiting()).to.deep.equal([])
    expect(numbers(started.received.slice(first + 2)).toSorted((one, other) => one - other)).to.deep.equal(
      Array.from({ length: 100 }, (_, index) => index + 1),
    )
  })

  it('pauses a receiver that fails for all of its webhooks, also one that it has served before, and not one that refuses one', async () => {
    let isDown = false
    let refused = 0
    const started = await receiver(({ body }) => (isDown || body['webhook'] === String(refused) ? 500 : 200))
    const ids = [await world.addWebhook({ uri: started.url }), await world.addWebhook({ uri: `${started.url}?other` })] as const
    const { deliverDue } = world.deliveries()
    /** Queues one delivery for a webhook, and returns the number of those that reach the receiver by now. */
    const told = async (index: 0 | 1): Promise<number> => {
      await world.queue(ids[index], 1, { body: `webhook=${ids[index]}` })
      const before = started.received.length
      await deliverDue()
      world.clock.pass(1000)
      // Without repeats, of which there would be more and more.
      const { knex, table } = world.storage
      if (started.received.length > before) await knex(table('channel_deliveries')).where({ attempts: 1 }).delete()
      return started.received.length - before
    }
    refused = ids[1]
    for (let n = 1; n <= 8; n += 1) expect([await told(1), await told(0)], `refused ${n}`).to.deep.equal([1, 1])
    isDown = true
    const reached: number[] = []
    for (let n = 1; n <= 8; n += 1) reached.push(await told(1))
    expect(reached).to.deep.equal([1, 1, 1, 1, 1, 0, 0, 0])
    world.clock.pass(MINUTE)
    expect(await deliverDue(), 'a probe').to.include({ delivered: 0, failed: 1 })
    isDown = false
    refused = 0
    world.clock.pass(2 * MINUTE)
    await deliverDue()
    expect(await world.waiting()).to.deep.equal([])
  })

  it('warns by mail when ten calls in a row have failed, once until one succeeds', async () => {
    const { url } = await receiver((_, index) => (index === 13 ? 200 : 500))
    const id = await world.addWebhook({ uri: url })
    const { deliverDue, close } = world.deliveries()
    for (const _ of [1, 2, 3, 4, 5, 6, 7, 8]) await deliverThree(id, deliverDue)
    await close()
    const warnings = world.mails.filter(({ subject }) => subject === 'Webhook Told of requests keeps failing')
    expect(warnings).to.have.length(2)
    expect(warnings[0]?.text).to.contain('Last error: 500 Internal Server Error').and.contain(`Webhook ID: ${id}`)
  })

  describe('a receiver that says when to come back', () => {
    for (const status of [429, 503]) {
      it(`gets nothing before that time, from any process or webhook, after ${status}`, async () => {
        const { url, received } = await receiver((_, index) =>
          index === 0 ? { status, headers: { 'retry-after': '1800' } } : 200,
        )
        const id = await world.addWebhook({ uri: url })
        await world.queue(id, 1)
        const { deliverDue } = world.deliveries()
        const { failed, next } = await deliverDue()
        expect(failed).to.equal(1)
        expect(next?.getTime()).to.be.within(now() + 30 * MINUTE, now() + 33 * MINUTE)
        await world.queue(await world.addWebhook({ uri: `${url}?other` }), 1)
        world.clock.pass(30 * MINUTE - 1)
        for (const one of [deliverDue, world.deliveries().deliverDue]) {
          expect(await one()).to.include({ delivered: 0, failed: 0 })
        }
        world.clock.pass(3 * MINUTE + 1)
        expect(await deliverDue()).to.deep.equal({ delivered: 2, failed: 0, next: null })
        expect(received).to.have.length(3)
      })
    }

    it('is asked again as soon as it wants, and after the usual pauses if it refuses again', async () => {
      const { url } = await receiver(() => ({ status: 429, headers: { 'retry-after': '3' } }))
      await world.queue(await world.addWebhook({ uri: url }), 1)
      const { deliverDue } = world.deliveries()
      const waits: number[] = []
      for (const _ of [1, 2, 3]) {
        const { next } = await deliverDue()
        waits.push(((next?.getTime() ?? 0) - now()) / MINUTE)
        world.clock.set(next?.toISOString() ?? '')
      }
      expect(waits[0]).to.be.within(3 / 60, 3.3 / 60)
      expect(waits[1]).to.be.within(1, 1.1 + 1 / 60)
      expect(waits[2]).to.be.within(2, 2.2 + 1 / 60)
    })

    it('is asked no more while others are in flight to it, and loses none of what waits', async () => {
      const { url, received } = await receiver((_, index) =>
        index === 3 ? { status: 429, headers: { 'retry-after': '60' } } : 200,
      )
      await world.queue(await world.addWebhook({ uri: url }), 300)
      const { deliverDue } = world.deliveries()
      const { delivered, failed } = await deliverDue()
      expect(failed).to.equal(1)
      expect(delivered).to.be.below(40)
      world.clock.pass(1.1 * MINUTE)
      expect(await deliverDue()).to.deep.equal({ delivered: 300 - delivered, failed: 0, next: null })
      expect(received).to.have.length(301)
      expect(await world.rows('receiver_pauses')).to.have.length(1)
      world.clock.pass(MINUTE)
      await world.deliveries().purge()
      expect(await world.rows('receiver_pauses')).to.have.length(0)
    })
  })

  it('gives up a message at once that the receiver wants no more, and counts one failure', async () => {
    const { url, received } = await receiver((_, index) => (index === 0 ? 410 : 200))
    const id = await world.addWebhook({ uri: url })
    await world.queue(id, 1)
    const { deliverDue } = world.deliveries()
    expect(await deliverDue()).to.deep.equal({ delivered: 0, failed: 1, next: null })
    const [row] = await world.rows('channel_deliveries')
    expect(row).to.include({ attempts: 1, last_error: '410 Gone', state: 'failed' })
    expect(await world.rows('webhook_health')).to.have.nested.property('[0].failures', 1)
    expect(Boolean((await world.rows('webhooks'))[0]?.['disabled'])).to.equal(false)
    await world.queue(id, 1)
    expect(await deliverDue()).to.deep.equal({ delivered: 1, failed: 0, next: null })
    expect(received).to.have.length(2)
  })

  describe('a webhook that is disabled or gone', () => {
    it('drops what is queued when it is disabled', async () => {
      const { url, received } = await receiver()
      await world.queue(await world.addWebhook({ uri: url, disabled: true }), 3)
      expect(await world.deliveries().deliverDue()).to.deep.equal({ delivered: 0, failed: 0, next: null })
      expect(received).to.have.length(0)
      expect(await world.waiting()).to.deep.equal([])
    })

    it('drops what is queued when it has been deleted', async () => {
      await world.queue(404, 3)
      expect(await world.deliveries().deliverDue()).to.deep.equal({ delivered: 0, failed: 0, next: null })
      expect(await world.waiting()).to.deep.equal([])
    })

    it('drops at once in the transaction that disables it, and forgets failures in the one that enables it', async () => {
      const id = await world.addWebhook({ uri: 'http://127.0.0.1:9/' })
      await world.queue(id, 2)
      const { webhookChanged, deliverDue } = world.deliveries()
      await deliverDue()
      expect((await world.rows('webhook_health'))[0]).to.include({ failures: 2 })
      await webhookChanged(world.storage.knex, id, { wasDisabled: false, isDisabled: true })
      expect(await world.waiting()).to.deep.equal([])
      await webhookChanged(world.storage.knex, id, { wasDisabled: true, isDisabled: false })
      expect((await world.rows('webhook_health'))[0]).to.include({ failures: 0, failing_since: null })
    })

    it('is disabled by the service after 20 failures in a row over more than a week', async () => {
      const { url } = await receiver(() => 404)
      const id = await world.addWebhook({ uri: url })
      const told: string[] = []
      const { deliverDue, close } = world.deliveries({ wakeDispatch: (events) => told.push(...events) })
      for (let day = 0; day < 7; day += 1) {
        await deliverThree(id, deliverDue)
        const [webhook] = await world.rows('webhooks')
        expect(Boolean(webhook?.['disabled']), `day ${day}`).to.equal(false)
        world.clock.pass(DAY - 3 * MINUTE)
      }
      expect((await world.rows('webhook_health'))[0]).to.include({ failures: 21 })
      world.clock.pass(MINUTE)
      await world.queue(id, 3)
      await deliverDue()
      await close()
      const [webhook] = await world.rows('webhooks')
      expect(Boolean(webhook?.['disabled'])).to.equal(true)
      expect(webhook).to.include({ last_error: '404 Not Found', updated_at: '2026-11-28 09:01:00' })
      const [line, ...others] = await world.rows('audit_lines')
      expect(others).to.deep.equal([])
      expect(line).to.include({
        owner_type: 'webhook',
        action: 'update',
        account_id: 'acme',
        created_at: '2026-11-28 09:01:00',
      })
      expect(line).to.include({ origin: 'job', cause: 'failing deliveries', created_by_id: null })
      expect([Number(line?.['owner_id']), line?.['changes']]).to.deep.equal([id, '{"disabled":[false,true]}'])
      expect(await world.waiting()).to.deep.equal([])
      const events = (await world.rows('outbox')).map(({ account_id, audit_line_id, event, person_id, record_id }) => {
        return [event, account_id, Number(record_id), person_id, Number(audit_line_id)]
      })
      expect(events).to.deep.equal([['webhook.disabled', 'acme', id, null, Number(line?.['id'])]])
      expect(told).to.deep.equal(['webhook.disabled'])
      expect((await world.rows('webhook_health'))[0]).to.include({ failures: 0 })
      expect(world.mails.map(({ subject }) => subject)).to.include('Webhook Told of requests has been disabled')
    })

    it('is not disabled when one of the calls succeeds', async () => {
      const { url } = await receiver((_, index) => (index === 12 ? 200 : 500))
      const id = await world.addWebhook({ uri: url })
      const { deliverDue } = world.deliveries()
      for (let day = 0; day < 10; day += 1) {
        await deliverThree(id, deliverDue)
        world.clock.pass(DAY - 3 * MINUTE)
      }
      const [webhook] = await world.rows('webhooks')
      expect(Boolean(webhook?.['disabled'])).to.equal(false)
      expect(webhook?.['last_error']).to.equal(null)
    })
  })
})
