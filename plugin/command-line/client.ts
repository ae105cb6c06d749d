/** Calls of the API, with the token of a person. */
import { setTimeout as sleep } from 'node:timers/promises'

/** Where the API is, and who calls it. */
export interface Settings {
  /** Base URL with the version segment, without a final slash. */
  readonly url: string
  readonly token: string
  /** The account, if it is not that of the person. */
  readonly account: string | undefined
}

export interface Client {
  /** Calls the API, and waits when it asks for that. @throws CallFailed for any status above 299 */
  call(method: 'GET' | 'POST' | 'DELETE', path: string, body?: FormData | object): Promise<Response>
  /** A file at a signed URL. @throws CallFailed */
  download(url: string): Promise<Response>
}

/** The API has refused a call, or could not be reached. */
export class CallFailed extends Error {}

/** Milliseconds between two looks at a progress: soon at first, then more seldom. */
const [SOON, SELDOM] = [50, 1000]
/** Seconds to wait if the API does not say how long. */
const WAIT = 5

export function createClient({ account, token, url }: Settings): Client {
  const headers: Record<string, string> = {
    Authorization: `Basic ${Buffer.from(`${token}:x`).toString('base64')}`,
    ...(account !== undefined && { 'X-SVC-Account': account }),
  }
  return {
    async call(method, path, body) {
      const isForm = body instanceof FormData
      const sent = body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }
      const types = body === undefined || isForm ? {} : { 'Content-Type': 'application/json' }
      for (;;) {
        const response = await reach(`${url}${path}`, { method, headers: { ...headers, ...types }, ...sent })
        if (response.status !== 429 && response.status !== 503) return checked(`${method} ${path}`, response)
        await response.arrayBuffer()
        await sleep(1000 * Number(response.headers.get('retry-after') ?? WAIT))
      }
    },
    download: async (address) => checked('GET', await reach(address, {})),
  }
}

/** Reads a progress until it has come to its end. @param show is told each of them */
export async function untilEnd<T extends { readonly state: string }>(
  client: Client,
  path: string,
  show: (progress: T) => void,
): Promise<T> {
  for (let wait = SOON; ; wait = Math.min(SELDOM, wait * 1.5)) {
    const progress = (await (await client.call('GET', path)).json()) as T
    show(progress)
    if (progress.state === 'done' || progress.state === 'error') return progress
    await sleep(wait)
  }
}

async function reach(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init)
  } catch (error) {
    const { cause } = error as { readonly cause?: { readonly message?: string } }
    throw new CallFailed(`${new URL(url).origin} could not be reached: ${cause?.message ?? String(error)}`)
  }
}

/** @throws CallFailed with the message of the API, and what is wrong */
async function checked(what: string, response: Response): Promise<Response> {
  if (response.ok) return response
  const text = await response.text()
  let message = text.slice(0, 500)
  try {
    const { errors, message: said } = JSON.parse(text) as { message?: string; errors?: readonly (readonly [string, string])[] }
    message = [said, ...(errors ?? []).map(([, reason]) => reason)].filter(Boolean).join('; ')
  } catch {
    // Something other than the API has answered.
  }
  throw new CallFailed(`${what}: ${response.status} ${message}`)
}
