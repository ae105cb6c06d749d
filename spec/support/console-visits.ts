/** Visits of people at the console of a mounted plugin, in a real browser. */
import { expect } from 'chai'
import { afterEach } from 'mocha'
import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import { settled, type Visit, withBrowser } from './browser.js'
import type { Mounted } from './mounted.js'

/** Milliseconds after which a text should be there. */
const SOON = 10_000

/** Provides visits for the calling block (in `describe`), and fails specs in which something went wrong beside what they look at. */
export function withConsole(mounted: Mounted) {
  const browser = withBrowser()
  const visits: Visit[] = []
  afterEach('nothing has gone wrong beside what the page said', async () => {
    const all = visits.splice(0)
    for (const { page } of all) await page.context().close()
    expect(all.flatMap(({ elsewhere }) => elsewhere)).to.deep.equal([])
    expect(all.flatMap(({ errors }) => errors)).to.deep.equal([])
  })

  const home = () => mounted.baseUrl.replace(/\/v1$/, '/console')
  const visit = async (options: BrowserContextOptions = {}): Promise<Visit> => {
    const made = await browser.visit(new URL(mounted.baseUrl).origin, options)
    visits.push(made)
    return made
  }
  const enter = async (page: Page, email: string, password: string): Promise<void> => {
    await page.locator('input[name=email]').fill(email)
    await page.locator('input[name=password]').fill(password)
    await page.locator('input[name=password]').press('Enter')
  }
  return {
    /** URL of the first page. */
    home,
    /** Opens an empty page. */
    visit,
    /** Fills in the form for signing in. */
    enter,
    /** Opens a page of the console, and signs in as somebody of the world. */
    async signIn(name: string, path = '', options: BrowserContextOptions = {}): Promise<Visit> {
      const made = await visit(options)
      const { email, password } = mounted.world.signIn(name)
      await made.page.goto(home() + path)
      await enter(made.page, email, password)
      await made.page.getByRole('navigation').first().waitFor()
      return made
    },
    settled,
    /** Waits for a text on a page, or in a part of it. */
    async says(page: Locator | Page, text: string | RegExp, timeout = SOON): Promise<void> {
      await page.getByText(text).first().waitFor({ timeout })
    },
    /** The refusals that a journey is about; all others fail it. */
    expectRefusals({ errors }: Visit, refusals: readonly string[]): void {
      expect(errors.splice(0)).to.deep.equal(refusals)
    },
  }
}
