import type { CallSignal } from '../call-signal.js'

/** Default time limit of a call, in milliseconds (behaviour: Deadlines). */
export const CALL_WITHIN = 20_000

/** Thrown if work does not end in time. */
export class NoAnswer extends Error {
  constructor(milliseconds: number) {
    super(`no answer within ${milliseconds} ms`)
  }
}

/**
 * Returns the result of the work. After the time limit the work itself continues.
 *
 * @throws NoAnswer after this many milliseconds
 */
export async function inTime<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new NoAnswer(milliseconds)), milliseconds)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Returns the result of the work, unless the signal aborts before: the work may be a function of the host that ignores it. The
 * work then continues, and its error is lost.
 *
 * @throws the reason of the signal
 */
export function unlessAborted<T>(signal: CallSignal, work: () => Promise<T>): Promise<T> {
  // One promise, because each call waits here: a race takes several.
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const abort = () => reject(signal.reason)
    const stop = () => signal.removeEventListener('abort', abort)
    signal.addEventListener('abort', abort)
    work().then(
      (result) => {
        stop()
        resolve(result)
      },
      (error) => {
        stop()
        reject(error)
      },
    )
  })
}
