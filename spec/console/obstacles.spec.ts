/** Obstacles for people with a disability that a program can find, on each page of the console. */
import { AxeBuilder } from '@axe-core/playwright'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { withConsole } from '../support/console-visits.js'
import { createLoanCars, loanCar, loanCarWords } from '../support/loan-car.js'
import { withMounted } from '../support/mounted.js'

/**
 * Themes and languages. Colours are the same in all languages, and texts in both themes: in the usual run, each theme and two languages
 * once. All of them in runs of single files and of everything.
 */
const WAYS = [
  ['light', 'en-GB'],
  ['dark', 'nl-NL'],
  ['light', 'de-DE'],
  ['dark', 'fr-FR'],
  ['dark', 'en-GB'],
  ['light', 'nl-NL'],
  ['dark', 'de-DE'],
  ['light', 'fr-FR'],
] as const
const USUAL = 2

describe('the console for people with a disability', function () {
  this.timeout(120_000)
  const mounted = withMounted('mounted under a prefix', {
    console: true,
    records: [loanCar],
    migrations: [createLoanCars],
    words: loanCarWords,
  })
  const { enter, home, settled, visit } = withConsole(mounted)

  for (const [colorScheme, locale] of process.env['KOA_ITSM_TEST_PASS'] === 'again' ? WAYS.slice(0, USUAL) : WAYS) {
    it(`has no obstacle that axe knows, ${colorScheme}, ${locale}`, async () => {
      const { page } = await visit({ locale, colorScheme })
      await page.goto(home())
      await page.locator('input[name=email]').waitFor()
      const found: string[] = []
      const look = async (where: string) => {
        const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
        found.push(...violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${where}: ${id} ${target}`)))
      }
      await look('sign in')
      const { email, password } = mounted.world.signIn('owen')
      await enter(page, email, password)
      const request = `/requests/${mounted.world.id('mail-is-slow')}`
      for (const path of [
        '',
        '/requests',
        request,
        '/requests/new',
        '/loan_cars',
        '/people',
        '/imports',
        '/imports/new?type=people',
        '/webhooks',
        '/webhooks/new',
      ]) {
        await page.goto(home() + path)
        await page.getByRole('heading', { level: 1 }).waitFor()
        await settled(page)
        await look(path)
      }
      await page.goto(home() + request)
      await page.locator('.actions .primary').click()
      for (const summary of await page.locator('details.section > summary').all()) await summary.click()
      await settled(page)
      await look('a record that is edited')
      expect(found).to.deep.equal([])
    })
  }
})
