/** Routes, and the endpoints that are registered beside the routes of the catalog. */
import type { Call } from '../core/call.js'
import type { Context } from './state.js'

/** How the body of a request is read: not at all, as JSON, as JSON or a form, or by the endpoint itself from `ctx.req`. */
export type BodyKind = 'none' | 'json' | 'form' | 'own'

export interface Route {
  /** Answers the request, with the functions of `answer.ts`. */
  run(ctx: Context, call: Call): void | Promise<void>
  /** The record type whose labels stand in error sentences. */
  readonly type?: string
  readonly body?: BodyKind
  /** May be called without credentials. */
  readonly anonymous?: true
  /** Always acts in the account of the person's own record, whatever X-SVC-Account says. */
  readonly homeAccount?: true
  /** Suffixes besides `.json` that the path may have. */
  readonly suffixes?: readonly string[]
}

export interface Endpoint extends Route {
  /** GET covers HEAD, PATCH covers PUT. */
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /**
   * The path below the version, without a slash at its end: `/import/:token`. A segment that begins with a colon matches any
   * text; `:id` and names that end in `_number` match ids only. The values are in `ctx.state.itsm.named`.
   */
  readonly path: string
}

interface Compiled {
  readonly endpoint: Endpoint
  readonly pattern: readonly string[]
}

/** Endpoints by the first segment of their path, in order of registration. */
export type EndpointTable = ReadonlyMap<string, readonly Compiled[]>

/** Prepares endpoints for `findEndpoint`. */
export function compileEndpoints(endpoints: readonly Endpoint[]): EndpointTable {
  const table = new Map<string, Compiled[]>()
  for (const endpoint of endpoints) {
    const pattern = endpoint.path.split('/').filter((segment) => segment !== '')
    const first = pattern[0] ?? ''
    table.set(first, [...(table.get(first) ?? []), { endpoint, pattern }])
  }
  return table
}

/** The endpoint that the request means, with the values of its named segments; null when there is none. */
export function findEndpoint(
  table: EndpointTable,
  method: string,
  segments: readonly string[],
): { endpoint: Endpoint; named: Record<string, string> } | null {
  for (const { endpoint, pattern } of table.get(segments[0] ?? '') ?? []) {
    if (endpoint.method !== method || pattern.length !== segments.length) continue
    const named = match(pattern, segments)
    if (named) return { endpoint, named }
  }
  return null
}

/** A decimal id of a record, or null: anything else in the place of an id is an unknown path (gaps 1.10). */
export function idOf(segment: string): number | null {
  if (!/^\d{1,16}$/.test(segment)) return null
  const id = Number(segment)
  return Number.isSafeInteger(id) ? id : null
}

function match(pattern: readonly string[], segments: readonly string[]): Record<string, string> | null {
  const named: Record<string, string> = {}
  for (const [index, expected] of pattern.entries()) {
    const segment = segments[index] ?? ''
    if (!expected.startsWith(':')) {
      if (expected !== segment) return null
      continue
    }
    const name = expected.slice(1)
    if ((name === 'id' || name.endsWith('_number')) && idOf(segment) === null) return null
    named[name] = segment
  }
  return named
}
