/** Calls of the API: as the person who is signed in, in the chosen language and account, with waits that the server asks for. */
import type { PageSettings } from '../../page-settings.js'
import { CallFailed, type FieldMistake } from './call-failed.js'
import type { Saves } from './saves.js'

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }
/** A record as the API shows it. */
export type Output = { readonly [field: string]: Json }

export function isRecord(value: unknown): value is Output {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export interface CallOptions {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
  /** The answer is a file rather than JSON. */
  readonly as?: 'text'
}

export interface Answer<T> {
  readonly status: number
  readonly data: T
  readonly headers: Headers
}

/** Who calls. */
export interface Caller {
  /** A token of this tab; null if the session of the browser signs in. */
  readonly token: string | null
  readonly account: string | null
  readonly language: string
  /** The id of the person whose page this is, so that nobody else calls from it; null for whoever is signed in. */
  readonly person: string | null
}

export interface Api {
  call<T = Output>(method: string, path: string, options?: CallOptions): Promise<Answer<T>>
  /** The data of a GET. */
  get<T = Output>(path: string, signal?: AbortSignal): Promise<T>
}

/** Attempts of a GET that the server could not answer now. */
const ATTEMPTS = 3
/** Seconds: a person is told sooner than that. */
const LONGEST_WAIT = 5

/** Uploads and downloads: nothing that a page shows is another one after them. */
const SAVES_NOTHING: ReadonlySet<string> = new Set(['/attachments', '/export'])

/**
 * Creates the client of a page, or of whoever is signed in.
 *
 * @param callerNow is asked for each call
 * @param signInAgain is called after a 401; resolves when somebody has signed in, so that the call is repeated, and rejects if
 *   nobody is asked to
 * @param saves is told of calls that have changed something, or show that somebody else has
 */
export function createApi(
  settings: PageSettings,
  callerNow: () => Caller,
  signInAgain: (failure: CallFailed) => Promise<void>,
  saves: Pick<Saves, 'tell'>,
): Api {
  const call: Api['call'] = async <T>(method: string, path: string, options: CallOptions = {}): Promise<Answer<T>> => {
    for (let attempt = 1; ; attempt++) {
      try {
        const answer = await once<T>(settings, callerNow(), method, path, options)
        if (method !== 'GET' && !SAVES_NOTHING.has(path)) saves.tell(path)
        return answer
      } catch (error) {
        if (!(error instanceof CallFailed)) throw error
        if (method !== 'GET' && error.isOfAnotherState) saves.tell(path)
        if (error.status === 401) {
          await signInAgain(error)
          continue
        }
        const wait = waitOf(error)
        if (method !== 'GET' || attempt >= ATTEMPTS || wait === null || options.signal?.aborted) throw error
        await new Promise((resolve) => setTimeout(resolve, wait * 1000))
      }
    }
  }
  return { call, get: async (path, signal) => (await call('GET', path, signal ? { signal } : {})).data as never }
}

/** Seconds to wait before another attempt; null if there is no use in one. */
function waitOf({ retryAfter, status }: CallFailed): number | null {
  if (status !== 429 && status !== 503) return null
  const wait = retryAfter ?? 1
  return wait <= LONGEST_WAIT ? wait : null
}

async function once<T>(
  { api, prefix }: PageSettings,
  caller: Caller,
  method: string,
  path: string,
  { as, body, headers, signal }: CallOptions,
): Promise<Answer<T>> {
  const isForm = body instanceof FormData
  let response: Response
  try {
    response = await fetch(api + path, {
      method,
      credentials: 'same-origin',
      headers: {
        Accept: 'application/json, application/problem+json',
        [`${prefix}Language`]: caller.language,
        [`${prefix}Source`]: 'Console',
        ...(caller.account === null ? {} : { [`${prefix}Account`]: caller.account }),
        ...(caller.person === null ? {} : { [`${prefix}Person`]: caller.person }),
        ...(caller.token === null ? { [`${prefix}Session`]: '1' } : { Authorization: `Bearer ${caller.token}` }),
        ...(body === undefined || isForm ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(signal ? { signal } : {}),
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    })
  } catch (error) {
    if (signal?.aborted) throw error
    throw new CallFailed(0, String(error))
  }
  const text = await response.text()
  if (response.ok)
    return { status: response.status, data: (as === 'text' ? text : jsonIn(text)) as T, headers: response.headers }
  throw failureOf(response, text)
}

/** @throws CallFailed for the page of something between, such as the sign-in of a proxy: the API has not answered */
function jsonIn(text: string): unknown {
  try {
    return text === '' ? {} : JSON.parse(text)
  } catch (error) {
    throw new CallFailed(0, String(error))
  }
}

function failureOf(response: Response, text: string): CallFailed {
  const wait = Number(response.headers.get('Retry-After') ?? Number.NaN)
  const { detail, errors, message } = parsed(text)
  const mistakes = Array.isArray(errors) ? errors.flatMap(mistakeIn) : []
  const said = typeof detail === 'string' ? detail : typeof message === 'string' ? message : response.statusText
  return new CallFailed(response.status, said, mistakes, Number.isNaN(wait) ? null : wait)
}

/** Both forms of a mistake: problem details, and `[field, message]`. */
function mistakeIn(error: unknown): readonly FieldMistake[] {
  if (Array.isArray(error)) return [{ field: String(error[0]), detail: String(error[1]) }]
  const { detail, field, params } = Object(error) as { readonly [name in 'detail' | 'field' | 'params']?: unknown }
  const { place } = Object(params) as { readonly place?: unknown }
  const at = typeof place === 'number' ? { place } : {}
  return typeof detail === 'string' ? [{ field: String(field ?? ''), detail, ...at }] : []
}

function parsed(text: string): { readonly [name: string]: unknown } {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}
