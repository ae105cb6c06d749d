/** A plugin with its tables, an account and an administrator; each spec may make several. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type Koa from 'koa'
import { afterEach } from 'mocha'
import { createPlugin, type Plugin, type PluginOptions } from '../../plugin/index.js'
import { type TestDatabase, withDatabase } from './database.js'
import { silent } from './settings.js'

const SECRET = 'a secret for specs that is long enough to be taken'

/** Provides plugins on a database of the calling block (in `describe`), and servers for them; all are stopped after each spec. */
export function withFurnished() {
  const database = withDatabase()
  const servers: Server[] = []
  const plugins: Plugin[] = []

  afterEach(async () => {
    for (const plugin of plugins.splice(0)) await plugin.stop()
    for (const server of servers.splice(0)) {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  })

  const build = (more: Partial<PluginOptions> = {}): Plugin => {
    const itsm = createPlugin({
      baseUrl: 'http://127.0.0.1:9/api/v1',
      allowInsecure: true,
      secret: SECRET,
      database: { knex: database.lent },
      rateLimit: { burst: false },
      log: silent,
      ...more,
    })
    plugins.push(itsm)
    return itsm
  }
  const on = ({ knex }: TestDatabase) => ({ database: { knex } })
  /** With its tables, the account acme and an administrator. */
  const furnished = async (more: Partial<PluginOptions> = {}) => {
    const itsm = build(more)
    await itsm.migrate()
    await itsm.accounts.put({ id: 'acme', name: 'Acme', timeZone: 'Amsterdam' })
    const system = itsm.asSystem('the specs need an administrator', 'acme')
    const found = await system.list('person', { primary_email: 'ada@acme.example' })
    const ada = Number(
      (found.items[0] ?? (await system.create('person', { name: 'Ada', primary_email: 'ada@acme.example' })))['id'],
    )
    await itsm.grant(ada, 'acme', ['account_administrator', 'specialist'])
    return { itsm, system, ada, token: await itsm.credentials.apiToken(ada) }
  }
  const serve = async (host: Koa): Promise<string> => {
    const server = createServer(host.callback())
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }
  const get = async (address: string, token?: string, init: RequestInit = {}) => {
    const headers = { ...(token ? { Authorization: `Bearer ${token}` } : {}), ...(init.headers as Record<string, string>) }
    const response = await fetch(address, { ...init, headers })
    return { status: response.status, body: (await response.json().catch(() => null)) as Record<string, unknown> }
  }

  return { database, plugins, build, on, furnished, serve, get }
}
