/** Mounts the API below /api of a Koa server that has its own routes, database pool and shutdown. */
import { createServer } from 'node:http'
import Koa from 'koa'
import { createPlugin } from 'koa-itsm'
import { embeddedDatabase } from 'koa-itsm/embedded'
import mount from 'koa-mount'

const port = Number(process.env['PORT'] ?? 3000)

// Your pool: `knex({ client: 'mysql2', connection: … })` on a server. The plugin never closes it.
const knex = embeddedDatabase(':memory:')
const itsm = createPlugin({
  baseUrl: `http://127.0.0.1:${port}/api/v1`, // where clients reach it, with the prefix of the mount
  secret: process.env['ITSM_SECRET'] ?? 'an example has no secrets, but it needs 32 characters',
  database: { knex },
  allowInsecure: true, // only for this example: by default the plugin refuses plain HTTP
})
await itsm.migrate() // never runs by itself

// An account, and a person who may do everything in it. Do this once, in a script of your own.
await itsm.accounts.put({ id: 'acme', name: 'Acme', timeZone: 'Amsterdam' })
const person = await itsm.asSystem('first administrator', 'acme').create('person', {
  name: 'Ines Álvarez',
  primary_email: 'ines@acme.example',
})
await itsm.grant(Number(person['id']), 'acme', ['account_owner', 'account_administrator'])
const token = await itsm.credentials.apiToken(Number(person['id']))

const host = new Koa()
host.use(mount('/api', itsm.app)) // before your body parser, so that uploads stay streams
host.use((ctx) => {
  if (ctx.path === '/hello') ctx.body = 'Still your own server\n'
})

const server = createServer(host.callback())
await itsm.start() // checks the tables, then starts the jobs
server.listen(port, '127.0.0.1', () => {
  console.log(`Try: curl -u ${token}:x http://127.0.0.1:${port}/api/v1/me`)
})

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, async () => {
    server.close()
    await itsm.stop()
    await knex.destroy()
    server.closeAllConnections()
  })
}
