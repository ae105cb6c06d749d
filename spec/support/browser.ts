/** A real browser for the console: the system's Chromium, driven without downloads. */
import { after, before } from 'mocha'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
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
