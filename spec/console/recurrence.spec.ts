/** Recurrences of change templates in the console: read as a sentence, and edited by days and months. */
import { AxeBuilder } from '@axe-core/playwright'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { withConsole } from '../support/console-visits.js'
import { misfitsOf } from '../support/fitting.js'
import { withMounted } from '../support/mounted.js'

describe('recurrences in the console', function () {
  this.timeout(60_000)
  const mounted = withMounted('mounted under a prefix', { console: true })
  const { expectRefusals, says, settled, signIn } = withConsole(mounted)
  const addTemplate = async (): Promise<string> => {
    const { json, text, status } = await mounted.ask('owen', 'POST', '/change_templates', { subject: `Patch ${Math.random()}` })
    expect(status, text).to.equal(201)
    return `/change_templates/${(json as { id: number }).id}`
  }
  const stored = async (path: string) =>
    ((await mounted.ask('owen', 'GET', path)).json as { recurrence?: Record<string, unknown> | null }).recurrence ?? null

  it('are added, changed and removed with their template', async () => {
    const path = await addTemplate()
    const made = await signIn('owen', path)
    const { page } = made
    const form = page.getByRole('group', { name: 'Recurrence' })
    const save = () => page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('button', { name: 'New: Recurrence' }).click()
    await save()
    await says(page, "Time of day can't be blank")
    expectRefusals(made, [`422 PATCH /desk/api/v1${path}`])
    await form.getByLabel('Time of day').fill('08:30')
    await form.getByLabel('Start date').fill('2030-01-01')
    await form.getByLabel('Frequency').selectOption('weekly')
    expect(await form.getByRole('group', { name: 'Day of month' }).count()).to.equal(0)
    for (const day of ['Wednesday', 'Monday']) await form.getByLabel(day).check()
    await form.getByLabel('Interval').fill('2')
    await save()
    await says(page, 'Every 2 weeks, on Monday and Wednesday, at 08:30 (Amsterdam), from 1 Jan 2030')
    expect(await stored(path)).to.include({ frequency: 'weekly', day: '1,3', interval: 2, time_of_day: '08:30' })

    await page.getByRole('button', { name: 'Edit' }).click()
    await form.getByLabel('Frequency').selectOption('yearly')
    await form.getByLabel('Day of week', { exact: true }).check()
    await form.getByLabel('Day of week index').selectOption('second')
    await form.getByLabel('Tuesday').check()
    for (const month of ['March', 'October']) await form.getByLabel(month).check()
    await form.getByLabel('Interval').fill('1')
    await save()
    await says(page, /^Yearly, second Tuesday, in March and October, at 08:30/)
    expect(await stored(path)).to.include({ day_of_week: true, day_of_week_index: 'second', month_of_year: '3,10' })

    await page.getByRole('button', { name: 'Edit' }).click()
    await form.getByLabel('Frequency').selectOption('daily')
    await save()
    await says(page, /^Daily, on Monday and Wednesday, at 08:30/)
    expect(await stored(path)).to.include({ frequency: 'daily', day_of_week: false })

    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('button', { name: 'Remove Recurrence' }).click()
    await save()
    await page.getByRole('button', { name: 'Edit' }).waitFor()
    expect(await stored(path)).to.equal(null)
  })

  it('are sent with a template only if they were changed', async () => {
    const path = await addTemplate()
    const recurrence = { frequency: 'monthly', day_of_month: '1,-1', time_of_day: '23:00', time_zone: 'Amsterdam' }
    expect((await mounted.ask('owen', 'PATCH', path, { recurrence })).status).to.equal(200)
    const { page } = await signIn('owen', path)
    await page.getByRole('button', { name: 'Edit' }).click()
    const form = page.getByRole('group', { name: 'Recurrence' })
    for (const [day, isChosen] of [
      ['1', true],
      ['31', false],
      ['the last one', true],
    ] as const)
      expect(await form.getByLabel(day, { exact: true }).isChecked(), day).to.equal(isChosen)
    await page.getByLabel(/^Subject/).fill('Patch all of them')
    const sent = page.waitForRequest((request) => request.method() === 'PATCH')
    await page.getByRole('button', { name: 'Save' }).click()
    expect((await sent).postDataJSON()).to.deep.equal({ subject: 'Patch all of them' })
  })

  it('have a form without obstacles, which fits a phone', async () => {
    const path = await addTemplate()
    const { page } = await signIn('owen', path, { colorScheme: 'light' })
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('button', { name: 'New: Recurrence' }).click()
    await settled(page)
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
    expect(violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id} ${target}`))).to.deep.equal([])
    expect(await misfitsOf(page, 'a recurrence')).to.deep.equal([])
  })
})
