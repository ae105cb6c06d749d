/**
 * A host with the plugin in a separate process, which a spec may kill. Arguments: database URL, MongoDB URL or '-', and
 * `listen` to get the people of a listener's events.
 */
import { createServer } from 'node:http'
import Koa from 'koa'
import mount from 'koa-mount'
import { createPlugin, listener } from '../../plugin/index.js'

const [database = '', mongo = '-', listen] = process.argv.slice(2)
const host = new Koa()
const server = createServer()
server.listen(0, '127.0.0.1', async () => {
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('The host has no port')
  const itsm = createPlugin({
    baseUrl: `http://127.0.0.1:${address.port}/api/v1`,
    allowInsecure: true,
    secret: 'a secret of the specs, 32 characters or more',
    database: { url: database },
    ...(mongo === '-' ? {} : { mongo: { url: mongo } }),
    jobs: { takeOverAfterMs: Number(process.env['SPEC_TAKE_OVER_MS'] ?? 2_000) },
    rateLimit: { perHour: 1_000_000, burst: false },
    webhooks: { allowPrivateAddresses: true },
    ...(listen
      ? { on: { 'person.create': [listener('hears', ({ recordId }) => void process.send?.({ heard: recordId }))] } }
      : {}),
    sendMail: async (mail) => {
      process.send?.({ mail })
    },
  })
  await itsm.migrate()
  await itsm.accounts.put({ id: 'acme', name: 'Acme', timeZone: 'Amsterdam' })
  const system = itsm.asSystem('the specs need an administrator', 'acme')
  const { items } = await system.list('person', { primary_email: 'owen@acme.example' })
  const owen = items[0] ?? (await system.create('person', { name: 'Owen', primary_email: 'owen@acme.example' }))
  await itsm.grant(Number(owen['id']), 'acme', ['account_owner'])
  host.use(async (ctx, next) => {
    await next()
    if (ctx.get('x-die') === 'before the response') process.kill(process.pid, 'SIGKILL')
  })
  host.use(mount('/api', itsm.app))
  server.on('request', host.callback())
  await itsm.start()
  process.on('SIGTERM', async () => {
    server.close()
    server.closeIdleConnections()
    await itsm.stop()
    process.disconnect?.()
  })
  process.send?.({ port: address.port, token: await itsm.credentials.apiToken(Number(owen['id'])) })
})
