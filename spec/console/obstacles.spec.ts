/** Obstacles that a program can find, on each page of the console: for people with a disability, with large texts, and on a phone. */
import { AxeBuilder } from '@axe-core/playwright'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import type { Page } from 'playwright-core'
import { withConsole } from '../support/console-visits.js'
import { misfitsOf } from '../support/fitting.js'
import { keepPictures } from '../support/kept-pictures.js'
import { createLoanCars, loanCar, loanCarWords } from '../support/loan-car.js'
import { withMounted } from '../support/mounted.js'

/** Texts differ by language, and colours by theme. The usual run looks at one language; single files and `test:all` at all of them. */
const LANGUAGES = ['en-GB', 'nl-NL', 'de-DE', 'fr-FR']
const PATHS = [
  ...['/requests/new', '/loan_cars', '/people', '/imports', '/imports/new?type=people', '/webhooks', '/webhooks/new'],
  ...['/me', '/account', '/audit', '/system'],
]

/** Titles of sections in the four languages. */
const ROLES_AND_TOKENS = [
  /^(Roles|Rollen|Rôles)$/,
  /^(Personal tokens|Persoonlijke tokens|Persönliche Token|Jetons personnels)$/,
]

describe('the console for people with a disability', function () {
  this.timeout(180_000)
  const mounted = withMounted('mounted under a prefix', {
    console: true,
    records: [loanCar],
    migrations: [createLoanCars],
    words: loanCarWords,
  })
  const { home, settled, signIn, visit } = withConsole(mounted)

  for (const locale of process.env['KOA_ITSM_TEST_PASS'] === 'again' ? LANGUAGES.slice(0, 1) : LANGUAGES) {
    it(`has no obstacle that axe knows, in both themes, and fits a phone, also from right to left, ${locale}`, async () => {
      const found: string[] = []
      const look = async (page: Page, where: string) => {
        if (locale === LANGUAGES[0]) await keepPictures(page, where)
        found.push(...(await misfitsOf(page, where)))
        const all = await new AxeBuilder({ page }).setLegacyMode().analyze()
        await page.emulateMedia({ colorScheme: 'dark' })
        const dark = await new AxeBuilder({ page })
          .setLegacyMode()
          .withRules(['color-contrast', 'link-in-text-block'])
          .analyze()
        await page.emulateMedia({ colorScheme: 'light' })
        const violations = [...all.violations, ...dark.violations]
        found.push(...violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${where}: ${id} ${target}`)))
      }
      const anonymous = await visit({ locale, colorScheme: 'light' })
      await anonymous.page.goto(home())
      await anonymous.page.locator('input[name=email]').waitFor()
      await look(anonymous.page, 'sign in')

      const { page } = await signIn('owen', '', { locale, colorScheme: 'light' })
      const request = `/requests/${mounted.world.id('mail-is-slow')}`
      const calendar = `/calendars/${mounted.world.id('support-hours')}`
      for (const path of ['', '/requests', request, calendar, ...PATHS]) {
        await page.goto(home() + path)
        await page.getByRole('heading', { level: 1 }).waitFor()
        await settled(page)
        await look(page, path || 'home')
      }
      await page.goto(home() + request)
      await page.locator('.actions .primary').click()
      for (const summary of await page.locator('details.section > summary').all()) await summary.click()
      await settled(page)
      await look(page, 'a record that is edited')
      await page.goto(`${home()}/people/${mounted.world.id('hank')}`)
      for (const text of ROLES_AND_TOKENS) await page.locator('details.section > summary', { hasText: text }).click()
      await page.locator('.role-account button').first().click()
      await page.locator('.role-form').waitFor()
      await settled(page)
      await look(page, 'roles and tokens of a person')
      await page.goto(`${home()}/me`)
      await page.locator('main section p > button').click()
      await page.locator('.record-form [type=checkbox]').nth(1).check()
      await settled(page)
      await look(page, 'a new token')
      expect(found).to.deep.equal([])
    })
  }
})
