/** Gathers questions of concurrent functions, so that each kind of question takes one statement. */

/** Answers questions of one kind together, in their order. */
export type AnswerAll<Q, A> = (questions: readonly Q[]) => Promise<readonly A[]>

export interface Gathering {
  /** Asks a question; those with the same key that are asked before the next round are answered together. */
  ask<Q, A>(key: string, question: Q, answerAll: AnswerAll<Q, A>): Promise<A>
  /** True if all questions have been answered. */
  isIdle(): boolean
  /** Waits for all answers, also those that the function does not wait for, and for the questions that follow from them. */
  idle(): Promise<void>
  /** Refuses all further questions with the error that this function makes. */
  close(tooLate: () => Error): void
}

interface Group {
  readonly questions: unknown[]
  readonly answerAll: AnswerAll<unknown, unknown>
  readonly resolves: ((answer: unknown) => void)[]
  readonly rejects: ((error: unknown) => void)[]
}

/**
 * Waits until all concurrent functions have asked or are done, answers one group after the other, and resolves all promises at
 * once, so that the next questions arrive together again.
 */
export function createGathering(): Gathering {
  let groups = new Map<string, Group>()
  let isDue = false
  let unanswered = 0
  let closed: (() => Error) | null = null
  let waiting: (() => void)[] = []

  const answer = async () => {
    const asked = [...groups.values()]
    groups = new Map()
    const outcomes: (readonly unknown[] | { readonly error: unknown })[] = []
    for (const { answerAll, questions } of asked) {
      outcomes.push(await answerAll(questions).catch((error: unknown) => ({ error })))
    }
    for (const [index, { resolves, rejects }] of asked.entries()) {
      const outcome = outcomes[index]
      unanswered -= resolves.length
      if (outcome && 'error' in outcome) for (const reject of rejects) reject(outcome.error)
      else for (const [place, resolve] of resolves.entries()) resolve(outcome?.[place])
    }
    isDue = false
    if (groups.size > 0) comeBack()
    const told = waiting
    waiting = []
    for (const one of told) one()
  }
  // `nextTick` runs when the promise queue is empty: every function that could ask has asked by then.
  const comeBack = () => {
    isDue = true
    void Promise.resolve().then(() => process.nextTick(answer))
  }

  return {
    ask<Q, A>(key: string, question: Q, answerAll: AnswerAll<Q, A>): Promise<A> {
      if (closed) return Promise.reject(closed())
      unanswered += 1
      const answered = new Promise<A>((resolve, reject) => {
        const group = groups.get(key) ?? {
          questions: [],
          answerAll: answerAll as Group['answerAll'],
          resolves: [],
          rejects: [],
        }
        groups.set(key, group)
        group.questions.push(question)
        group.resolves.push(resolve as Group['resolves'][number])
        group.rejects.push(reject)
        if (!isDue) comeBack()
      })
      // A question without a waiting caller must not end the process if it fails.
      answered.catch(() => {})
      return answered
    },
    isIdle: () => unanswered === 0,
    async idle() {
      while (unanswered > 0) {
        await new Promise<void>((resolve) => waiting.push(resolve))
        // Functions that have got an answer may ask again.
        await new Promise((resolve) => setImmediate(resolve))
      }
    },
    close(tooLate) {
      closed = tooLate
    },
  }
}
