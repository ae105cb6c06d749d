import { expect } from 'chai'
import { BadRequest, Forbidden, NotFound } from '../../../plugin/core/errors.js'
import { countStatements } from '../../support/count-statements.js'
import { errorOf, withHouse } from '../../support/house.js'

const WEEK = { start: '2026-11-23T00:00:00Z', end: '2026-11-30T00:00:00Z' }
const monday = (time_from: string, time_until: string) => ({ weekday: 'mon', time_from, time_until })

describe('the duration of a calendar', () => {
  const house = withHouse({
    file: true,
    authorize: ({ row }, decide) => (row?.['name'] === 'Secret' ? false : decide()),
  })
  let person = 0
  let office = 0
  before(async () => {
    person = await house.addPerson('Ada')
    office = await house.add('calendar', { name: 'Office', calendar_hours: [monday('09:00', '17:00')] })
  })
  const ask = async (id: number, request: object) => house.operations.duration(await house.by(person), id, request)
  const refused = async (request: object) => {
    const error = await errorOf(ask(office, request))
    expect(error).to.be.instanceOf(BadRequest)
    return error.message
  }

  it('is counted for everybody who sees the calendar, and for the system', async () => {
    expect(await ask(office, WEEK)).to.equal(480)
    expect(await house.operations.duration(await house.system(), office, WEEK)).to.equal(480)
  })

  it('is not there for calendars of other accounts, and refused where the host says so', async () => {
    for (const account of ['globex', 'umbrella']) {
      const theirs = await house.add('calendar', { name: 'Theirs' }, { account })
      expect(await errorOf(ask(theirs, WEEK))).to.be.instanceOf(NotFound)
    }
    const secret = await house.add('calendar', { name: 'Secret' })
    expect(await errorOf(ask(secret, WEEK))).to.be.instanceOf(Forbidden)
  })

  it('costs the same however much the calendar says', async () => {
    const counter = countStatements(house.storage.knex)
    const before = await counter.during(() => ask(office, WEEK))
    const holidays: number[] = []
    for (let day = 1; day <= 9; day += 1) {
      const body = { name: `Day ${day}`, start_at: `2026-10-0${day}T00:00`, end_at: `2026-10-0${day}T24:00` }
      holidays.push(await house.add('holiday', body))
    }
    const hours = Array.from({ length: 20 }, (_, hour) =>
      monday(`${hour + 1}`.padStart(2, '0').concat(':00'), `${hour + 1}`.padStart(2, '0').concat(':30')),
    )
    const full = await house.add('calendar', { name: 'Full', calendar_hours: hours, holiday_ids: holidays })
    expect(await counter.during(() => ask(full, { ...WEEK, start: '2026-10-01' }))).to.equal(before)
    // Eight Mondays, one of them a holiday.
    expect(await ask(full, { ...WEEK, start: '2026-10-01' })).to.equal(7 * 20 * 30)
  })

  it('takes times in any form of ISO 8601, also beyond the years that clocks know', async () => {
    const forms = [
      '2026-11-23T00:00:00Z',
      '20261123T000000Z',
      '2026-11-23 01:00+01',
      '2026-11-23T01:00:00 01:00',
      ' 2026-11-23T00:00Z ',
    ]
    for (const start of forms) expect(await ask(office, { ...WEEK, start }), start).to.equal(480)
    expect(await ask(office, { start: '1000-01-02T00:00:00Z', end: '9999-12-31T23:59:59Z' })).to.equal(469_597 * 480)
  })

  it('refuses anything else, whatever it is, and at once', async () => {
    const long = 'T'.repeat(1_000_000)
    const started = performance.now()
    for (const start of [
      long,
      `${' '.repeat(1_000_000)}x`,
      17,
      true,
      {},
      ['2026-11-23'],
      '0999-01-01',
      '10000-01-01',
      'now',
      '2026-11-23T25:00Z',
      '2026-11-23T10:00+24:00',
      '\0',
    ])
      expect(await refused({ ...WEEK, start })).to.match(/^Invalid value .{1,110} for parameter 'start'$/s)
    for (const time_zone of [long, 17, {}, [], 'Mars', '+01:00', 'Europe/Amsterdam\0', '__proto__', 'constructor'])
      expect(await refused({ ...WEEK, time_zone })).to.match(/^Invalid value .{1,110} for parameter 'time_zone'$/s)
    for (const end of [undefined, null, '', '  ', '\u200b'])
      expect(await refused({ ...WEEK, end })).to.equal("Parameter 'end' is required")
    expect(await refused({ start: '9999-12-31T23:59:59-01:00', end: '9999-12-31' })).to.include("for parameter 'start'")
    expect(performance.now() - started).to.be.lessThan(1_000)
    for (const time_zone of [undefined, null, '', ' UTC ', 'etc/utc'])
      expect(await ask(office, { ...WEEK, time_zone })).to.equal(480)
  })
})
