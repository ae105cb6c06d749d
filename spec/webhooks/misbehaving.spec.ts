/** Receivers that misbehave on real sockets, as the log of deliveries of a mounted desk explains them. */
import { createServer, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createServer as createTlsServer } from 'node:tls'
import { expect } from 'chai'
import Koa from 'koa'
import mount from 'koa-mount'
import type { ListedDelivery, ShownDelivery } from '../../plugin/deliveries/log/read-log.js'
import { withFurnished } from '../support/furnished.js'
import { type Misbehavior, misbehaviors, TIMED_OUT, TIMEOUT } from '../support/misbehaviors.js'
import { type RawReceiver, type RawRequest, startRawReceiver, type Way, written } from '../support/raw-receiver.js'
import { DAY, keptLog, MINUTE, settableClock } from '../support/webhooks.js'

/** A certificate that nobody trusts, and its key, until 2120. */
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBETCBuAIBATAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMBQxEj
AQBgNVBAMMCWxvY2FsaG9zdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABGTrTpDDTgJf5hT5nQUJa0ei8w5arTle1Rb6S141gKCKInXyex+U
Z5BrvpRaS0JfyEWKrF7/biG14OGfckjxdKMwCgYIKoZIzj0EAwIDSAAwRQIgFLu/rXDvQPreeg/BjszceN87irkQGz6s+aO1gLCGMEsCIQD6pT
XonChqMXgqSqzRn/0vGPndrLCtECtqfA/KxODqmA==
-----END CERTIFICATE-----`
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgg2vos5gVkhISLAw6b0/L+bCcO4jmwhqXP9BKP4806MehRANCAARk606Qw04CX+YU
+Z0FCWtHovMOWq05XtUW+kteNYCgiiJ18nsflGeQa76UWktCX8hFiqxe/24hteDhn3JI8XSj
-----END PRIVATE KEY-----`
/** Secrets of webhooks, of which the log must not show a part. */
const [PASSWORD, TOKEN, API_KEY] = ['pa55word', 's3cr3t-token', 'k3y-of-the-receiver']
const WELL: Way = { answer: (socket) => void socket.write(written('200 OK', [], 'well')) }
/** What no reason may contain: missing values, addresses, codes of Node, and words of libraries. */
const RAW = /undefined|null|NaN|\[object|\d+\.\d+\.\d+\.\d+|\bE[A-Z]{4,}|UND_ERR|HPE_|ERR_(?!SSL_)|\wError/
const MAX_ATTEMPTS = 10
const CHANGES = 40
const MEGABYTE = 2 ** 20
/** Seconds between the first two attempts, with the spread. */
const USUAL = [60, 67] as const

interface Webhook {
  readonly id: number
  readonly name: string
}

describe('receivers that misbehave', () => {
  // Later than the present, so that jobs do not find what waits due by the clock of the process.
  const clock = settableClock(new Date(Math.ceil(Date.now() / 1000) * 1000 + DAY).toISOString())
  const log = keptLog()
  const now = () => clock.now().getTime()
  const receivers: RawReceiver[] = []
  let ask: (method: string, path: string, body?: object) => Promise<unknown>
  let names = 0

  // Before the plugin is stopped.
  afterEach(async () => {
    for (const { id } of (await ask('GET', '/webhooks?per_page=100')) as { id: number }[])
      await ask('DELETE', `/webhooks/${id}`)
    for (const receiver of receivers.splice(0)) await receiver.close()
    expect(log.lines.filter(({ level }) => level === 'error')).to.deep.equal([])
  })
  const { database, furnished, serve, get } = withFurnished()
  beforeEach(async () => {
    log.lines.length = 0
    const { itsm, token } = await furnished({
      ...{ clock, log, sendMail: async () => {} },
      webhooks: { allowPrivateAddresses: true, timeoutMs: TIMEOUT },
    })
    const host = new Koa()
    host.use(mount('/api', itsm.app))
    const address = await serve(host)
    await itsm.start()
    ask = async (method, path, body) => {
      const json = body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
      const { status, body: answer } = await get(`${address}/api/v1${path}`, token, { method, ...json })
      expect(status, `${method} ${path}: ${JSON.stringify(answer)}`).to.be.within(200, 299)
      return answer
    }
  })
  async function receiver(...parts: Parameters<typeof startRawReceiver>): Promise<RawReceiver> {
    const started = await startRawReceiver(...parts)
    receivers.push(started)
    return started
  }
  async function webhook(uri: string, event: string, more: object = {}): Promise<Webhook> {
    const name = `Told ${++names}`
    return (await ask('POST', '/webhooks', { event, uri, name, ...more })) as Webhook
  }
  async function team(): Promise<number> {
    return ((await ask('POST', '/teams', { name: `Team ${++names}` })) as Webhook).id
  }
  const rename = (id: number) => ask('PATCH', `/teams/${id}`, { name: `Team ${++names}` })
  const waiting = async () =>
    (await ask('GET', '/deliveries?channel=webhook&state=waiting&per_page=100')) as readonly ListedDelivery[]
  const timeOf = ({ next_at }: ListedDelivery) => Date.parse(String(next_at))
  /** Waits until all events have their deliveries and nothing is due, and returns what is due later. */
  async function settled(): Promise<readonly ListedDelivery[]> {
    for (let tries = 0; tries < 1000; tries += 1) {
      const events: unknown[] = await database.knex('itsm_outbox').pluck('id')
      const found = await waiting()
      if (events.length === 0 && found.every((one) => timeOf(one) > now())) return found
      await sleep(10)
    }
    throw new Error(`Deliveries are due and not sent: ${JSON.stringify(await waiting())}`)
  }
  /** Moves the clock to the next repeats, those of a day later last. Returns false, and does nothing, without any. */
  async function moveOn(found: readonly ListedDelivery[]): Promise<boolean> {
    if (found.length === 0) return false
    const soon = found.filter((one) => timeOf(one) < now() + DAY / 2)
    const latest = Math.max(...(soon.length > 0 ? soon : found).map(timeOf))
    clock.set(new Date(latest + 1000).toISOString())
    return true
  }
  /** The deliveries of a webhook with their attempts, the oldest first. */
  async function shown({ id }: Webhook): Promise<readonly ShownDelivery[]> {
    const listed = (await ask('GET', `/webhooks/${id}/deliveries?sort=id&per_page=100`)) as readonly ListedDelivery[]
    const all: ShownDelivery[] = []
    for (const one of listed) all.push((await ask('GET', `/webhooks/${id}/deliveries/${one.id}`)) as ShownDelivery)
    return all
  }

  it('have each attempt explained, as often as they have counted it, and are well served when they are back', async () => {
    const ticks = await receiver(() => WELL)
    const ways = misbehaviors(new Date(now() + 30 * MINUTE), `${ticks.url}/elsewhere`)
    const hanging: Socket[] = []
    const heldUp: string[] = []
    let round = 1
    const bad = await receiver((name, index) => {
      const way = ways[name]
      if (!way || index >= turnsOf(way)) return WELL
      return {
        ...way,
        answer(socket, request) {
          const begun = round
          if (way.isLeft) hanging.push(socket)
          // Those that are waited for must not hold up the others.
          const isServed = () => (ticks.requests.get('tick')?.length ?? 0) >= begun
          if (way.reason === TIMED_OUT) socket.once('close', () => isServed() || heldUp.push(`${name} in round ${begun}`))
          way.answer(socket, request)
        },
      }
    })
    const place = (name: string) => `${bad.url.replace('//', `//ops:${PASSWORD}@`)}/${name}?token=${TOKEN}`
    const hooks: [name: string, way: Misbehavior, webhook: Webhook][] = []
    for (const [name, way] of Object.entries(ways)) {
      const more = { secret: true, headers: { 'X-Api-Key': API_KEY } }
      hooks.push([name, way, await webhook(place(name), 'team.create', more)])
    }
    await webhook(`${ticks.url}/tick`, 'team.update')
    const ticking = await team()
    await rename(ticking)

    let found = await settled()
    const start = now()
    const due = new Map(found.map((one) => [one.target, (timeOf(one) - start) / 1000]))
    while (await moveOn(found)) {
      round += 1
      await rename(ticking)
      found = await settled()
    }

    const wrong: string[] = []
    for (const [name, way, hook] of hooks) {
      const deliveries = await shown(hook)
      try {
        expect(deliveries.length).to.equal(1)
        for (const delivery of deliveries) {
          checkExplained(delivery)
          checkBehaved(way, delivery, bad.requests.get(name) ?? [], due.get(String(hook.id)))
        }
      } catch (error) {
        wrong.push(`${name}: ${(error as Error).message}`)
      }
    }
    expect(wrong, wrong.join('\n')).to.deep.equal([])
    expect(heldUp).to.deep.equal([])
    expect(ticks.requests.get('tick')).to.have.length(round)
    expect(ticks.requests.get('elsewhere')).to.equal(undefined)
    expect(hanging.filter(({ destroyed }) => !destroyed)).to.deep.equal([])
    const taken = Math.max(...hanging.map(({ bytesWritten }) => bytesWritten))
    expect(taken / MEGABYTE, 'of the gigabyte').to.be.below(32)
  }).timeout(60_000)

  it('with TLS, or without HTTP, have each attempt explained, and count as many connections', async () => {
    const none: Way = { answer: () => {} }
    const untrusted = (serve: (socket: Socket) => void) => createTlsServer({ cert: CERTIFICATE, key: KEY }, serve)
    const refusing = (serve: (socket: Socket) => void) => createTlsServer({ maxVersion: 'TLSv1.1', minVersion: 'TLSv1' }, serve)
    const greeting = () => createServer((socket) => socket.on('data', () => {}).write('220 mail.example ESMTP\r\n'))
    const closing = () => createServer((socket) => socket.end())
    const plain = () => createServer((socket) => socket.on('data', () => {}).once('data', () => socket.end(written('400 No'))))
    const servers: readonly (readonly [scheme: string, server: (serve: (socket: Socket) => void) => Server, reason: RegExp])[] =
      [
        ['https', untrusted, /^TLS problem: DEPTH_ZERO_SELF_SIGNED_CERT$/],
        ['https', refusing, /^TLS problem: ERR_SSL_[A-Z0-9_]+$/],
        ['https', plain, /^TLS problem: ERR_SSL_[A-Z0-9_]+$/],
        ['https', greeting, /^TLS problem: ERR_SSL_[A-Z0-9_]+$/],
        ['https', closing, /^Connection closed by the receiver$/],
        ['http', untrusted, /^Connection closed by the receiver$/],
        ['http', closing, /^Connection closed by the receiver$/],
        ['http', greeting, /^The response is not HTTP$/],
      ]
    const started: [receiver: RawReceiver, hook: Webhook, reason: RegExp][] = []
    for (const [scheme, server, reason] of servers) {
      const one = await receiver(() => none, server)
      started.push([one, await webhook(one.url.replace('http', scheme), 'team.create'), reason])
    }
    await webhook(`${(await receiver(() => WELL)).url}/tick`, 'team.update')
    const ticking = await team()
    while (await moveOn(await settled())) await rename(ticking)
    for (const [index, [one, hook, reason]] of started.entries()) {
      const [delivery] = await shown(hook)
      if (!delivery) throw new Error(`There is no delivery to ${one.url}`)
      checkExplained(delivery)
      for (const attempt of delivery.log) expect(attempt.reason, `server ${index}`).to.match(reason)
      expect(delivery, `server ${index}`).to.include({ state: 'failed', attempts: MAX_ATTEMPTS })
      expect(one.connections, `server ${index}`).to.equal(MAX_ATTEMPTS)
    }
  })

  it('and close connections while they are used again lose nothing, and have the attempts explained that they have not counted', async () => {
    const closes = await receiver(() => ({
      answer(socket) {
        socket.write(written('200 OK', [], 'well'))
        // As if it had closed the connection before the next request came.
        socket.removeAllListeners('data').once('data', () => socket.resetAndDestroy())
      },
    }))
    const hook = await webhook(`${closes.url}/hook`, 'person.update')
    const { id } = (await ask('POST', '/people', { name: 'Grace', primary_email: 'grace@acme.example' })) as Webhook
    for (let n = 1; n <= CHANGES; n += 1) await ask('PATCH', `/people/${id}`, { name: `Grace ${n}` })
    await webhook(`${(await receiver(() => WELL)).url}/tick`, 'team.create')
    while (await moveOn(await settled())) await team()
    const all = await shown(hook)
    expect(all.map(({ state }) => state)).to.deep.equal(Array.from({ length: CHANGES }, () => 'sent'))
    for (const one of all) {
      checkExplained(one)
      for (const { reason } of one.log.slice(0, -1)) expect(reason).to.equal('Connection closed by the receiver')
    }
    expect(Math.max(...all.map(({ attempts }) => attempts))).to.be.above(1)
    const ids = all.map(({ request }) => request?.headers['webhook-id'])
    const counted = (closes.requests.get('hook') ?? []).map(({ headers }) => headers['webhook-id'])
    expect(counted.toSorted()).to.deep.equal(ids.toSorted())
  })

  it('with one URL for two webhooks serve the one that they want, although they refuse the other one', async () => {
    let refused = 0
    const both = await receiver(() => ({
      answer(socket, { body }) {
        const isRefused = new URLSearchParams(body).get('webhook_id') === String(refused)
        socket.write(isRefused ? written('410 Gone') : written('200 OK'))
      },
    }))
    const wanted = await webhook(`${both.url}/hook`, 'team.create')
    const unwanted = await webhook(`${both.url}/hook`, 'team.update')
    refused = unwanted.id
    for (let n = 1; n <= 8; n += 1) {
      await rename(await team())
      expect(await settled(), `after ${n}`).to.deep.equal([])
    }
    for (const [hook, state] of [
      [wanted, 'sent'],
      [unwanted, 'failed'],
    ] as const) {
      const all = await shown(hook)
      for (const one of all) checkExplained(one)
      expect(all.map((one) => [one.state, one.attempts])).to.deep.equal(Array.from({ length: 8 }, () => [state, 1]))
    }
    expect(both.requests.get('hook')).to.have.length(16)
  })
})

/** Number of requests that are answered in a bad way. */
function turnsOf({ isFinal, reason, turns = 2 }: Misbehavior): number {
  return isFinal || reason === null ? 1 : turns
}

/** Checks what is true of each attempt, whatever its receiver does. */
function checkExplained({ attempts, last_error, log, request, state }: ShownDelivery): void {
  expect(log.length).to.equal(attempts)
  for (const [index, { answer, milliseconds, reason, status }] of log.entries()) {
    expect(reason === null, `${reason}`).to.equal(state === 'sent' && index === log.length - 1)
    expect(reason ?? '')
      .to.match(/^[\x20-\x7e]*$/)
      .and.not.match(RAW)
    if (reason === null) expect(status).to.be.within(200, 299)
    expect(answer ?? '').to.not.match(/[^\P{Cc}\t\n\r]/u)
    expect(milliseconds).to.be.within(0, 20 * TIMEOUT)
  }
  expect(last_error).to.equal(log.at(-1)?.reason)
  for (const secret of [PASSWORD, TOKEN, API_KEY, 'v1,', btoa(`ops:${PASSWORD}`)])
    expect(JSON.stringify({ log, request })).to.not.contain(secret)
}

/** Checks what follows from a misbehavior. @param due seconds between the first two attempts */
function checkBehaved(way: Misbehavior, delivery: ShownDelivery, counted: readonly RawRequest[], due?: number): void {
  const { attempts, log, request, state } = delivery
  const turns = turnsOf(way)
  const isBack = way.reason !== null && !way.isFinal && turns < MAX_ATTEMPTS
  const told = log.slice(0, turns).map(({ reason, status }) => `${status}: ${reason}`)
  expect(told.join('\n')).to.equal(Array.from({ length: turns }, () => `${way.status}: ${way.reason}`).join('\n'))
  expect(attempts).to.equal(turns + (isBack ? 1 : 0))
  expect(state).to.equal(way.reason === null || isBack ? 'sent' : 'failed')
  for (const { answer } of log.slice(0, turns)) {
    if (way.shown instanceof RegExp) expect(answer ?? '').to.match(way.shown)
    else expect(answer).to.equal(way.shown ?? null)
  }
  if (isBack) expect(log.at(-1)).to.include({ status: 200, reason: null, answer: 'well' })
  // The receiver has the same figures.
  const id = request?.headers['webhook-id']
  expect(counted.map(({ headers }) => headers['webhook-id'])).to.deep.equal(Array.from({ length: attempts }, () => id))
  if (way.reason === null || way.isFinal) expect(due).to.equal(undefined)
  else expect(due).to.be.within(...(way.due ?? USUAL))
}
