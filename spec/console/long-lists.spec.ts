/** Lists of a record that are longer than a page: what is shown first, and how the rest is reached. */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { withConsole } from '../support/console-visits.js'
import { withMounted } from '../support/mounted.js'

describe('long lists in the console', function () {
  this.timeout(60_000)
  const mounted = withMounted('mounted under a prefix', { console: true })
  const { says, settled, signIn } = withConsole(mounted)
  const makeMany = async (path: string, bodies: readonly object[]) => {
    for (let begin = 0; begin < bodies.length; begin += 100) {
      const { status, text } = await mounted.ask('owen', 'POST', path, bodies.slice(begin, begin + 100))
      expect(status, text).to.equal(200)
    }
  }

  it('show the newest notes, and one that is added, whatever their number', async () => {
    const path = `/requests/${mounted.world.id('mail-is-slow')}`
    const { headers } = await mounted.ask('owen', 'GET', `${path}/notes?per_page=1`)
    const before = Number(headers['x-pagination-total-entries'])
    await makeMany(
      `${path}/notes`,
      Array.from({ length: 160 - before }, (_, index) => ({ text: `Note ${index + 1 + before}.` })),
    )
    const { page } = await signIn('owen', path)
    const notes = page.locator('.notes > li')
    await says(page, 'Note 160.')
    expect(await notes.count()).to.equal(50)
    expect(
      [await notes.first().innerText(), await notes.last().innerText()].map((text) => text.split('\n').at(-1)),
    ).to.deep.equal(['Note 111.', 'Note 160.'])
    await page.getByLabel('New note').fill('The newest of all')
    await page.getByRole('button', { name: 'Add note' }).click()
    await says(page.locator('.notes'), 'The newest of all')
    expect(await notes.count()).to.equal(50)
    await page.getByRole('button', { name: 'Show earlier notes (111)' }).click()
    await says(page, 'Note 62.')
    expect(await notes.count()).to.equal(100)
    await page.getByRole('button', { name: 'Show earlier notes (61)' }).click()
    await says(page, 'It takes a minute to open a message.')
    expect(await notes.count()).to.equal(161)
    expect(await notes.last().innerText()).to.contain('The newest of all')
    expect(await page.getByRole('button', { name: /^Show earlier/ }).count()).to.equal(0)
  })

  it('have all lines of the history, and all records below one', async () => {
    const id = mounted.world.id('hank')
    const path = `/people/${id}`
    const phones = Array.from({ length: 230 }, (_, index) => ({
      label: 'work',
      protocol: 'telephone',
      uri: `+31 20 555 ${String(index).padStart(4, '0')}`,
    }))
    await makeMany(`${path}/contacts`, phones)
    const titles = Array.from({ length: 210 }, (_, index) => ({ id, job_title: `Mechanic ${index}` }))
    const { status, text } = await mounted.ask('owen', 'PATCH', '/people', titles)
    expect(status, text).to.equal(200)
    const { page } = await signIn('owen', path)
    await page.locator('summary', { hasText: 'Contacts' }).click()
    const contacts = page.locator('.parts > li')
    await contacts.first().waitFor()
    expect(await contacts.count()).to.equal(20)
    const total = Number((await mounted.ask('owen', 'GET', `${path}/contacts`)).headers['x-pagination-total-entries'])
    for (const count of [100, 200, total]) {
      await page.getByRole('button', { name: `Show ${count} of ${total}` }).click()
      await contacts.nth(count - 1).waitFor()
      await settled(page)
      expect(await contacts.count()).to.equal(count)
    }
    expect(new Set(await contacts.allInnerTexts()).size).to.equal(total)
    expect(await page.getByRole('button', { name: /^Show \d/ }).count()).to.equal(0)

    await page.locator('summary', { hasText: 'History' }).click()
    const lines = page.locator('.history > li')
    const all = Number((await mounted.ask('owen', 'GET', `${path}/audit`)).headers['x-pagination-total-entries'])
    expect(all).to.be.above(200)
    await lines.first().waitFor()
    expect(await lines.count()).to.equal(20)
    for (const count of [100, 200, all]) {
      await page.getByRole('button', { name: `Show ${count} of ${all}` }).click()
      await lines.nth(count - 1).waitFor()
    }
    await settled(page)
    expect(await lines.count()).to.equal(all)
  })
})
