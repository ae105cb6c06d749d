/** Calls of the API, as a person. */
import { setTimeout as sleep } from 'node:timers/promises'
import { CallFailed, Interrupted } from './errors.js'
import { checked, jsonOf } from './responses.js'

/** Where the API is, and who calls it. */
export interface Settings {
  /** Base URL with the version segment, without a final slash. */
  readonly url: string
  readonly credentials: Credentials
  /** The account, if it is not that of the person. */
  readonly account: string | undefined
}

/** Of a token, or of a person. */
export type Credentials = { readonly token: string } | { readonly user: string; readonly password: string }

export interface Client {
  /**
   * Calls the API, and waits when it asks for that.
   *
   * @throws CallFailed for any status that is no success; Interrupted
   */
  call(method: 'GET' | 'POST' | 'DELETE', path: string, body?: FormData | object): Promise<Response>
  /** Calls the API, and reads the JSON of its response; null for 204. @throws CallFailed also for a response without JSON; Interrupted */
  json<T>(method: 'GET' | 'POST', path: string, body?: FormData | object): Promise<T>
  /** A file at a signed URL. @throws CallFailed, Interrupted */
  download(url: string): Promise<Response>
  /** @throws Interrupted */
  pause(milliseconds: number): Promise<void>
}

/** Seconds to wait if the API does not say how long, and at most for one wait. */
const [WAIT, LONGEST] = [5, 3600]
/** Seconds of waiting in all, after which a call is given up: limits of rates end within an hour. */
const WAIT_AT_MOST: { readonly [status: number]: number } = { 429: LONGEST, 503: 300 }
/** Seconds of a wait that people want to know of. */
const LONG = 10

/** @param say is told of long waits */
export function createClient(
  { account, credentials, url }: Settings,
  signal: AbortSignal,
  say: (text: string) => void,
): Client {
  const [user, password] = 'token' in credentials ? [credentials.token, 'x'] : [credentials.user, credentials.password]
  const headers: Record<string, string> = {
    Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
    ...(account !== undefined && { 'X-SVC-Account': account }),
  }
  const pause: Client['pause'] = async (milliseconds) => {
    await sleep(milliseconds, undefined, { signal }).catch(() => {
      throw new Interrupted('Interrupted.')
    })
  }
  const call: Client['call'] = async (method, path, body) => {
    const isForm = body instanceof FormData
    const sent = body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }
    const types = body === undefined || isForm ? {} : { 'Content-Type': 'application/json' }
    // A redirect would lose the body, and could lead the token elsewhere.
    const init = { method, headers: { ...headers, ...types }, ...sent, signal, redirect: 'manual' } as const
    for (let waited = 0; ; ) {
      const response = await reach(`${url}${path}`, init)
      const wait = waitOf(response)
      if (wait === null || waited + wait > (WAIT_AT_MOST[response.status] ?? 0)) {
        return checked(`${method} ${path}`, response, { url, isToken: 'token' in credentials })
      }
      await response.body?.cancel()
      if (wait >= LONG || waited === 0) say(`${response.status}: the API asks to wait ${wait} s`)
      waited += wait
      await pause(1000 * wait)
    }
  }
  return {
    call,
    json: async (method, path, body) => jsonOf(`${method} ${path}`, await call(method, path, body), url),
    download: async (address) => checked('GET', await reach(address, { signal }), { url, isToken: true }),
    pause,
  }
}

/** Seconds that the API asks to wait; null for a response that is none of this kind. */
function waitOf({ headers, status }: Response): number | null {
  if (status !== 429 && status !== 503) return null
  const after = headers.get('retry-after') ?? ''
  const seconds = /^\d+$/.test(after) ? Number(after) : Math.ceil((Date.parse(after) - Date.now()) / 1000)
  return Math.min(LONGEST, Math.max(1, Number.isNaN(seconds) ? WAIT : seconds))
}

async function reach(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init)
  } catch (error) {
    if (init.signal?.aborted) throw new Interrupted('Interrupted.')
    throw new CallFailed(`${new URL(url).origin} could not be reached: ${reasonOf(error)}`, null)
  }
}

/** What a failed connection says. Several addresses of a host have their reasons in a list. */
export function reasonOf(error: unknown): string {
  const { cause, code, errors, message } = Object(error) as {
    readonly cause?: unknown
    readonly code?: string
    readonly errors?: readonly unknown[]
    readonly message?: string
  }
  if (cause !== undefined) return reasonOf(cause)
  if (message) return message.trim()
  return errors?.[0] === undefined ? (code ?? String(error)) : reasonOf(errors[0])
}
