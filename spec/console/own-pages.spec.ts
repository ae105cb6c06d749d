/** Pages of the host in the console, in a real browser. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { after, describe, it } from 'mocha'
import { InvalidOptions } from '../../plugin/index.js'
import { readOptions } from '../../plugin/options/options.js'
import { withConsole } from '../support/console-visits.js'
import { createLoanCars, loanCar, loanCarWords } from '../support/loan-car.js'
import { withMounted } from '../support/mounted.js'
import { silent, TEST_SECRET } from '../support/settings.js'

const GARAGE = `export default ({ api, components, format, h, me, useLoaded, useState, version }) => () => {
  const [isOpen, open] = useState(false)
  const { data } = useLoaded('cars', () => api.get('/loan_cars'))
  if (!data) return h(components.Loading, null)
  return [
    h('h1', null, 'Garage ' + version),
    h('p', null, me.name + ' sees ' + format.number(data.length) + ' <b>cars</b>'),
    h('button', { type: 'button', onClick: () => open(true) }, 'Open'),
    isOpen && h(components.RecordTable, { type: 'loan_car', columns: ['name', 'status'], records: data }),
  ]
}`
const BROKEN = `export default () => () => { throw new Error('the garage is on fire') }`

describe('pages of the host in the console', function () {
  this.timeout(60_000)
  const folder = mkdtempSync(join(tmpdir(), 'koa-itsm-pages-'))
  const file = (name: string, code: string) => {
    writeFileSync(join(folder, name), code)
    return join(folder, name)
  }
  after(() => rmSync(folder, { recursive: true }))
  const mounted = withMounted('mounted under a prefix', {
    console: {
      pages: [
        { path: '/garage', title: { en: 'Garage', nl: 'Werkplaats' }, module: file('garage.js', GARAGE) },
        { path: '/broken', title: 'Broken', module: file('broken.js', BROKEN), roles: ['account_administrator', 'auditor'] },
        { path: '/gone', title: 'Gone', module: join(folder, 'gone.js') },
      ],
    },
    records: [loanCar],
    migrations: [createLoanCars],
    words: loanCarWords,
    log: silent,
  })
  const { home, says, signIn } = withConsole(mounted)

  it('are in the navigation, in the language of the person, and show what the person may see', async () => {
    expect((await mounted.ask('@owen', 'POST', '/loan_cars', { name: 'Van', plate: 'K-1' })).status).to.equal(201)
    const { page } = await signIn('owen')
    await page.getByRole('link', { name: 'Garage' }).click()
    await page.getByRole('heading', { name: 'Garage 1', level: 1 }).waitFor()
    await says(page, 'Owen Wright sees 1 <b>cars</b>')
    expect(await page.title()).to.contain('Garage')
    await page.getByRole('button', { name: 'Open' }).click()
    await page.getByRole('link', { name: 'Van' }).click()
    await page.getByRole('heading', { name: 'Van', level: 1 }).waitFor()
    const dutch = await signIn('owen', '', { locale: 'nl-NL' })
    await dutch.page.getByRole('link', { name: 'Werkplaats' }).waitFor()
  })

  it('say what failed in them, and nothing else fails', async () => {
    const made = await signIn('owen', '/broken')
    await says(made.page, 'Something failed in this page: Error: the garage is on fire')
    await made.page.goto(`${home()}/gone`)
    await says(made.page, 'Something failed in this page')
    expect(made.errors.splice(0).join()).to.contain('own-missing.js')
    await made.page.getByRole('link', { name: 'Garage' }).click()
    await made.page.getByRole('heading', { name: 'Garage 1', level: 1 }).waitFor()
  })

  it('are linked for their roles alone', async () => {
    const { page } = await signIn('ines')
    await page.getByRole('link', { name: 'Garage' }).waitFor()
    expect(await page.getByRole('link', { name: 'Broken' }).count()).to.equal(0)
  })

  it('are refused if something of them cannot be', () => {
    const mistakesOf = (...pages: readonly object[]) => {
      const options = { baseUrl: 'https://desk.example/v1', secret: TEST_SECRET, database: { url: 'sqlite::memory:' } }
      try {
        readOptions({ ...options, console: { pages } } as never)
      } catch (error) {
        if (error instanceof InvalidOptions) return error.mistakes
        throw error
      }
      return []
    }
    const good = { path: '/map', title: 'Map', module: '/map.js' }
    expect(
      mistakesOf(good, { ...good, path: '/other', title: { nl: 'Kaart' }, module: new URL('file:///map.js') }),
    ).to.deep.equal([])
    expect(mistakesOf(good, good)).to.deep.equal(["console.pages[1].path: '/map' occurs twice"])
    expect(mistakesOf({ ...good, path: '/system' })).to.deep.equal(["console.pages[0].path: '/system' is a page of the plugin"])
    expect(mistakesOf({ path: 'Map', title: '', module: 7, roles: ['king'] })).to.deep.equal([
      "console.pages[0].path: must be a path such as '/fleet-map', not 'Map'",
      'console.pages[0].title: must be a text, or texts by language',
      'console.pages[0].module: must be the path of a file, or its URL',
      "console.pages[0].roles: must be roles such as 'auditor', not a list",
    ])
    expect(mistakesOf(null as never)).to.have.length(3)
  })
})
