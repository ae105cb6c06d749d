/** The console where something goes wrong: answers are lost, the server is away, and tabs and accounts differ. */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { withConsole } from '../support/console-visits.js'
import { withMounted } from '../support/mounted.js'

describe('the console when something goes wrong', function () {
  this.timeout(60_000)
  const mounted = withMounted('mounted under a prefix', { console: true })
  const { enter, expectRefusals, home, says, settled, signIn, visit } = withConsole(mounted)

  it('stores a note once, with its file, although the first answer is lost', async () => {
    const path = `/requests/${mounted.world.id('mail-is-slow')}`
    const made = await signIn('owen', path)
    const { page } = made
    let lost = 1
    await page.route(`**/v1${path}/notes`, async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      const response = await route.fetch()
      return lost-- > 0 ? route.abort() : route.fulfill({ response })
    })
    await page.getByLabel('New note').fill('Told once')
    await page.getByLabel('Files').setInputFiles({ name: 'once.txt', mimeType: 'text/plain', buffer: Buffer.from('once') })
    await page.getByRole('button', { name: 'Add note' }).click()
    await page.locator('.new-note .problem').waitFor()
    await page.getByRole('button', { name: 'Add note' }).click()
    await page.getByRole('link', { name: 'once.txt' }).waitFor()
    const { json } = await mounted.ask('owen', 'GET', `${path}/notes?per_page=100`)
    expect((json as { text: string }[]).filter(({ text }) => text === 'Told once')).to.have.lengthOf(1)
    expect(lost).to.equal(-1)
    expectRefusals(made, [])
  })

  it('chooses nobody whom the text does not mean, however fast Enter follows', async () => {
    const { page } = await signIn('owen', '/requests/new')
    const field = page.getByLabel(/^Requested for/)
    await field.click()
    await page.locator('[role=option]').nth(1).waitFor()
    await settled(page)
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.type('Hank')
    await page.keyboard.press('Enter')
    expect(await field.inputValue()).to.equal('Hank')
    await page.locator('[role=option]').nth(1).waitFor({ state: 'detached' })
    await page.locator('[role=option]', { hasText: 'Hank' }).waitFor()
    await page.keyboard.press('Enter')
    expect(await field.inputValue()).to.match(/^Hank /)
  })

  it('says that somebody is still signed in, if the server cannot be asked', async () => {
    const made = await signIn('owen', '/requests')
    const { page } = made
    await page.route('**/v1/session', (route) => route.abort())
    await page.locator('.menu.person summary').click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await says(page, /The server cannot be reached/)
    await page.getByRole('heading', { name: 'Requests', level: 1 }).waitFor()
    await page.unroute('**/v1/session')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.locator('input[name=email]').waitFor()
    expect(await page.context().cookies()).to.deep.equal([])
    expectRefusals(made, [])
  })

  it('shows the records of the account that somebody has changed to, in this tab alone', async () => {
    const { page } = await signIn('pat', '/people')
    await page.getByRole('link', { name: 'Paula Greene' }).waitFor()
    const other = await page.context().newPage()
    await other.goto(`${home()}/people`)
    await other.getByRole('link', { name: 'Paula Greene' }).waitFor()
    await page.locator('.menu.person summary').click()
    await page.getByLabel('Account').selectOption('widgets')
    await page.getByRole('link', { name: 'Eva Nováková' }).waitFor()
    expect(await page.getByRole('link', { name: 'Paula Greene' }).count()).to.equal(0)
    const asked = other.waitForRequest(/\/v1\/organizations\?/)
    await other.getByRole('navigation').getByRole('link', { name: 'Organizations' }).click()
    expect((await asked).headers()['x-svc-account']).to.equal(undefined)
    await page.reload()
    await page.getByRole('link', { name: 'Eva Nováková' }).waitFor()
  })

  it('lets somebody in who may not enter the account that was chosen before', async () => {
    const made = await visit()
    const { page } = made
    await page.goto(home())
    await page.evaluate("localStorage.setItem('koa-itsm.account', 'partner')")
    await page.reload()
    const { email, password } = mounted.world.signIn('ines')
    await enter(page, email, password)
    await says(page, 'Hello, Ines Álvarez')
    expectRefusals(made, ['403 GET /desk/api/v1/me'])
  })
})
