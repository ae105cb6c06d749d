/** Milliseconds in which a call is answered, unless the host says otherwise (gaps 12.1). */
export const CALL_WITHIN = 20_000

/** Thrown when work has not ended in time. */
export class NoAnswer extends Error {
  constructor(milliseconds: number) {
    super(`no answer within ${milliseconds} ms`)
  }
}

/** Returns the result of the work. The work itself continues when its time is over. @throws NoAnswer after so many milliseconds */
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
