/** Cases as specs of the host's test framework. */
import type { CaseRunner } from './case-runner.js'
import { type RequestCase, type SetTime, stepsOf, type Topic } from './cases.js'

/** Argument of `runCases`. */
export interface RunCasesDeps {
  /** Each becomes a `describe`. */
  readonly topics: readonly Topic[]
  /** Returns the runner. Called when a case runs, so that the server may be started by then. */
  runner(): CaseRunner
  /** Defines a topic; `describe` and `it` are those of your test framework. */
  describe(name: string, define: () => void): unknown
  /** Defines one case. */
  it(name: string, run: () => Promise<void>): unknown
  /** Runs as the first spec of each topic, for example to start from the same records. */
  readonly beforeTopic?: (topic: Topic) => Promise<void>
  /** Runs before each case: `() => snapshot.restore()` keeps cases independent of each other. */
  readonly beforeCase?: (one: RequestCase, topic: Topic) => Promise<void>
  /** For cases in which time passes; without it they are left out. */
  readonly setTime?: SetTime
}

/** Creates a spec for each case, in a block for each topic. */
export function runCases({ topics, runner, describe, it, beforeTopic, beforeCase, setTime }: RunCasesDeps): void {
  for (const topic of topics) {
    describe(topic.name, () => {
      if (beforeTopic) it('starts from the world', () => beforeTopic(topic))
      for (const one of topic.cases) {
        if (!setTime && stepsOf(one).some((step) => 'at' in step)) continue
        it(one.name, async () => {
          await beforeCase?.(one, topic)
          await runner().run(one, setTime)
        })
      }
    })
  }
}
