/** A record type as a host would define it, with its migration and its bodies. It passes the same contract as ours. */
import { recordTable } from '../../migrations/tools.js'
import {
  boolean,
  common,
  date,
  decimal,
  defineRecord,
  integer,
  json,
  type Migration,
  me,
  oneOf,
  ref,
  string,
  text,
} from '../../plugin/index.js'
import type { RecordFixture } from '../../plugin/testing/index.js'

export const vehicle = defineRecord('vehicle', {
  path: 'vehicles',
  fields: {
    ...common,
    name: string(60, { required: true }),
    disabled: boolean({ default: false }),
    license_plate: string(12, { required: true, ignoreCase: true }),
    kind: oneOf(['van', 'car', 'bicycle'], { default: 'van' }),
    status: oneOf(['ordered', 'in_use', 'sold'], { default: 'ordered' }),
    seats: integer({ minimum: 1, maximum: 60, description: 'Places to sit, the driver included.' }),
    price: decimal({ minimum: 0, read: ['account_administrator', 'auditor', { person: 'driver' }] }),
    bought_on: date(),
    driver: ref('person'),
    garage: ref('site'),
    remarks: text(),
    custom_data: json(),
  },
  collection: {
    fields: 'id sourceID name license_plate kind driver created_at updated_at',
    sort: 'name',
    sortable: 'id name license_plate kind seats price bought_on driver created_at',
    filterable: 'id source sourceID name license_plate kind status seats price bought_on driver updated_at',
  },
  lists: { driven_by_me: { driver: me }, enabled: { disabled: false } },
  access: { create: ['account_administrator'], update: ['account_administrator', { person: 'driver' }] },
  events: ['create', 'update', 'status-changed'],
  unique: [['name'], ['license_plate']],
  import: {
    type: 'vehicles',
    order: 100,
    key: 'license_plate',
    columns: [
      { header: 'Name', field: 'name' },
      { header: 'License Plate', field: 'license_plate' },
      { header: 'Kind', field: 'kind' },
      { header: 'Seats', field: 'seats' },
      { header: 'Driver', field: 'driver' },
      { header: 'Remarks', field: 'remarks' },
    ],
  },
})

export const createVehicles: Migration = {
  name: 'host_0001_create_vehicles',
  up: (schema) =>
    recordTable(schema, 'vehicles', (table) => {
      table.string('source', 30)
      table.string('sourceID', 128)
      table.datetime('created_at')
      table.datetime('updated_at')
      table.string('name', 60)
      table.boolean('disabled')
      table.string('license_plate', 12)
      table.enum('kind')
      table.enum('status')
      table.integer('seats')
      table.decimal('price')
      table.date('bought_on')
      table.ref('driver_id')
      table.ref('garage_id')
      table.text('remarks')
      table.json('custom_data')
      table.unique('account_id', 'source', 'sourceID')
      table.unique('account_id', 'name')
      table.unique('account_id', 'license_plate')
    }),
  down: async ({ knex, table }) => {
    await knex.schema.dropTable(table('vehicles'))
  },
}

export const vehicleFixture: RecordFixture = {
  as: '@owen',
  bodies: {
    minimal: { name: 'Blue van', license_plate: 'VX-1' },
    full: {
      source: 'Fleet',
      sourceID: 'F-1',
      name: 'Red car',
      disabled: false,
      license_plate: 'CR-1',
      kind: 'car',
      status: 'in_use',
      seats: 5,
      price: '23999.95',
      bought_on: '2026-02-28',
      driver_id: '@hank',
      garage_id: '@utrecht',
      remarks: 'Winter tyres\nin the garage.',
      custom_data: { radio: true },
    },
  },
  changes: { update: { seats: 3 }, 'status-changed': { status: 'in_use' } },
  invalid: [
    {
      name: 'with too many seats',
      body: { $like: 'vehicle.minimal', seats: 61 },
      errors: [['seats', 'Seats cannot be greater than 60']],
    },
  ],
}
