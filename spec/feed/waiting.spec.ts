/** Long polls: what ends them, and what they cost while they wait. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { createArrivals, MAX_OF_PERSON } from '../../plugin/feed/arrivals.js'
import { countStatements } from '../support/count-statements.js'
import { relayEvents, type Told } from '../support/feed.js'
import { withMounted } from '../support/mounted.js'

const CALL_MS = 1000
const PASSWORD = 'correct horse battery'

describe('GET /feed with wait', () => {
  const mounted = withMounted('mounted under a prefix', { timeouts: { callMs: CALL_MS } })
  const { ask } = mounted
  const id = (name: string) => mounted.world.id(name)
  const basic = (token: string) => `Basic ${Buffer.from(`${token}:x`).toString('base64')}`
  /** Waits on a connection of its own, unlike `ask`. */
  const poll = async (path: string, more: { as?: string; authorization?: string; signal?: AbortSignal } = {}) => {
    const { as = '@owen', authorization = basic(mounted.world.token(as)), signal } = more
    const began = performance.now()
    const headers = { Authorization: authorization }
    const reply = await fetch(`${mounted.baseUrl}${path}`, signal ? { headers, signal } : { headers })
    const json = (await reply.json()) as readonly Told[]
    return { status: reply.status, json, link: reply.headers.get('link') ?? '', took: performance.now() - began }
  }
  const happens = async (as = '@sam', name = '@mail-is-slow') => {
    await ask(as, 'PATCH', `/requests/${id(name)}`, { subject: `It happens ${Math.random()}` })
    await relayEvents(mounted.database.storage)
  }
  beforeEach(async () => {
    for (const table of ['outbox', 'messages']) await mounted.database.knex(mounted.database.storage.table(table)).delete()
    await happens()
  })

  it('ends when a message comes', async () => {
    const polled = poll('/feed?wait=20')
    await sleep(300)
    await happens()
    const { status, json, link, took } = await polled
    expect([status, json.length, took < 10_000]).to.deep.equal([200, 1, true])
    expect(json[0]?.changes).to.have.property('subject')
    expect(link).to.match(/after=2&per_page=100&wait=20>; rel="next"$/)
  }).timeout(20_000)

  it('does not wait if there is something already', async () => {
    const { json, took } = await poll('/feed?after=0&wait=20')
    expect([json.length, took < 3000]).to.deep.equal([1, true])
  })

  it('ends with nothing when its time is over, which is not time of the call', async () => {
    const { status, json, link, took } = await poll('/feed?wait=2')
    expect([status, json]).to.deep.equal([200, []])
    expect(took).to.be.within(1950, 5000)
    expect(link).to.contain('after=1&')
  }).timeout(20_000)

  it('does not end for messages that the caller does not see, but moves past them', async () => {
    const polled = poll('/feed?wait=3')
    await sleep(300)
    await happens('@stan', '@stranger-request')
    const { status, json, link, took } = await polled
    expect([status, json, took > 2900]).to.deep.equal([200, [], true])
    expect(link).to.contain('after=2&')
  }).timeout(20_000)

  it('is refused when the credentials have ended meanwhile', async () => {
    await mounted.itsm.credentials.setPassword(id('@owen'), PASSWORD)
    const email = String(mounted.world.record('@owen').body['primary_email'])
    const signIn = { Authorization: `Basic ${Buffer.from(`${email}:${PASSWORD}`).toString('base64')}` }
    const made = await ask(null, 'POST', '/me/tokens', { name: 'short', record_types: ['feed'] }, signIn)
    const { id: tokenId, token } = made.json as { id: number; token: string }
    const polled = poll('/feed?wait=20', { authorization: `Bearer ${token}` })
    await sleep(300)
    await ask(null, 'DELETE', `/me/tokens/${tokenId}`, undefined, signIn)
    await happens()
    expect((await polled).status).to.equal(401)
  }).timeout(20_000)

  it('looks once a second for all who wait, and takes no place longer than its client', async () => {
    const statements = countStatements(mounted.database.knex)
    const client = new AbortController()
    const waiting = Array.from({ length: MAX_OF_PERSON }, () =>
      poll('/feed?wait=20', { signal: client.signal }).catch(() => null),
    )
    await sleep(500)
    const full = await poll('/feed?wait=1')
    expect(full.status).to.equal(429)
    expect((await poll('/feed')).status).to.equal(200)
    expect(await statements.during(() => sleep(2500))).to.be.within(1, 4)
    client.abort()
    await Promise.all(waiting)
    await sleep(300)
    expect(await statements.during(() => sleep(1500))).to.equal(0)
    expect((await poll('/feed?wait=1')).status).to.equal(200)
  }).timeout(20_000)

  it('ends when the plugin stops', async () => {
    const polled = poll('/feed?wait=20')
    await sleep(500)
    const stopped = mounted.itsm.stop()
    const { status, json, link, took } = await polled
    expect([status, json, took < 10_000]).to.deep.equal([200, [], true])
    expect(link).to.contain('after=1&')
    await stopped
  }).timeout(20_000)
})

describe('feed/arrivals', () => {
  const never = new AbortController().signal

  it('passes on what the look at the table throws', async () => {
    const arrivals = createArrivals({ newest: () => Promise.reject(new Error('away')), everyMs: 10 })
    const place = arrivals.enter(1)
    const failure = await place.arrival(0, 5000, never).then(String, String)
    expect(failure).to.equal('Error: away')
    place.leave()
  })

  it('does not begin to wait when it is closed, or the client is gone', async () => {
    const arrivals = createArrivals({ newest: async () => 1, everyMs: 10 })
    expect(await arrivals.enter(1).arrival(0, 5000, AbortSignal.abort())).to.equal(false)
    expect(await arrivals.enter(1).arrival(0, 5000, never)).to.equal(true)
    arrivals.close()
    expect(await arrivals.enter(2).arrival(0, 5000, never)).to.equal(false)
  })

  it('has a bounded number of places', () => {
    const arrivals = createArrivals({ newest: async () => 0 })
    const places = Array.from({ length: 500 }, (_, person) => arrivals.enter(person))
    expect(() => arrivals.enter(1000)).to.throw('Too Many Requests')
    places[0]?.leave()
    expect(() => arrivals.enter(1000)).to.not.throw()
  })
})
