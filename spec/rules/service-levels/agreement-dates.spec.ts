import { expect } from 'chai'
import { createTimers } from '../../../plugin/jobs/timers.js'
import { statusAt } from '../../../plugin/rules/service-levels/agreement-dates.js'
import { createLeases } from '../../../plugin/storage/leases.js'
import { createQueries } from '../../../plugin/storage/query.js'
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
})
