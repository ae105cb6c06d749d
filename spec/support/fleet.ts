/**
 * The additions of another team of the same host to its vehicles, and to types of ours, with all options of extensions. The
 * extended types pass the same contract as all others.
 */
import { addColumns, linkTable, partTable } from '../../migrations/tools.js'
import {
  boolean,
  date,
  defineRecord,
  extendRecord,
  identity,
  integer,
  type Migration,
  me,
  oneOf,
  parts,
  ref,
  refs,
  string,
  text,
} from '../../plugin/index.js'
import type { RecordFixture } from '../../plugin/testing/index.js'
import { vehicleFixture } from './vehicle.js'

/** A sub-record of vehicles, which only the extension names. */
const inspection = defineRecord('inspection', {
  path: 'inspections',
  title: null,
  partOf: [],
  fields: { ...identity, garage: string(40, { required: true }), passed: boolean({ default: false }), mileage: integer() },
  collection: {
    fields: 'id garage passed mileage',
    sort: '-id',
    sortable: 'id garage mileage',
    filterable: 'id garage passed',
  },
  access: { create: ['account_administrator'], update: ['account_administrator'], remove: ['account_administrator'] },
})

export const fleetRecords = [inspection]

export const fleet = [
  // Lists and links over fields that later extensions add.
  extendRecord('vehicle', {
    children: { tasks: { record: 'task', by: 'vehicle' } },
    lists: { mine_to_inspect: { inspector: me, status: 'parked' } },
    links: { drivers: { record: 'person', table: 'vehicle_drivers', from: 'vehicle_id', to: 'person_id' } },
    access: {
      create: [{ person: 'inspector' }],
      update: ['configuration_manager', { who: { person: 'inspector' }, fields: ['color'] }],
    },
    importColumns: [{ header: 'Color', field: 'color' }],
    relax: ['color'],
  }),
  extendRecord('vehicle', {
    fields: {
      color: oneOf(['white', 'black'], { required: true }),
      chassis: string(40, { ignoreCase: true }),
      inspected_on: date(),
      inspector: ref('person'),
      depot: ref('site'),
      drivers: refs('person'),
      inspections: parts('inspection', { shows: ['garage', 'passed'] }),
      report: text(),
      note: text({ writeOnly: true, note: 'public' }),
    },
    values: { status: ['parked'], kind: ['truck'], color: ['red'] },
    collection: {
      fields: 'color inspected_on',
      sortable: 'color inspected_on depot status',
      filterable: 'color inspected_on depot inspector',
      countable: 'depot kind status driver updated_at',
    },
    parts: ['note', 'inspection'],
    unique: [['chassis']],
    events: ['note-added'],
  }),
  extendRecord('site', { children: { depot_vehicles: { record: 'vehicle', by: 'depot', link: true } } }),
  extendRecord('person', {
    links: { driven_vehicles: { record: 'vehicle', table: 'vehicle_drivers', from: 'person_id', to: 'vehicle_id' } },
  }),
  extendRecord('task', { fields: { vehicle: ref('vehicle') }, collection: { filterable: 'vehicle' } }),
]

export const extendVehicles: Migration = {
  name: 'host_0002_extend_vehicles',
  up: async (schema) => {
    await addColumns(schema, 'vehicles', (table) => {
      table.enum('color')
      table.string('chassis', 40)
      table.date('inspected_on')
      table.ref('inspector_id')
      table.ref('depot_id')
      table.text('report')
      table.unique('account_id', 'chassis')
      for (const column of ['depot_id', 'kind', 'status', 'driver_id', 'updated_at']) table.index('account_id', column)
    })
    await addColumns(schema, 'tasks', (table) => table.ref('vehicle_id'))
    await linkTable(schema, 'vehicle_drivers', 'vehicle_id', 'person_id')
    await partTable(schema, 'inspections', (table) => {
      table.string('garage', 40)
      table.boolean('passed')
      table.integer('mileage')
    })
  },
  down: async () => {},
}

export const fleetFixtures: readonly (readonly [string, RecordFixture])[] = [
  [
    'vehicle',
    {
      ...vehicleFixture,
      bodies: {
        ...vehicleFixture.bodies,
        full: {
          ...vehicleFixture.bodies['full'],
          color: 'red',
          chassis: 'WVWZZZ1JZXW000001',
          inspected_on: '2026-03-31',
          inspector_id: '@cora',
          depot_id: '@amsterdam',
          driver_ids: ['@hank', '@sam'],
          report: 'Brakes: good.',
          status: 'parked',
        },
      },
      changes: { ...vehicleFixture.changes, 'note-added': { note: 'Washed.' } },
    },
  ],
  [
    'inspection',
    {
      as: '@owen',
      below: 'vehicle',
      bodies: {
        minimal: { garage: 'Joe' },
        full: { garage: 'Ann', passed: true, mileage: 12000 },
      },
      changes: { update: { mileage: 7 } },
      invalid: [{ name: 'without a garage', body: { passed: true }, errors: [['garage', "Garage can't be blank"]] }],
    },
  ],
]
