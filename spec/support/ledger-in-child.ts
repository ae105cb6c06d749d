/**
 * A host with tables of its own, in a separate process which a spec may kill. It saves records by its own API, where a hook writes a
 * ledger, and records in its own transactions, with its orders. Arguments: database URL, API token. Sends `{ working: true }` once
 * every worker has done something, and `{ unexpected }` for whatever should not happen.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import Koa from 'koa'
import { createPlugin, type InTransactionHook, Invalid, TransactionLost } from '../../plugin/index.js'
import { hostPool } from './host-pool.js'
import { silent, TEST_SECRET } from './settings.js'

const [, , url = '', token = ''] = process.argv
const pool = hostPool(url)
const readCommitted = url.startsWith('sqlite:') ? {} : { isolationLevel: 'read committed' as const }
const happens = (probability: number) => Math.random() < probability

/** What the workers do when they undo it. */
class ChangedItsMind extends Error {}

const writeLedger: InTransactionHook = async ({ after, before, db, id, type }) => {
  await db('ledger').insert({ type, record_id: id, was: before?.['name'] ?? null, became: after?.['name'] ?? null })
  if (happens(0.15)) throw new Invalid([['base', 'The ledger is closed']])
}
const itsm = createPlugin({
  baseUrl: 'http://127.0.0.1:9/v1',
  allowInsecure: true,
  secret: TEST_SECRET,
  log: silent,
  database: { knex: pool },
  rateLimit: { perHour: 100_000_000, burst: false },
  inTransaction: {
    'person.save': [writeLedger],
    'service_category.save': [writeLedger],
    'service_category.remove': [writeLedger],
  },
})
const server = createServer(new Koa().use(itsm.middleware).callback())
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`

function report(error: unknown): void {
  process.send?.({ unexpected: error instanceof Error ? (error.stack ?? error.message) : String(error) })
}

async function ask(method: string, path: string, body?: object): Promise<{ readonly id?: number }> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const response = await fetch(address + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  const text = await response.text()
  // 503: it has lost against other transactions again and again.
  if (response.status >= 400 && ![422, 503].includes(response.status)) report(`${method} ${path}: ${response.status} ${text}`)
  return response.ok && text ? JSON.parse(text) : {}
}

let count = 0
function nextName(what: string): string {
  count += 1
  return `${what} ${process.pid} ${Date.now()} ${count}`
}

function newPerson(): object {
  const name = nextName('Person')
  return { name, primary_email: `${name.replaceAll(' ', '.')}@acme.example` }
}

async function overHttp(): Promise<void> {
  const { id } = await ask('POST', '/people', newPerson())
  if (id && happens(0.6)) await ask('PATCH', `/people/${id}`, { name: nextName('Person') })
  if (happens(0.3)) await ask('POST', '/people', [newPerson(), newPerson(), newPerson()])
  const category = happens(0.3) ? await ask('POST', '/service_categories', { name: nextName('Category') }) : {}
  if (category.id) await ask('DELETE', `/service_categories/${category.id}`)
}

async function inTransactionOfHost(): Promise<void> {
  const changesMind = happens(0.3)
  const place = Math.floor(Math.random() * 4)
  const reached = (at: number) => {
    if (changesMind && at === place) throw new ChangedItsMind()
  }
  await pool.transaction(async (trx) => {
    const api = itsm.asSystem('orders', 'acme', { transaction: trx })
    const name = nextName('Order')
    const refused = async () => api.create('organization', { name: '' }).catch(mustBe(Invalid))
    reached(0)
    const { id } = await api.create('organization', { name })
    reached(1)
    if (happens(0.3)) await refused()
    await trx('orders').insert({ record_id: id, name, lines: 1 })
    reached(2)
    if (happens(0.5)) {
      const changing = api.update('organization', Number(id), { remarks: 'changed' })
      const others = happens(0.5) ? [refused()] : []
      await Promise.all([changing, ...others])
      await trx('orders').where({ record_id: id }).increment('lines')
    }
    const undone =
      happens(0.3) &&
      trx.transaction(async (part) => {
        await itsm.asSystem('orders', 'acme', { transaction: part }).create('organization', { name: nextName('Undone') })
        throw new ChangedItsMind()
      })
    if (undone) await undone.then(null, mustBe(ChangedItsMind))
    reached(3)
  }, readCommitted)
}

function mustBe(...kinds: readonly (new (...given: never[]) => Error)[]): (error: unknown) => void {
  return (error) => {
    if (!kinds.some((kind) => error instanceof kind)) throw error
  }
}

async function work(round: () => Promise<void>, begun: () => void): Promise<never> {
  for (;;) {
    try {
      await round()
    } catch (error) {
      if (!(error instanceof ChangedItsMind || error instanceof TransactionLost)) report(error)
    }
    begun()
    // An embedded database never waits for anything: requests get their turn here.
    await setImmediate()
  }
}

process.on('unhandledRejection', report)
const rounds = [overHttp, overHttp, inTransactionOfHost, inTransactionOfHost]
let waiting = rounds.length
for (const round of rounds) {
  let isFirst = true
  const begun = () => {
    if (isFirst) waiting -= 1
    if (isFirst && waiting === 0) process.send?.({ working: true })
    isFirst = false
  }
  work(round, begun).catch(report)
}
