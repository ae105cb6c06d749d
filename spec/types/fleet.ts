/** What a host defines, for the type test: a type with sub-records, links and rules, and additions to types of the plugin. */
import {
  boolean,
  common,
  createPlugin,
  datetime,
  decimal,
  defineRecord,
  extendRecord,
  integer,
  json,
  me,
  oneOf,
  parts,
  ref,
  rule,
  string,
  text,
} from 'koa-itsm'

// Fills its field, so that bodies need not have it.
const numbered = rule('numbered', (prefix: string) => ({
  fields: ['code'],
  fills: ['code'],
  fill({ next }) {
    next['code'] ??= `${prefix}-1`
  },
}))
// Changes what is there: bodies have it all the same.
const upperCase = rule('upperCase', (field: string) => ({
  fields: [field],
  fill({ next }) {
    next[field] = String(next[field]).toUpperCase()
  },
}))

export const vehicle = defineRecord('vehicle', {
  path: 'vehicles',
  fields: {
    ...common,
    plate: string(12, { required: true }),
    code: string(20, { required: true }),
    fuel: oneOf(['electric', 'diesel'], { default: 'electric' }),
    status: oneOf(['ordered', 'in_use', 'sold'], { default: 'ordered' }),
    seats: integer({ minimum: 1 }),
    price: decimal(),
    is_leased: boolean({ default: false }),
    bought_at: datetime(),
    driver: ref('person'),
    garage: ref('site', { required: true }),
    remarks: text(),
    pin: string(8, { writeOnly: true }),
    mileage: integer({ readOnly: true }),
    trips: parts('trip', { replaceable: true }),
    custom_data: json(),
  },
  title: 'plate',
  collection: { fields: 'id plate status driver', sort: 'plate', sortable: 'plate seats', filterable: { also: 'fuel seats' } },
  lists: { driven_by_me: { driver: me } },
  links: {
    helpers: { record: 'person', table: 'vehicle_helpers', from: 'vehicle_id', to: 'person_id' },
    passers: { record: 'person', table: 'vehicle_passers', from: 'vehicle_id', to: 'person_id', write: 'none' },
  },
  children: { tasks: { record: 'task', by: 'vehicle' }, requests: { record: 'request', by: 'vehicle', link: true } },
  parts: ['trip'],
  rules: [numbered('V'), upperCase('plate')],
  events: ['create', 'update', 'status-changed'],
  emits: ['towed'],
  access: { create: ['account_administrator'], update: ['account_administrator'] },
})

export const trip = defineRecord('trip', {
  path: 'trips',
  partOf: ['vehicle'],
  fields: { ...common, distance: integer({ required: true }), destination: string(80) },
  title: null,
  collection: { fields: 'id distance', sort: 'id', sortable: 'id' },
  access: { create: ['account_administrator'], update: ['account_administrator'] },
})

// Its lists have all fields.
export const badge = defineRecord('badge', {
  path: 'badges',
  fields: {
    ...common,
    code: string(20, { required: true }),
    kind: oneOf(['staff', 'visitor']),
    holder: ref('person'),
    pin: string(8, { writeOnly: true }),
  },
  title: 'code',
  collection: { sort: 'code' },
  access: { create: ['account_administrator'], update: ['account_administrator'] },
})

export const tasks = extendRecord('task', {
  fields: { vehicle: ref('vehicle') },
  collection: { filterable: 'vehicle' },
  values: { status: ['parked'] },
})
export const requests = extendRecord('request', {
  fields: { vehicle: ref('vehicle') },
  lists: { on_the_road: { vehicle: 1 } },
  emits: ['picked-up'],
  relax: ['subject'],
})

/** The options of a desk, without its record types. */
export const desk = {
  baseUrl: 'https://desk.example/v1',
  secret: 'only for the type test, and long enough',
  database: { url: 'sqlite::memory:' },
} as const

/** A plugin as the type test uses it. */
export const itsm = createPlugin({ ...desk, records: [vehicle, trip, badge], extend: [tasks, requests] })
export const ada = itsm.as('ada@acme.example')
