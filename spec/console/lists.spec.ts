/** What lists, forms and the first page of the console say at a glance. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { withConsole } from '../support/console-visits.js'
import { withMounted } from '../support/mounted.js'

describe('lists and forms in the console', function () {
  this.timeout(60_000)
  const mounted = withMounted('mounted under a prefix', { console: true })
  const { home, says, settled, signIn } = withConsole(mounted)

  it('mark a next target that has passed, in lists and in the record, and not by colour alone', async () => {
    const { page } = await signIn('owen', '/requests')
    const row = page.locator('tr', { has: page.getByRole('link', { name: 'Mail is slow' }) })
    await row.locator('.missed').waitFor()
    expect(await row.locator('.missed').innerText()).to.contain('Target missed')
    expect(await page.evaluate(`getComputedStyle(document.querySelector('.missed'), '::before').content`)).to.equal('"! "')
    expect(await page.locator('.missed').count()).to.equal(1)
    await row.getByRole('link', { name: 'Mail is slow' }).click()
    await page.locator('.details .missed').waitFor()
  })

  it('fit a screen of 1,280 pixels', async () => {
    const subject = 'The lift stands still between the third and the fourth floor, with people inside'
    expect((await mounted.ask('owen', 'POST', '/requests', { subject, category: 'incident', impact: 'low' })).status).to.equal(
      201,
    )
    const { page } = await signIn('owen', '/requests', { viewport: { width: 1280, height: 800 } })
    await page.getByRole('link', { name: subject }).waitFor()
    const hidden = `document.querySelector('.table').scrollWidth - document.querySelector('.table').clientWidth`
    expect(await page.evaluate(hidden)).to.equal(0)
  })

  it('name records without a name by their text, and say what they belong to', async () => {
    const { page } = await signIn('owen', '/broadcasts')
    await page.getByRole('link', { name: 'The servers move tonight.' }).click()
    await page.getByRole('heading', { name: 'The servers move tonight.', level: 1 }).waitFor()
    await page.goto(`${home()}/notes`)
    const row = page.locator('tr', { has: page.getByRole('link', { name: 'It takes a minute to open a message.' }) })
    await row.getByRole('link', { name: 'Mail is slow' }).waitFor()
    const long = `First line of many.\n${'And more. '.repeat(200)}`
    const path = `/requests/${mounted.world.id('mail-is-slow')}/notes`
    expect((await mounted.ask('owen', 'POST', path, { text: long })).status).to.equal(201)
    await page.reload()
    await page.getByRole('link', { name: 'First line of many.…' }).click()
    await page.getByRole('heading', { name: 'First line of many.…', level: 1 }).waitFor()
    await says(page, /And more\. And more\./)
    await page.locator('.details').getByRole('link', { name: 'Mail is slow' }).waitFor()
  })

  it('have views, which are saved in their list and lead there', async () => {
    const { page } = await signIn('owen', '/requests?category=incident')
    await page.locator('summary', { hasText: 'Save view' }).click()
    await page.getByLabel('Name').fill('Incidents')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('link', { name: 'Incidents' }).waitFor()
    await page.goto(`${home()}/views`)
    await says(page, /^A view is saved in its list/)
    expect(await page.getByRole('link', { name: /^New/ }).count()).to.equal(0)
    await page.getByRole('link', { name: 'Incidents' }).click()
    await page.getByRole('link', { name: 'Show this view of: Requests' }).click()
    await page.getByRole('heading', { name: 'Requests', level: 1 }).waitFor()
    expect(new URL(page.url()).search).to.equal('?category=incident')
  })

  it('keep what was typed in sight when the other fields are hidden again', async () => {
    const { page } = await signIn('owen', '/requests/new')
    const fields = page.locator('.form-fields .field')
    await page.getByLabel(/^Subject/).waitFor()
    const few = await fields.count()
    await page.getByRole('button', { name: /^More fields \(\d+\)/ }).click()
    expect(await fields.count()).to.be.above(few + 5)
    await page.getByLabel(/^Source ID/).fill('R-77')
    await page.getByRole('button', { name: 'Fewer fields' }).click()
    expect(await fields.count()).to.equal(few + 1)
    expect(await page.getByLabel(/^Source ID/).inputValue()).to.equal('R-77')
    await page.getByLabel(/^Source ID/).fill('')
    await page.getByRole('button', { name: /^More fields/ }).waitFor()
  })

  it('call the fields of a history by their labels, and records by their names', async () => {
    const team = { name: 'Harbor crew', manager_id: mounted.world.id('owen'), member_ids: [mounted.world.id('eva')] }
    const made = await mounted.ask('owen', 'POST', '/teams', team)
    expect(made.status, made.text).to.equal(201)
    const { id } = made.json as { id: number }
    const members = [mounted.world.id('eva'), mounted.world.id('sam')]
    expect((await mounted.ask('owen', 'PATCH', `/teams/${id}`, { member_ids: members })).status).to.equal(200)
    const { page } = await signIn('owen', `/teams/${id}`)
    await page.locator('summary', { hasText: 'History' }).click()
    await page.locator('.changes').first().waitFor()
    await settled(page)
    for (const text of await page.locator('.changes dt').allInnerTexts()) expect(text).not.to.match(/_/)
    const lines = page.locator('.history > li')
    const change = lines.first().locator('.changes')
    expect(await change.getByRole('link').allInnerTexts()).to.deep.equal(['Eva Nováková', 'Eva Nováková', 'Sam Peters'])
    await lines.last().locator('.changes').getByRole('link', { name: 'Owen Wright' }).first().waitFor()
    await page.goto(`${home()}/audit`)
    await page.locator('.history').getByRole('link', { name: 'Sam Peters' }).first().waitFor()
  })

  it('have times from 0 to 24 hours for those who want them, whatever the language does', async () => {
    const rowOf = async (name: string) => {
      const { page } = await signIn(name, '/requests', { locale: 'en-US' })
      await page.locator('tbody tr').first().waitFor()
      return page.locator('td time').first().innerText()
    }
    const wish = { time_format_24h: false }
    expect((await mounted.ask('owen', 'PATCH', `/people/${mounted.world.id('eva')}`, wish)).status).to.equal(200)
    expect(await rowOf('owen')).to.match(/ \d\d:\d\d$/)
    expect(await rowOf('eva')).to.match(/[AP]M$/)
  })
})

describe('the first page of the console', function () {
  this.timeout(60_000)
  const mounted = withMounted('mounted under a prefix', {
    console: true,
    jobs: { backend: 'memory' },
    webhooks: { allowPrivateAddresses: true },
  })
  const { home, says, signIn } = withConsole(mounted)
  const receivers = new Map<string, Server>()
  before('starts jobs, and receivers that are gone', async () => {
    await mounted.itsm.start()
    for (const name of ['Pager', 'Chat']) {
      const receiver = createServer((_, response) => void response.writeHead(410).end()).listen(0, '127.0.0.1')
      await once(receiver, 'listening')
      receivers.set(name, receiver)
    }
  })
  after('stops the receivers', () => {
    for (const receiver of receivers.values()) {
      receiver.closeAllConnections()
      receiver.close()
    }
  })

  it('names each receiver that fails once, and has charts whose labels stay on one line', async () => {
    const ids: number[] = []
    for (const [name, receiver] of receivers) {
      const uri = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
      const { json } = await mounted.ask('owen', 'POST', '/webhooks', { name, uri, event: 'request.create' })
      ids.push((json as { id: number }).id)
    }
    expect((await mounted.ask('owen', 'POST', '/requests', { subject: 'One', category: 'rfi' })).status).to.equal(201)
    for (const id of ids) {
      const failed = async () =>
        (await mounted.ask('owen', 'GET', `/webhooks/${id}/deliveries?state=failed`)).headers['x-pagination-total-entries']
      for (let turn = 0; turn < 200 && (await failed()) === '0'; turn++) await new Promise((done) => setTimeout(done, 100))
      expect(await failed()).not.to.equal('0')
    }
    const { page } = await signIn('owen', '/requests', { viewport: { width: 1280, height: 800 } })
    // A receiver that is gone gets no more, so that older ones are made of its newest one.
    await page.route('**/deliveries?state=failed**', async (route) => {
      const all = (await (await route.fetch()).json()) as { readonly id: number; readonly target: string }[]
      const newest = ids.flatMap((id) => all.find(({ target }) => target === String(id)) ?? [])
      const older = [1000, 2000].flatMap((more) => newest.map((one) => ({ ...one, id: one.id - more, last_error: 'older' })))
      return route.fulfill({ json: [...newest, ...older], headers: { 'X-Pagination-Total-Entries': '6' } })
    })
    await page.goto(home())
    await says(page, 'What fails')
    for (const name of receivers.keys()) {
      const entry = page.locator('.parts li', { has: page.getByRole('link', { name: `Webhook ${name}` }) })
      expect(await entry.count(), name).to.equal(1)
      expect(await entry.textContent()).to.match(/Given up: 3 · .* · 410 Gone$/)
    }
    const scales = page.locator('.chart-scale span')
    await scales.first().waitFor()
    const heights = `[...document.querySelectorAll('.chart-scale span')].map((it) => it.clientHeight || it.offsetHeight)`
    const [first, ...others] = await page.evaluate<number[]>(heights)
    expect(first).to.be.within(10, 30)
    expect(others).to.deep.equal(others.map(() => first))
    // It may be tomorrow already where the person is at home.
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
    await page.route('**/counts?**', (route) => {
      const by = String(new URL(route.request().url()).searchParams.get('by')).replace(':day', '')
      return route.fulfill({ json: { total: 3, groups: [{ values: { [by]: tomorrow }, count: 3 }] } })
    })
    await page.reload()
    await page.locator('.chart rect:not(.none)').first().waitFor()
    const last = `[...document.querySelectorAll('.chart')].map((it) => it.querySelector('rect:last-of-type').className.baseVal)`
    for (const name of await page.evaluate<string[]>(last)) expect(name).to.equal('')
    await page.getByRole('link', { name: 'Webhook Pager' }).click()
    await page.getByRole('heading', { name: 'Pager', level: 1 }).waitFor()
    expect(page.url()).to.match(new RegExp(`^${home()}/webhooks/\\d+$`))
  })
})
