/** Cases as specs of the host's test framework. */
import type { CaseRunner } from './case-runner.js'
import { type RequestCase, type SetTime, stepsOf, type Topic } from './cases.js'
import type { TestDesk } from './test-desk.js'

/** The desk that cases run on, or the parts of one. */
export type CasePlace =
  | {
      /**
       * Returns the desk. Called when a case runs, so that it may be made by then. Each case begins from its world, and time passes
       * in it.
       */
      desk(): Pick<TestDesk, 'advanceTo' | 'restore' | 'runner'>
    }
  | {
      /** Returns the runner. Called when a case runs, so that the server may be started by then. */
      runner(): CaseRunner
      /** Runs before each case: `() => snapshot.restore()` keeps cases independent of each other. */
      readonly beforeCase?: (one: RequestCase, topic: Topic) => Promise<void>
      /** For cases in which time passes; without it they are reported as skipped. */
      readonly setTime?: SetTime
    }

/** Argument of `runCases`. */
export type RunCasesDeps = CasePlace & {
  /** Each becomes a `describe`. */
  readonly topics: readonly Topic[]
  /** Defines a topic; `describe` and `it` are those of your test framework. */
  describe(name: string, define: () => void): unknown
  /** Defines one case. */
  readonly it: {
    (name: string, run: () => Promise<void>): unknown
    /** Reports a spec that does not run: mocha, node:test, vitest and jest have it. Without it, the name says so. */
    skip?(name: string, run: () => Promise<void>): unknown
  }
  /** Runs as the first spec of each topic, for example to start from the same records. */
  readonly beforeTopic?: (topic: Topic) => Promise<void>
}

/** Creates a spec for each case, in a block for each topic. */
export function runCases(deps: RunCasesDeps): void {
  const { beforeTopic, describe, it, topics } = deps
  const skip = (name: string) => {
    const nothing = async () => {}
    if (it.skip) it.skip(name, nothing)
    else it(`${name} (skipped: time passes in it, and there is no setTime)`, nothing)
  }
  for (const topic of topics) {
    describe(topic.name, () => {
      if (beforeTopic) it('starts from the world', () => beforeTopic(topic))
      for (const one of topic.cases) {
        const isTimed = stepsOf(one).some((step) => 'at' in step)
        if (isTimed && !('desk' in deps) && !deps.setTime) skip(one.name)
        else it(one.name, () => run(deps, one, topic))
      }
    })
  }
}

async function run(place: CasePlace, one: RequestCase, topic: Topic): Promise<void> {
  if ('desk' in place) {
    const { advanceTo, restore, runner } = place.desk()
    await restore()
    return runner.run(one, advanceTo)
  }
  await place.beforeCase?.(one, topic)
  await place.runner().run(one, place.setTime)
}
