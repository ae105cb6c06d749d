/**
 * What a host that watches costs: requests to a host that counts and logs everything, beside one that does not. Both are in one
 * process and take turns; compared is its processor time per request. Processes differ by some per cent, so several are weighed.
 */
import { type Asked, answerOf, type Contestant, contestantAt, fork } from './contestant.js'
import { REQUESTS } from './seed.js'

const PROCESSES = 4
const WARM_UP = 2500
/** Short, so that what else the machine does meets both. */
const A_ROUND = 48
const ROUNDS = 120

const single = () => `/v1/requests/${1 + Math.floor(Math.random() * REQUESTS)}`
const create = (): Asked => ({
  method: 'POST',
  path: '/v1/requests',
  type: 'application/json',
  status: 201,
  body: Buffer.from(
    JSON.stringify({ subject: 'Cannot log in', category: 'incident', impact: 'low', team_id: 1, note: 'Since this morning.' }),
  ),
})

/** Weighs `single` and `create` with and without a host that watches. */
export async function weighWatching(url: string, headers: Record<string, string>): Promise<void> {
  const sums = { single: { watched: 0, plain: 0 }, create: { watched: 0, plain: 0 } }
  for (let number = 1; number <= PROCESSES; number += 1) {
    const file = 'watching-host.ts'
    const child = fork(file, url)
    const { port, others } = await answerOf<{ readonly port: number; readonly others: readonly number[] }>(child)
    const plain = contestantAt({ file, child, port }, headers)
    const watched = contestantAt({ file, child, port: others[0] ?? 0 }, headers)
    for (const [what, ask] of [['single', single] as const, ['create', create] as const]) {
      const weighed = await weigh({ watched, plain }, ask)
      console.log(`process ${number}, ${what}: ${more(weighed)}`)
      sums[what].watched += weighed.watched / PROCESSES
      sums[what].plain += weighed.plain / PROCESSES
    }
    await watched.pool.close()
    await plain.stop()
  }
  for (const [what, sum] of Object.entries(sums)) console.log(`watched ${what}: ${more(sum)}`)
}

interface Weighed {
  readonly watched: number
  readonly plain: number
}

/** Microseconds per request of both, in turns. */
async function weigh(pair: Record<keyof Weighed, Contestant>, ask: () => string | Asked): Promise<Weighed> {
  for (const one of [pair.watched, pair.plain]) await one.measure(ask, WARM_UP)
  const sums = { watched: 0, plain: 0 }
  for (let round = 0; round < ROUNDS; round += 1) {
    const turns = round % 2 === 0 ? (['watched', 'plain'] as const) : (['plain', 'watched'] as const)
    for (const one of turns) sums[one] += (await pair[one].measure(ask, A_ROUND)) / ROUNDS
  }
  return sums
}

function more({ watched, plain }: Weighed): string {
  return `${((watched / plain - 1) * 100).toFixed(1)} % more than ${plain.toFixed(0)} µs per request`
}
