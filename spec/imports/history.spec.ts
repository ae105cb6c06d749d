/** Imports of history below HTTP: other workers go on with them, hooks and rules of a host, number of statements (behaviour: History). */
import { expect } from 'chai'
import { beforeEach, describe, it } from 'mocha'
import type { Call } from '../../plugin/core/call.js'
import { Forbidden } from '../../plugin/core/errors.js'
import { extendRecord } from '../../plugin/index.js'
import { rule } from '../../plugin/schema/language/define-rule.js'
import { countStatements } from '../support/count-statements.js'
import { errorOf, withHouse } from '../support/house.js'
import { createVehicles, vehicle } from '../support/vehicle.js'
import { withInterruptedImports } from './interrupted.js'

const NOTHING = { created: 0, updated: 0, deleted: 0, unchanged: 0, failures: 0, errors: 0 }
/** More than a chunk of rows. */
const ROWS = 620
const PAST = '2015-05-01T08:00:00Z'

const told: string[] = []
/** Work of a host that follows from a new vehicle: a rule that begins it, one that only keeps something, and a mail. */
const work = [
  rule('painted', () => ({
    begins: true,
    written: ({ next }) => void told.push(`painted ${next['name']}`),
  }))(),
  rule('counted', () => ({
    written({ mail, next }) {
      told.push(`counted ${next['name']}`)
      mail(next['driver_id'] ?? null, 'desired_completion_set', { id: 1, subject: 'A', desired: { at: PAST } })
    },
  }))(),
  rule('numbered', () => ({
    fields: ['remarks'],
    fillWithId({ next }) {
      next['remarks'] = `Number ${next['id']}`
    },
  }))(),
  rule('sold', () => ({
    fields: ['status'],
    fill({ before, next }) {
      if (!before) next['status'] = 'sold'
    },
  }))(),
]

describe('imports of history', () => {
  const house = withHouse({
    records: [vehicle],
    migrations: [createVehicles],
    extend: [extendRecord('vehicle', { rules: work })],
    before: {
      'vehicle.save': [
        ({ call, fail, next }) => {
          told.push(`hook ${call.isHistory === true}`)
          if (next['name'] === 'Stolen') fail('name', 'invalid')
          if (next['name'] === 'Oldtimer') next['created_at'] = '1999-01-01T08:00:00Z'
        },
      ],
    },
  })
  const { byAdmin, inRuns, submit } = withInterruptedImports(house, { interruptions: 4, upload: { history: 'true' } })

  beforeEach(() => {
    told.length = 0
  })

  const rowsOf = (table: string, where: object = {}) => house.storage.knex(`itsm_${table}`).where(where).orderBy('id')
  const vehicles = (...rows: readonly string[]) => ['Name,License Plate,Created At', ...rows].join('\n')

  it('go on as history after a kill, in the second pass as well', async () => {
    const manager = (n: number) => `past${n + 1}@acme.example`
    const rows = Array.from({ length: ROWS }, (_, n) => `past${n}@acme.example,Past ${n},${manager(n)},2010-01-01 08:00`)
    const last = `past${ROWS}@acme.example,Last,,2009-01-01T08:00:00Z`
    const text = ['Primary Email,Name,Manager,Created At', ...rows, last].join('\n')
    const events = (await rowsOf('outbox')).length
    const { entry, id, runs } = await inRuns('people', text, {}, 'person')
    expect(runs).to.be.above(3)
    expect(entry).to.deep.include({ state: 'done', history: true, results: { ...NOTHING, created: ROWS + 1 } })
    const people = await house.storage.knex('itsm_people').where('name', 'like', 'Past %')
    expect(people.filter(({ manager_id }) => manager_id === null)).to.deep.equal([])
    // Amsterdam is an hour ahead in winter.
    expect(new Set(people.map(({ created_at }) => momentOf(created_at)))).to.deep.equal(new Set(['2010-01-01 07:00:00']))
    expect((await rowsOf('outbox')).length).to.equal(events)
    const causes = await house.storage
      .knex('itsm_audit_lines')
      .where({ owner_type: 'person', origin: 'import' })
      .distinct('cause')
    expect(causes).to.deep.equal([{ cause: `import ${id}, history` }])
  }).timeout(60_000)

  it('set the creation of types of a host, run its hooks and rules, and leave out what begins', async () => {
    const events = (await rowsOf('outbox')).length
    const { entry } = await inRuns('vehicles', vehicles(`Van,AA-1,${PAST}`, `Stolen,AA-2,${PAST}`, 'Cart,AA-3,'))
    expect(entry?.results).to.deep.equal({ ...NOTHING, created: 2, failures: 1 })
    const [van, cart] = await rowsOf('vehicles')
    expect(momentOf(van.created_at)).to.equal('2015-05-01 08:00:00')
    expect(momentOf(cart.created_at)).to.equal('2026-11-21 09:30:00')
    expect([van.status, cart.status]).to.deep.equal(['sold', 'sold'])
    expect(told.filter((one) => one.startsWith('hook'))).to.not.include('hook false')
    expect(told).to.include('counted Van')
    expect(told).to.not.include('painted Van')
    expect((await rowsOf('outbox')).length).to.equal(events)
    const mails = (await rowsOf('channel_deliveries')).map(({ content }) => JSON.parse(String(content)).mail)
    expect(new Set(mails)).to.deep.equal(new Set(['import_completed']))

    told.length = 0
    const again = await inRuns('vehicles', vehicles('Bus,AA-1,2001-01-01T08:00:00Z'))
    expect(again.entry?.results).to.deep.equal({ ...NOTHING, updated: 1 })
    expect(told).to.deep.equal(['hook false', 'painted Bus', 'counted Bus'])
    expect(momentOf((await rowsOf('vehicles'))[0].created_at)).to.equal('2015-05-01 08:00:00')
    expect((await rowsOf('outbox')).length).to.equal(events + 1)
  })

  it('let hooks of the host have the last word', async () => {
    const { entry } = await inRuns('vehicles', vehicles(`Oldtimer,EE-1,${PAST}`))
    expect(entry?.results).to.deep.equal({ ...NOTHING, created: 1 })
    const [oldtimer] = await rowsOf('vehicles', { license_plate: 'EE-1' })
    expect(momentOf(oldtimer.created_at)).to.equal('1999-01-01 08:00:00')
    expect(oldtimer.remarks).to.equal(`Number ${oldtimer.id}`)
  })

  it('need no more statements for many records than for a few', async () => {
    const counter = countStatements(house.storage.knex)
    const file = (from: number, length: number) =>
      vehicles(...Array.from({ length }, (_, n) => `V ${from + n},BB-${from + n},${PAST}`))
    await inRuns('vehicles', file(0, 10))
    const few = await counter.during(() => inRuns('vehicles', file(100, 10)))
    const many = await counter.during(() => inRuns('vehicles', file(200, 200)))
    // Databases limit the values of one statement.
    expect(many).to.be.at.most(few + 10)
  })

  it('need the role, and a token that opens the type', async () => {
    const submitNo = (call: Call) => submit(call, 'vehicles', vehicles(`No,DD-1,${PAST}`))
    const token = {
      id: 1,
      kind: 'personal',
      clientId: null,
      name: 'sites',
      readOnly: false,
      recordTypes: new Set(['site']),
    } as const
    const own = await byAdmin()
    expect(await errorOf(submitNo({ ...own, token }))).to.be.instanceOf(Forbidden)
    expect(await errorOf(submitNo({ ...own, roles: new Set(['specialist']) }))).to.be.instanceOf(Forbidden)
  })

  it('are stored as such, whatever else the form says', async () => {
    const { entry } = await inRuns('vehicles', vehicles(`Dry,CC-1,${PAST}`), { dryRun: 'true' })
    expect(entry).to.deep.include({ history: true, dry_run: true, results: { ...NOTHING, created: 1 } })
    expect(await rowsOf('vehicles', { license_plate: 'CC-1' })).to.deep.equal([])
    const { entry: plain } = await inRuns('vehicles', vehicles(`Now,CC-2,${PAST}`), { history: undefined })
    expect(plain).to.deep.include({ history: false, results: { ...NOTHING, created: 1 } })
    expect(momentOf((await rowsOf('vehicles', { license_plate: 'CC-2' }))[0].created_at)).to.equal('2026-11-21 09:30:00')
  })
})

/** As the database shows it, or as the driver of a server does. */
function momentOf(value: unknown): string {
  const text = value instanceof Date ? value.toISOString() : String(value)
  return text.slice(0, '2015-05-01 08:00:00'.length).replace('T', ' ')
}
