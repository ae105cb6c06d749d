/** A real browser for the console: the system's Chromium, driven without downloads. */
import { after, before } from 'mocha'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
  type Request,
} from 'playwright-core'
import { browserProgram } from './browser-program.js'

/** What went on in a page, beside what it shows. */
export interface Watched {
  /** Errors of scripts, of the console of the browser, and of its policy. A refused call is one, too: `401 GET /v1/me`. */
  readonly errors: string[]
  /** Requests to other origins. */
  readonly elsewhere: string[]
  /** Bodies of answers of the API. */
  readonly answers: string[]
  /** Requests to the API since the last `splice`: `GET /requests?page=2`. */
  readonly calls: string[]
}

export interface Visit extends Watched {
  readonly page: Page
}

/** Provides browser pages for the calling block (in `describe`), which is skipped where there is no browser. */
export function withBrowser() {
  let browser: Browser | null = null
  before('starts the browser', async function () {
    this.timeout(60_000)
    const program = browserProgram()
    // Reported with the specs that skipped themselves.
    if (program === null) return this.skip()
    browser = await chromium.launch({ executablePath: program, args: ['--no-sandbox', '--disable-dev-shm-usage'] })
  })
  after('closes the browser', () => browser?.close())
  return {
    /** Opens a page in a session of its own. @param origin of the host, whose calls are watched */
    async visit(origin: string, options: BrowserContextOptions = {}): Promise<Visit> {
      if (!browser) throw new Error('The browser runs only while the specs of the block run')
      const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'Europe/Amsterdam', ...options })
      followCalls(context)
      const page = await context.newPage()
      const watched: Watched = { errors: [], elsewhere: [], answers: [], calls: [] }
      page.on('pageerror', (error) => watched.errors.push(String(error)))
      page.on('console', (message) => {
        // Answers that are refusals are watched by their status.
        if (['error', 'warning'].includes(message.type()) && !message.text().startsWith('Failed to load resource'))
          watched.errors.push(message.text())
      })
      page.on('request', (request) => {
        const url = request.url()
        if (!url.startsWith(`${origin}/`) && !/^(data|blob):/.test(url)) watched.elsewhere.push(url)
        if (url.includes('/v1/')) watched.calls.push(`${request.method()} ${url.slice(url.indexOf('/v1/') + 3)}`)
      })
      page.on('response', async (response) => {
        const url = response.url()
        if (response.status() >= 400)
          watched.errors.push(`${response.status()} ${response.request().method()} ${url.slice(origin.length)}`)
        if (url.includes('/v1/')) watched.answers.push(await response.text().catch(() => ''))
      })
      return { page, ...watched }
    },
  }
}

/** Calls of the API without an answer so far, by page. */
const underway = new WeakMap<Page, Set<Request>>()

function followCalls(context: BrowserContext): void {
  context.on('page', (page) => {
    const calls = new Set<Request>()
    underway.set(page, calls)
    page.on('request', (request) => request.url().includes('/v1/') && calls.add(request))
    page.on('response', (response) => calls.delete(response.request()))
    page.on('requestfailed', (request) => calls.delete(request))
  })
}

/** Milliseconds in which a page should have become quiet. */
const LONGEST = 20_000
/** Times in a row that a page has drawn without waiting for anything. */
const QUIET_FRAMES = 8

/** Waits until a page has drawn what it knows, and waits for no answer. Goes on while it asks again, such as for progress. */
export async function settled(page: Page): Promise<void> {
  const end = Date.now() + LONGEST
  for (let quiet = 0; quiet < QUIET_FRAMES; ) {
    if (Date.now() > end) throw new Error(`The page does not become quiet: ${page.url()}`)
    const isIdle = await page.evaluate<boolean>(AFTER_A_FRAME).catch(() => false)
    quiet = isIdle && underway.get(page)?.size === 0 ? quiet + 1 : 0
  }
}
/** A frame, or a moment where the browser draws none; then true if nothing on the page says that it is loading. */
const AFTER_A_FRAME = `new Promise((done) => {
  const answer = () => done(document.querySelector('.loading, [aria-busy=true]') === null)
  requestAnimationFrame(() => setTimeout(answer, 10))
  setTimeout(answer, 100)
})`
