/** A complete service desk in one process: database, migrations, the sample company of the first start, and an HTTP server. */
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import Koa from 'koa'
import { createPlugin, type Log, type Mail, type Plugin } from 'koa-itsm'
import { lockDatabase, makeDatabase } from './make-database.js'
import { findSampleRecords, findUsers, type SampleRecords, seed, type User } from './seed.js'
import type { Settings } from './settings.js'
import { listeningError } from './startup-errors.js'

export interface Desk {
  /** Ends with /v1. */
  readonly baseUrl: string
  readonly users: readonly User[]
  /** Sample records for commands. */
  readonly samples: SampleRecords
  /** True when this start filled the database. */
  readonly isNew: boolean
  stop(): Promise<void>
}

/** @throws an error about the port, the database or the job store; nothing stays open then */
export async function startDesk(settings: Settings, ways: { log: Log; sendMail(mail: Mail): Promise<void> }): Promise<Desk> {
  // The port first: if it is in use, nothing has been changed yet.
  let answer: RequestListener = (_, response) => response.writeHead(503, { 'Retry-After': '2' }).end('Starting\n')
  const server = createServer((request, response) => answer(request, response))
  server.listen(settings.port, settings.host)
  await once(server, 'listening').catch((error) => {
    throw listeningError(error, settings)
  })
  const baseUrl = `http://${nameOf(settings.host)}:${(server.address() as AddressInfo).port}/v1`

  let itsm: Plugin | null = null
  let unlock = async () => {}
  const stop = async () => {
    server.close()
    await itsm?.stop()
    await unlock()
    server.closeAllConnections()
  }
  try {
    itsm = createPlugin({
      baseUrl,
      secret: settings.secret,
      database: { url: settings.databaseUrl },
      ...(settings.mongoUrl ? { mongo: { url: settings.mongoUrl } } : {}),
      jobs: { drainForMs: 3_000 },
      allowInsecure: true, // plain HTTP: the desk is for this machine only
      webhooks: { allowPrivateAddresses: isLoopback(settings.host) },
      docs: true, // guides, reference and API, at /v1/docs
      console: true, // pages for people, at /console, who sign in with their password
      rateLimit: { burst: 200 }, // for pasted commands and the demo
      ...ways,
    })
    if (!settings.databaseUrl.startsWith('sqlite:')) {
      await makeDatabase(settings.databaseUrl)
      unlock = await lockDatabase(settings.databaseUrl)
    }
    await itsm.migrate()
    const isNew = await seed(itsm, settings.secret)
    const [users, samples] = [await findUsers(itsm, settings.secret), await findSampleRecords(itsm)]
    await itsm.start()

    const host = new Koa()
    host.use(itsm.middleware)
    host.use((ctx) => {
      if (ctx.path === '/') ctx.body = `koa-itsm is running. Its console is at ${consoleOf(baseUrl)}, its API at ${baseUrl}\n`
    })
    answer = host.callback()
    return { baseUrl, users, samples, isNew, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** URL of the pages for people. */
export function consoleOf(baseUrl: string): string {
  return baseUrl.replace(/\/v1$/, '/console')
}

/** True if only programs on this machine can connect. Otherwise webhooks must not reach the private network. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.')
}

/** The host name in URLs for clients on this machine. */
function nameOf(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}
