/** Calls that do not compile: each has one mistake, in its own line, and the compiler must find all of them. */
import { createPlugin, defineRecord, extendRecord, type RowOf, string } from 'koa-itsm'
import { ada, desk, itsm, requests, tasks, trip, vehicle } from './fleet.js'

const van = { plate: 'K-1', garage_id: 3 }
const owner = { type: 'vehicle', id: 7 } as const

/** Bodies. */
export const bodies = [
  // @ts-expect-error no such type
  () => ada.create('vehicel', van),
  // @ts-expect-error of our types, too
  () => ada.create('reqest', { subject: 'A laptop', category: 'rfc' }),
  // @ts-expect-error the plate is required
  () => ada.create('vehicle', { garage_id: 3 }),
  // @ts-expect-error the garage is required
  () => ada.create('vehicle', { plate: 'K-1' }),
  // @ts-expect-error what is required is not null
  () => ada.create('vehicle', { ...van, plate: null }),
  // @ts-expect-error the name of a team is required
  () => ada.create('team', { member_ids: [1] }),
  // @ts-expect-error no such category
  () => ada.create('request', { subject: 'A laptop', category: 'laptop' }),
  // @ts-expect-error no such fuel
  () => ada.create('vehicle', { ...van, fuel: 'desel' }),
  // @ts-expect-error misspelled
  () => ada.create('vehicle', { ...van, remark: 'Red' }),
  // @ts-expect-error references end with _id
  () => ada.create('vehicle', { ...van, driver: 17 }),
  // @ts-expect-error an id is a number
  () => ada.create('vehicle', { ...van, driver_id: 'ada@acme.example' }),
  // @ts-expect-error a number is no text
  () => ada.create('vehicle', { ...van, seats: 'four' }),
  // @ts-expect-error a text is no number
  () => ada.create('vehicle', { ...van, code: 7 }),
  // @ts-expect-error a flag
  () => ada.create('vehicle', { ...van, is_leased: 'yes' }),
  // @ts-expect-error a time is a text
  () => ada.create('vehicle', { ...van, bought_at: 2026 }),
  // @ts-expect-error read-only
  () => ada.create('vehicle', { ...van, mileage: 3 }),
  // @ts-expect-error the id of a new record
  () => ada.create('vehicle', { ...van, id: 3 }),
  // @ts-expect-error ids are numbers
  () => ada.create('vehicle', { ...van, helper_ids: ['ada'] }),
  // @ts-expect-error the link is read-only
  () => ada.create('vehicle', { ...van, passer_ids: [17] }),
  // @ts-expect-error the singular
  () => ada.create('vehicle', { ...van, helpers_ids: [17] }),
  // @ts-expect-error a text without files
  () => ada.create('vehicle', { ...van, plate_attachments: [{ key: 'a/b' }] }),
  // @ts-expect-error the key of a file is a text
  () => ada.create('vehicle', { ...van, remarks_attachments: [{ key: 7 }] }),
  // @ts-expect-error a note has a text
  () => ada.create('note', {}, { type: 'request', id: 7 }),
  // @ts-expect-error one of the bodies
  () => ada.createMany('vehicle', [van, { ...van, fuel: 'wood' }]),
  // @ts-expect-error no list
  () => ada.createMany('vehicle', van),
  // @ts-expect-error misspelled
  () => ada.update('vehicle', 7, { statu: 'sold' }),
  // @ts-expect-error no such status
  () => ada.update('vehicle', 7, { status: 'parked' }),
  // @ts-expect-error neither one of ours nor one that the extension adds
  () => ada.update('task', 5, { status: 'in_use' }),
  // @ts-expect-error the field of an extension is a reference
  () => ada.update('task', 5, { vehicle: 7 }),
  // @ts-expect-error requests have it, and problems have not
  () => ada.update('problem', 5, { vehicle_id: 7 }),
  // @ts-expect-error an id
  () => ada.update('vehicle', '7', { seats: 2 }),
  // @ts-expect-error required fields stay
  () => ada.update('vehicle', 7, { garage_id: null }),
  // @ts-expect-error strict functions, too
  () => ada.strict.create('vehicle', { ...van, fuel: 'wood' }),
  // @ts-expect-error the type of the owner
  () => ada.create('trip', { distance: 3 }, { type: 'vehicel', id: 7 }),
]

/** People. */
export const people = [
  // @ts-expect-error a source alone is nobody
  () => itsm.as({ source: 'HR' }),
  // @ts-expect-error texts
  () => itsm.as({ source: 'HR', sourceID: 17 }),
  // @ts-expect-error true or false
  () => itsm.as(17, { strict: 'yes' }),
  // @ts-expect-error misspelled
  () => itsm.as(17, { acount: 'acme' }),
]

/** Lists. */
export const lists = [
  // @ts-expect-error no such type
  () => ada.list('vehicles'),
  // @ts-expect-error no such fuel
  () => ada.list('vehicle', { fuel: 'desel' }),
  // @ts-expect-error not filterable
  () => ada.list('vehicle', { remarks: 'red' }),
  // @ts-expect-error misspelled
  () => ada.list('vehicle', { sets: 3 }),
  // @ts-expect-error not sortable
  () => ada.list('vehicle', { sort: 'remarks' }),
  // @ts-expect-error no such field
  () => ada.list('vehicle', { fields: 'colour' }),
  // @ts-expect-error a number
  () => ada.list('vehicle', { per_page: 'all' }),
  // @ts-expect-error misspelled
  () => ada.list('vehicle', {}, 'driven_by_mee'),
  // @ts-expect-error a list of another type
  () => ada.list('vehicle', {}, 'open'),
  // @ts-expect-error no such status of requests
  () => ada.list('request', { status: 'sold' }),
  // @ts-expect-error no such kind, in a list of all fields
  () => ada.list('badge', { kind: 'guest' }),
  // @ts-expect-error misspelled, in a list of all fields
  () => ada.list('badge', { holdr: 17 }),
  // @ts-expect-error no field to sort by, in a list of all fields
  () => ada.list('badge', { sort: 'colour' }),
  // @ts-expect-error no such type
  () => ada.list('note', { within: { reqest: 7 } }),
  // @ts-expect-error an id
  () => ada.list('note', { within: { request: 'seven' } }),
  // @ts-expect-error no such type
  () => ada.list('person', { within: { type: 'cis', id: 3 } }),
]

/** Links, sub-records and removals. */
export const around = [
  // @ts-expect-error no such link
  () => ada.link(owner, 'helper', 17),
  // @ts-expect-error a link that is read-only
  () => ada.link(owner, 'passers', 17),
  // @ts-expect-error a list that is no link
  () => ada.link(owner, 'tasks', 17),
  // @ts-expect-error a link of another type
  () => ada.unlink({ type: 'team', id: 4 }, 'helpers', 17),
  // @ts-expect-error no such type
  () => ada.remove('trips', 3, owner),
  // @ts-expect-error the owner has a type
  () => ada.remove('trip', 3, { id: 7 }),
  // @ts-expect-error all of whose
  () => ada.removeAll('trip'),
  // @ts-expect-error data is an object
  () => ada.emit('vehicle.towed', 7, 'Depot 7'),
]

/** What comes back. */
export const results = [
  // @ts-expect-error no such type
  () => ada.read('vehicel', 7),
  // @ts-expect-error misspelled
  async () => (await ada.read('vehicle', 7)).plat,
  // @ts-expect-error the field has a reference, not an id
  async () => (await ada.read('vehicle', 7)).driver_id,
  // @ts-expect-error nobody need drive it
  async () => (await ada.read('vehicle', 7)).driver.id,
  // @ts-expect-error never returned
  async () => (await ada.read('vehicle', 7)).pin.length,
  // @ts-expect-error no such fuel
  async () => (await ada.read('vehicle', 7)).fuel === 'wood',
  // @ts-expect-error may be null
  async () => (await ada.read('vehicle', 7)).seats.toFixed(),
  // @ts-expect-error no such field
  () => ada.read('vehicle', 7, undefined, ['colour']),
  // @ts-expect-error people may not see what they have created
  async () => (await ada.create('vehicle', van)).plate.toUpperCase(),
  // @ts-expect-error lists have some fields
  async () => (await ada.list('vehicle')).items[0]?.plate.toUpperCase(),
  // @ts-expect-error misspelled
  async () => (await ada.list('vehicle')).items[0]?.plat,
  // @ts-expect-error no such type
  () => itsm.models.of('vehicel'),
  // @ts-expect-error no such column
  async () => (await itsm.models.of('vehicle').query().findById(7))?.driver,
  // @ts-expect-error no such column
  (row: RowOf<typeof vehicle>) => row.garage,
]

const mine = { ...desk, records: [vehicle, trip], extend: [tasks, requests] } as const
const none = () => {}

/** Hooks and listeners. */
export const hooks = [
  // @ts-expect-error no such type
  () => createPlugin({ ...mine, on: { 'vehicel.create': [none] } }),
  // @ts-expect-error no such event
  () => createPlugin({ ...mine, on: { 'vehicle.created': [none] } }),
  // @ts-expect-error an event that the type does not cause
  () => createPlugin({ ...mine, on: { 'vehicle.note-added': [none] } }),
  // @ts-expect-error an event that another type emits
  () => createPlugin({ ...mine, on: { 'task.picked-up': [none] } }),
  // @ts-expect-error no such status
  () => createPlugin({ ...mine, on: { 'vehicle.status-changed': [({ status }) => status === 'parked'] } }),
  // @ts-expect-error the event says no such thing
  () => createPlugin({ ...mine, on: { 'vehicle.create': [({ record }) => record] } }),
  // @ts-expect-error no such save
  () => createPlugin({ ...mine, before: { 'vehicle.create': [none] } }),
  // @ts-expect-error no such type
  () => createPlugin({ ...mine, before: { 'vehicel.save': [none] } }),
  // @ts-expect-error no such fuel
  () => createPlugin({ ...mine, before: { 'vehicle.save': [({ next }) => void (next.fuel === 'wood')] } }),
  // @ts-expect-error no such column
  () => createPlugin({ ...mine, before: { 'vehicle.save': [({ next }) => void next.driver] } }),
  // @ts-expect-error no such column of a record that is removed
  () => createPlugin({ ...mine, before: { 'vehicle.remove': [({ next }) => void next.driver] } }),
  // @ts-expect-error no such type to remove
  () => createPlugin({ ...mine, before: { 'vehicel.remove': [none] } }),
  // @ts-expect-error no such field
  () => createPlugin({ ...mine, before: { 'vehicle.save': [({ fail }) => fail('sets', 'invalid')] } }),
  // @ts-expect-error no such type
  () => createPlugin({ ...mine, scope: { vehicel: (_, decide) => decide() } }),
  // @ts-expect-error no such fuel
  () => createPlugin({ ...mine, scope: { vehicle: (_) => ({ fuel: 'wood' }) } }),
  // @ts-expect-error a flag is no text
  () => createPlugin({ ...mine, scope: { vehicle: (_) => ({ is_leased: 'yes' }) } }),
  // @ts-expect-error no such option
  () => createPlugin({ ...mine, bfore: {} }),
]

const fields = { name: string(80) }
const closed = { fields, collection: { fields: 'name', sort: 'name' }, access: { create: [], update: [] } } as const

/** Definitions. */
export const definitions = [
  // @ts-expect-error no such event
  () => defineRecord('van', { path: 'vans', ...closed, events: ['created'] }),
  // @ts-expect-error misspelled
  () => defineRecord('van', { path: 'vans', ...closed, children: { tasks: { record: 'task', by: 'van', lnk: true } } }),
  // @ts-expect-error misspelled
  () => defineRecord('van', { path: 'vans', ...closed, acces: {} }),
  // @ts-expect-error misspelled
  () => extendRecord('task', { collection: { filterabel: 'vehicle' } }),
  // @ts-expect-error no such verb
  () => extendRecord('task', { events: ['towed'] }),
]
