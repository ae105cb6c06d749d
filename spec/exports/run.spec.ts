/** The work on exports: in steps, in turn, and after all kinds of interruptions (behaviour: Exports). */
import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import type { Call } from '../../plugin/core/call.js'
import { NotFound, TooManyRequests } from '../../plugin/core/errors.js'
import { createExports, type Exports } from '../../plugin/exports/exports.js'
import type { FileReading } from '../../plugin/operations/read/read-for-files.js'
import { createLeases } from '../../plugin/storage/queues/leases.js'
import { countStatements, type StatementCounter } from '../support/count-statements.js'
import { rowsOfCsv } from '../support/csv.js'
import { withHouse } from '../support/house.js'
import { settingsWith, silent } from '../support/settings.js'

/** Files have pages of 200 records. */
const SITES = 450

describe('the work on exports', () => {
  const house = withHouse()
  let admin = 0
  let counter: StatementCounter
  /** Called before each page is read. */
  let beforePage: (after: number) => void = () => {}
  let woken: number[] = []
  let exports: Exports

  before(async () => {
    admin = await house.addPerson('Ada Admin', ['account_administrator'])
    counter = countStatements(house.storage.knex)
    const rows = Array.from({ length: SITES }, (_, index) => ({ name: `Site ${index}`, account_id: 'acme', disabled: 0 }))
    const now = '2026-11-01 00:00:00'
    for (let from = 0; from < SITES; from += 100)
      await house.storage
        .knex('itsm_sites')
        .insert(rows.slice(from, from + 100).map((row) => ({ ...row, created_at: now, updated_at: now })))
  })

  beforeEach(async () => {
    beforePage = () => {}
    woken = []
    exports = create()
    for (const table of ['exports', 'export_chunks', 'leases']) await house.storage.knex(`itsm_${table}`).delete()
  })

  function create(): Exports {
    const { baseUrl, secret, takeOverAfterMs } = settingsWith()
    const { access, catalog, clock, fileReading, operations, permissions, storage } = house
    return createExports({
      ...{ access, catalog, clock, storage, baseUrl, secret, takeOverAfterMs },
      operations,
      permissions,
      fileReading: { ...fileReading, readAfter },
      leases: createLeases({ storage, clock, log: silent, randomId: randomUUID }),
      log: silent,
      wake: (id) => void woken.push(id),
    })
  }

  async function readAfter(...[call, type, request]: Parameters<FileReading['readAfter']>) {
    if (request.limit > 1) beforePage(request.after)
    return house.fileReading.readAfter(call, type, request)
  }

  async function submitted(type = 'sites', by?: Call) {
    const made = await exports.submit(by ?? (await house.by(admin)), { type })
    const [row] = await house.storage.knex('itsm_exports').where({ token: made?.token }).select('id')
    return { token: made?.token ?? '', id: Number(row.id) }
  }
  const progressOf = async (token: string) => exports.progress(await house.by(admin), token)
  const namesIn = async (token: string) => {
    const { url = '' } = (await progressOf(token)) as { url?: string }
    const { pathname, searchParams } = new URL(url)
    const query = { expires: searchParams.get('expires') ?? '', signature: searchParams.get('signature') ?? '' }
    const bytes: Uint8Array[] = []
    for await (const chunk of await exports.file(pathname.split('/exports/')[1] ?? '', query)) bytes.push(chunk)
    return (await rowsOfCsv(Buffer.concat(bytes).toString())).map((cells) => cells[4])
  }
  const ALL = ['Name', ...Array.from({ length: SITES }, (_, index) => `Site ${index}`)]

  it('writes all rows, in pages, and shows how far it is', async () => {
    const { id, token } = await submitted()
    expect(woken).to.deep.equal([id])
    expect(await progressOf(token)).to.deep.equal({ state: 'queued' })
    const stop = new AbortController()
    beforePage = (after) => {
      if (after > 0) stop.abort()
    }
    expect(await exports.run(id, stop.signal)).to.equal(false)
    expect(await progressOf(token)).to.deep.equal({ state: 'processing', line: 400 })
    expect(await create().run(id)).to.equal(true)
    expect(await namesIn(token)).to.deep.equal(ALL)
    expect(await exports.run(id)).to.equal(false)
  })

  for (const [what, error] of [
    ['an outage of the database', Object.assign(new Error('gone'), { code: 'PROTOCOL_CONNECTION_LOST' })],
    ['a lost connection', Object.assign(new Error('reset'), { code: 'ECONNRESET' })],
  ] as const) {
    it(`goes on after ${what}, without a row twice`, async () => {
      const { id, token } = await submitted()
      for (let times = 0; times < 7; times++) {
        beforePage = (after) => {
          if (after > 0) throw error
        }
        expect(
          await exports.run(id).then(
            () => null,
            (thrown: unknown) => thrown,
          ),
        ).to.equal(error)
      }
      beforePage = () => {}
      expect(await exports.run(id)).to.equal(true)
      expect(await namesIn(token)).to.deep.equal(ALL)
    })
  }

  it('is taken over from a process that died, and given up when it kills five of them at one place', async () => {
    const { id, token } = await submitted()
    const { knex } = house.storage
    // As after a kill in the second page: progress is saved, the run is not excused, nobody has the lease.
    const stop = new AbortController()
    beforePage = (after) => after === 0 || stop.abort()
    await exports.run(id, stop.signal)
    await knex('itsm_exports').where({ id }).update({ stalled_runs: 4 })
    beforePage = () => {}
    expect(await exports.run(id)).to.equal(true)
    expect(await namesIn(token)).to.deep.equal(ALL)

    const other = await submitted()
    await knex('itsm_exports').where({ id: other.id }).update({ stalled_runs: 5 })
    expect(await exports.run(other.id)).to.equal(true)
    expect(await progressOf(other.token)).to.deep.equal({
      state: 'error',
      message: 'Processing stopped 5 times without progress',
    })
  })

  it('stops for a process that has lost it to another one', async () => {
    const { id, token } = await submitted()
    const second = create()
    let taken: Promise<boolean> | undefined
    beforePage = (after) => {
      if (after === 0 || taken) return
      house.clock.pass(settingsWith().takeOverAfterMs + 1)
      taken = second.run(id)
    }
    expect(await exports.run(id)).to.equal(false)
    expect(await taken).to.equal(true)
    expect(await namesIn(token)).to.deep.equal(ALL)
  })

  it('ends with state error after an unexpected error, without its text, and leaves no files', async () => {
    const { id, token } = await submitted()
    beforePage = (after) => {
      if (after > 0) throw new Error('secret text of a driver')
    }
    expect(await exports.run(id)).to.equal(true)
    expect(await progressOf(token)).to.deep.equal({ state: 'error', message: 'An unexpected error occurred' })
    expect(await house.storage.knex('itsm_export_chunks')).to.deep.equal([])
  })

  it('ends with state error for a person who may no longer act in the account', async () => {
    const guest = await house.addPerson('Gert Guest', ['account_administrator'])
    const { id } = await submitted('sites', await house.by(guest))
    await house.storage.knex('itsm_people').where({ id: guest }).delete()
    house.storage.changes.tell(null)
    expect(await exports.run(id)).to.equal(true)
    expect((await house.table('exports'))[0]).to.include({ state: 'error', message: 'Forbidden' })
  })

  it('is done one export of an account after the other; at most twenty may wait', async () => {
    const first = await submitted()
    const second = await submitted('teams')
    expect(await exports.run(second.id)).to.equal(false)
    woken = []
    expect(await exports.run(first.id)).to.equal(true)
    expect(woken).to.deep.equal([second.id])
    for (let waiting = 1; waiting < 20; waiting++) await submitted()
    const refused = await submitted().then(
      () => null,
      (error: unknown) => error,
    )
    expect(refused).to.be.instanceOf(TooManyRequests)
    woken = []
    await exports.resumeAll()
    expect(woken).to.deep.equal([second.id])
  })

  it('takes as many statements for 200 records as for one', async () => {
    const call = await house.by(admin)
    const cost = (type: string) =>
      counter.during(async () => {
        for await (const row of exports.rows(call, type, {})) expect(row).to.have.property('Name')
      })
    const people = Array.from({ length: 150 }, (_, index) => ({
      name: `Person ${index}`,
      primary_email: `p${index}@x.example`,
    }))
    const organization = (await house.table('people'))[0]?.['organization_id']
    const one = await cost('people')
    for (const person of people)
      await house.storage
        .knex('itsm_people')
        .insert({ ...person, organization_id: organization, account_id: 'acme', disabled: 0 })
    expect(await cost('people')).to.equal(one)
  })

  it('is told for five minutes after the end; its file is removed after 48 hours', async () => {
    const { id, token } = await submitted()
    await exports.run(id)
    house.clock.pass(5 * 60_000)
    expect((await progressOf(token)).state).to.equal('done')
    house.clock.pass(1000)
    expect(
      await progressOf(token).then(
        () => null,
        (error: unknown) => error,
      ),
    ).to.be.instanceOf(NotFound)
    await exports.purge()
    expect(await house.table('exports')).to.have.lengthOf(1)
    house.clock.pass(48 * 3600_000)
    await exports.purge()
    expect([...(await house.table('exports')), ...(await house.storage.knex('itsm_export_chunks'))]).to.deep.equal([])
  })
})
