/**
 * A plugin that starts, works, stops, and must then leave nothing that keeps the process alive. Arguments: database URL,
 * MongoDB URL or `-`. Prints what is still active if it does not end by itself.
 */
import { createPlugin } from '../../plugin/index.js'

const [database = 'sqlite::memory:', mongo = '-'] = process.argv.slice(2)
const itsm = createPlugin({
  baseUrl: 'https://desk.example/v1',
  secret: 'a secret for specs that is long enough to be taken',
  database: { url: database },
  ...(mongo === '-' ? {} : { mongo: { url: mongo } }),
  webhooks: { allowPrivateAddresses: true },
})
await itsm.migrate()
await itsm.accounts.put({ id: 'acme', name: 'Acme' })
await itsm.start()
const system = itsm.asSystem('spec', 'acme')
// Nothing listens there: a delivery is in progress while the plugin stops.
await system.create('webhook', { event: 'person.create', uri: 'http://127.0.0.1:9/' })
await system.create('person', { name: 'Ines', primary_email: 'ines@acme.example' })
await new Promise((resolve) => setTimeout(resolve, 200))
await itsm.stop()
await itsm.stop()
setTimeout(() => {
  console.error('Still active:', process.getActiveResourcesInfo())
  process.exit(1)
}, 10_000).unref()
console.log('stopped')
