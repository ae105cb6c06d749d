import { expect } from 'chai'
import { AROUND_THE_CLOCK, extendRecord, follow, Invalid, rule } from '../../../plugin/index.js'
import { inTransaction } from '../../../plugin/storage/database/transaction.js'
import { countStatements } from '../../support/count-statements.js'
import { withHouse } from '../../support/house.js'

/** Records that count in working time: sites by a rule, teams by a settling, and people by one that looks at their teams. */
describe('calendars of rules and settlings', function () {
  this.timeout(30_000)
  const due = rule('due', () => ({
    fields: ['remarks'],
    async fill({ calendarOf, call, next }) {
      const [id, zone = null] = String(next['remarks'] ?? '').split(' ')
      next['city'] = (await calendarOf(Number(id))).in(zone).instantAfter(call.now, 60)
    },
  }))
  const house = withHouse({
    file: true,
    extend: [
      extendRecord('site', { rules: [due()] }),
      extendRecord('team', {
        settle: [
          follow('due', {
            of: { hours: { calendars: 'work_hours' } },
            decide({ hours, now, owner }) {
              const calendar = hours.get(Number(owner['work_hours_id'])) ?? AROUND_THE_CLOCK
              return { owner: { remarks: calendar.in(String(owner['time_zone'])).instantAfter(now, 60) } }
            },
          }),
        ],
      }),
      extendRecord('person', {
        settle: [
          follow('earliest', {
            of: { teams: { type: 'team', by: 'manager' }, hours: { calendars: ['work_hours'], of: 'teams' } },
            fills: ['information'],
            decide({ hours, now, teams }) {
              const starts = teams.map((team) => hours.get(Number(team['work_hours_id']))?.in('UTC').nextActive(now) ?? now)
              return { owner: { information: starts.join(' ') } }
            },
          }),
        ],
      }),
    ],
  })
  const weekday = (day: string, time_from: string, time_until: string) => ({ weekday: day, time_from, time_until })
  const addCalendar = (name: string, calendar_hours: readonly object[], more: object = {}) =>
    house.add('calendar', { name, calendar_hours, ...more })
  const addSites = async (remarks: readonly string[]) => {
    const items = remarks.map((text) => ({ id: null, body: { name: `${text} ${Math.random()}`, remarks: text } }))
    const saved = await house.operations.saveAll(await house.system(), 'site', items)
    return saved.map((one) => ('row' in one ? one.row['city'] : one))
  }

  // The clock of the house shows Saturday, 21 November 2026, 09:30 UTC.
  it('tell a rule when active time has passed, in any zone', async () => {
    const office = await addCalendar('Office', [weekday('mon', '09:00', '17:00')])
    expect(await addSites([`${office} UTC`, `${office} Amsterdam`, `${office}`, '0'])).to.deep.equal([
      '2026-11-23T10:00:00Z',
      '2026-11-23T09:00:00Z',
      '2026-11-23T10:00:00Z',
      '2026-11-21T10:30:00Z',
    ])
  })

  it('are never active without hours, and leave out their holidays', async () => {
    const none = await addCalendar('None', [])
    const first = await house.add('holiday', { name: 'First', start_at: '2026-11-23T00:00', end_at: '2026-11-23T10:00' })
    const second = await house.add('holiday', { name: 'Second', start_at: '2026-11-23T09:30', end_at: '2026-11-23T10:15' })
    const some = await addCalendar('Some', [weekday('mon', '09:00', '17:00')], { holiday_ids: [first, second] })
    const other = await addCalendar('Other', [weekday('mon', '09:00', '17:00')], { holiday_ids: [first] })
    expect(await addSites([`${none}`, `${some}`, `${other}`])).to.deep.equal([
      null,
      '2026-11-23T11:15:00Z',
      '2026-11-23T11:00:00Z',
    ])
  })

  it('are read as they are in the same transaction', async () => {
    const hours = await addCalendar('Moving', [weekday('mon', '09:00', '17:00')])
    expect(await addSites([`${hours}`])).to.deep.equal(['2026-11-23T10:00:00Z'])
    await inTransaction(house.storage, await house.system(), async (call) => {
      await house.operations.save(call, 'calendar', hours, { calendar_hours: [weekday('tue', '07:00', '24:00')] })
      const site = await house.operations.save(call, 'site', null, { name: 'Within', remarks: `${hours}` })
      expect(site['city']).to.equal('2026-11-24T08:00:00Z')
    })
    expect(await addSites([`${hours}`])).to.deep.equal(['2026-11-24T08:00:00Z'])
  })

  it('cost a rule the same for two records and for many with different calendars', async () => {
    const ids: number[] = []
    for (let index = 0; index < 12; index += 1) {
      const closed = { name: `Off ${index}`, start_at: '2026-11-23T00:00', end_at: '2026-11-24T00:00' }
      const holiday = await house.add('holiday', closed)
      ids.push(await addCalendar(`Shift ${index}`, [weekday('tue', '01:00', '24:00')], { holiday_ids: [holiday] }))
    }
    const counter = countStatements(house.storage.knex)
    const [few, many] = [ids.slice(0, 2), ids].map((some) => some.map((id) => `${id} Amsterdam`))
    const costs: number[] = []
    for (const some of [few, many, few, many]) costs.push(await counter.during(() => addSites(some ?? [])))
    // A server prepares what is new to it.
    expect(costs[3]).to.equal(costs[2])
  })

  it('serve settlings, of owners and of the records around them', async () => {
    const office = await addCalendar('Office of settlings', [weekday('mon', '09:00', '17:00')])
    const night = await addCalendar('Night of settlings', [weekday('sat', '22:00', '24:00')])
    const lead = await house.addPerson('Lea Lead')
    expect((await house.row('person', lead))?.['information']).to.equal('')
    const teams: number[] = []
    for (const work_hours_id of [office, night, null]) {
      const body = { name: `Team ${work_hours_id}`, manager_id: lead, work_hours_id, time_zone: 'Amsterdam' }
      teams.push(await house.add('team', body))
    }
    const rows = await Promise.all(teams.map((id) => house.row('team', id)))
    expect(rows.map((row) => row?.['remarks'])).to.deep.equal([
      '2026-11-23T09:00:00Z',
      '2026-11-21T22:00:00Z',
      '2026-11-21T10:30:00Z',
    ])
    expect((await house.row('person', lead))?.['information']).to.equal(
      '2026-11-23T09:00:00Z 2026-11-21T22:00:00Z 2026-11-21T09:30:00Z',
    )
  })

  it('of a trusted account can be counted in', async () => {
    const theirs = await house.add(
      'calendar',
      { name: 'Theirs', calendar_hours: [weekday('sun', '06:00', '07:00')] },
      { account: 'globex' },
    )
    expect(await addSites([`${theirs}`])).to.deep.equal(['2026-11-22T07:00:00Z'])
  })

  it('never overlap, although several callers set their hours at the same time', async () => {
    const system = await house.system()
    for (const round of [1, 2, 3, 4]) {
      const id = await addCalendar(`Contested ${round}`, [weekday('mon', '08:00', '09:00'), weekday('mon', '12:00', '13:00')])
      const hoursOf = async () => (await house.table('calendar_hours')).filter((row) => Number(row['owner_id']) === id)
      const [early = 0, late = 0] = (await hoursOf()).map((row) => Number(row['id']))
      const set = (hour: number | null, body: object) =>
        house.operations.save(system, 'calendar_hour', hour, body, { type: 'calendar', id })
      const outcomes = await Promise.allSettled([
        set(early, { time_until: '11:00' }),
        set(late, { time_from: '10:00' }),
        set(null, weekday('tue', '08:00', '12:00')),
        set(null, weekday('tue', '11:00', '14:00')),
      ])
      expect(outcomes.map(({ status }) => status).sort()).to.deep.equal(['fulfilled', 'fulfilled', 'rejected', 'rejected'])
      for (const outcome of outcomes) if (outcome.status === 'rejected') expect(outcome.reason).to.be.instanceOf(Invalid)
      expect(await hoursOf()).to.have.length(3)
    }
  })
})
