/**
 * What every record type promises, ours and a host's: generated from the catalog, which is all that this file knows of them.
 * What a type needs to be made comes from fixtures/records/<type>.json.
 */
import { expect } from 'chai'
import { createPlugin } from '../plugin/index.js'
import type { RecordType } from '../plugin/schema/compile.js'
import type { RecordFixture } from '../plugin/testing/index.js'
import { describeCounting } from './support/contract-counts.js'
import { describeEvents } from './support/contract-events.js'
import { describeImporting } from './support/contract-imports.js'
import { describeList } from './support/contract-lists.js'
import { type ContractParts, createMaker, type Maker, type Place, placesOf } from './support/contract-place.js'
import { describeCreating, describeUpdating } from './support/contract-writes.js'
import { fixtures, TEST_SECRET, withMounted } from './support/mounted.js'
import { inspected } from './support/openapi.js'
import { createVehicles, vehicle, vehicleFixture } from './support/vehicle.js'

const options = {
  records: [vehicle],
  migrations: [createVehicles],
  // A clock that stands still: nothing that is remembered for a while is forgotten in the middle of a count.
  clock: { now: () => new Date('2026-11-21T09:00:00Z') },
  rateLimit: { burst: false, perHour: 1_000_000 },
} as const

/** Only for its catalog; it is never started. */
const { catalog } = createPlugin({
  baseUrl: 'https://desk.example/v1',
  secret: TEST_SECRET,
  mysql: { url: 'mysql://nobody@nowhere.example/none' },
  ...options,
})
const records = new Map<string, RecordFixture>([...fixtures.records, [vehicle.name, vehicleFixture]])

describe('every record type', () => {
  const mounted = inspected(withMounted('mounted under a prefix', options))
  const parts: ContractParts = { mounted, catalog, fixtures: records }
  const maker = createMaker(parts)

  it('has fixtures', () => {
    expect([...catalog.types.keys()].filter((name) => !records.has(name))).to.deep.equal([])
  })

  for (const type of catalog.types.values()) {
    const fixture = records.get(type.name)
    if (!fixture) continue
    describe(type.name, () => {
      for (const place of placesOf(type, parts, maker)) {
        describe(place.title, () => describePlace(parts, maker, place, fixture))
      }
    })
  }

  // At the end: from here on somebody works in the background and takes events out of the outbox.
  describe('import files', () => {
    before('starts the jobs, with nothing to do', async () => {
      const { knex, storage } = mounted.database
      await knex(storage.table('outbox')).delete()
      await knex(storage.table('webhooks')).update({ disabled: true })
      await mounted.itsm.start()
    })
    for (const type of catalog.types.values()) {
      const fixture = records.get(type.name)
      if (type.import && fixture) describeImporting(parts, maker, type, fixture)
    }
  })
})

function describePlace(parts: ContractParts, maker: Maker, place: Place, fixture: RecordFixture): void {
  const { operations } = place
  const canBeMade = operations.has('create') && Object.keys(fixture.bodies).length > 0
  if (operations.has('list')) {
    describeList(parts, maker, place)
    if (canBeMade) describeCounting(parts, maker, place)
  }
  if (canBeMade) {
    describeCreating(parts, maker, place, fixture)
    describeSafety(parts, maker, place)
    describeEvents(parts, maker, place, fixture)
  } else {
    it('cannot be created by anybody', async () => {
      const answer = await parts.mounted.ask(maker.maker(place.type), 'POST', await place.address(), {})
      expect(answer.status).to.equal(404)
    })
  }
  if (canBeMade && operations.has('update')) describeUpdating(parts, maker, place, fixture)
}

function describeSafety({ mounted }: ContractParts, maker: Maker, place: Place): void {
  const { type, operations } = place

  it('answers 304 to whoever has the record already', async () => {
    const address = await place.address()
    const made = await maker.create(type, address, maker.body(type, 'minimal'))
    const first = await mounted.ask(maker.maker(type), 'GET', place.single(address, made['id']))
    const headers = { 'If-None-Match': String(first.headers['etag']) }
    const again = await mounted.ask(maker.maker(type), 'GET', place.single(address, made['id']), undefined, headers)
    expect([again.status, again.text]).to.deep.equal([304, ''])
  })

  it('is created by nobody without credentials, and not by those who may not', async () => {
    const address = await place.address()
    const body = maker.body(type, 'minimal')
    expect((await mounted.ask(null, 'POST', address, body)).status).to.equal(401)
    if (isOpen(type)) return
    // The owner may be one that she does not see.
    expect(place.isBelow ? [403, 404] : [403]).to.contain((await mounted.ask('@ines', 'POST', address, body)).status)
  })

  it('is not there for people of other accounts', async () => {
    const address = await place.address()
    const made = await maker.create(type, address, maker.body(type, 'minimal'))
    const single = place.single(address, made['id'])
    expect((await mounted.ask('@stan', 'GET', single)).status).to.equal(404)
    expect((await mounted.ask(null, 'GET', single)).status).to.equal(401)
    if (place.isBelow) expect((await mounted.ask('@stan', 'POST', address, maker.body(type, 'minimal'))).status).to.equal(404)
  })

  it('is not there under an id that no record has', async () => {
    const address = await place.address()
    for (const id of ['999999999', '0', 'x1', '-1', '1.5', '99999999999999999999']) {
      expect((await mounted.ask(maker.maker(type), 'GET', place.single(address, id))).status, id).to.equal(404)
    }
  })

  it(operations.has('remove') ? 'is removed once' : 'cannot be removed', async () => {
    const address = await place.address()
    const made = await maker.create(type, address, maker.body(type, 'minimal'))
    const single = place.single(address, made['id'])
    const removed = await mounted.ask(maker.maker(type), 'DELETE', single)
    if (!operations.has('remove')) {
      expect(removed.status).to.equal(404)
      return
    }
    expect([removed.status, removed.text]).to.deep.equal([204, ''])
    const flag = type.removalSets
    const after = await mounted.ask(maker.maker(type), 'GET', single)
    expect(after.status).to.equal(flag ? 200 : 404)
    if (flag) expect(after.json).to.deep.include({ [flag]: true })
    expect((await mounted.ask(maker.maker(type), 'DELETE', single)).status).to.equal(flag ? 204 : 404)
  })
}

/** Whoever is signed in may create such records. */
function isOpen(type: RecordType): boolean {
  return type.access.create.includes('anyone')
}
