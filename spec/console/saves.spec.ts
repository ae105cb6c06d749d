/** After a save, the page shows what is stored: also the parts that did not save it, and pages in other tabs. */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { withConsole } from '../support/console-visits.js'
import { withMounted } from '../support/mounted.js'

describe('what the console shows after a save', function () {
  this.timeout(60_000)
  const mounted = withMounted('mounted under a prefix', { console: true })
  const { home, says, settled, signIn } = withConsole(mounted)
  const anyRequest = async () => {
    const { json } = await mounted.ask('owen', 'GET', '/requests?per_page=1')
    return `/requests/${(json as { id: number }[])[0]?.id}`
  }

  it('has the note that was written together with a change, and its line in the history', async () => {
    const path = await anyRequest()
    const { page } = await signIn('owen', path)
    await page.locator('summary', { hasText: 'History' }).click()
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel(/^Subject/).fill('Changed with a note')
    await page.locator('.record-form').getByLabel('Note', { exact: true }).fill('Said while it was changed')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Changed with a note', level: 1 }).waitFor()
    await says(page.locator('ol.notes'), 'Said while it was changed')
    await settled(page)
    const shown = await page.locator('main').innerText()
    await page.reload()
    await page.locator('summary', { hasText: 'History' }).click()
    await says(page.locator('ol.notes'), 'Said while it was changed')
    await settled(page)
    expect(shown).to.equal(await page.locator('main').innerText())
  })

  it('has it in another tab, too', async () => {
    const path = await anyRequest()
    const { page } = await signIn('owen', path)
    const other = await page.context().newPage()
    await other.goto(home() + path)
    await other.getByLabel('New note').fill('From the other tab')
    await other.getByRole('button', { name: 'Add note' }).click()
    await says(other.locator('ol.notes'), 'From the other tab')
    await page.bringToFront()
    await says(page.locator('ol.notes'), 'From the other tab')
  })
})
