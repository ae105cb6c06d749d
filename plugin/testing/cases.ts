/** The form of cases. */

/** One request and the expected response. */
export interface Step {
  /** What happens in it, for people who read the case as a story. */
  readonly story?: string
  /** Name of the caller: with the API token, or `{ "password": "@ines" }` with e-mail and `password`. Without it: anonymous. */
  readonly as?: string | { readonly password: string }
  /** The request. */
  readonly request: {
    /** Default GET. */
    readonly method?: string
    /** The path from `/v1` on, with the query; names in it are replaced by ids. */
    readonly path: string
    /** Names in values are replaced by ids. */
    readonly headers?: Readonly<Record<string, string>>
    /** Sent as JSON; `$like` starts from a named body of records/<type>.json. */
    readonly body?: unknown
    /** Sent unchanged. */
    readonly text?: string
    /** Sent as multipart/form-data; files are `{ "fileName": …, "text": … }`. */
    readonly form?: Readonly<Record<string, unknown>>
  }
  /** The expected response. */
  readonly response: {
    /** `201` */
    readonly status: number
    /** Texts, tests, or null for a header that must be absent. `{base_url}` is replaced by the base URL of the API. */
    readonly headers?: Readonly<Record<string, unknown>>
    /** The JSON body; omitted if the body is not checked. */
    readonly body?: unknown
    /** True if the body may have additional keys. */
    readonly partial?: boolean
    /** The body as text, if it is not JSON. */
    readonly text?: unknown
  }
  /** Names for values of the response, for later steps of the case: `{ "@new": "body.id", "@tag": "headers.etag" }`. */
  readonly remember?: Readonly<Record<string, string>>
}

/** A step in which time passes: the clock is set, and timers save what is due by then. */
export interface TimeStep {
  /** What happens in it, for people who read the case as a story. */
  readonly story?: string
  /** `2027-03-01T08:00:00Z` */
  readonly at: string
}

/** Sets the clock of the server, and returns when its timers have saved what is due. */
export type SetTime = (at: string) => Promise<void>

/** A case: one request with the expected response, or several `steps`. */
export type RequestCase = {
  /** A sentence. */
  readonly name: string
  /** Reference to the specification. */
  readonly spec?: string
} & (Step | { readonly steps: readonly (Step | TimeStep)[] })

/** Cases about one subject, as in one file. */
export interface Topic {
  /** The name of the file. */
  readonly name: string
  /** A sentence. */
  readonly about: string
  /** In the order in which they run. */
  readonly cases: readonly RequestCase[]
}

/** Thrown if a response differs from the case; the message lists all differences. */
export class CaseFailed extends Error {
  /** What is different, each with its path in the response. */
  readonly differences: readonly string[]

  constructor(name: string, differences: readonly string[], answer: string) {
    super(`${name}\n${differences.map((difference) => `  - ${difference}`).join('\n')}\n  The response: ${answer}`)
    this.name = 'CaseFailed'
    this.differences = differences
  }
}

/** The steps of a case. */
export function stepsOf(one: RequestCase): readonly (Step | TimeStep)[] {
  return 'steps' in one ? one.steps : [one]
}
