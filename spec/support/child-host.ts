/** Starts `host-in-child.ts`, and talks to it like a client. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { moduleUrl, NODE_FLAGS } from './modules.js'

export interface ChildHost {
  readonly process: ChildProcess
  readonly mails: readonly { readonly to: readonly string[]; readonly subject: string; readonly text: string }[]
  /** Ids of the people that a listener got events of, in order. */
  readonly heard: readonly number[]
  readonly port: number
  /** One call of the administrator; the body is parsed if it is JSON. */
  call(
    method: string,
    path: string,
    body?: object,
    headers?: Record<string, string>,
  ): Promise<{ status: number; body: Body; headers: Headers }>
  /** Kills the process without a chance to finish anything. */
  kill(): Promise<void>
  /** Asks it to stop; resolves with the exit code when the process has ended. */
  stop(): Promise<number | null>
}

/** JSON whose fields a spec knows. */
type Body = Record<string, unknown> & Record<string, unknown>[]

/**
 * @param mongoUrl its own MongoDB database, or undefined for jobs in memory
 * @param options.listens adds a listener, see `heard`
 * @param options.env additional environment variables
 */
export async function startChildHost(
  databaseUrl: string,
  mongoUrl?: string,
  options: { readonly listens?: boolean; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<ChildHost> {
  const child = fork(
    moduleUrl('spec/support/host-in-child'),
    [databaseUrl, mongoUrl ?? '-', ...(options.listens ? ['listen'] : [])],
    {
      execArgv: NODE_FLAGS,
      env: { ...process.env, ...options.env },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    },
  )
  const mails: { to: string[]; subject: string; text: string }[] = []
  const heard: number[] = []
  const ready = await new Promise<{ port: number; token: string }>((resolve, reject) => {
    child.on('message', (message: { port: number; token: string } | { mail: (typeof mails)[number] } | { heard: number }) => {
      if ('mail' in message) mails.push(message.mail)
      else if ('heard' in message) heard.push(message.heard)
      else resolve(message)
    })
    child.once('exit', (code) => reject(new Error(`The host ended with ${code} before it was ready`)))
  })
  const gone = once(child, 'exit')
  return {
    process: child,
    mails,
    heard,
    port: ready.port,
    async call(method, path, body, headers) {
      const isForm = body instanceof FormData
      const response = await fetch(`http://127.0.0.1:${ready.port}/api/v1${path}`, {
        method,
        headers: {
          authorization: `Bearer ${ready.token}`,
          ...(body && !isForm ? { 'content-type': 'application/json' } : {}),
          ...headers,
        },
        ...(body ? { body: isForm ? (body as FormData) : JSON.stringify(body) } : {}),
      })
      const text = await response.text()
      return { status: response.status, headers: response.headers, body: text ? JSON.parse(text) : null }
    },
    async kill() {
      child.kill('SIGKILL')
      await gone
    },
    async stop() {
      child.kill('SIGTERM')
      const [code] = (await gone) as [number | null]
      return code
    },
  }
}
