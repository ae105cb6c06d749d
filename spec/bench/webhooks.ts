/**
 * `npm run bench -- webhooks`: a burst of events beside a bare pool of undici (`bare-pool.ts`) that posts as much to the same
 * receiver, what one hanging receiver costs four others, and what calls of the API get while a burst is delivered. All take turns, in
 * rounds; each figure is the median of the ratios of a round.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Knex } from 'knex'
import { answerOf, type Contestant, cpuOf, fork, median } from './contestant.js'
import type { Anew, Received } from './receiver.js'
import { PREFIX, REQUESTS } from './seed.js'

const BURST = 20_000
/** Events of which each of five receivers gets a delivery. */
const SHARED = 4_000
const ROUNDS = 3
const WITHIN = 120_000
/** Milliseconds for which calls are counted. */
const CALLS_FOR = 1500
const CALLERS = 8
const CALL = '/v1/requests?per_page=25&fields=subject,status,team,member'
const HEALTHY = ['/1', '/2', '/3', '/4']
const FIFTH = '/5'

type Counted = Readonly<Record<string, Received>>

/** Prints a line for each figure. */
export async function weighDeliveries(ours: Contestant, knex: Knex, headers: Record<string, string>): Promise<void> {
  const receiver = fork('receiver.ts')
  const { port } = await answerOf<{ readonly port: number }>(receiver)
  const bare = fork('bare-pool.ts', `http://127.0.0.1:${port}`)
  await answerOf(bare)
  const subscribe = (event: string, path: string) =>
    send('POST', '/v1/webhooks', { event, uri: `http://127.0.0.1:${port}${path}` })
  try {
    await subscribe('request.update', '/burst')
    for (const path of [...HEALTHY, FIFTH]) await subscribe('request.create', path)
    // Until the compiler has seen everything.
    await barely(BURST)
    await burst(BURST)
    await weighBursts()
    await weighCalls()
    await weighHanging()
  } finally {
    receiver.disconnect()
    bare.disconnect()
  }

  async function weighBursts(): Promise<void> {
    const rounds = await inRounds(async () => ({ bare: await barely(BURST), ours: await burst(BURST) }))
    for (const { bare, ours } of rounds)
      console.log(`  bare pool: ${shown(bare)}; deliveries: ${shown(ours)}, the first after ${ours.first.toFixed(3)} s`)
    const of = (ratio: (one: (typeof rounds)[number]) => number) => median(rounds.map(ratio))
    console.log(
      `burst of ${BURST}: ${of((one) => one.ours.rate / one.bare.rate).toFixed(2)} of a bare pool,` +
        ` ${of((one) => one.bare.cpu / one.ours.cpu).toFixed(2)} by processor time;` +
        ` first delivery after ${of((one) => one.ours.first).toFixed(3)} s`,
    )
  }

  async function weighCalls(): Promise<void> {
    await calls()
    const rounds = await inRounds(async () => {
      const alone = await calls()
      const delivered = burst(BURST)
      await sleep(100)
      const during = await calls()
      await delivered
      return during / alone
    })
    console.log(`calls while a burst is delivered: ${median(rounds).toFixed(2)} of those without`)
  }

  async function weighHanging(): Promise<void> {
    const rounds = await inRounds(async () => (await shared(null)) / (await shared(FIFTH)))
    console.log(`four receivers beside a hanging one: ${median(rounds).toFixed(2)} of the rate beside a fifth that answers`)
  }

  /** Posts without the plugin. */
  async function barely(count: number): Promise<Cost> {
    await anew(null)
    const before = await cpuOf(bare)
    const begin = now()
    await answerOf(bare, count)
    return { rate: (count * 1000) / (now() - begin), cpu: ((await cpuOf(bare)) - before) / count }
  }

  /** Events that were committed elsewhere wait in the outbox; one write wakes the relay. */
  async function burst(count: number): Promise<Cost & { readonly first: number }> {
    await anew(null)
    await fillOutbox(knex, 'request.update', count)
    const before = await ours.cpu()
    const begin = now()
    await send('PATCH', '/v1/requests/1', { subject: `Wakes the relay at ${begin}` })
    const got = (await untilReceived(['/burst'], count + 1))['/burst'] as Received
    await untilAcknowledged()
    const cpu = ((await ours.cpu()) - before) / count
    return { cpu, rate: (count * 1000) / (got.lastAt - begin), first: (got.firstAt - begin) / 1000 }
  }

  /** Milliseconds until four receivers have what is theirs. */
  async function shared(hanging: string | null): Promise<number> {
    await anew(hanging)
    await fillOutbox(knex, 'request.create', SHARED)
    const begin = now()
    await send('PATCH', '/v1/requests/1', { subject: `Wakes the relay at ${begin}` })
    const got = await untilReceived([...HEALTHY, ...(hanging ? [] : [FIFTH])], SHARED)
    if (hanging) {
      // What waits for the fifth one is nobody's.
      await knex(`${PREFIX}channel_deliveries`).where({ state: 'waiting' }).update({ state: 'dropped' })
      await anew(null)
    }
    await untilAcknowledged()
    await knex(`${PREFIX}channel_deliveries`).where({ state: 'waiting' }).update({ state: 'dropped' })
    await knex(`${PREFIX}webhook_health`).update({ failures: 0, failing_since: null })
    await knex(`${PREFIX}receiver_pauses`).delete()
    return Math.max(...HEALTHY.map((path) => got[path]?.lastAt ?? 0)) - begin
  }

  /** Calls a second. */
  async function calls(): Promise<number> {
    let done = 0
    const until = now() + CALLS_FOR
    const call = async () => {
      while (now() < until) {
        const { body, statusCode } = await ours.pool.request({ method: 'GET', path: CALL, headers })
        await body.text()
        if (statusCode !== 200) throw new Error(`${CALL}: ${statusCode}`)
        done += 1
      }
    }
    await Promise.all(Array.from({ length: CALLERS }, call))
    return (done * 1000) / CALLS_FOR
  }

  async function anew(hanging: string | null): Promise<void> {
    const asked: Anew = { hanging }
    await answerOf(receiver, asked)
  }

  async function untilReceived(paths: readonly string[], count: number): Promise<Counted> {
    return within(async () => {
      const got = await answerOf<Counted>(receiver, 'received')
      return paths.every((path) => (got[path]?.count ?? 0) >= count) ? got : null
    })
  }

  /** Until what was sent is stored as sent. What failed waits for a later time. */
  async function untilAcknowledged(): Promise<void> {
    const due = () => knex(`${PREFIX}channel_deliveries`).where({ state: 'waiting', attempts: 0 }).first('id')
    await within(async () => ((await due()) === undefined ? true : null))
  }

  async function send(method: 'POST' | 'PATCH', path: string, body: object): Promise<void> {
    const answer = await ours.pool.request({
      method,
      path,
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const text = await answer.body.text()
    if (answer.statusCode > 299) throw new Error(`${path}: ${answer.statusCode} ${text}`)
  }
}

/** What posts cost: how many a second, and microseconds of processor time for each. */
interface Cost {
  readonly rate: number
  readonly cpu: number
}

async function inRounds<T>(round: () => Promise<T>): Promise<readonly T[]> {
  const rounds: T[] = []
  for (let one = 0; one < ROUNDS; one += 1) rounds.push(await round())
  return rounds
}

async function within<T>(look: () => Promise<T | null>): Promise<T> {
  for (const begin = now(); now() - begin < WITHIN; await sleep(20)) {
    const found = await look()
    if (found !== null) return found
  }
  throw new Error(`Not within ${WITHIN} ms`)
}

/** In one transaction, so that the sweep does not begin before all are there. */
async function fillOutbox(knex: Knex, event: string, count: number): Promise<void> {
  await knex.transaction(async (transaction) => {
    for (let from = 0; from < count; from += 1000) {
      const rows = Array.from({ length: 1000 }, (_, index) => ({
        event,
        record_type: 'request',
        record_id: 1 + ((from + index) % REQUESTS),
        account_id: 'acme',
        person_name: '',
        snapshot: JSON.stringify({ status: 'assigned', team_id: 1 + (index % 100) }),
        created_at: '2026-01-01 00:00:00.000',
      }))
      await transaction(`${PREFIX}outbox`).insert(rows)
    }
  })
}

/** Milliseconds of the epoch, the same in all processes. */
function now(): number {
  return performance.timeOrigin + performance.now()
}

function shown({ cpu, rate }: Cost): string {
  return `${rate.toFixed(0)} a second, ${cpu.toFixed(0)} µs of processor time each`
}
