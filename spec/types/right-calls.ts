/** Calls that compile. Each has a wrong one beside it in `wrong-calls.ts`, where it can have one. */
import {
  createPlugin,
  type Definition,
  type LocalApi,
  listener,
  not,
  type Plugin,
  type PluginOptions,
  type RowOf,
} from 'koa-itsm'
import { ada, desk, itsm, requests, tasks, trip, vehicle } from './fleet.js'

const van = { plate: 'K-1', garage_id: 3 }
const owner = { type: 'vehicle', id: 7 } as const

/** Bodies. */
export const bodies = [
  () => ada.create('request', { subject: 'A laptop', category: 'rfc' }),
  () => ada.create('request', { category: 'incident', impact: 'low', note: 'It leaks.' }), // an extension relaxes the subject
  () => ada.create('request', { category: 'other', vehicle_id: 7 }),
  () => ada.create('vehicle', van),
  () => ada.create('vehicle', { ...van, fuel: 'diesel', status: 'in_use', seats: 4, is_leased: true }),
  () => ada.create('vehicle', { ...van, price: '23999.95', bought_at: '2026-02-28T08:00:00Z', remarks: null }),
  () => ada.create('vehicle', { ...van, driver_id: 17, helper_ids: [17, 18], pin: '1234' }),
  () => ada.create('vehicle', { ...van, code: 'V-7', status: 'ordered' }),
  () => ada.create('vehicle', { ...van, source: 'Fleet', sourceID: 'F-1', custom_data: { radio: true } }),
  () => ada.create('vehicle', { ...van, custom_fields: [{ id: 'radio', value: true }] }),
  () => ada.create('vehicle', { ...van, remarks: 'See the photo.', remarks_attachments: [{ key: 'a/b' }] }),
  () => ada.create('vehicle', { ...van, trips: [{ distance: 12 }] }),
  () => ada.create('trip', { distance: 12, destination: null }, owner),
  () => ada.create('note', { text: 'It is here.' }, { type: 'request', id: 7 }),
  () => ada.create('person', { name: 'Ines', primary_email: 'ines@acme.example' }),
  () => ada.create('team', { name: 'Desk', member_ids: [1, 2] }),
  () => ada.createMany('vehicle', [van, { ...van, plate: 'K-2', fuel: 'electric' }]),
  () => ada.createMany('trip', [{ distance: 1 }, { distance: 2 }], owner),
  () => ada.update('vehicle', 7, { status: 'sold', driver_id: null }),
  () => ada.update('vehicle', 7, {}),
  () => ada.update('task', 5, { status: 'parked', vehicle_id: 7 }),
  () => ada.update('request', 5, { status: 'completed', completion_reason: 'solved' }),
  () => ada.strict.create('vehicle', { ...van, seats: null }),
  () => itsm.asSystem('a type test', 'acme').update('trip', 3, { distance: 40 }, owner),
]

/** People. */
export const people = [
  () => itsm.as(17),
  () => itsm.as('ada@acme.example', { account: 'acme' }),
  () => itsm.as({ source: 'HR', sourceID: '17' }),
  () => itsm.as({ source: 'HR', sourceID: '17' }, { strict: true }).update('vehicle', 7, { seats: 2 }),
]

/** Lists. */
export const lists = [
  () => ada.list('vehicle'),
  () => ada.list('vehicle', { fuel: 'diesel', seats: '>3', sort: '-plate', per_page: 50 }),
  () => ada.list('vehicle', { fuel: '!diesel', status: 'ordered,in_use', driver: 17 }),
  () => ada.list('vehicle', { driver_id: 17, 'seats>': 3, fields: 'plate,seats', sort: 'seats,-plate' }),
  () => ada.list('vehicle', { ids: '1,2,3', page: 2 }),
  () => ada.list('vehicle', {}, 'driven_by_me'),
  () => ada.list('request', { status: '!completed', sort: '-id' }, 'open'),
  () => ada.list('request', {}, 'on_the_road'),
  () => ada.list('task', { vehicle: 7, status: 'parked' }),
  () => ada.list('badge', { kind: '!visitor', holder: 17, code: 'B-7', sort: '-kind,code' }),
  () => ada.list('note', { within: { request: 7 } }),
  () => ada.list('trip', { within: { vehicle: 7 } }),
  () => ada.list('person', { within: { type: 'ci', id: 3, path: 'users' } }),
  () => ada.list('person', {}, 'all_with_roles'),
]

/** Links, sub-records and removals. */
export const around = [
  () => ada.link(owner, 'helpers', 17),
  () => ada.unlink({ type: 'team', id: 4 }, 'members', 17),
  () => ada.link({ type: 'vehicle', id: 7 }, 'requests', 3),
  () => ada.remove('trip', 3, owner),
  () => ada.removeAll('trip', owner),
  () => ada.remove('webhook', 3),
  () => ada.emit('vehicle.towed', 7, { to: 'Depot 7' }),
]

/** What comes back. */
export const results = [
  async () => (await ada.read('vehicle', 7)).plate.toUpperCase(),
  async () => (await ada.read('vehicle', 7)).driver?.id.toFixed(),
  async (): Promise<'electric' | 'diesel'> => (await ada.read('vehicle', 7)).fuel,
  async (): Promise<number | null> => (await ada.read('vehicle', 7)).seats,
  async () => (await ada.read('vehicle', 7, undefined, ['custom_fields'])).mileage?.toFixed(),
  async () => (await ada.read('task', 7)).vehicle?.id,
  async () => (await ada.create('vehicle', van)).id.toFixed(),
  async () => (await ada.create('vehicle', van)).plate?.toUpperCase(), // left out for people who do not see it
  async () => (await ada.update('vehicle', 7, {})).status === 'sold',
  async () => (await ada.list('vehicle')).items[0]?.plate?.toUpperCase(),
  async () => (await ada.createMany('vehicle', [van]))[0]?.error?.message,
  async () => (await itsm.models.of('vehicle').query().findById(7))?.plate.toUpperCase(),
  async () => (await itsm.models.of('vehicle').query().where('driver_id', 17))[0]?.driver_id?.toFixed(),
  async () => (await itsm.models.of('request').query().findById(7))?.vehicle_id?.toFixed(),
  (row: RowOf<typeof vehicle>) => row.garage_id.toFixed(),
]

const mine = { ...desk, records: [vehicle, trip], extend: [tasks, requests] } as const
type Row = { readonly status: string }

/** Hooks and listeners. */
export const hooks = [
  () => createPlugin({ ...mine, on: { 'vehicle.create': [({ recordId }) => recordId.toFixed()] } }),
  () => createPlugin({ ...mine, on: { 'vehicle.towed': [({ data, recordType }) => [data, recordType === 'vehicle']] } }),
  () => createPlugin({ ...mine, on: { 'request.picked-up': [listener('tell', ({ name }) => name === 'request.picked-up')] } }),
  () => createPlugin({ ...mine, on: { 'vehicle.status-changed': [({ status }) => status === 'sold'] } }),
  () => createPlugin({ ...mine, on: { 'import.completed': [({ recordId }) => recordId.toFixed()] } }),
  () =>
    createPlugin({
      ...mine,
      before: { 'vehicle.save': [({ next, fail }) => void (next.seats === 13 && fail('seats', 'invalid'))] },
    }),
  () => createPlugin({ ...mine, before: { 'vehicle.save': [({ next }) => void (next.fuel === 'electric')] } }),
  () => createPlugin({ ...mine, before: { 'task.save': [({ next }) => void next.vehicle_id?.toFixed()] } }),
  () =>
    createPlugin({
      ...mine,
      before: { 'vehicle.remove': [({ fail, next }) => void (next.seats === 13 && fail('seats', 'invalid'))] },
    }),
  () => createPlugin({ ...mine, before: { 'request.save': [({ changed }) => void changed('vehicle_id')] } }),
  () => createPlugin({ ...mine, scope: { vehicle: (_) => ({ fuel: 'electric', 'driver.disabled': false }) } }),
  () => createPlugin({ ...mine, scope: { task: () => ({ status: not('parked') }), vehicle: (_, decide) => decide() } }),
  () => createPlugin({ ...mine, scope: ({ type }, decide) => (type === 'vehicle' ? { status: 'sold' } : decide()) }),
]

/** The escape: names and bodies that are only known when the program runs. */
export const plain = [
  (name: string, body: object) => (itsm as Plugin).as(17).create(name, body),
  (api: LocalApi, name: string) => api.list(name, { [name]: 'x' }, name),
  async (api: LocalApi, name: string) => Number((await api.read(name, 1))['id']),
  (some: Plugin, name: string) => some.models.of(name).query(),
  (options: PluginOptions) => createPlugin(options).as(17).create('anything', { of: 'any kind' }),
  (records: readonly Definition[]) =>
    createPlugin({ ...desk, records, on: { 'any.event': [] } })
      .as(17)
      .read('anything', 1),
  (): LocalApi => ada,
  (take: (some: Plugin) => void) => take(itsm),
  (row: Row) => row.status,
]
