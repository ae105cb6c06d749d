/** Errors as problem details (RFC 9457), for clients that ask for them (behaviour: Problem details). */
import { STATUS_CODES } from 'node:http'
import type { Params, Violation } from '../../core/errors.js'
import type { Context } from '../contract.js'
import { acceptable } from '../requests/accepted.js'

/** The media type of problem details. */
export const PROBLEM_TYPE = 'application/problem+json'

/** One violation in problem details. */
export interface ProblemError {
  /** JSON pointer into the body as it was sent; null for what no body contains, such as query parameters. */
  readonly pointer: string | null
  readonly field: string
  /** A code of the documented list or of the host; `other` for messages of the host without a code. */
  readonly code: string
  /** The message for people, in the language of the caller. */
  readonly detail: string
  /** Values in the message. */
  readonly params: Params
}

/** True if the client names the media type, and does not prefer plain JSON, by its name or by a range that includes it. */
export function wantsProblem(ctx: Context): boolean {
  const header = ctx.get('Accept')
  if (!/problem\+json/i.test(header)) return false
  const wanted = acceptable(header, PROBLEM_TYPE, 'named')
  return wanted > 0 && wanted >= acceptable(header, 'application/json', 'any')
}

/** The body of an error. */
export function problemOf(status: number, detail: string, errors?: readonly ProblemError[]): object {
  return { type: 'about:blank', title: STATUS_CODES[status] ?? 'Error', status, detail, ...(errors && { errors }) }
}

/** One violation. @param detail its message for people */
export function problemError([field, code, params = {}]: Violation, detail: string, pointer: string | null): ProblemError {
  return { pointer, field, code: /^[a-z][a-z0-9_]*$/.test(code) ? code : 'other', detail, params }
}
