/** Comments, specs and documents cite documents that are in the repository, and sections that these have. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect } from 'chai'
import { anchorOf, headingsOf } from './support/anchors.js'

const BEHAVIOR = 'plugin/docs/behaviour.md'
const FOLDERS = ['plugin', 'migrations', 'spec', 'fixtures', 'examples']
const TOP = ['README.md', 'CHANGELOG.md', 'SECURITY.md']

/** Lines of the history name what there was then. */
const HISTORY = 'CHANGELOG.md'
/** This file names what must not be cited. */
const OWN = 'spec/citations.spec.ts'

interface Text {
  readonly path: string
  readonly text: string
}

const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|md|json)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => path !== OWN && !path.includes('node_modules') && !path.includes('.data/'))
const texts: readonly Text[] = [...FOLDERS.flatMap(filesIn), ...TOP].map((path) => ({
  path,
  // A citation may be cut by the end of a line of a comment.
  text: readFileSync(path, 'utf8').replace(/\n[ \t]*(?:\*|\/\/) (?=\S)/g, ' '),
}))

const headings = [...readFileSync(BEHAVIOR, 'utf8').matchAll(/^### (.+)$/gm)].map(([, heading = '']) => heading)
/** Longest first, so that `Project tasks` is not taken for another heading that begins like it. */
const byLength = [...headings].sort((one, other) => other.length - one.length)
const headingAt = (text: string) =>
  byLength.find((heading) => text.startsWith(heading) && !/^\w/.test(text.slice(heading.length)))

/** All places at which the texts match, as `path: what`, but for those that are fine. */
function placesOf(pattern: RegExp, isFine: (match: RegExpMatchArray) => boolean, within: readonly Text[] = texts) {
  const places = within.flatMap(({ path, text }) =>
    [...text.matchAll(pattern)].filter((match) => !isFine(match)).map((match) => `${path}: ${match[0].slice(0, 80)}`),
  )
  return [...new Set(places)]
}

describe('citations', () => {
  it('of behaviour.md name a heading that it has', () => {
    expect(texts.filter(({ text }) => /\bbehaviour: /.test(text))).to.have.length.above(100)
    expect(placesOf(/\b[Bb]ehaviour: ([^\n]{1,80})/g, ([, cited = '']) => headingAt(cited) !== undefined)).to.deep.equal([])
  })

  it('of several headings name several that it has', () => {
    const wrong = placesOf(/\bbehaviour: ([^()\n]{1,300})\)/g, ([, cited = '']) => {
      const [names = ''] = cited.split(/[;:]/)
      return names.split(', ').every((name) => headings.includes(name))
    })
    expect(wrong).to.deep.equal([])
  })

  it('of decision records name one that there is', () => {
    const numbers = new Set(readdirSync('plugin/docs/adr').map((name) => Number(name.slice(0, 4))))
    expect(placesOf(/\bADRs? (\d+)/g, ([, number]) => numbers.has(Number(number)))).to.deep.equal([])
  })

  it('of documents name files of the repository', () => {
    const known = new Set([...texts.map(({ path }) => basename(path)), 'package.json', 'tsconfig.json', 'biome.json'])
    const present = texts.filter(({ path }) => path !== HISTORY)
    expect(placesOf(/\b[\w-]+\.md\b/g, ([name]) => known.has(basename(name)), present)).to.deep.equal([])
    expect(
      placesOf(/\b([Gg]aps|design(\.md)?) \d+(\.\d+)?|(?<![\w.@])\/work\/|\bwords-review\b/g, () => false, present),
    ).to.deep.equal([])
  })

  it('of source files name files of the repository', () => {
    const paths = texts.map(({ path }) => path).filter((path) => path.endsWith('.ts'))
    const comments = texts
      .filter(({ path }) => /^(plugin|migrations)\/.*\.ts$/.test(path))
      .map(({ path, text }) => ({ path, text: (text.match(/`[^`\n]+\.ts`/g) ?? []).join('\n') }))
    const isThere = ([, cited = '']: RegExpMatchArray) => paths.some((path) => path === cited || path.endsWith(`/${cited}`))
    expect(placesOf(/`([\w./-]+\.ts)`/g, isThere, comments)).to.deep.equal([])
  })

  it('stand in docstrings that are whole sentences: none goes on with the one before', () => {
    const sources = texts.filter(({ path }) => /^(plugin|migrations|examples)\/.*\.ts$/.test(path))
    const goesOn = /\/\*\*\s(?:… |(?:and|or|but|which|with|[Tt]hose|[Tt]hat of|The same|Its|Their|And|Or|But)\b)[^\n]*/g
    expect(placesOf(goesOn, () => false, sources)).to.deep.equal([])
  })

  it('as links lead to files, and to headings that these have', () => {
    const documents = texts.filter(({ path }) => path.endsWith('.md'))
    const anchorsIn = (path: string) => headingsOf(readFileSync(path, 'utf8')).map(anchorOf)
    const wrong = documents.flatMap(({ path }) => {
      const text = readFileSync(path, 'utf8').replace(/^```[\s\S]*?^```$/gm, '')
      const links = [...text.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].filter(([, file]) => file !== 'key')
      const isFine = ([, file = '', anchor]: RegExpMatchArray) => {
        const target = file === '' ? path : join(dirname(path), file)
        return existsSync(target) && (anchor === undefined || anchorsIn(target).includes(anchor))
      }
      return links.filter((link) => !isFine(link)).map(([link]) => `${path}: ${link}`)
    })
    expect(wrong).to.deep.equal([])
  })

  it('of options name ones that the reference lists', () => {
    const listed = readFileSync('plugin/docs/reference/options.md', 'utf8')
    const own = texts.filter(({ path }) => path === BEHAVIOR)
    const isListed = ([name = '']: RegExpMatchArray) => listed.includes(name.slice(1, -1))
    expect(placesOf(/`(files|jobs|people|rateLimit|signIn|timeouts|webhooks)\.[A-Za-z]+`/g, isListed, own)).to.deep.equal([])
  })

  it('find their heading once, and in the contents', () => {
    expect(headings).to.deep.equal([...new Set(headings)])
    const [contents = ''] = /<!-- contents: begin -->[\s\S]*<!-- contents: end -->/.exec(readFileSync(BEHAVIOR, 'utf8')) ?? []
    const listed = [...contents.matchAll(/\[([^\]]+)\]\(#([^)]+)\)/g)]
    expect(listed.map(([, heading]) => heading)).to.deep.equal(headings)
    for (const [, heading = '', anchor] of listed) expect(anchor).to.equal(anchorOf(heading))
  })
})
