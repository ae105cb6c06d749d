/** What a case says, and how cases become specs of whatever framework the host uses. */
import type { CaseRunner } from './case-runner.js'

/** One request and the answer that it must get. */
export interface Step {
  /** Who asks, by name: with the API token, or `{ "password": "@ines" }` with e-mail and password. Without it: nobody. */
  readonly as?: string | { readonly password: string }
  readonly request: {
    /** Default GET. */
    readonly method?: string
    /** From `/v1` on, with the query; names in it become ids. */
    readonly path: string
    readonly headers?: Readonly<Record<string, string>>
    /** Sent as JSON; `$like` starts from a named body of records/<type>.json. */
    readonly body?: unknown
    /** Sent as it stands. */
    readonly text?: string
    /** Sent as multipart/form-data; files are `{ "fileName": …, "text": … }`. */
    readonly form?: Readonly<Record<string, unknown>>
  }
  readonly response: {
    readonly status: number
    /** Texts, tests, or null for a header that must not be there. `{base_url}` stands for the address of the interface. */
    readonly headers?: Readonly<Record<string, unknown>>
    /** The JSON body; without it the body is not looked at. */
    readonly body?: unknown
    /** True when further keys may be there. */
    readonly partial?: boolean
    /** The body as text, where it is not JSON. */
    readonly text?: unknown
  }
  /** Names for values of the answer, for later steps of the case: `{ "@new": "body.id", "@tag": "headers.etag" }`. */
  readonly remember?: Readonly<Record<string, string>>
}

/** A case: one step, or several that build on each other. */
export type RequestCase = {
  /** A sentence. */
  readonly name: string
  /** Where the specification says so. */
  readonly spec?: string
} & (Step | { readonly steps: readonly Step[] })

export interface Topic {
  readonly name: string
  readonly about: string
  readonly cases: readonly RequestCase[]
}

/** An answer was not what the case says; the message lists all differences. */
export class CaseFailed extends Error {
  readonly differences: readonly string[]

  constructor(name: string, differences: readonly string[], answer: string) {
    super(`${name}\n${differences.map((difference) => `  - ${difference}`).join('\n')}\n  The answer: ${answer}`)
    this.name = 'CaseFailed'
    this.differences = differences
  }
}

export interface RunCasesDeps {
  readonly topics: readonly Topic[]
  /** The runner, asked for when a case runs: the server may be started by then. */
  runner(): CaseRunner
  /** The functions of the test framework. */
  describe(name: string, define: () => void): unknown
  it(name: string, run: () => Promise<void>): unknown
  /** Runs as the first spec of each topic, for example to start from the same records. */
  readonly beforeTopic?: (topic: Topic) => Promise<void>
  /** Runs before each case: `() => snapshot.restore()` keeps cases independent of what others leave behind. */
  readonly beforeCase?: (one: RequestCase, topic: Topic) => Promise<void>
}

/** Makes a spec of each case, below a block for each topic. */
export function runCases({ topics, runner, describe, it, beforeTopic, beforeCase }: RunCasesDeps): void {
  for (const topic of topics) {
    describe(topic.name, () => {
      if (beforeTopic) it('starts from the world', () => beforeTopic(topic))
      for (const one of topic.cases) {
        it(one.name, async () => {
          await beforeCase?.(one, topic)
          await runner().run(one)
        })
      }
    })
  }
}

/** The steps of a case. */
export function stepsOf(one: RequestCase): readonly Step[] {
  return 'steps' in one ? one.steps : [one]
}
