/**
 * Two processes, each on its own node of a cluster whose nodes all take writes: row locks are local to a node there, and a conflict
 * shows as a deadlock at the commit. Nothing is lost, nothing is done twice, timers included, and everything flows; nor does it
 * matter that a process or a node is killed in the middle. Skipped without CLUSTER_URLS.
 */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { openStorage, type Storage } from '../../plugin/storage/database/connections.js'
import { type ChildHost, startChildHost } from '../support/child-host.js'
import { type Receiver, startReceiver } from '../support/receiver.js'
import { findCluster } from '../support/servers.js'

const { urls } = findCluster()
const [FIRST_NODE = '', SECOND_NODE = '', THIRD_NODE = ''] = urls
/** Rows of a file, and calls of a client at the other node meanwhile. After a kill, some of the rows are saved one by one. */
const ROWS = 1500
const ROWS_WITH_A_KILL = 600
const CALLS = 150
const AT_ONCE = 6
/** Requests that wait for a moment. */
const WAITING = 30
/** More than a page: a process is killed in the middle. */
const WAITING_WITH_A_KILL = 300
/** Longer than a busy machine stands still: what a process that was taken for dead has sent is sent twice. */
const TAKE_OVER_MS = '6000'
/** Milliseconds after which all events must have arrived, once the last of them is committed. */
const FLOWS_WITHIN = 15_000

describe('two processes on a cluster', function () {
  this.timeout(120_000)
  if (urls.length < 2) return
  const name = `itsm_test_${process.env['KOA_ITSM_TEST_RUN'] ?? ''}${randomBytes(4).toString('hex')}`
  const urlOf = (node: string) => Object.assign(new URL(node), { pathname: `/${name}` }).href
  let storage: Storage
  let receiver: Receiver
  let hosts: ChildHost[]

  before(async () => {
    await onServer((server) => server.knex.raw('create database ??', [name]))
    storage = openStorage({ url: urlOf(FIRST_NODE) }, 'itsm_')
    receiver = await startReceiver()
    const first = await startChildHost(urlOf(FIRST_NODE), undefined, {
      listens: true,
      env: { SPEC_TAKE_OVER_MS: TAKE_OVER_MS },
    })
    hosts = [
      first,
      await startChildHost(urlOf(SECOND_NODE), undefined, { listens: true, env: { SPEC_TAKE_OVER_MS: TAKE_OVER_MS } }),
    ]
    await quiet(10_000)
    const hook = await first.call('POST', '/webhooks', { event: 'person.create', uri: `${receiver.url}/created` })
    expect(hook.status).to.equal(201)
  })
  beforeEach(() => {
    receiver.received.length = 0
  })
  after(async () => {
    await Promise.all(hosts.map((host) => host.kill().catch(() => undefined)))
    await receiver.close()
    await storage.close()
    await onServer((server) => server.knex.raw('drop database if exists ??', [name]))
  })

  async function onServer(work: (server: Storage) => PromiseLike<unknown>): Promise<void> {
    const server = openStorage({ url: FIRST_NODE, pool: { max: 1 } }, '')
    try {
      await work(server)
    } finally {
      await server.close()
    }
  }

  const rowsIn = async (table: string) => Number((await storage.knex(`itsm_${table}`).count({ count: '*' }))[0]?.['count'])
  const waiting = async () => {
    const deliveries = storage.knex('itsm_channel_deliveries').where({ state: 'waiting' })
    return (await rowsIn('outbox')) + (await deliveries.pluck('id')).length
  }

  /** Resolves when nothing waits to be handed on; fails when that takes longer. */
  async function quiet(within: number): Promise<void> {
    const deadline = Date.now() + within
    for (;;) {
      const left = await waiting()
      if (left === 0) return
      if (Date.now() > deadline) throw new Error(`${left} rows still wait after ${within} ms`)
      await sleep(100)
    }
  }

  async function submit(host: ChildHost, prefix: string, count: number): Promise<string> {
    const lines = Array.from({ length: count }, (_, index) => `${prefix}${index}@acme.example,${prefix} ${index}`)
    const form = new FormData()
    form.set('type', 'people')
    form.set('file', new Blob([['Primary Email,Name', ...lines].join('\r\n')], { type: 'text/csv' }), 'people.csv')
    const { status, body } = await host.call('POST', '/import', form)
    expect(status).to.equal(200)
    return String(body['token'])
  }

  async function untilEnd(host: ChildHost, token: string): Promise<unknown> {
    for (;;) {
      const { body } = await host.call('GET', `/import/${token}`)
      if (body['state'] === 'done' || body['state'] === 'error') return body['results']
      await sleep(100)
    }
  }

  async function untilUnderWay(host: ChildHost, token: string): Promise<void> {
    for (;;) {
      const { body } = await host.call('GET', `/import/${token}`)
      expect(body['state']).to.be.oneOf(['queued', 'processing'])
      if (body['state'] === 'processing' && Number(body['line']) > 1) return
      await sleep(5)
    }
  }

  async function callsTo(host: ChildHost, prefix: string, count: number): Promise<void> {
    let next = 0
    const client = async () => {
      for (let index = next++; index < count; index = next++) {
        const person = { name: `${prefix} ${index}`, primary_email: `${prefix}${index}@acme.example` }
        const { status } = await host.call('POST', '/people', person)
        expect(status).to.equal(201)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, client))
  }

  /** Requests that wait until the moment; made at any of the nodes. */
  async function waitUntil(moment: Date, count: number, prefix: string): Promise<readonly number[]> {
    const at = hosts.filter(({ process }) => process.exitCode === null && process.signalCode === null)
    team ||= Number((await at[0]?.call('POST', '/teams', { name: 'Desk' }))?.body['id'])
    const ids: number[] = []
    let next = 0
    const client = async () => {
      for (let index = next++; index < count; index = next++) {
        const waiting = { status: 'waiting_for', waiting_until: moment.toISOString(), category: 'other', team_id: team }
        const made = await at[index % at.length]?.call('POST', '/requests', { subject: `${prefix} ${index}`, ...waiting })
        expect(made?.status, JSON.stringify(made?.body)).to.equal(201)
        ids.push(Number(made?.body['id']))
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, client))
    return sorted(ids)
  }
  let team = 0

  const dueRequest = () => {
    const past = { status: 'waiting_for', waiting_until: '2020-01-01T00:00:00Z', category: 'other', team_id: team }
    return { subject: 'Wakes the timers', ...past }
  }

  const makeDue = (ids: readonly number[]) =>
    storage.knex('itsm_requests').whereIn('id', ids).update({ waiting_until: '2020-01-01 00:00:00' })

  const stillWaiting = async (ids: readonly number[]): Promise<number> => {
    const waiting = storage.knex('itsm_requests').whereIn('id', ids).where({ status: 'waiting_for' })
    return Number((await waiting.count({ count: '*' }))[0]?.['count'])
  }

  async function untilAssigned(ids: readonly number[], within: number): Promise<void> {
    const deadline = Date.now() + within
    for (let left = await stillWaiting(ids); left > 0; left = await stillWaiting(ids)) {
      if (Date.now() > deadline) throw new Error(`${left} requests still wait after ${within} ms`)
      await sleep(100)
    }
    const lines: { owner_id: unknown; changes: string }[] = await storage
      .knex('itsm_audit_lines')
      .where({ owner_type: 'request', action: 'update' })
      .whereIn('owner_id', ids)
      .select('owner_id', 'changes')
    expect(sorted(lines.map(({ owner_id }) => Number(owner_id)))).to.deep.equal(ids)
    for (const { changes } of lines) expect(JSON.parse(changes).status).to.deep.equal(['waiting_for', 'assigned'])
  }

  const idsOf = async (...prefixes: readonly string[]): Promise<number[]> => {
    const rows: { id: unknown }[] = await storage
      .knex('itsm_people')
      .where((any) => {
        for (const prefix of prefixes) any.orWhere('name', 'like', `${prefix} %`)
      })
      .select('id')
    return sorted(rows.map(({ id }) => Number(id)))
  }
  const arrived = () => sorted(receiver.received.map(({ body }) => Number(body['object_id'])))
  const created = (count: number) => ({ created: count, updated: 0, deleted: 0, unchanged: 0, failures: 0, errors: 0 })

  it('lose nothing, do nothing twice, and keep up', async () => {
    const [first, second] = hosts as [ChildHost, ChildHost]
    const before = hosts.map(({ heard }) => heard.length)
    const token = await submit(first, 'Row', ROWS)
    await callsTo(second, 'Call', CALLS)
    // Whichever process works on it.
    expect(await untilEnd(second, token)).to.deep.equal(created(ROWS))
    await quiet(FLOWS_WITHIN)
    const ids = await idsOf('Row', 'Call')
    expect(ids).to.have.length(ROWS + CALLS)
    expect(arrived()).to.deep.equal(ids)
    await sleep(200)
    expect(sorted(hosts.flatMap(({ heard }, index) => heard.slice(before[index])))).to.deep.equal(ids)
  })

  it('fire each timer once, at its moment', async () => {
    const until = new Date(Math.ceil(Date.now() / 1000) * 1000 + 7000)
    const ids = await waitUntil(until, WAITING, 'Timer')
    const waiting = await stillWaiting(ids)
    // A busy machine may have taken longer to make them.
    if (Date.now() < until.getTime()) expect(waiting).to.equal(WAITING)
    await sleep(Math.max(0, until.getTime() - Date.now()))
    await untilAssigned(ids, 10_000)
  })

  it('fire each timer once when one of them is killed in the middle', async () => {
    const doomed = await startChildHost(urlOf(SECOND_NODE), undefined, { env: { SPEC_TAKE_OVER_MS: TAKE_OVER_MS } })
    hosts.push(doomed)
    const ids = await waitUntil(new Date(Date.now() + 3600_000), WAITING_WITH_A_KILL, 'Doomed')
    await makeDue(ids)
    // Only a save wakes the timers before the sweep, so the process that saves is the one that fires.
    await doomed.call('POST', '/requests', dueRequest())
    for (let left = ids.length; left === ids.length; left = await stillWaiting(ids)) await sleep(5)
    await doomed.kill()
    expect(await stillWaiting(ids)).to.be.above(0)
    await untilAssigned(ids, 30_000)
  })

  it('go on when one of them is killed in the middle: it is all there once, and all arrives', async () => {
    const [first, second] = hosts as [ChildHost, ChildHost]
    const token = await submit(second, 'Kill', ROWS_WITH_A_KILL)
    await untilUnderWay(first, token)
    const calls = callsTo(first, 'Meanwhile', CALLS)
    await second.kill()
    await calls
    expect(await untilEnd(first, token)).to.deep.equal(created(ROWS_WITH_A_KILL))
    await quiet(FLOWS_WITHIN)
    const ids = await idsOf('Kill', 'Meanwhile')
    expect(ids).to.have.length(ROWS_WITH_A_KILL + CALLS)
    // What was sent and not acknowledged by the process that died comes once more.
    expect(sorted([...new Set(arrived())])).to.deep.equal(ids)
    expect(receiver.received.length).to.be.below(ids.length + 1000)
  })

  it('go on when the node of one is killed: it is all there once, and all arrives', async function () {
    const kill = process.env['CLUSTER_KILL']
    if (!kill || THIRD_NODE === '') return this.skip()
    const [first] = hosts as [ChildHost]
    // It says all the time that its database is away.
    const env = { SPEC_TAKE_OVER_MS: TAKE_OVER_MS, ITSM_LOG_LEVEL: 'silent' }
    const third = await startChildHost(urlOf(THIRD_NODE), undefined, { listens: true, env })
    hosts[1] = third
    const waiting = await waitUntil(new Date(Date.now() + 3600_000), WAITING, 'Node')
    const token = await submit(third, 'Node', ROWS_WITH_A_KILL)
    await untilUnderWay(first, token)
    await makeDue(waiting)
    await third.call('POST', '/requests', dueRequest())
    await promisify(execFile)('/bin/sh', ['-c', `${kill} ${new URL(THIRD_NODE).port}`])
    expect(await untilEnd(first, token)).to.deep.equal(created(ROWS_WITH_A_KILL))
    await quiet(FLOWS_WITHIN)
    const ids = await idsOf('Node')
    expect(ids).to.have.length(ROWS_WITH_A_KILL)
    expect(sorted([...new Set(arrived())])).to.deep.equal(ids)
    await untilAssigned(waiting, 30_000)
    // Its process lives on, without a database.
    expect(third.process.exitCode).to.equal(null)
  })
})

function sorted(ids: readonly number[]): number[] {
  return ids.toSorted((one, other) => one - other)
}
