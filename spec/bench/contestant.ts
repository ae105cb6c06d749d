/** A process under test: what it costs per request. */
import { type ChildProcess, fork as forkFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Pool } from 'undici'

const CONNECTIONS = 8

/** What a request asks for; a path is a GET that succeeds. */
export interface Asked {
  readonly method: 'POST'
  readonly path: string
  readonly type: string
  readonly body: Buffer
  /** The status that the answer must have; absent for any. */
  readonly status?: number
}

export interface Contestant {
  readonly child: ChildProcess
  readonly pool: Pool
  /** Microseconds of processor time so far. */
  cpu(): Promise<number>
  /** Microseconds of processor time per request. */
  measure(ask: () => string | Asked, count: number, atOnce?: number): Promise<number>
  stop(): Promise<void>
}

/** Starts a file of this folder. @param url its argument */
export function fork(file: string, url?: string): ChildProcess {
  return forkFile(fileURLToPath(new URL(file, import.meta.url)), url === undefined ? [] : [url], {
    env: { ...process.env, NODE_ENV: 'production' },
  })
}

/** The next message of a child, which it sends after what it was asked. */
export function answerOf<T>(child: ChildProcess, asked?: string | number | object): Promise<T> {
  const told = new Promise<T>((resolve) => child.once('message', (message) => resolve(message as T)))
  if (asked !== undefined) child.send(asked)
  return told
}

/** Microseconds of processor time of a child so far. */
export async function cpuOf(child: ChildProcess): Promise<number> {
  return (await answerOf<{ readonly cpu: number }>(child, 'cpu')).cpu
}

/** Starts a server of this folder. */
export async function start(file: string, url: string, headers: Record<string, string>): Promise<Contestant> {
  const child = fork(file, url)
  const { port } = await answerOf<{ readonly port: number }>(child)
  return contestantAt({ file, child, port }, headers)
}

/** A server of a process, which may have several. */
export interface Listening {
  readonly file: string
  readonly child: ChildProcess
  readonly port: number
}

/** A server that listens. */
export function contestantAt({ file, child, port }: Listening, headers: Record<string, string>): Contestant {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: CONNECTIONS })
  const cpu = () => cpuOf(child)
  return {
    child,
    pool,
    cpu,
    async measure(ask, count, atOnce = CONNECTIONS) {
      let left = count
      const before = await cpu()
      const work = async () => {
        while (left-- > 0) {
          const asked = ask()
          const { statusCode, body } = await pool.request(
            typeof asked === 'string'
              ? { method: 'GET', path: asked, headers }
              : { ...asked, headers: { ...headers, 'content-type': asked.type } },
          )
          const text = await body.text()
          if (statusCode !== (typeof asked === 'string' ? 200 : (asked.status ?? statusCode)))
            throw new Error(`${file}: ${statusCode} ${text}`)
        }
      }
      await Promise.all(Array.from({ length: atOnce }, work))
      return ((await cpu()) - before) / count
    },
    async stop() {
      await pool.close()
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.send('stop')
      await ended
    },
  }
}

/** The one in the middle. */
export function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? Number.NaN
}
