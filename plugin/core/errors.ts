/**
 * Every error that the plugin throws on purpose. No decision depends on the text of a message: code looks at the class, clients
 * at the status, people at the translated message from `http/middleware/answer-errors.ts`.
 * See spec, Errors.
 */
import { shown } from './text/shown.js'

/**
 * Values that a message may contain, for example the maximum length that was exceeded. A list is shown as alternatives in
 * quotation marks; if `enumeration` names an enumeration, by its labels. `calledAs` is a field whose label replaces that of the
 * violation's own field.
 */
export type Params = Readonly<Record<string, string | number | readonly string[]>>

/**
 * One violated rule of a record: the API name of the field (without `_id`; `base` if no single field caused it), a code, and
 * the values that its sentence needs. Codes are `blank`, `too_long`, `taken`, …: the page about words lists them.
 */
export type Violation = readonly [field: string, code: string, params?: Params]

/** The field whose label begins the message of a violation; empty for the record as a whole. */
export function labelledField([field, , params]: Violation): string {
  const { calledAs = field } = params ?? {}
  return calledAs === 'base' ? '' : String(calledAs)
}

/**
 * Base of all deliberate errors. `message` is for logs, and for statuses without a translated text.
 *
 * ```ts
 * import { Invalid, ItsmError, type Plugin } from 'koa-itsm'
 *
 * export async function ask(itsm: Plugin, subject: string): Promise<string> {
 *   try {
 *     const { id } = await itsm.as('ines@acme.example').create('request', { subject, category: 'incident' })
 *     return `Request ${id}`
 *   } catch (error) {
 *     if (error instanceof Invalid) return error.violations.map(([field, code]) => `${field}: ${code}`).join(', ')
 *     if (error instanceof ItsmError) return `${error.status}: ${error.message}`
 *     throw error
 *   }
 * }
 * ```
 */
export class ItsmError extends Error {
  /** The status of the response. */
  readonly status: number
  /** Response headers that belong to the error, for example Retry-After. */
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, message: string, options: { cause?: unknown; headers?: Record<string, string> } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = new.target.name
    this.status = status
    this.headers = options.headers ?? {}
  }
}

/** 400: a parameter or the syntax of the body is wrong; the message names the parameter and the violated bound. */
export class BadRequest extends ItsmError {
  constructor(message: string, cause?: unknown) {
    super(400, message, { cause })
  }
}

/** 401: no credentials, or wrong ones. */
export class Unauthenticated extends ItsmError {
  /** @param challenge true if the call had no credentials at all, so that browsers and tools ask the user for them */
  constructor(challenge = false) {
    super(401, 'access credentials required', challenge ? { headers: { 'WWW-Authenticate': 'Basic realm="API"' } } : {})
  }
}

/** 403: the caller is known, but may not do this. */
export class Forbidden extends ItsmError {
  constructor(message = 'Forbidden', cause?: unknown) {
    super(403, message, { cause })
  }
}

/** 404: no such path or record, or a record that the caller may not see. */
export class NotFound extends ItsmError {
  constructor(message = 'Not Found') {
    super(404, message)
  }
}

/** 406: the path is known, but not in the media type asked for. */
export class NotAcceptable extends ItsmError {
  constructor() {
    super(406, 'Not Acceptable')
  }
}

/** 409: the state of what the call is about does not allow it. Nothing was changed. */
export class Conflict extends ItsmError {
  constructor(message: string) {
    super(409, message)
  }
}

/** 410: what was asked for is not kept any more. The header `Link` has the URL from which to go on. */
export class Gone extends ItsmError {
  /** Number of the oldest message that can still be read. */
  readonly oldest: number

  /** @param newest the newest message, if what was asked for is beyond it */
  constructor(oldest: number, next: string, newest?: number) {
    const isBeyond = newest !== undefined
    const message = isBeyond
      ? `There are no messages with such numbers: the newest is ${newest}, the oldest that can be read is ${oldest}`
      : `What follows is not kept any more: the oldest message is ${oldest}`
    super(410, message, { headers: { Link: `<${next}>; rel="next"` } })
    this.oldest = oldest
  }
}

/** 412: the record is no longer as the client expects it. Nothing was changed. */
export class PreconditionFailed extends ItsmError {
  constructor() {
    super(412, 'Precondition Failed')
  }
}

/** The message that clients get with all violations. */
export const VALIDATION_FAILED = 'Validation Failed'

/** 422: the record would violate its rules. Carries *all* violations. */
export class Invalid extends ItsmError {
  /** All of them, in the order of the checks. */
  readonly violations: readonly Violation[]

  /** @param explained the violations as English messages, for code of the host; clients get translated ones */
  constructor(violations: readonly Violation[], explained?: string) {
    super(422, explained === undefined ? VALIDATION_FAILED : `${VALIDATION_FAILED}: ${explained}`)
    this.violations = violations
  }
}

/** 429: too many calls; `retryAfter` is in whole seconds. */
export class TooManyRequests extends ItsmError {
  constructor(retryAfter: number, message = 'Too Many Requests') {
    super(429, message, { headers: { 'Retry-After': String(Math.max(1, Math.ceil(retryAfter))) } })
  }
}

/**
 * Seconds after which a client may repeat a call that got 503. Without the header clients wait 300 (behaviour: Rate limits).
 */
const TRY_AGAIN_AFTER = 5

/** 503: the plugin cannot handle the call now (database unreachable, process stopping). Nothing was changed. */
export class Unavailable extends ItsmError {
  constructor(cause?: unknown) {
    super(503, 'Service Unavailable', { cause, headers: { 'Retry-After': String(TRY_AGAIN_AFTER) } })
  }
}

/** 504: the call, or one of its statements, ran out of time. Its changes may have been made or not. */
export class TimedOut extends ItsmError {
  constructor(cause?: unknown) {
    super(504, 'Gateway timeout', { cause })
  }
}

/**
 * A transaction of the host lost against another one (deadlock, lock wait). Roll it back, and repeat all of it: the plugin cannot
 * repeat what it has not begun. `code` and `errno` are those of the database, whose error is the cause.
 */
export class TransactionLost extends Error {
  override readonly name = 'TransactionLost'
  readonly code: string | undefined
  readonly errno: number | undefined

  constructor(cause: unknown) {
    super('The transaction lost against another one: roll it back, and repeat all of it', { cause })
    const { code, errno } = faultIn(cause)
    this.code = code
    this.errno = errno
  }
}

/** The innermost error that has a code or a number. */
function faultIn(error: unknown): { readonly code?: string; readonly errno?: number } {
  const { cause, nativeError, ...fault } = Object(error) as {
    readonly code?: string
    readonly errno?: number
    readonly cause?: unknown
    readonly nativeError?: unknown
  }
  const inner = nativeError ?? cause
  const found = inner === undefined ? {} : faultIn(inner)
  if (found.code !== undefined) return found
  return fault
}

/** Mistakes in the host's code or configuration, thrown at start and never sent to a client. Lists all of them. */
export class InvalidSetup extends Error {
  /** Each begins with the path of the option or definition. */
  readonly mistakes: readonly string[]

  constructor(title: string, mistakes: readonly string[]) {
    super(`${title}:\n${mistakes.map((mistake) => `  - ${mistake}`).join('\n')}`)
    this.name = new.target.name
    this.mistakes = mistakes
  }
}

/** Wrong options of `createPlugin`. */
export class InvalidOptions extends InvalidSetup {
  constructor(mistakes: readonly string[]) {
    super('koa-itsm cannot start with these options', mistakes)
  }
}

/** Wrong record definitions. */
export class InvalidDefinition extends InvalidSetup {
  constructor(mistakes: readonly string[]) {
    super('These record definitions cannot work', mistakes)
  }
}

/** Failure of a hook of the host, or of a rule. Names it and its subject (`authorize for task.update`). */
export class HookFailed extends Error {
  /** @param whose whether the function is certainly the host's: rules may be the plugin's */
  constructor(place: string, cause: unknown, whose: "The host's" | 'The' = "The host's") {
    super(
      `${whose} ${place} failed: ${cause instanceof Error ? cause.message : typeof cause === 'string' ? cause : shown(cause)}`,
      { cause },
    )
    this.name = 'HookFailed'
  }
}
