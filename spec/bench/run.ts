/**
 * The command of `npm run bench`: what a list and a single record cost beside code written by hand for the same tables and with
 * the same duties (`by-hand.ts`), what hostile bodies cost beside a list, and when the first delivery of a burst arrives. Both run
 * in one go and take turns, because only the ratio means anything: 1 is as fast as by hand. Compared is the processor time of the
 * server per request.
 *
 * MYSQL_URL names a server; without it, a throwaway one is started as for the specs. `npm run bench -- bodies` weighs bodies only,
 * `npm run bench -- import` imports and exports (`imports.ts`), `npm run bench -- import people requests` those of these types,
 * `npm run bench -- start` the start of a process (`start.ts`), which needs no server.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import knex, { type Knex } from 'knex'
import { Pool } from 'undici'
import { findMysql } from '../support/servers.js'
import { BODIES, LIST_OF_20 } from './bodies.js'
import { listen } from './child.js'
import { weighImports } from './imports.js'
import { PREFIX, REQUESTS, seed } from './seed.js'
import { weighStart } from './start.js'

const CONNECTIONS = 8
/** Requests until the compiler has seen everything, then those of each round. */
const WARM_UP = 2500
const A_ROUND = 800
const A_FEW = 16
/** Fewer than a person may have in flight, so that none is refused for that. */
const BODIES_AT_ONCE = 2
const ROUNDS = 4
const BURST = 20_000

const FIELDS = 'sourceID,subject,category,impact,status,next_target_at,completed_at,created_at,updated_at,team,member'
const PATHS = {
  list: () => `/v1/requests?per_page=25&page=${1 + random(20)}&fields=${FIELDS}`,
  single: () => `/v1/requests/${1 + random(REQUESTS)}`,
}

/** What a request asks for; a path is a GET that succeeds. */
interface Asked {
  readonly method: 'POST'
  readonly path: string
  readonly type: string
  readonly body: Buffer
}

interface Contestant {
  readonly child: ChildProcess
  readonly pool: Pool
  /** Microseconds of processor time per request. */
  measure(ask: () => string | Asked, count: number, atOnce?: number): Promise<number>
  stop(): Promise<void>
}

if (process.argv[2] === 'start') {
  await weighStart(process.argv[3])
  process.exit()
}

const server = await findMysql()
if (server.url === null) throw new Error(server.about)
const name = `itsm_bench_${randomBytes(3).toString('hex')}`
const root = knex({ client: 'mysql2', connection: server.url })
await root.raw('create database ?? character set utf8mb4', [name])
const url = new URL(server.url)
url.pathname = `/${name}`
const database = knex({ client: 'mysql2', connection: url.href })
try {
  if (process.argv[2] === 'import') await weighImports(url.href, process.argv.slice(3))
  else await weighRequests(process.argv[2] === 'bodies')
} finally {
  await root.raw('drop database ??', [name])
  await Promise.all([root.destroy(), database.destroy()])
  await server.stop()
}

async function weighRequests(onlyBodies: boolean): Promise<void> {
  const token = await seed(url.href, database)
  const headers = { authorization: `Basic ${Buffer.from(`${token}:x`).toString('base64')}` }
  const ours = await start('ours.ts', headers)
  if (!onlyBodies) await compare(ours, headers)
  await weighBodies(ours)
  if (!onlyBodies) await burst(ours, headers)
  await ours.stop()
}

async function compare(ours: Contestant, headers: Record<string, string>): Promise<void> {
  const byHand = await start('by-hand.ts', headers)
  for (const [what, path] of Object.entries(PATHS)) {
    await Promise.all([ours.measure(path, WARM_UP), byHand.measure(path, WARM_UP)])
    const rounds: [number, number][] = []
    for (let round = 0; round < ROUNDS; round += 1)
      rounds.push([await ours.measure(path, A_ROUND), await byHand.measure(path, A_ROUND)])
    const [own, hand] = [median(rounds.map(([one]) => one)), median(rounds.map(([, other]) => other))]
    const ratio = median(rounds.map(([one, other]) => other / one)).toFixed(2)
    console.log(`${what}: ${ratio} of code by hand (${own.toFixed(0)} and ${hand.toFixed(0)} µs per request)`)
  }
  await byHand.stop()
}

async function start(file: string, headers: Record<string, string>): Promise<Contestant> {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), [url.href], {
    env: { ...process.env, NODE_ENV: 'production' },
  })
  const next = <T>() => new Promise<T>((resolve) => child.once('message', (message) => resolve(message as T)))
  const { port } = await next<{ port: number }>()
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: CONNECTIONS })
  const cpu = async () => {
    const told = next<{ cpu: number }>()
    child.send('cpu')
    return (await told).cpu
  }
  return {
    child,
    pool,
    async measure(ask, count, atOnce = CONNECTIONS) {
      let left = count
      const before = await cpu()
      const work = async () => {
        while (left-- > 0) {
          const asked = ask()
          const { statusCode, body } = await pool.request(
            typeof asked === 'string'
              ? { method: 'GET', path: asked, headers }
              : { ...asked, headers: { ...headers, 'content-type': asked.type } },
          )
          const text = await body.text()
          if (typeof asked === 'string' && statusCode !== 200) throw new Error(`${file}: ${statusCode} ${text}`)
        }
      }
      await Promise.all(Array.from({ length: atOnce }, work))
      return ((await cpu()) - before) / count
    },
    async stop() {
      await pool.close()
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.send('stop')
      await ended
    },
  }
}

/** A body costs at most ten times as much as a list of 20, whatever is in it. */
async function weighBodies({ measure }: Contestant): Promise<void> {
  const list = () => LIST_OF_20
  await measure(list, A_ROUND)
  for (const { name, path = '/v1/requests', text, type = 'application/json' } of BODIES) {
    const asked: Asked = { method: 'POST', path, type, body: Buffer.from(text()) }
    await measure(() => asked, A_FEW, BODIES_AT_ONCE)
    const rounds: number[] = []
    for (let round = 0; round < ROUNDS; round += 1)
      rounds.push((await measure(() => asked, A_FEW, BODIES_AT_ONCE)) / (await measure(list, 10 * A_FEW)))
    console.log(`body of ${name} (${(asked.body.length / 1_000).toFixed(0)} KB): ${median(rounds).toFixed(1)} lists of 20`)
  }
}

/** Events that were committed elsewhere wait in the outbox; one write wakes the relay. */
async function burst({ pool }: Contestant, headers: Record<string, string>): Promise<void> {
  let [received, firstAt, lastAt] = [0, 0, 0]
  const receiver = createServer((request, response) => {
    request.resume()
    lastAt = performance.now()
    if (received++ === 0) firstAt = lastAt
    response.end()
  })
  const port = await listen(receiver)
  const send = async (method: 'POST' | 'PATCH', path: string, body: object) => {
    const answer = await pool.request({
      method,
      path,
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const text = await answer.body.text()
    if (answer.statusCode > 299) throw new Error(`${path}: ${answer.statusCode} ${text}`)
  }
  await send('POST', '/v1/webhooks', { event: 'request.update', uri: `http://127.0.0.1:${port}/` })
  await fillOutbox(database, BURST)
  const begin = performance.now()
  await send('PATCH', '/v1/requests/1', { subject: 'Wakes the relay' })
  while (received < BURST && performance.now() - begin < 120_000) await sleep(50)
  const rate = Math.round((received * 1000) / (lastAt - begin))
  console.log(
    `burst of ${BURST}: first delivery after ${((firstAt - begin) / 1000).toFixed(2)} s, ${rate} deliveries per second`,
  )
  receiver.close()
  receiver.closeAllConnections()
}

async function fillOutbox(knex: Knex, count: number): Promise<void> {
  for (let from = 0; from < count; from += 1000) {
    const rows = Array.from({ length: 1000 }, (_, index) => ({
      event: 'request.update',
      record_type: 'request',
      record_id: 1 + ((from + index) % REQUESTS),
      account_id: 'acme',
      person_name: '',
      snapshot: JSON.stringify({ status: 'assigned', team_id: 1 + (index % 100) }),
      created_at: '2026-01-01 00:00:00.000',
    }))
    await knex(`${PREFIX}outbox`).insert(rows)
  }
}

function random(below: number): number {
  return Math.floor(Math.random() * below)
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? Number.NaN
}
