/**
 * Jobs that run when somebody says so: for tests, in which nothing may happen by itself. It keeps the wakes, and forgets when
 * they were meant for: whoever lets time pass wakes all of them.
 */
import type { JobContext, JobIds, JobQueue, RunJob } from './job-queue.js'

export interface HandQueue extends JobQueue {
  /** Runs what was woken, and what that wakes, until nothing is left. @throws the first error of a job, after all have run */
  runWoken(): Promise<void>
  /** Wakes all work that a sweep would find. */
  wakeAll(): void
  /** Forgets what was woken. */
  rest(): void
}

/** Rounds of one call: a job that wakes itself again and again has nothing to do. */
const MAX_ROUNDS = 1000

/** Creates the queue; it never begins by itself. */
export function createHandQueue(): HandQueue {
  const jobs = new Map<string, RunJob>()
  const sweeps = new Set<string>()
  const woken = new Map<string, { readonly name: string; readonly ids: JobIds }>()
  const never = new AbortController().signal
  const context: JobContext = { stopping: never, cutOff: never }
  let running: Promise<void> | null = null

  const wake = async (name: string, ids: JobIds = {}, at?: Date) => {
    // What is due later is found when time passes.
    if (at && at.getTime() > Date.now()) return
    woken.set(`${name} ${ids.id ?? ''}`, { name, ids })
  }

  async function run(): Promise<void> {
    const failures: unknown[] = []
    for (let round = 0; woken.size > 0 && round < MAX_ROUNDS; round += 1) {
      const [[key, { name, ids }]] = woken as unknown as [[string, { name: string; ids: JobIds }]]
      woken.delete(key)
      await jobs
        .get(name)?.(ids, context)
        .catch((error: unknown) => failures.push(error))
    }
    if (failures.length > 0) throw failures[0]
  }

  return {
    define: (name, _options, work) => void jobs.set(name, work),
    every: (name) => void sweeps.add(name),
    wake,
    // Every wake waits for the hand.
    runHere: () => false,
    isWell: () => true,
    running: () => [],
    start: async () => {},
    stop: async () => {
      woken.clear()
      await running?.catch(() => undefined)
    },
    runWoken: async () => {
      while (running) await running
      running = run().finally(() => {
        running = null
      })
      await running
    },
    wakeAll() {
      for (const name of jobs.keys()) if (!sweeps.has(name)) void wake(name)
      void wake('sweep')
    },
    rest: () => woken.clear(),
  }
}
