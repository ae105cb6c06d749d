/** A record type of a host for the console: with a life of its own, and a rule that refuses. */
import { recordTable } from '../../migrations/tools.js'
import { common, defineRecord, integer, type Migration, oneOf, ref, rule, string, text } from '../../plugin/index.js'

const STATUSES = ['ordered', 'ready', 'lent', 'retired'] as const

/** A car that seats more than nine people is a bus. */
const noBuses = rule('noBuses', () => ({
  fields: ['seats'],
  check({ fail, next }) {
    if (Number(next['seats']) > 9) fail('seats', 'bus')
  },
}))

export const loanCar = defineRecord('loan_car', {
  path: 'loan_cars',
  fields: {
    ...common,
    name: string(60, { required: true }),
    plate: string(12, { required: true, ignoreCase: true }),
    status: oneOf(STATUSES, { default: 'ordered' }),
    seats: integer({ minimum: 1, description: 'Places to sit, the driver included.' }),
    driver: ref('person'),
    remarks: text({ read: ['account_administrator'] }),
  },
  collection: {
    fields: 'id name plate status driver updated_at',
    sort: 'name',
    sortable: 'id name plate',
    filterable: 'id name plate status driver',
  },
  access: { create: ['account_administrator'], update: ['account_administrator'], remove: ['account_administrator'] },
  operations: ['list', 'single', 'create', 'update', 'remove'],
  moves: { status: { ordered: ['ready'], ready: ['lent', 'retired'], lent: ['ready'] } },
  unique: [['plate']],
  rules: [noBuses()],
})

export const createLoanCars: Migration = {
  name: 'host_0001_create_loan_cars',
  up: (schema) =>
    recordTable(schema, 'loan_cars', (table) => {
      table.string('source', 30)
      table.string('sourceID', 128)
      table.datetime('created_at')
      table.datetime('updated_at')
      table.string('name', 60)
      table.string('plate', 12)
      table.enum('status')
      table.integer('seats')
      table.ref('driver_id')
      table.text('remarks')
      table.unique('account_id', 'source', 'sourceID')
      table.unique('account_id', 'plate')
    }),
  down: async ({ knex, table }) => {
    await knex.schema.dropTable(table('loan_cars'))
  },
}

export const loanCarWords = {
  en: {
    fields: { loan_car: 'Loan car', loan_cars: 'Loan cars', plate: 'License plate', seats: 'Seats', driver: 'Driver' },
    values: { 'loan_car.status': { ordered: 'Ordered', ready: 'Ready', lent: 'Lent', retired: 'Retired' } },
    sentences: { bus: '{label} are too many: this is a bus' },
  },
  nl: {
    fields: { loan_car: 'Leenauto', loan_cars: 'Leenauto’s', plate: 'Kenteken', seats: 'Zitplaatsen', driver: 'Bestuurder' },
    values: { 'loan_car.status': { ordered: 'Besteld', ready: 'Klaar', lent: 'Uitgeleend', retired: 'Afgedankt' } },
    sentences: { bus: '{label} zijn er te veel: dit is een bus' },
  },
}
