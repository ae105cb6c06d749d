/** Texts of people are texts: a table of attacks as notes, names, articles and files, and nothing of them is run, loaded or built. */
import { expect } from 'chai'
import { before, describe, it } from 'mocha'
import type { Page } from 'playwright-core'
import { withConsole } from '../support/console-visits.js'
import { HOSTILE_TEXTS } from '../support/hostile-texts.js'
import { withMounted } from '../support/mounted.js'

/** What attacks call, and the title that the page has lost if one has taken it away. */
const TRAP = 'globalThis.attacked = 0; globalThis.attack = () => void (globalThis.attacked += 1)'
/** Elements that pages make of texts: paragraphs, and links to http and https. */
const BUILT = `[...document.querySelectorAll('.prose *, .changes *, td.first *, h1 *')].flatMap((it) => {
  const isLink = it.localName === 'a' && ['http:', 'https:'].includes(it.protocol)
  return isLink || ['time', 'ul', 'li', 'dl', 'dt', 'dd', 'div', 'span'].includes(it.localName) ? [] : [it.outerHTML]
})`

/** A name as a list shows it: its first line. */
function lineOf(name: string): string {
  const [line = '', ...more] = name.trim().split(/\s*\n/)
  return more.length > 0 ? `${line}…` : line
}

describe('hostile texts in the console', function () {
  this.timeout(120_000)
  const mounted = withMounted('mounted under a prefix', { console: true })
  const { home, settled, signIn } = withConsole(mounted)
  const make = async (path: string, bodies: readonly object[]): Promise<readonly number[]> => {
    const ids: number[] = []
    for (let begin = 0; begin < bodies.length; begin += 100) {
      const { json, status, text } = await mounted.ask('owen', 'POST', path, bodies.slice(begin, begin + 100))
      expect(status, text).to.equal(200)
      const made = json as { readonly status: number; readonly id: number }[]
      expect(new Set(made.map((one) => one.status)), text).to.deep.equal(new Set([201]))
      ids.push(...made.map(({ id }) => id))
    }
    return ids
  }
  const openAs = async (name: string, path: string): Promise<Page> => {
    const { page } = await signIn(name)
    await page.addInitScript(TRAP)
    page.on('dialog', (dialog) => {
      throw new Error(`A text has opened a dialog: ${dialog.message()}`)
    })
    await page.goto(home() + path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await settled(page)
    return page
  }
  /** Nothing was run or built, and the page is still this one. What was loaded or refused, `withConsole` tells. */
  const expectHarmless = async (page: Page, path: string) => {
    expect(await page.evaluate('globalThis.attacked')).to.equal(0)
    expect(await page.evaluate(BUILT)).to.deep.equal([])
    expect(page.url()).to.equal(home() + path)
    expect(await page.locator('script:not([src]), iframe, object, embed, base, main form[action], style').count()).to.equal(0)
  }

  before('there are two hundred of them', () => {
    expect(new Set(HOSTILE_TEXTS).size).to.equal(HOSTILE_TEXTS.length)
    expect(HOSTILE_TEXTS.length).to.be.at.least(200)
  })

  it('are shown as they are in notes', async () => {
    const [id] = await make('/requests', [{ subject: 'Attacks', category: 'rfi' }])
    const path = `/requests/${id}`
    await make(
      `${path}/notes`,
      HOSTILE_TEXTS.map((text) => ({ text })),
    )
    const page = await openAs('eva', path)
    for (;;) {
      const more = page.getByRole('button', { name: /^Show earlier notes/ })
      if ((await more.count()) === 0) break
      await more.click()
      await settled(page)
    }
    const shown = await page.evaluate<string[]>(`[...document.querySelectorAll('.notes .prose')].map((it) => it.textContent)`)
    const stored = (await notesOf(path)).map(({ text }) => text)
    expect(stored).to.have.lengthOf(HOSTILE_TEXTS.length)
    expect(shown).to.deep.equal(stored)
    await expectHarmless(page, path)
  })

  const notesOf = async (path: string): Promise<readonly { readonly text: string }[]> => {
    const pages = [1, 2, 3].map((page) => mounted.ask('owen', 'GET', `${path}/notes?sort=id&per_page=100&page=${page}`))
    return (await Promise.all(pages)).flatMap(({ json }) => json as { text: string }[])
  }

  it('are shown as they are in names, in lists, titles and histories', async () => {
    const names = HOSTILE_TEXTS.map((text) => text.slice(0, 80))
    const ids = await make(
      '/requests',
      names.map((subject) => ({ subject, category: 'rfi' })),
    )
    expect(ids).to.have.lengthOf(names.length)
    for (const number of [1, 2, 3]) {
      const path = `/requests?per_page=100&sort=id&page=${number}&fields=subject`
      const page = await openAs('owen', path)
      const expected = (await mounted.ask('owen', 'GET', path)).json as { subject: string }[]
      const shown = await page.evaluate<string[]>(`[...document.querySelectorAll('td.first')].map((it) => it.textContent)`)
      expect(shown).to.deep.equal(expected.map(({ subject }) => lineOf(subject)))
      await expectHarmless(page, path)
      await page.context().close()
    }
    // Those with most kinds of signs, on their own pages.
    const told = names.map((name, index) => ({ name, id: ids[index] })).filter((_, index) => index % 16 === 0)
    const page = await openAs('owen', '')
    for (const { id } of told) {
      const path = `/requests/${id}`
      await page.goto(home() + path)
      await page.locator('summary', { hasText: 'History' }).click()
      await page.locator('.changes').first().waitFor()
      await expectHarmless(page, path)
    }
  })

  it('are shown as they are in knowledge articles, and in their forms', async () => {
    const service = mounted.world.id('email')
    const body = {
      subject: 'Attacks',
      service_id: service,
      description: HOSTILE_TEXTS.join('\n'),
      instructions: HOSTILE_TEXTS[0],
    }
    const { json, status, text } = await mounted.ask('owen', 'POST', '/knowledge_articles', body)
    expect(status, text).to.equal(201)
    const path = `/knowledge_articles/${(json as { id: number }).id}`
    const page = await openAs('owen', path)
    const prose = await page.evaluate<string[]>(`[...document.querySelectorAll('.details .prose')].map((it) => it.textContent)`)
    expect(prose).to.include((json as { description: string }).description)
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.locator('.record-form textarea').first().waitFor()
    await expectHarmless(page, path)
  })
})
