/**
 * The documents of the package as pages, with a search index: `GET /docs`. Read and written when they are asked for the first time,
 * and the same for all callers. Loaded only by hosts that have switched them on.
 */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { posix } from 'node:path'
import { packageRoot } from '../../core/package-root.js'
import { markdownHtml } from './markdown.js'
import { apiPageHtml, type Navigation, type PageParts, pageHtml } from './page-html.js'
import { type Section, sectionsIn } from './sections.js'

/** A response: a page, or a file that pages need. */
export interface HandbookAnswer {
  readonly type: string
  readonly text: string
  /** True if the name changes with the content, so that browsers may keep it. */
  readonly isLasting: boolean
}

/** Pages and files by their path below `/docs`. */
export interface Handbook {
  /** Null if there is no such page or file. */
  find(path: string): HandbookAnswer | null
}

interface Document {
  /** From the root of the package: `plugin/docs/guides/tests.md`. */
  readonly file: string
  /** Path of its page: `guides/tests`, empty for the first one. */
  readonly path: string
  readonly title: string
  readonly markdown: string
}

const HTML = 'text/html; charset=utf-8'
const DOCS = 'plugin/docs'
/** Documents beside those in `plugin/docs/`, with their paths. */
const OTHERS: readonly (readonly [file: string, path: string])[] = [
  ['README.md', ''],
  ['CHANGELOG.md', 'changelog'],
  ['SECURITY.md', 'security'],
]
const FOLDERS = ['', 'guides', 'reference', 'adr']
/** For people who change the plugin: served, because others lead there, but neither listed nor searched. */
const INSIDE = /^(adr\/|architecture$|performance$)/
/** Pictures are in the repository, and not in the package. */
const PICTURES = ['<!-- pictures: begin -->', '<!-- pictures: end -->\n'] as const
const API_PAGE = 'api-reference'

/**
 * Reads the documents.
 *
 * @param baseUrl ends with `/v1`
 * @param languageHeader the request header in which the page about the API names its language
 * @returns null if a host has bundled the package, so that they are not there
 */
export async function openHandbook(baseUrl: string, languageHeader: string): Promise<Handbook | null> {
  const root = packageRoot()
  if (root === null) return null
  const documents = await readDocuments(root)
  const base = new URL(baseUrl).pathname
  const home = `${base}/docs`
  const [script, style] = await Promise.all(
    [
      ['page.js', 'text/javascript; charset=utf-8'],
      ['page.css', 'text/css; charset=utf-8'],
    ].map(async ([name = '', type = '']) =>
      lastingFile(name, type, await readFile(new URL(`${DOCS}/handbook/${name}`, root), 'utf8')),
    ),
  )
  if (!script || !style) return null
  const byFile = new Map(documents.map((one) => [one.file, one]))
  const byPath = new Map(documents.map((one) => [one.path, one]))
  const urlOf = (path: string) => (path === '' ? home : `${home}/${path}`)
  const linkFrom = (file: string) => (href: string) => linked(href, file, byFile, urlOf)
  const htmlOf = remembered((file: string) => {
    const document = byFile.get(file)
    return document ? markdownHtml(document.markdown, linkFrom(file)) : ''
  })
  const searched = documents.filter(({ path }) => !INSIDE.test(path))
  const index = remembered(() =>
    JSON.stringify(searched.flatMap(({ file, path, title }) => searchable(htmlOf(file), urlOf(path), title))),
  )
  const indexName = `search-${digest(documents.map(({ markdown }) => markdown).join(''))}.json`
  const parts: PageParts = {
    home,
    openapi: `${base}/openapi.json`,
    languageHeader,
    script: `${home}/${script.name}`,
    style: `${home}/${style.name}`,
    index: `${home}/${indexName}`,
    navigation: navigationOf(documents, urlOf),
  }
  const pages = remembered((path: string) => {
    const document = byPath.get(path)
    if (path === API_PAGE) return apiPageHtml(parts, urlOf(path))
    return document ? pageHtml(parts, urlOf(path), document.title, htmlOf(document.file)) : ''
  })
  return {
    find(path) {
      if (path === indexName) return { type: 'application/json; charset=utf-8', text: index(''), isLasting: true }
      const file = [script, style].find(({ name }) => name === path)
      if (file) return file
      if (path !== API_PAGE && !byPath.has(path)) return null
      return { type: HTML, text: pages(path), isLasting: false }
    },
  }
}

async function readDocuments(root: URL): Promise<readonly Document[]> {
  const folders = await Promise.all(
    FOLDERS.map(async (folder) => {
      const names = await readdir(new URL(posix.join(DOCS, folder, '/'), root))
      const documents = names.filter((name) => name.endsWith('.md')).map((name) => posix.join(folder, name))
      return documents.sort().map((name) => [`${DOCS}/${name}`, pathOf(name)] as const)
    }),
  )
  const all = [...OTHERS, ...folders.flat()]
  return Promise.all(
    all.map(async ([file, path]) => {
      const markdown = withoutPictures(await readFile(new URL(file, root), 'utf8'))
      const title = titleIn(markdown, path)
      return { file, path, title, markdown }
    }),
  )
}

/** The first heading, which may follow a comment. */
function withoutPictures(markdown: string): string {
  const [begin, end] = PICTURES
  const [from, to] = [markdown.indexOf(begin), markdown.indexOf(end)]
  return from >= 0 && to > from ? markdown.slice(0, from) + markdown.slice(to + end.length) : markdown
}

function titleIn(markdown: string, otherwise: string): string {
  const line = markdown.split('\n').find((one) => one.startsWith('# '))
  return (line?.slice(2) ?? otherwise).replaceAll('`', '')
}

/** `reference/README.md` is the page of its folder. */
function pathOf(name: string): string {
  return name.replace(/\.md$/, '').replace(/\/README$/, '')
}

/** The URL of a link in a document; null if its target is not served. */
function linked(
  href: string,
  file: string,
  byFile: ReadonlyMap<string, Document>,
  urlOf: (path: string) => string,
): string | null {
  if (/^https?:\/\//.test(href) || href.startsWith('#')) return href
  const [path = '', anchor] = href.split('#')
  const document = byFile.get(posix.normalize(posix.join(posix.dirname(file), path)))
  return document ? urlOf(document.path) + (anchor === undefined ? '' : `#${anchor}`) : null
}

/** Groups of pages, in the order in which the README and the reference list them. */
function navigationOf(documents: readonly Document[], urlOf: (path: string) => string): Navigation {
  const titles = new Map(documents.map(({ path, title }) => [path, title]))
  const listedIn = (path: string, folder: string) => {
    const { markdown = '', file = '' } = documents.find((one) => one.path === path) ?? {}
    const items = markdown.split('\n').filter((line) => line.startsWith('- ['))
    const hrefs = items.map((line) => line.slice(line.indexOf('](') + 2).split(')')[0] ?? '')
    const paths = hrefs.map((href) => pathOf(posix.relative(DOCS, posix.join(posix.dirname(file), href))))
    return paths.filter((one) => posix.dirname(one) === folder)
  }
  const entries = (paths: readonly string[]) => paths.map((path) => ({ url: urlOf(path), title: titles.get(path) ?? path }))
  const api = { url: urlOf(API_PAGE), title: 'API reference' }
  return [
    { title: 'Guides', entries: entries(listedIn('', 'guides')) },
    { title: 'API', entries: [api, ...entries(['api', 'permissions', 'behaviour', 'lifecycles'])] },
    { title: 'Reference', entries: entries(['reference', ...listedIn('reference', 'reference')]) },
    { title: 'Versions', entries: entries(['changelog']) },
  ]
}

function searchable(html: string, url: string, title: string): readonly Section[] {
  return sectionsIn(html).map(({ anchor, heading, text }) => ({ url: anchor ? `${url}#${anchor}` : url, title, heading, text }))
}

function lastingFile(name: string, type: string, text: string): HandbookAnswer & { readonly name: string } {
  return { name: name.replace('.', `-${digest(text)}.`), type, text, isLasting: true }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}

/** Writes each text once. */
function remembered(write: (key: string) => string): (key: string) => string {
  const texts = new Map<string, string>()
  return (key) => {
    const known = texts.get(key) ?? write(key)
    texts.set(key, known)
    return known
  }
}
