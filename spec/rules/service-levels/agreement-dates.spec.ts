import { expect } from 'chai'
import { setAgreementTimes } from '../../../migrations/0034_set_agreement_times.js'
import { createTimers } from '../../../plugin/jobs/timers.js'
import { statusAt } from '../../../plugin/rules/service-levels/agreement-dates.js'
import { createLeases } from '../../../plugin/storage/queues/leases.js'
import { createQueries } from '../../../plugin/storage/records/query.js'
import { recordLog } from '../../jobs/record-log.js'
import { withHouse } from '../../support/house.js'
import { MINUTE } from '../../support/webhooks.js'

const [BEFORE, NOW, AFTER] = ['2026-11-20T23:00:00Z', '2026-11-21T23:00:00Z', '2026-11-22T23:00:00Z']
const CASES: readonly (readonly [string, string | null, string | null, string])[] = [
  ['being_prepared', BEFORE, BEFORE, 'being_prepared'],
  ['expired', BEFORE, AFTER, 'expired'],
  ['scheduled_for_activation', AFTER, null, 'scheduled_for_activation'],
  ['scheduled_for_activation', NOW, AFTER, 'active'],
  ['scheduled_for_activation', null, null, 'scheduled_for_activation'],
  ['scheduled_for_activation', BEFORE, NOW, 'expired'],
  ['active', AFTER, AFTER, 'active'],
  ['active', null, NOW, 'expired'],
]

describe('the status of an agreement', () => {
  const house = withHouse()

  for (const [status, begins, ends, expected] of CASES) {
    it(`${status} is ${expected} when it begins at ${begins} and ends at ${ends}`, () => {
      expect(statusAt(NOW, status, begins, ends)).to.equal(expected)
    })
  }

  it('changes at the start of the first day, and at the end of the last one, in the zone of the account', async () => {
    const organization = await house.add('organization', { name: 'Provider' })
    const dates = { start_date: '2026-11-22', expiry_date: '2026-12-31', status: 'scheduled_for_activation' }
    const id = await house.add('flsa', { name: 'Desk', provider_id: organization, customer_id: organization, ...dates })
    const times = { begins_at: '2026-11-21T23:00:00Z', ends_at: '2026-12-31T23:00:00Z' }
    expect(await house.row('flsa', id)).to.include({ status: 'scheduled_for_activation', ...times })
    house.clock.set('2026-11-21T23:00:00Z')
    await house.operations.save(await house.system(), 'flsa', id, { remarks: 'It begins.' })
    expect(await house.row('flsa', id)).to.include({ status: 'active', ...times })
    house.clock.set('2026-12-31T23:00:00Z')
    await house.operations.save(await house.system(), 'flsa', id, { remarks: 'It is over.' })
    expect(await house.row('flsa', id)).to.include({ status: 'expired' })
    await house.operations.save(await house.system(), 'flsa', id, { time_zone: 'Tokyo', expiry_date: null })
    expect(await house.row('flsa', id)).to.include({ begins_at: '2026-11-21T15:00:00Z', ends_at: null })
  })

  it('changes by itself at these times', async () => {
    const organization = await house.add('organization', { name: 'Customer' })
    house.clock.set('2026-11-21T09:30:00Z')
    const dates = { start_date: '2026-11-22', expiry_date: '2026-11-22', status: 'scheduled_for_activation' }
    const id = await house.add('flsa', { name: 'One day', provider_id: organization, customer_id: organization, ...dates })
    const { callers, catalog, clock, operations, storage } = house
    const { log } = recordLog()
    const timers = createTimers({
      ...{ callers, catalog, clock, log, operations, storage, leaseMs: MINUTE, pageSize: 10 },
      queries: createQueries(storage, catalog),
      leases: createLeases({ storage, clock, log, randomId: () => 'one' }),
    })
    const statusAfterSweep = async (time: string) => {
      house.clock.set(time)
      await timers.fireDue()
      return (await house.row('flsa', id))?.['status']
    }
    expect(await statusAfterSweep('2026-11-21T22:59:00Z')).to.equal('scheduled_for_activation')
    expect(await statusAfterSweep('2026-11-21T23:01:00Z')).to.equal('active')
    expect(await statusAfterSweep('2026-11-22T23:01:00Z')).to.equal('expired')
  })

  describe('of an installation that is updated', () => {
    const tables = ['slas', 'flsas', 'contracts'] as const
    const timesOf = async (name: string) =>
      (await house.table(name)).map(({ id, begins_at, ends_at }) => ({ id, begins_at, ends_at }))

    it('gets the times at which it begins and ends, which a later save would set', async function () {
      this.timeout(60_000)
      const organization = await house.add('organization', { name: 'Partner' })
      const service = await house.add('service', { name: 'Mail', provider_id: organization })
      const offering = await house.add('service_offering', { name: 'Standard mail', service_id: service })
      await house.accounts.put({ id: 'globex', name: 'GLOBEX', timeZone: 'Tokyo' })
      const dates = [
        ...[{}, { start_date: '2020-02-29' }, { expiry_date: '2027-03-27' }, { expiry_date: '9999-12-31' }],
        ...[
          { start_date: '2026-10-25', expiry_date: '2028-02-28' },
          { start_date: '2030-01-01', expiry_date: '2030-01-01' },
        ],
      ]
      const zones = [{}, { time_zone: 'Hawaii' }, { time_zone: 'London' }]
      const desk = { provider_id: organization, customer_id: organization }
      for (const [index, more] of dates.flatMap((some) => zones.map((zone) => ({ ...some, ...zone }))).entries()) {
        const { time_zone: _, ...rest } = more as { time_zone?: string }
        await house.add('sla', { name: `S ${index}`, service_offering_id: offering, customer_id: organization, ...rest })
        await house.add('flsa', { name: `F ${index}`, ...desk, ...more })
        await house.add('contract', { name: `C ${index}`, category: 'support_contract', ...more })
        await house.add('contract', { name: `G ${index}`, category: 'support_contract', ...more }, { account: 'globex' })
      }
      const { dialect, knex, table } = house.storage
      // More than a batch, all with one date.
      const many = Array.from({ length: 600 }, () => ({ account_id: 'acme', status: 'active', expiry_date: '2025-01-31' }))
      await knex.batchInsert(table('slas'), many, 100)
      const expected = await Promise.all(tables.map(timesOf))
      for (const name of tables) await knex(table(name)).update({ begins_at: null, ends_at: null })
      const updated = await knex(table('flsas')).orderBy('id').pluck('updated_at')
      for (let time = 0; time < 2; time += 1) await setAgreementTimes.up({ knex, dialect, table })
      const [slas = [], ...others] = await Promise.all(tables.map(timesOf))
      expect(others).to.deep.equal(expected.slice(1))
      expect(slas.slice(0, -600)).to.deep.equal(expected[0]?.slice(0, -600))
      const atEnd = await house.row('sla', Number(slas.at(-1)?.id))
      expect(atEnd).to.include({ begins_at: null, ends_at: '2025-01-31T23:00:00Z', status: 'active' })
      expect(await knex(table('flsas')).orderBy('id').pluck('updated_at')).to.deep.equal(updated)
    })
  })
})
