/** The first page, the search in the trail, and the page about the system, in a real browser. */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { withConsole } from '../support/console-visits.js'
import { withMounted } from '../support/mounted.js'

describe('what the console shows of the desk as a whole', function () {
  this.timeout(60_000)
  const mounted = withMounted('mounted under a prefix', { console: true })
  const { home, says, settled, signIn } = withConsole(mounted)

  it('counts what came in on the last days, and again after a new request', async () => {
    const { page } = await signIn('owen')
    const chart = page.locator('figure', { hasText: 'Requests: Created at' })
    await chart.waitFor()
    await settled(page)
    const before = Number(await chart.locator('strong').textContent())
    const { status } = await mounted.ask('@owen', 'POST', '/requests', { subject: 'For the chart', category: 'rfi' })
    expect(status).to.equal(201)
    await page.reload()
    await chart.locator('strong', { hasText: String(before + 1) }).waitFor()
    expect(await chart.locator('li').last().textContent()).to.match(/: \d+$/)
  })

  it('finds changes by person, type, origin and source, with a URL that says so', async () => {
    const id = mounted.world.id('mail-is-slow')
    const changed = await mounted.ask('@owen', 'PATCH', `/requests/${id}`, { subject: 'Mail is very slow' })
    expect(changed.status).to.equal(200)
    const { page } = await signIn('owen', '/audit')
    await page.getByRole('heading', { name: 'Audit trail', level: 1 }).waitFor()
    await page.getByLabel('Created by').fill('Owen')
    await page.getByRole('option', { name: /Owen Wright/ }).click()
    await page.locator('.search-form').getByLabel('Audited').selectOption('request')
    await page.locator('.search-form').getByLabel('Origin').selectOption('api')
    await page.getByRole('button', { name: 'Search' }).click()
    const line = page.locator('.history > li').first()
    await line.getByRole('link', { name: /Mail is very slow/ }).waitFor()
    expect(await line.getByRole('link', { name: /Mail is very slow/ }).getAttribute('href')).to.match(
      new RegExp(`/requests/${id}$`),
    )
    expect(new URL(page.url()).searchParams.get('audited')).to.equal('request')
    await page.reload()
    await line.getByRole('link', { name: /Mail is very slow/ }).waitFor()
    expect(await page.getByLabel('Created by').inputValue()).to.equal('Owen Wright')
    await page.locator('.search-form').getByLabel('Origin').selectOption('event')
    await page.getByRole('button', { name: 'Search' }).click()
    await says(page, 'No change matches.')
  })

  it('tells administrators how the system is, and nobody else', async () => {
    const { page } = await signIn('owen', '/system')
    await page.getByRole('heading', { name: 'System', level: 1 }).waitFor()
    const stateOf = (part: string) => page.locator('dl > div', { hasText: part }).locator('dd').textContent()
    expect(await Promise.all(['Database', 'Migrations', 'Store of files'].map(stateOf))).to.deep.equal([
      'Works',
      'Works',
      'Works',
    ])
    // The plugin of these specs does no work of its own.
    expect(await stateOf('Background work')).to.equal('Fails')
    expect(await page.locator('.title .chip').textContent()).to.equal('Fails')
    expect(await stateOf('Most overdue timer')).to.match(/No delay|second|minute|hour|day/)
    const other = await signIn('ines')
    await other.page.getByRole('heading', { level: 1 }).waitFor()
    expect(await other.page.getByRole('link', { name: 'System' }).count()).to.equal(0)
    expect(await other.page.getByRole('link', { name: 'Audit trail' }).count()).to.equal(0)
    await other.page.goto(`${home()}/system`)
    await says(other.page, 'You may not do this.')
    other.errors.splice(0)
  })
})
