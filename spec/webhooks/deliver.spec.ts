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
    expect(await world.rows('deliveries')).to.deep.equal([])
    expect(world.mails).to.deep.equal([])
  })

  it('does nothing when nothing is queued', async () => {
    expect(await world.deliveries().deliverDue()).to.deep.equal({ delivered: 0, failed: 0, next: null })
  })

  it('repeats a failed delivery after 1, 2, 4 … 256 minutes and drops it after the tenth failure', async () => {
    const { url, received } = await receiver(() => 500)
    await world.queue(await world.addWebhook({ uri: url }), 1)
    const { deliverDue } = world.deliveries()
    const waits: (number | null)[] = []
    for (let attempt = 1; attempt <= 10; attempt += 1) {
      const { failed, next } = await deliverDue()
      expect(failed).to.equal(1)
      waits.push(next && (next.getTime() - now()) / MINUTE)
      const [row] = await world.rows('deliveries')
      expect(row).to.include({ attempts: attempt, last_error: '500 Internal Server Error' })
      if (!next) break
      // Nothing is sent before its time.
      world.clock.set(new Date(next.getTime() - 1).toISOString())
      expect(await deliverDue()).to.deep.equal({ delivered: 0, failed: 0, next })
      world.clock.set(next.toISOString())
    }
    expect(waits).to.deep.equal([1, 2, 4, 8, 16, 32, 64, 128, 256, null])
    expect(received).to.have.length(10)
    const [row] = await world.rows('deliveries')
    expect(row?.['dropped_at']).to.equal('2026-11-21 17:31:00.000')
    world.clock.pass(30 * DAY)
    expect(await deliverDue()).to.deep.equal({ delivered: 0, failed: 0, next: null })
    expect(received).to.have.length(10)
  })

  it('forgets dropped messages after 30 days', async () => {
    const id = await world.addWebhook({ uri: 'http://127.0.0.1:9/' })
    await world.queue(id, 1, { dropped_at: '2026-11-20 00:00:00.000' })
    const { purgeDropped } = world.deliveries()
    expect(await purgeDropped()).to.equal(0)
    world.clock.pass(30 * DAY)
    expect(await purgeDropped()).to.equal(1)
  })

  it('succeeds when a receiver is back', async () => {
    const { url, received } = await receiver((_, index) => (index === 0 ? 503 : 204))
    const id = await world.addWebhook({ uri: url })
    await world.queue(id, 1)
    const { deliverDue } = world.deliveries()
    expect(await deliverDue()).to.include({ delivered: 0, failed: 1 })
    expect(await world.rows('webhook_health')).to.have.nested.property('[0].failures', 1)
    world.clock.pass(MINUTE)
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
    expect((await world.rows('deliveries'))[0]).to.include({ last_error: 'Timeout after 0.2 seconds' })
  })

  it('counts redirects, closed and refused connections as failed', async () => {
    const target = await receiver()
    const moved = await receiver(() => ({ status: 302, headers: { location: target.url } }))
    const closing = await receiver(() => 'close')
    const gone = await startReceiver()
    await gone.close()
    for (const { url } of [moved, closing, gone]) await world.queue(await world.addWebhook({ uri: url }), 1)
    expect(await world.deliveries().deliverDue()).to.include({ delivered: 0, failed: 3 })
    const errors = (await world.rows('deliveries')).map((row) => row['last_error'])
    expect(errors).to.deep.equal(['302 Found', 'Connection closed by the receiver', 'Connection refused'])
    expect(target.received).to.have.length(0)
  })

  it('does not reach private addresses', async () => {
    const { url, received } = await receiver()
    await world.queue(await world.addWebhook({ uri: url }), 1)
    await world.deliveries({ allowPrivateAddresses: false }).deliverDue()
    expect((await world.rows('deliveries'))[0]).to.include({ last_error: 'Address is not public' })
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
    expect((await world.rows('deliveries')).map((row) => row['body'])).to.deep.equal(['number=1'])
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
    expect(await world.rows('deliveries')).to.have.length(50 - delivered)
    expect(await world.held('receiver')).to.deep.equal([])
    await world.deliveries().deliverDue()
    expect(received).to.have.length(50)
  })

  it('rejects when the database fails, and delivers when it is back', async () => {
    const { url, received } = await receiver()
    await world.queue(await world.addWebhook({ uri: url }), 1)
    const { knex, table } = world.storage
    const { deliverDue } = world.deliveries()
    await knex.schema.renameTable(table('deliveries'), table('deliveries_away'))
    const error = await deliverDue().then(
      () => null,
      (error) => error,
    )
    await knex.schema.renameTable(table('deliveries_away'), table('deliveries'))
    expect(error).to.be.instanceOf(Error)
    expect(await deliverDue()).to.include({ delivered: 1 })
    expect(received).to.have.length(1)
  })

  describe('a webhook that is disabled or gone', () => {
    it('drops what is queued when it is disabled', async () => {
      const { url, received } = await receiver()
      await world.queue(await world.addWebhook({ uri: url, disabled: true }), 3)
      expect(await world.deliveries().deliverDue()).to.deep.equal({ delivered: 0, failed: 0, next: null })
      expect(received).to.have.length(0)
      expect(await world.rows('deliveries')).to.deep.equal([])
    })

    it('drops what is queued when it has been deleted', async () => {
      await world.queue(404, 3)
      expect(await world.deliveries().deliverDue()).to.deep.equal({ delivered: 0, failed: 0, next: null })
      expect(await world.rows('deliveries')).to.deep.equal([])
    })

    it('drops at once in the transaction that disables it, and forgets failures in the one that enables it', async () => {
      const id = await world.addWebhook({ uri: 'http://127.0.0.1:9/' })
      await world.queue(id, 2)
      const { webhookChanged, deliverDue } = world.deliveries()
      await deliverDue()
      expect((await world.rows('webhook_health'))[0]).to.include({ failures: 2 })
      await webhookChanged(world.storage.knex, id, { wasDisabled: false, isDisabled: true })
      expect(await world.rows('deliveries')).to.deep.equal([])
      await webhookChanged(world.storage.knex, id, { wasDisabled: true, isDisabled: false })
      expect((await world.rows('webhook_health'))[0]).to.include({ failures: 0, failing_since: null })
    })

    it('is disabled by the service after 20 failures in a row over more than a week', async () => {
      const { url } = await receiver(() => 404)
      const id = await world.addWebhook({ uri: url })
      const { deliverDue, close } = world.deliveries()
      for (let day = 0; day < 8; day += 1) {
        await world.queue(id, 3)
        await deliverDue()
        const [webhook] = await world.rows('webhooks')
        expect(Boolean(webhook?.['disabled']), `day ${day}`).to.equal(false)
        world.clock.pass(DAY)
        // Repetitions would only add to the failures.
        await world.storage.knex(world.storage.table('deliveries')).delete()
      }
      expect((await world.rows('webhook_health'))[0]).to.include({ failures: 24 })
      await world.queue(id, 3)
      await deliverDue()
      await close()
      const [webhook] = await world.rows('webhooks')
      expect(Boolean(webhook?.['disabled'])).to.equal(true)
      expect(webhook).to.include({ last_error: '404 Not Found', updated_at: '2026-11-29 09:00:00' })
      const [line, ...others] = await world.rows('audit_lines')
      expect(others).to.deep.equal([])
      expect(line).to.include({
        owner_type: 'webhook',
        action: 'update',
        account_id: 'acme',
        created_at: '2026-11-29 09:00:00',
      })
      expect(line).to.include({ origin: 'job', cause: 'failing deliveries', created_by_id: null })
      expect([Number(line?.['owner_id']), line?.['changes']]).to.deep.equal([id, '{"disabled":[false,true]}'])
      expect(await world.rows('deliveries')).to.deep.equal([])
      expect((await world.rows('webhook_health'))[0]).to.include({ failures: 0 })
      expect(world.mails.map(({ subject }) => subject)).to.include('Webhook Told of requests has been disabled')
    })

    it('is not disabled when one of the calls succeeds', async () => {
      const { url } = await receiver((_, index) => (index === 12 ? 200 : 500))
      const id = await world.addWebhook({ uri: url })
      const { deliverDue } = world.deliveries()
      for (let day = 0; day < 10; day += 1) {
        await world.queue(id, 3)
        await deliverDue()
        world.clock.pass(DAY)
        await world.storage.knex(world.storage.table('deliveries')).delete()
      }
      const [webhook] = await world.rows('webhooks')
      expect(Boolean(webhook?.['disabled'])).to.equal(false)
      expect(webhook?.['last_error']).to.equal(null)
    })
  })
})
