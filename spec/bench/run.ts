/**
 * The command of `npm run bench`: what a list and a single record cost beside code written by hand for the same tables and with
 * the same duties (`by-hand.ts`), what hostile bodies cost beside a list, and what deliveries cost (`webhooks.ts`). Both run in one
 * go and take turns, because only the ratio means anything: 1 is as fast as by hand. Compared is the processor time of the server
 * per request.
 *
 * MYSQL_URL names a server; without it, a throwaway one is started as for the specs. `npm run bench -- bodies` weighs bodies only,
 * `-- webhooks` deliveries, `-- watching` what a host that watches costs (`watching.ts`),
 * `npm run bench -- import` imports and exports (`imports.ts`), `npm run bench -- import people requests` those of these types,
 * `npm run bench -- start` the start of a process (`start.ts`), which needs no server.
 */
import { randomBytes } from 'node:crypto'
import knex from 'knex'
import { findMysql } from '../support/servers.js'
import { BODIES, LIST_OF_20 } from './bodies.js'
import { type Asked, type Contestant, median, start } from './contestant.js'
import { weighImports } from './imports.js'
import { REQUESTS, seed } from './seed.js'
import { weighStart } from './start.js'
import { weighWatching } from './watching.js'
import { weighDeliveries } from './webhooks.js'

/** Requests until the compiler has seen everything, then those of each round. */
const WARM_UP = 2500
const A_ROUND = 800
const A_FEW = 16
/** Fewer than a person may have in flight, so that none is refused for that. */
const BODIES_AT_ONCE = 2
const ROUNDS = 4

const FIELDS = 'sourceID,subject,category,impact,status,next_target_at,completed_at,created_at,updated_at,team,member'
const PATHS = {
  list: () => `/v1/requests?per_page=25&page=${1 + random(20)}&fields=${FIELDS}`,
  single: () => `/v1/requests/${1 + random(REQUESTS)}`,
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
  else await weighRequests(process.argv[2])
} finally {
  await root.raw('drop database ??', [name])
  await Promise.all([root.destroy(), database.destroy()])
  await server.stop()
}

/** @param only what to weigh; without it, all */
async function weighRequests(only = 'all'): Promise<void> {
  const token = await seed(url.href, database)
  const headers = { authorization: `Basic ${Buffer.from(`${token}:x`).toString('base64')}` }
  if (only === 'watching') return weighWatching(url.href, headers)
  const ours = await start('ours.ts', url.href, headers)
  if (only === 'all') await compare(ours, headers)
  if (only !== 'webhooks') await weighBodies(ours)
  if (only !== 'bodies') await weighDeliveries(ours, database, headers)
  await ours.stop()
}

async function compare(ours: Contestant, headers: Record<string, string>): Promise<void> {
  const byHand = await start('by-hand.ts', url.href, headers)
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

function random(below: number): number {
  return Math.floor(Math.random() * below)
}
