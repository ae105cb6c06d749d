/** Limits how many tasks run and wait at the same time. Keys take turns, so that one busy key does not delay the others. */

export interface TurnLimits {
  readonly atOnce: number
  readonly atOncePerKey: number
  /** Maximum number of waiting tasks; more are refused. */
  readonly waiting: number
  readonly waitingPerKey: number
  /** Maximum milliseconds that a task waits; then it is refused. Less than the time limit of a call, otherwise that ends it. */
  readonly patience?: number
  /** Creates the error for a task that may not wait, or has waited too long. */
  refusal(): Error
  /** Milliseconds after which a running task no longer occupies a place; a task that never ends would block it forever. */
  readonly longest?: number
}

export interface Turns {
  /** Waits for a place and returns a function that frees it; repeated calls are ignored. @throws the error of a refusal */
  enter(key: string): Promise<() => void>
  /** Runs the task when its turn comes. @throws the error of a refusal, or what the task throws */
  run<T>(key: string, task: () => Promise<T>): Promise<T>
}

const MAX_RUN = 30_000
const PATIENCE = 15_000

/** Creates places for tasks. */
export function createTurns(limits: TurnLimits): Turns {
  const { atOnce, atOncePerKey, waiting, waitingPerKey, refusal, longest = MAX_RUN, patience = PATIENCE } = limits
  const running = new Map<string, number>()
  /** Keys in the order of their turns. */
  const queues = new Map<string, (() => void)[]>()
  const total = { running: 0, waiting: 0 }

  const mayBegin = (key: string) => total.running < atOnce && (running.get(key) ?? 0) < atOncePerKey
  const begin = (key: string) => {
    total.running += 1
    running.set(key, (running.get(key) ?? 0) + 1)
  }
  const end = (key: string) => {
    total.running -= 1
    const left = (running.get(key) ?? 1) - 1
    if (left > 0) running.set(key, left)
    else running.delete(key)
    callNext()
  }
  const callNext = () => {
    for (const [key, queue] of queues) {
      if (!mayBegin(key)) continue
      const call = queue.shift()
      queues.delete(key)
      if (queue.length > 0) queues.set(key, queue)
      total.waiting -= 1
      begin(key)
      call?.()
      return
    }
  }
  const wait = (key: string) => {
    const queue = queues.get(key) ?? []
    if (total.waiting >= waiting || queue.length >= waitingPerKey) throw refusal()
    total.waiting += 1
    queues.set(key, queue)
    return new Promise<void>((resolve, reject) => {
      const call = () => {
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(() => {
        giveUp(key, call)
        reject(refusal())
      }, patience).unref()
      queue.push(call)
    })
  }
  const giveUp = (key: string, call: () => void) => {
    const left = (queues.get(key) ?? []).filter((other) => other !== call)
    total.waiting -= 1
    if (left.length > 0) queues.set(key, left)
    else queues.delete(key)
  }

  const enter = async (key: string): Promise<() => void> => {
    if (mayBegin(key)) begin(key)
    else await wait(key)
    let isInside = true
    const leave = () => {
      clearTimeout(timer)
      if (isInside) end(key)
      isInside = false
    }
    const timer = setTimeout(leave, longest).unref()
    return leave
  }
  return {
    enter,
    async run(key, task) {
      const leave = await enter(key)
      try {
        return await task()
      } finally {
        leave()
      }
    },
  }
}
