/**
 * `npm run pictures`: takes the pictures of the console that the README shows, in `plugin/docs/console/`, of the world of the fixtures.
 * Needs Chromium (CHROMIUM, or on the PATH).
 */
import { once } from 'node:events'
import { mkdirSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Koa from 'koa'
import { type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { createPlugin } from '../../plugin/index.js'
import { loadWorld, readFixtures } from '../../plugin/testing/index.js'
import { browserProgram } from './browser-program.js'
import { silent, TEST_SECRET } from './settings.js'

const FOLDER = 'plugin/docs/console'
/** Bytes of a picture. */
const LARGEST = 150 * 1024
const WIDE: BrowserContextOptions = { viewport: { width: 1280, height: 800 } }
const PHONE: BrowserContextOptions = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true }

const program = browserProgram()
if (program === null) throw new Error('There is no CHROMIUM, and no chromium on the PATH')
mkdirSync(FOLDER, { recursive: true })

const server = createServer().listen(0, '127.0.0.1')
await once(server, 'listening')
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const itsm = createPlugin({
  baseUrl: `${origin}/v1`,
  allowInsecure: true,
  secret: TEST_SECRET,
  database: { url: 'sqlite::memory:' },
  rateLimit: { burst: false },
  console: { brand: { name: 'Widget desk' } },
  log: silent,
})
await itsm.migrate()
const world = await loadWorld(itsm, readFixtures('fixtures').world)
await itsm
  .asSystem('opens a site where people of the file work', 'widgets')
  .update('site', world.id('bangalore'), { disabled: false })
await itsm.start()
const host = new Koa()
host.use(itsm.middleware)
server.on('request', host.callback())
const browser = await chromium.launch({ executablePath: program, args: ['--no-sandbox'] })

await picture('list', '/requests', { ...WIDE, colorScheme: 'light' })
await picture('record', `/requests/${world.id('mail-is-slow')}`, { ...WIDE, colorScheme: 'dark' })
await picture('phone', '/requests', { ...PHONE, colorScheme: 'light', locale: 'nl-NL' })
await picture('import', '/imports/new?type=people', { ...WIDE, colorScheme: 'light' }, async (page) => {
  const lines = readFileSync('fixtures/imports/people/demo-2000.csv', 'utf8').split('\n')
  const buffer = Buffer.from(lines.map((line, row) => (row % 100 === 99 ? line.replace('@', ' at ') : line)).join('\n'))
  await page.locator('input[type=file]').setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer })
  await page.getByRole('button', { name: 'Try it out' }).click()
  await page.getByText('Rows with something wrong').first().waitFor({ timeout: 60_000 })
})

await browser.close()
await itsm.stop()
server.close()
server.closeAllConnections()

async function picture(
  name: string,
  path: string,
  options: BrowserContextOptions,
  prepare?: (page: Page) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'Europe/Amsterdam', ...options })
  const page = await context.newPage()
  const { email, password } = world.signIn('owen')
  await page.goto(`${origin}/console${path}`)
  await page.locator('input[name=email]').fill(email)
  await page.locator('input[name=password]').fill(password)
  await page.locator('input[name=password]').press('Enter')
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await prepare?.(page)
  await page.waitForTimeout(1000)
  const file = `${FOLDER}/${name}.png`
  await page.screenshot({ path: file })
  await context.close()
  const { size } = statSync(file)
  if (size > LARGEST) throw new Error(`${file} has ${size} bytes, more than ${LARGEST}`)
  console.log(`${file}: ${Math.round(size / 1024)} KB`)
}
