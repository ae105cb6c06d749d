import { expect } from 'chai'
import { recurring, recursWhileEnabled } from '../../../plugin/rules/recurrence/recurring.js'
import type { DraftRow, Row } from '../../../plugin/schema/language/define-rule.js'
import { run } from '../context.js'

const MONTHLY: Row = {
  frequency: 'monthly',
  interval: 1,
  disabled: false,
  time_of_day: '09:00',
  time_zone: 'Amsterdam',
  start_date: '2026-11-01',
  end_date: null,
  day: null,
  day_of_month: '15,-1',
  day_of_week: false,
  day_of_week_index: 'first',
  day_of_week_day: null,
  month_of_year: null,
}

describe('recurring', () => {
  const saved = (sent: DraftRow, before: Row | null = null) =>
    run(recurring('change_template'), before ? { before, next: sent } : { next: { ...MONTHLY, ...sent } })
  const fails = async (sent: DraftRow, before: Row | null = null) => (await saved(sent, before)).fails

  it('derives the iCalendar form and the next occurrence', async () => {
    expect((await saved({})).next).to.include({
      ical: 'DTSTART;TZID=Europe/Amsterdam:20261101T000000\nRRULE:FREQ=MONTHLY;BYMONTHDAY=15,-1',
      next_occurrence_at: '2026-11-30T08:00:00Z',
    })
  })
  it('counts the days of the week from Sunday', async () => {
    const { next } = await saved({ frequency: 'daily', day: '0,1' })
    expect(next['next_occurrence_at']).to.equal('2026-11-22T08:00:00Z')
    expect(next['ical']).to.match(/BYDAY=SU,MO$/)
  })
  it('understands the first to last day of the week of a month', async () => {
    const nextWith = async (index: string) =>
      (await saved({ day_of_week: true, day_of_week_index: index, day_of_week_day: 'tuesday' })).next['next_occurrence_at']
    expect(await nextWith('first')).to.equal('2026-12-01T08:00:00Z')
    expect(await nextWith('fourth')).to.equal('2026-11-24T08:00:00Z')
    expect(await nextWith('last')).to.equal('2026-11-24T08:00:00Z')
  })
  it('has no next occurrence while it is disabled', async () => {
    const { next } = await saved({ disabled: true })
    expect(next['next_occurrence_at']).to.equal(null)
    expect(next['ical']).to.be.a('string')
  })
  it('has no next occurrence while its template is disabled', async () => {
    const nextWith = async (disabled: boolean) => {
      const about = { stored: { change_template: [{ id: 3, disabled }] }, next: { ...MONTHLY, owner_id: 3 } }
      return (await run(recurring('change_template'), about)).next['next_occurrence_at']
    }
    expect(await nextWith(true)).to.equal(null)
    expect(await nextWith(false)).to.equal('2026-11-30T08:00:00Z')
  })
  it('starts today in its time zone', async () => {
    expect((await saved({ start_date: null })).next['start_date']).to.equal('2026-11-21')
    expect((await saved({ start_date: null, time_zone: 'Auckland' })).next['start_date']).to.equal('2026-11-21')
    expect((await saved({ start_date: null, time_zone: 'Midway Island' })).next['start_date']).to.equal('2026-11-20')
  })
  it('derives nothing while something is missing, and leaves the complaint to others', async () => {
    for (const missing of ['time_of_day', 'time_zone']) {
      const { next, fails } = await saved({ [missing]: null })
      expect(next, missing).to.include({ ical: null, next_occurrence_at: null })
      expect(fails).to.deep.equal([])
    }
    expect((await saved({ day_of_week: true })).next).to.include({ ical: null, next_occurrence_at: null })
  })
  it('brings lists into one form', async () => {
    const { next } = await saved({ frequency: 'yearly', month_of_year: ' 4, 1 ,10', day_of_month: '-1 ' })
    expect(next).to.include({ month_of_year: '4,1,10', day_of_month: '-1' })
  })
  it('refuses values that do not exist, and derives nothing of them', async () => {
    for (const [field, value] of Object.entries({
      day: '7',
      day_of_month: '1,,2',
      day_of_week_day: 'tue',
      month_of_year: '0',
    })) {
      const { next, fails } = await saved({ [field]: value })
      expect(fails, field).to.deep.equal([[field, 'inclusion']])
      expect(next).to.include({ ical: null, next_occurrence_at: null })
    }
    expect(await fails({ day_of_month: '-2' })).to.deep.equal([['day_of_month', 'inclusion']])
  })
  it('needs days of the month, unless it has a day of the week or another frequency', async () => {
    expect(await fails({ day_of_month: null })).to.deep.equal([['day_of_month', 'blank']])
    expect(await fails({ day_of_month: null, day_of_week: true, day_of_week_day: 'monday' })).to.deep.equal([])
    expect(await fails({ day_of_month: null, frequency: 'weekly' })).to.deep.equal([])
  })
  it('refuses a day of the week with frequencies that have none', async () => {
    for (const frequency of ['no_repeat', 'daily', 'weekly']) {
      expect(await fails({ frequency, day_of_week: true, day_of_week_day: 'monday' }), frequency).to.deep.equal([
        ['day_of_week', 'only_with_frequency', { enumeration: 'thing.frequency', values: ['monthly', 'yearly'] }],
      ])
    }
    expect(await fails({ frequency: 'yearly', day_of_week: true, day_of_week_day: 'monday' })).to.deep.equal([])
  })
  it('gives the day of the week up when the frequency changes to one that has none', async () => {
    const { fails, next } = await saved({ frequency: 'weekly' }, { ...MONTHLY, day_of_week: true, day_of_week_day: 'monday' })
    expect(fails).to.deep.equal([])
    expect(next['day_of_week']).to.equal(false)
  })
})

describe('recursWhileEnabled', () => {
  const stored = { recurrence: [{ id: 8, owner_type: 'change_template', owner_id: 3 }] }
  const saves = async (before: Row | null, next: DraftRow) => {
    const about = { type: 'change_template', stored, before, next: { id: 3, ...next } }
    return (await run(recursWhileEnabled('recurrence'), about, 'written')).saves
  }
  it('saves the recurrence again when its template is disabled or enabled', async () => {
    const again = [['recurrence', 8, {}]]
    expect(await saves({ disabled: false }, { disabled: true })).to.deep.equal(again)
    expect(await saves({ disabled: true }, { disabled: false })).to.deep.equal(again)
  })
  it('leaves it alone otherwise', async () => {
    expect(await saves({ disabled: true }, { disabled: true, subject: 'x' })).to.deep.equal([])
    expect(await saves(null, { disabled: true })).to.deep.equal([])
  })
})
