/** Adds a page of its own to the console: a map of the vehicles of the host. */
import { createServer } from 'node:http'
import Koa from 'koa'
import { createPlugin, defineRecord, float, identity, type Migration, recordTable, ref, string, times } from 'koa-itsm'

const vehicle = defineRecord('vehicle', {
  path: 'vehicles',
  fields: {
    ...identity,
    plate: string(20, { required: true }),
    driver: ref('person'),
    latitude: float({ minimum: -90, maximum: 90 }),
    longitude: float({ minimum: -180, maximum: 180 }),
    ...times,
  },
  title: 'plate',
  collection: { fields: 'id plate driver updated_at', sort: 'plate', filterable: { also: 'latitude' } },
  access: { create: ['account_administrator'], update: ['account_administrator', { person: 'driver' }] },
})

const createVehicles: Migration = {
  name: 'fleet_0001_create_vehicles',
  up: (schema) =>
    recordTable(schema, 'vehicles', (table) => {
      table.string('plate', 20)
      table.ref('driver_id')
      table.float('latitude')
      table.float('longitude')
      table.datetime('created_at')
      table.datetime('updated_at')
    }),
  down: (schema) => schema.knex.schema.dropTable(schema.table('vehicles')),
}

const port = Number(process.env['PORT'] ?? 3000)
const origin = `http://127.0.0.1:${port}`
const itsm = createPlugin({
  baseUrl: `${origin}/v1`,
  secret: 'an example has no secrets, but it needs 32 characters',
  database: { url: 'sqlite::memory:' },
  allowInsecure: true,
  records: [vehicle],
  migrations: [createVehicles],
  console: {
    brand: { name: 'Fleet desk' },
    // The module is served with the files of the console; it gets a kit, which fleet-map.js shows.
    pages: [
      {
        path: '/fleet-map',
        title: { en: 'Fleet map', nl: 'Wagenparkkaart' },
        module: new URL('fleet-map.js', import.meta.url),
      },
    ],
  },
})
await itsm.migrate()
await itsm.accounts.put({ id: 'acme', name: 'Acme' })
const system = itsm.asSystem('seed', 'acme')
const ines = await system.create('person', { name: 'Ines', primary_email: 'ines@acme.example' })
await itsm.grant(ines.id, 'acme', ['account_administrator'])
await itsm.credentials.setPassword(ines.id, 'a password for an example')
const places = { 'K-OA-1': [52.37, 4.9], 'K-OA-2': [52.09, 5.12], 'K-OA-3': [51.92, 4.48] } as const
for (const [plate, [latitude, longitude]] of Object.entries(places)) {
  await system.create('vehicle', { plate, latitude, longitude, driver_id: ines.id })
}

await itsm.start()
const server = createServer(new Koa().use(itsm.middleware).callback()).listen(port, '127.0.0.1')
server.once('listening', () => {
  console.log(`Look at ${origin}/console/fleet-map as ines@acme.example, with "a password for an example"`)
})
process.once('SIGTERM', () => void Promise.all([itsm.stop(), server.close()]))
