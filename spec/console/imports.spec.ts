/** Imports in the console, as somebody does them who has not read a document. */
import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { before, describe, it } from 'mocha'
import { withConsole } from '../support/console-visits.js'
import { withMounted } from '../support/mounted.js'

describe('imports in the console', function () {
  this.timeout(120_000)
  const mounted = withMounted('mounted under a prefix', { console: true, jobs: { backend: 'memory' } })
  before('runs jobs, and opens a site where people of the file work', async () => {
    await mounted.itsm.start()
    await mounted.ask('owen', 'PATCH', `/sites/${mounted.world.id('bangalore')}`, { disabled: false })
  })
  const { expectRefusals, home, says, signIn } = withConsole(mounted)

  const lines = readFileSync('fixtures/imports/people/demo-2000.csv', 'utf8').trimEnd().split('\n')
  const fileOf = (some: readonly string[]) => ({
    name: 'people.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`${some.join('\n')}\n`),
  })
  /** Each hundredth row has no address. */
  const wrong = lines.map((line, row) => (row > 0 && row % 100 === 0 ? line.replace('@', ' at ') : line))

  it('brings in 2,000 people of whom 20 were wrong at first', async () => {
    const made = await signIn('owen', '/people')
    const { page } = made
    await page.getByRole('link', { name: 'Import', exact: true }).click()
    await page.locator('input[type=file]').setInputFiles(fileOf(wrong))
    await says(page, 'All match: 9')
    await page.getByRole('button', { name: 'Try it out' }).click()
    await says(page, 'Rows with something wrong: 20. The other rows are fine: 1,980.', 60_000)
    expect(await page.getByText('Primary email is invalid').count()).to.equal(20)
    const { json } = await mounted.ask('owen', 'GET', '/people?primary_email=gabriela.davis@widgets.example')
    expect(json).to.deep.equal([])

    await page.locator('input[type=file]').setInputFiles(fileOf(lines))
    await page.getByRole('button', { name: 'Try it out' }).click()
    await says(page, /2,000/, 60_000)
    await page.getByRole('button', { name: /^Import/ }).click()
    await page.waitForURL(/\/imports\/\d+$/)
    await page.getByRole('status').filter({ hasText: 'Done' }).waitFor({ timeout: 60_000 })
    const found = await mounted.ask('owen', 'GET', '/people?primary_email=gabriela.davis@widgets.example&fields=name')
    expect((found.json as { name: string }[]).map(({ name }) => name)).to.deep.equal(['Gabriela Davis'])
    await page.goto(`${home()}/imports`)
    await says(page, 'people.csv')
    expectRefusals(made, [])
  })

  it('knows usual headers, leaves out what nobody wants, and does not call half an import done', async () => {
    const { page } = await signIn('owen', '/imports/new?type=people')
    const text = [
      'Full name,E-mail address,Site,Location,Telephone',
      'Ada King,ada.king@widgets.example,Nowhere,Attic,+31 20 555 0111',
      'Bo Reed,bo at widgets,Nowhere,Cellar,+31 20 555 0112',
    ]
    await page.locator('input[type=file]').setInputFiles(fileOf(text))
    const chosen = (header: string) => page.getByLabel(`Column for ${header}`)
    await chosen('Full name').waitFor()
    expect([await chosen('Full name').inputValue(), await chosen('E-mail address').inputValue()]).to.deep.equal([
      'Name',
      'Primary Email',
    ])
    // The file calls it by its name, but its sites are not ours.
    await chosen('Site').selectOption('')
    await page.getByRole('button', { name: 'Try it out' }).click()
    await says(page, 'Rows with something wrong: 1. The other rows are fine: 1.', 60_000)
    await says(page, /^Values: \d+$/)
    const failure = page.locator('[aria-labelledby=failures] tbody tr')
    expect((await failure.innerText()).split('\t')).to.deep.equal([
      ...['3', 'Primary email is invalid', 'E-mail address', 'bo at widgets', 'Bo Reed, Nowhere'],
    ])
    await says(page, 'To create')
    // Who leaves now has to choose the file again.
    const asked: string[] = []
    page.once('dialog', (dialog) => {
      asked.push(dialog.message())
      void dialog.dismiss()
    })
    await page.getByRole('navigation').getByRole('link', { name: 'Sites' }).click()
    expect(asked).to.deep.equal(['The file is not imported yet. Leave it?'])
    await page.getByRole('button', { name: 'Import the other rows now (1)' }).click()
    await page.waitForURL(/\/imports\/\d+$/)
    await page.getByRole('status').filter({ hasText: 'Done, but not all rows' }).waitFor({ timeout: 60_000 })
    const [entry] = (await mounted.ask('owen', 'GET', '/imports?per_page=1')).json as { mapping: object; logfile: string }[]
    expect(entry?.mapping).to.deep.equal({
      ...{ 'Full name': 'Name', 'E-mail address': 'Primary Email', Site: '', Telephone: '' },
    })
    expect(await (await fetch(String(entry?.logfile))).text()).not.to.contain('WARNING')
    const { json } = await mounted.ask('owen', 'GET', '/people?primary_email=ada.king@widgets.example&fields=name,site')
    expect((json as { name: string; site: unknown }[]).map(({ name, site }) => [name, site])).to.deep.equal([
      ['Ada King', null],
    ])
  })

  it('says what is wrong with a file before it is sent', async () => {
    const { page } = await signIn('owen', '/imports/new?type=people')
    const input = page.locator('input[type=file]')
    await input.setInputFiles({ name: 'empty.csv', mimeType: 'text/csv', buffer: Buffer.alloc(0) })
    await page.getByRole('alert').first().waitFor()
    expect(await page.getByRole('button', { name: 'Try it out' }).count()).to.equal(0)
    await input.setInputFiles({
      name: 'picture.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 13]),
    })
    await page.getByRole('alert').first().waitFor()
    await input.setInputFiles(fileOf(lines.slice(0, 3)))
    await says(page, 'All match: 9')
  })

  it('is not offered to people who may not import', async () => {
    const { page } = await signIn('ines', '/people')
    await page.getByRole('heading', { name: 'People', level: 1 }).waitFor()
    expect(await page.getByRole('link', { name: 'Import', exact: true }).count()).to.equal(0)
    await page.goto(`${home()}/imports`)
    await says(page, 'You may not do this.')
  })
})
