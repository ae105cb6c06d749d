/** Time limits of much work at once: one timer for all, because one for each would cost as much as the work. */
export interface Deadlines<Work> {
  /** The time of this work begins now. */
  add(work: Work): void
  /** It has ended in time. */
  delete(work: Work): void
}

/** @param late called for each work that has not ended after so many milliseconds; they keep no process alive */
export function createDeadlines<Work>(milliseconds: number, late: (work: Work) => void): Deadlines<Work> {
  /** When their time is over, the earliest first. */
  const ends = new Map<Work, number>()
  let timer: NodeJS.Timeout | undefined

  function look(): void {
    timer = undefined
    for (const [work, end] of ends) {
      const left = Math.ceil(end - performance.now())
      if (left > 0) {
        timer = setTimeout(look, left).unref()
        return
      }
      ends.delete(work)
      late(work)
    }
  }

  return {
    add(work) {
      ends.set(work, performance.now() + milliseconds)
      if (timer === undefined) timer = setTimeout(look, milliseconds).unref()
    },
    delete(work) {
      ends.delete(work)
    },
  }
}
