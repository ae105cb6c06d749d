/** Adds a record type of the host, vehicles, with routes, checks, filters, lists, events and an audit trail; and extends tasks. */
import { createServer } from 'node:http'
import Koa from 'koa'
import {
  addColumns,
  createPlugin,
  defineRecord,
  extendRecord,
  type HostEvent,
  identity,
  type Migration,
  me,
  oneOf,
  recordTable,
  ref,
  rule,
  string,
} from 'koa-itsm'

// Records do this themselves, whoever saves them. The settings of a rule name its field.
const upperCase = rule('upperCase', (field: string) => ({
  fields: [field], // createPlugin reports a name that the type does not have
  fill({ next }) {
    const text = next[field]
    if (typeof text === 'string') next[field] = text.toUpperCase()
  },
}))

const vehicle = defineRecord('vehicle', {
  path: 'vehicles', // GET and POST /vehicles, GET and PATCH /vehicles/:id
  fields: {
    ...identity, // id
    name: string(80, { required: true }),
    plate: string(20, { required: true }),
    fuel: oneOf(['electric', 'diesel'], { default: 'electric' }), // appears in /enums as vehicle.fuel
    driver: ref('person'), // written as driver_id, shown with id and name
  },
  collection: { fields: 'id plate driver', sort: 'plate', filterable: { also: 'fuel' } }, // GET /vehicles?fuel=electric&driver=1
  lists: { driven_by_me: { driver: me } }, // GET /vehicles/driven_by_me
  children: { tasks: { record: 'task', by: 'vehicle' } }, // GET /vehicles/:id/tasks, by the field that is added below
  rules: [upperCase('plate')],
  unique: [['plate']],
  events: ['create', 'update'], // webhooks can subscribe to vehicle.create
  access: { create: ['account_administrator'], update: ['account_administrator', { person: 'driver' }] },
})

const tasks = extendRecord('task', {
  fields: { vehicle: ref('vehicle') }, // PATCH /tasks/:id { vehicle_id }
  collection: { fields: 'vehicle', filterable: 'vehicle' }, // GET /tasks?vehicle=1 shows it
  values: { status: ['parked'] }, // the last one in /enums/task.status
})

// A definition never alters a table. Without this migration, start() refuses and prints a draft of it.
const createVehicles: Migration = {
  name: 'fleet_0001_create_vehicles',
  up: async (schema) => {
    await recordTable(schema, 'vehicles', (table) => {
      table.string('name', 80)
      table.string('plate', 20)
      table.enum('fuel')
      table.ref('driver_id')
      table.unique('account_id', 'plate')
    })
    await addColumns(schema, 'tasks', (table) => table.ref('vehicle_id'))
  },
  down: (schema) => schema.knex.schema.dropTable(schema.table('vehicles')),
}

function welcomeVehicle({ accountId, recordId }: HostEvent): void {
  console.log(`Vehicle ${recordId} joined the fleet of ${accountId}`)
}

const port = Number(process.env['PORT'] ?? 3000)
const baseUrl = `http://127.0.0.1:${port}/v1`
const itsm = createPlugin({
  baseUrl,
  secret: 'an example has no secrets, but it needs 32 characters',
  database: { url: 'sqlite::memory:' },
  allowInsecure: true,
  records: [vehicle],
  extend: [tasks],
  migrations: [createVehicles],
  on: { 'vehicle.create': [welcomeVehicle] },
})
await itsm.migrate()
await itsm.accounts.put({ id: 'acme', name: 'Acme' })
const { id } = await itsm.asSystem('seed', 'acme').create('person', { name: 'Ines', primary_email: 'ines@acme.example' })
await itsm.grant(Number(id), 'acme', ['account_administrator'])
await itsm.as(Number(id)).create('vehicle', { name: 'Van', plate: 'k-oa-1', driver_id: id })
const token = await itsm.credentials.apiToken(Number(id))

await itsm.start()
const server = createServer(new Koa().use(itsm.middleware).callback()).listen(port, '127.0.0.1')
server.once('listening', () => console.log(`Try: curl -u ${token}:x ${baseUrl}/vehicles/driven_by_me`))
process.once('SIGTERM', () => void Promise.all([itsm.stop(), server.close()]))
