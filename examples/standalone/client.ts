/** A client of the API in one function. */
import { setTimeout as sleep } from 'node:timers/promises'

export type Answer = { readonly [field: string]: unknown }

/** Throws an Error with the response if it is not a success; waits and tries again after too many calls. */
export type Client = <T = Answer>(method: string, path: string, body?: object | FormData) => Promise<T>

export function createClient(baseUrl: string, token: string, signal?: AbortSignal): Client {
  const headers = { Authorization: `Basic ${Buffer.from(`${token}:x`).toString('base64')}`, 'X-SVC-Source': 'Demo' }
  return async function call<T>(method: string, path: string, body?: object | FormData): Promise<T> {
    const isForm = body instanceof FormData
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: isForm || !body ? headers : { ...headers, 'Content-Type': 'application/json' },
      ...(signal ? { signal } : {}),
      ...(body ? { body: isForm ? body : JSON.stringify(body) } : {}),
    })
    if (response.status === 429) {
      await sleep(Number(response.headers.get('Retry-After') ?? 2) * 1000)
      return call(method, path, body)
    }
    const answer = response.status === 204 ? {} : await response.json()
    if (!response.ok) throw new Error(`${method} ${path} failed with ${response.status}: ${JSON.stringify(answer)}`)
    return answer as T
  }
}
