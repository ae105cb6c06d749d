/** The script of the pages, in a page of its own that knows as much of a document as the script asks for. */
import { readFileSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createContext, runInContext } from 'node:vm'
import { expect } from 'chai'
import { describe, it } from 'mocha'

const SCRIPT = readFileSync('plugin/docs/handbook/page.js', 'utf8')

/** An element, as far as the script needs it. */
class FakeElement {
  hidden = true
  open = false
  value = ''
  href = ''
  dataset: Record<string, string> = {}
  readonly parts: (FakeElement | string)[] = []
  readonly tag: string
  private readonly found: Readonly<Record<string, FakeElement>>
  private readonly listeners = new Map<string, ((event: object) => unknown)[]>()
  private text = ''

  constructor(tag: string, found: Readonly<Record<string, FakeElement>> = {}) {
    this.tag = tag
    this.found = found
  }

  get textContent(): string {
    return this.text + this.parts.map((part) => (typeof part === 'string' ? part : part.textContent)).join('')
  }
  set textContent(text: string) {
    this.text = text
  }
  append(...parts: (FakeElement | string)[]): void {
    this.parts.push(...parts)
  }
  replaceChildren(...parts: (FakeElement | string)[]): void {
    this.parts.splice(0, this.parts.length, ...parts)
  }
  remove(): void {
    this.text = ''
  }
  setAttribute(): void {}
  contains(): boolean {
    return false
  }
  querySelector(selector: string): FakeElement | undefined {
    return this.found[selector]
  }
  addEventListener(type: string, listener: (event: object) => unknown): void {
    this.listeners.set(type, [...(this.listeners.get(type) ?? []), listener])
  }
  async fire(type: string): Promise<void> {
    for (const listener of this.listeners.get(type) ?? []) await listener({ target: this })
  }
  /** All elements within it with this tag. */
  all(tag: string): readonly FakeElement[] {
    const elements = this.parts.filter((part) => typeof part !== 'string')
    return elements.flatMap((part) => [...(part.tag === tag ? [part] : []), ...part.all(tag)])
  }
}

/** Runs the script. `answers` has what it fetches, by URL. */
function openPage(answers: Readonly<Record<string, unknown>>, isWide = true) {
  const [input, list, pages, state] = ['input', 'ol', 'details', 'p'].map((tag) => new FakeElement(tag)) as [
    FakeElement,
    FakeElement,
    FakeElement,
    FakeElement,
  ]
  const search = new FakeElement('div', { input, '.found': list })
  search.dataset = { index: '/search.json' }
  const api = new FakeElement('div', { '.state': state })
  api.dataset = { document: '/openapi.json', languageHeader: 'X-Desk-Language' }
  const found: Readonly<Record<string, FakeElement>> = { 'nav details': pages, '.search': search, '#api': api }
  const asked: object[] = []
  const page = createContext({
    document: {
      querySelector: (selector: string) => found[selector],
      createElement: (tag: string) => new FakeElement(tag),
      addEventListener() {},
    },
    matchMedia: () => ({ matches: isWide, addEventListener() {} }),
    navigator: { language: 'nl' },
    fetch: async (url: string, init?: object) => {
      asked.push({ url, ...init })
      return { ok: url in answers, status: 404, json: async () => answers[url] }
    },
  })
  runInContext(SCRIPT, page)
  return { api, asked, input, list, pages, search, state }
}

const SECTIONS = [
  { url: '/a#x', title: 'Guide', heading: 'Other', text: 'A text about timers and more.' },
  { url: '/b#timers', title: 'Guide', heading: 'Timers', text: 'They run.' },
  { url: '/c', title: '<b>', heading: '', text: '<script>alert(1)</script>' },
]

describe('the script of the pages', () => {
  it('opens the navigation on wide pages only', () => {
    expect([openPage({}).pages.open, openPage({}, false).pages.open]).to.deep.equal([true, false])
  })

  it('finds sections with all words, headings first, and marks the word', async () => {
    const { input, list, search } = openPage({ '/search.json': SECTIONS })
    expect(search.hidden).to.equal(false)
    input.value = 'TIMERS'
    await input.fire('input')
    expect(list.hidden).to.equal(false)
    expect(list.all('a').map(({ href, textContent }) => [href, textContent])).to.deep.equal([
      ['/b#timers', 'Timers · Guide'],
      ['/a#x', 'Other · Guide'],
    ])
    expect(list.all('mark').map(({ textContent }) => textContent)).to.deep.equal(['timers'])
    input.value = 'timers more'
    await input.fire('input')
    expect(list.all('a').map(({ href }) => href)).to.deep.equal(['/a#x'])
  })

  it('says if nothing was found, and closes without words', async () => {
    const { input, list } = openPage({ '/search.json': SECTIONS })
    input.value = 'nowhere'
    await input.fire('input')
    expect(list.textContent).to.equal('Nothing was found.')
    input.value = ' '
    await input.fire('input')
    expect(list.hidden).to.equal(true)
  })

  it('shows what it has found as text', async () => {
    const { input, list } = openPage({ '/search.json': SECTIONS })
    input.value = '<script>'
    await input.fire('input')
    expect(list.textContent).to.equal('<b><script>alert(1)</script>')
    expect(SCRIPT).not.to.match(/innerHTML|outerHTML|insertAdjacent|document\.write|\beval\b|new Function/)
  })

  it('shows the operations of a document by tags, with fields that are read when they are opened', async () => {
    const document = {
      info: { description: 'Sign in with `-u`.' },
      servers: [{ url: 'https://desk.example/v1' }],
      tags: [{ name: 'vehicles' }],
      paths: {
        '/vehicles': {
          parameters: [{ $ref: '#/components/parameters/Account' }],
          post: {
            tags: ['vehicles'],
            summary: 'Create a vehicle',
            requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Vehicle' } } } },
            responses: { 201: { description: 'The vehicle.' } },
          },
        },
      },
      components: {
        parameters: { Account: { name: 'X-SVC-Account', in: 'header', schema: { type: 'string' } } },
        schemas: {
          Vehicle: {
            required: ['plate'],
            properties: {
              plate: { type: 'string', maxLength: 12, title: 'Kenteken' },
              trailer: { $ref: '#/components/schemas/Vehicle' },
            },
          },
        },
      },
    }
    const { api, asked, state } = openPage({ '/openapi.json': document })
    for (let turn = 0; turn < 5; turn += 1) await nextTurn()
    expect(state.textContent).to.equal('')
    expect(asked).to.deep.equal([{ url: '/openapi.json', headers: { 'X-Desk-Language': 'nl' } }])
    const operation = api.all('details').find(({ textContent }) => textContent.startsWith('POST/vehicles'))
    expect(operation?.textContent).to.equal('POST/vehicles Create a vehicle')
    if (operation) operation.open = true
    await operation?.fire('toggle')
    expect(operation?.textContent)
      .to.contain('X-SVC-Account string')
      .and.to.contain('plate string, at most 12 characters, required Kenteken. ')
      .and.to.contain('Response 201The vehicle.')
  })

  it('says so if the document cannot be read', async () => {
    const { state } = openPage({})
    for (let turn = 0; turn < 5; turn += 1) await nextTurn()
    expect(state.textContent).to.equal('The description could not be read (404).')
  })
})
