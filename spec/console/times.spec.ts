/** Calendars and service levels in the console, in a real browser. */
import { AxeBuilder } from '@axe-core/playwright'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { withConsole } from '../support/console-visits.js'
import { withMounted } from '../support/mounted.js'

const HOUR = 3_600_000
const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']

describe('calendars and service levels in the console', function () {
  this.timeout(90_000)
  const mounted = withMounted('mounted under a prefix', { console: true })
  const { expectRefusals, home, says, settled, signIn } = withConsole(mounted)
  const host = () => mounted.itsm.asSystem('makes times to look at', 'widgets')
  const at = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString()
  const hoursOf = async (id: number) =>
    ((await mounted.ask('owen', 'GET', `/calendars/${id}`)).json as { readonly calendar_hours: readonly object[] })
      .calendar_hours
  const addCalendar = async (name: string, hours: readonly (readonly [string, string, string])[]) => {
    const calendar_hours = hours.map(([weekday, time_from, time_until]) => ({ weekday, time_from, time_until }))
    return Number((await host().create('calendar', { name, calendar_hours }))['id'])
  }
  /** Opens a request whose affected SLAs have these values: the API computes them from agreements, and by its own clock. */
  const openWith = async (known: readonly object[], options: BrowserContextOptions = {}) => {
    const made = await signIn('owen', '', options)
    const request = mounted.world.id('mail-is-slow')
    const sla = { id: mounted.world.id('email-for-sales'), name: 'Email for sales' }
    const answer = known.map((more, index) => ({ id: index + 1, sla, accountability: 'provider', ...more }))
    await made.page.route(`**/requests/${request}/affected_slas?*`, (route) => route.fulfill({ json: answer }))
    await made.page.goto(`${home()}/requests/${request}`)
    return { ...made, request }
  }
  const openLine = async (page: Page) => {
    await page.locator('summary', { hasText: 'Service levels as a time line' }).click()
    await settled(page)
  }
  const dayOf = (page: Page, day: string) => page.getByRole('group', { name: day })

  describe('a calendar', () => {
    it('is a week in words and bars, in the order of the reader, and tells its next holidays', async () => {
      const id = await addCalendar('Nights', [
        ['mon', '22:00', '24:00'],
        ['tue', '00:00', '06:00'],
        ['sat', '00:00', '24:00'],
      ])
      const year = new Date().getFullYear()
      const holidays = [
        { name: 'Long over', start_at: `${year - 1}-12-25T00:00`, end_at: `${year - 1}-12-27T00:00` },
        { name: 'Far away', start_at: `${year + 2}-12-25T00:00`, end_at: `${year + 2}-12-27T00:00` },
        { name: 'A later one', start_at: at(24 * 300).slice(0, 16), end_at: at(24 * 301).slice(0, 16) },
        { name: 'Now and tomorrow', start_at: `${at(-48).slice(0, 10)}T00:00`, end_at: `${at(48).slice(0, 10)}T00:00` },
      ]
      for (const holiday of holidays) {
        const made = await host().create('holiday', holiday)
        expect((await mounted.ask('owen', 'POST', `/calendars/${id}/holidays/${made['id']}`)).status).to.be.below(300)
      }
      const { page } = await signIn('owen', `/calendars/${id}`)
      await says(page, 'Now and tomorrow')
      const rows = await page.locator('table.week tbody tr').allInnerTexts()
      expect(rows.map((row) => row.replace(/\s+/g, ' ').trim())).to.deep.equal([
        'Monday 22:00 – midnight',
        'Tuesday 00:00 – 06:00',
        ...['Wednesday Closed', 'Thursday Closed', 'Friday Closed'],
        'Saturday All day',
        'Sunday Closed',
      ])
      expect(
        await page
          .locator('svg.day-bar rect.hours')
          .evaluateAll((bars) => bars.map((bar) => [bar.getAttribute('x'), bar.getAttribute('width')])),
      ).to.deep.equal([
        ['1320', '120'],
        ['0', '360'],
        ['0', '1440'],
      ])
      await says(page, '32 hours in a week')
      expect(await page.locator('.next-holidays a').allInnerTexts()).to.deep.equal(['Now and tomorrow', 'A later one'])

      const { page: other } = await signIn('owen', `/calendars/${id}`, { locale: 'en-US' })
      await other.locator('table.week').waitFor()
      expect(await other.locator('table.week tbody th').first().innerText()).to.equal('Sunday')
      expect(await other.locator('table.week tbody tr').nth(1).innerText()).to.contain('10:00')
    })

    it('is changed as a week, and says at the row what is refused', async () => {
      const id = await addCalendar('Days', [
        ['mon', '09:00', '12:00'],
        ['mon', '13:00', '17:00'],
      ])
      const made = await signIn('owen', `/calendars/${id}`)
      const { page } = made
      await page.getByRole('button', { name: 'Change hours' }).click()
      for (const day of ['Tuesday', 'Friday']) await dayOf(page, day).getByRole('button', { name: 'As Monday' }).click()
      await dayOf(page, 'Sunday').getByRole('button', { name: 'Add hours' }).click()
      const sunday = dayOf(page, 'Sunday').locator('.week-row')
      await sunday.getByLabel('From').fill('20:00')
      await sunday.getByLabel('Until').fill('00:00')
      await dayOf(page, 'Tuesday').getByLabel('Until').first().fill('14:00')
      await page.getByRole('button', { name: 'Save' }).click()
      const wrong = dayOf(page, 'Tuesday').locator('.week-row').nth(1)
      await wrong.getByText('Time from overlaps with other hours').waitFor()
      expect(await page.locator('.mistake').count()).to.equal(1)
      expectRefusals(made, [`422 PATCH /desk/api/v1/calendars/${id}`])
      await page.waitForFunction("document.activeElement?.getAttribute('aria-invalid') === 'true'")

      await wrong.getByLabel('From').fill('14:30')
      expect(await page.locator('.mistake').count()).to.equal(0)
      await dayOf(page, 'Friday')
        .getByRole('button', { name: /^Remove Friday, 13:00/ })
        .click()
      await page.getByRole('button', { name: 'Save' }).click()
      await page.locator('table.week').waitFor()
      expect(await hoursOf(id)).to.deep.equal([
        { weekday: 'mon', time_from: '09:00', time_until: '12:00' },
        { weekday: 'mon', time_from: '13:00', time_until: '17:00' },
        { weekday: 'tue', time_from: '09:00', time_until: '14:00' },
        { weekday: 'tue', time_from: '14:30', time_until: '17:00' },
        { weekday: 'fri', time_from: '09:00', time_until: '12:00' },
        { weekday: 'sun', time_from: '20:00', time_until: '24:00' },
      ])
    })

    it('keeps what was typed when somebody else has changed it, or when the answer is lost', async () => {
      const id = await addCalendar('Disputed', [['mon', '09:00', '17:00']])
      const made = await signIn('owen', `/calendars/${id}`)
      const { page } = made
      await page.getByRole('button', { name: 'Change hours' }).click()
      await dayOf(page, 'Monday').getByLabel('Until').fill('18:00')
      const theirs = { calendar_hours: [{ weekday: 'wed', time_from: '10:00', time_until: '11:00' }] }
      expect((await mounted.ask('owen', 'PATCH', `/calendars/${id}`, theirs)).status).to.equal(200)
      await page.getByRole('button', { name: 'Save' }).click()
      await says(page, 'Somebody else has saved this record meanwhile')
      expectRefusals(made, [`412 PATCH /desk/api/v1/calendars/${id}`])
      expect(await page.locator('.conflict table.week').innerText()).to.contain('10:00 – 11:00')
      await page.getByRole('button', { name: 'Keep my values' }).click()
      expect(await dayOf(page, 'Monday').getByLabel('Until').inputValue()).to.equal('18:00')

      let isLost = false
      await page.route(`**/calendars/${id}`, async (route) => {
        if (route.request().method() !== 'PATCH' || isLost) return route.continue()
        isLost = true
        await route.fetch()
        await route.abort()
      })
      await page.getByRole('button', { name: 'Save' }).click()
      await says(page, 'The server cannot be reached. What you have typed is kept.')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.locator('form.week-form').waitFor({ state: 'detached' })
      expectRefusals(made, [`412 PATCH /desk/api/v1/calendars/${id}`])
      expect(isLost).to.equal(true)
      expect(await hoursOf(id)).to.deep.equal([{ weekday: 'mon', time_from: '09:00', time_until: '18:00' }])
    })

    it('without hours says so, and offers nothing to those who may not change it', async () => {
      const id = await addCalendar('Never', [])
      const { page } = await signIn('eva', `/calendars/${id}`)
      await says(page, 'This calendar has no hours, so it is never active.')
      expect(await page.getByRole('button', { name: 'Change hours' }).count()).to.equal(0)
    })

    it('counts as the API does, also when clocks change, and explains an end before the start', async () => {
      const id = await addCalendar(
        'Always',
        DAYS.map((day) => [day, '00:00', '24:00'] as const),
      )
      const { page } = await signIn('owen', `/calendars/${id}`)
      const count = async (start: string, end: string) => {
        await page.getByLabel('Start').fill(start)
        await page.getByLabel('End', { exact: true }).fill(end)
        await page.getByRole('button', { name: 'Count', exact: true }).click()
      }
      // Europe/Amsterdam: a day of 23 hours, and one of 25.
      for (const [day, next, hours] of [
        ['2026-03-29', '2026-03-30', 23],
        ['2026-10-25', '2026-10-26', 25],
      ] as const) {
        await count(`${day}T00:00`, `${next}T00:00`)
        await says(page, new RegExp(`^${hours} hours$`))
        const query = `start=${day}T00:00&end=${next}T00:00&time_zone=Amsterdam`
        const { json } = await mounted.ask('owen', 'GET', `/calendars/${id}/duration?${query}`)
        expect(json).to.deep.equal({ duration: hours * 60 })
      }
      await page.getByLabel('Time zone of the hours').selectOption('Tokyo')
      expect(await page.locator('.counted').count()).to.equal(0)
      await count('2026-10-25T00:00', '2026-10-24T00:00')
      await says(page, 'The end is before the start.')
      expect(await page.evaluate("document.activeElement?.getAttribute('aria-invalid')")).to.equal('true')

      const office = await addCalendar('Office in Tokyo', [['mon', '09:00', '17:30']])
      await page.goto(`${home()}/calendars/${office}`)
      await page.getByLabel('Time zone of the hours').selectOption('Tokyo')
      // Monday 00:00 to 09:30 here is 08:00 to 17:30 there.
      await count('2026-11-23T00:00', '2026-11-23T09:30')
      await says(page, /^8 hours 30 minutes$/)
      await says(page, /9 hours 30 minutes in all, of which 1 hour are outside/)
    })
  })

  describe('the service levels of a request', () => {
    it('show a clock that stands still, and for how long it did before', async () => {
      const made = await openWith([
        {
          ...{ started_at: at(-50), response_target_at: at(-48), actual_response_at: at(-49) },
          ...{ stopped_clock_at: at(-10), stopped_clock_duration: 95, resolution_target_at: at(20) },
        },
      ])
      const { page } = made
      await settled(page)
      expect(made.calls.filter((call) => call.includes('affected_slas'))).to.deep.equal([])
      await openLine(page)
      expect(await page.locator('.states .chip').allInnerTexts()).to.deep.equal(['Response: Met', 'Resolution: Paused'])
      await says(page, /^The clock stands still since .*: the request waits for the customer\.$/)
      await says(page, 'Before that, the clock has stood still for 1 hour 35 minutes of support hours in all.')
      expect(await page.locator('.moments time').count()).to.equal(6)
      expect(await page.locator('svg.sla-line .stopped').count()).to.equal(1)
      expect(made.calls.filter((call) => call.includes('affected_slas'))).to.have.length(1)
    })

    it('show what was missed, what was met late, and what does not count any more', async () => {
      const { page } = await openWith([
        { started_at: at(-50), response_target_at: at(-48), resolution_target_at: at(-5) },
        { started_at: at(-1), response_target_at: at(-3), resolution_target_at: at(24 * 365 * 3) },
        { started_at: at(-9), response_target_at: at(1), resolution_target_at: at(2), accountability: 'sla_not_affected' },
        { started_at: at(-1), next_target_at: 'best_effort' },
      ])
      await openLine(page)
      expect(await page.locator('.states').allInnerTexts()).to.deep.equal([
        'Response: Missed\nResolution: Missed',
        'Response: Missed\nResolution: Running',
        'Response: No target\nResolution: No target',
      ])
      await says(page, 'Not affected any more: the request has moved to another service instance.')
      await says(page, 'in 2 years')
      await says(page, 'Best effort')
    })

    it('are those that the API computes, also on a page of their own', async () => {
      const zone = { timezoneId: 'Asia/Tokyo' }
      const { page } = await signIn('ines', `/requests/${mounted.world.id('mail-is-slow')}`, zone)
      await openLine(page)
      // 09:00 in Amsterdam.
      await says(page, '20 Nov 2026, 17:00')
      await says(page, 'Response: Met')
      await says(page, '45 minutes of at most 2 hours, in support hours')
      await page.locator('.sla').getByRole('link', { name: /^#/ }).click()
      await page.getByRole('heading', { level: 1, name: /^#/ }).waitFor()
      await says(page, '45 minutes of at most 2 hours, in support hours')
    })

    it('say why there are none', async () => {
      const { page } = await signIn('owen', `/requests/${mounted.world.id('praise')}`)
      await openLine(page)
      await says(page, 'This request has no service instance.')
      const { page: other } = await openWith([])
      await openLine(other)
      await says(other, 'No active agreement for Email Europe covers this request')
    })
  })

  it('say when a change happens again, as a sentence', async () => {
    const path = `/change_templates/${mounted.world.id('patch-servers')}`
    const { page } = await signIn('owen', path)
    await says(page, /^Monthly, second Tuesday, at 22:00 \(Amsterdam\), from 1 Jan 2040$/)
    const recurrence = {
      frequency: 'weekly',
      interval: 2,
      day: '1,5',
      day_of_week: false,
      end_date: '2041-12-31',
      disabled: true,
    }
    expect((await mounted.ask('owen', 'PATCH', path, { recurrence })).status).to.equal(200)
    await page.reload()
    await says(page, /^Every 2 weeks, on Monday and Friday, at 22:00 \(Amsterdam\), from 1 Jan 2040, until 31 Dec 2041/)
    const { page: other } = await signIn('owen', path, { locale: 'de-DE' })
    await says(other, /^Alle 2 Wochen, am Montag und Freitag, um 22:00 \(Amsterdam\), ab 01.01.2040, bis 31.12.2041/)
    expect(await page.locator('summary', { hasText: 'Recurrence' }).count()).to.equal(0)
  })

  it('hold twelve service levels and forty rows within a phone, right to left, and without obstacles', async () => {
    const many = await addCalendar(
      'Laboratory',
      DAYS.flatMap((day) => [0, 1, 2, 3, 4, 5].map((hour) => [day, `0${hour}:00`, `0${hour}:30`] as const)),
    )
    const one = { started_at: at(-50), response_target_at: at(-48), resolution_target_at: at(20), stopped_clock_at: at(-1) }
    const phone = { viewport: { width: 360, height: 740 }, locale: 'de-DE', isMobile: true } as const
    const { page } = await openWith(
      Array.from({ length: 12 }, () => one),
      phone,
    )
    const found: string[] = []
    const look = async (where: string) => {
      expect(await page.evaluate('document.documentElement.scrollWidth'), where).to.be.at.most(360)
      await page.evaluate("document.documentElement.dir = 'rtl'")
      expect(await page.evaluate('document.documentElement.scrollWidth'), `${where}, right to left`).to.be.at.most(360)
      await page.evaluate("document.documentElement.dir = 'ltr'")
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
        found.push(
          ...violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${where} ${colorScheme}: ${id} ${target}`)),
        )
      }
    }
    await page.locator('summary', { hasText: 'Servicelevel als Zeitleiste' }).click()
    await settled(page)
    expect(await page.locator('.sla').count()).to.equal(12)
    await look('request')
    await page.goto(`${home()}/calendars/${many}`)
    await page.locator('table.week').waitFor()
    await settled(page)
    await look('calendar')
    await page.getByRole('button', { name: 'Zeiten ändern' }).click()
    expect(await page.locator('.week-row').count()).to.equal(42)
    await look('week that is changed')
    expect(found).to.deep.equal([])
  })
})
