/** The reference has a page for each export, says something about each name, and is what `npm run reference` writes. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { before, describe, it } from 'mocha'
import { OPAQUE, PAGES, REFERENCE } from './support/reference/pages.js'
import { type Declaration, ENTRIES, readExports } from './support/reference/read-exports.js'
import { namesWithoutPage, withoutDoc, writeReference } from './support/reference/write-pages.js'

describe('the reference', function () {
  this.timeout(60_000)
  let declarations: readonly Declaration[] = []
  before(() => {
    declarations = readExports(OPAQUE)
  })

  it('is up to date: otherwise run `npm run reference`', () => {
    const pages = writeReference()
    expect(readdirSync(REFERENCE).sort()).to.deep.equal([...pages.keys()].sort())
    const old = [...pages].filter(([file, text]) => readFileSync(join(REFERENCE, file), 'utf8') !== text)
    expect(old.map(([file]) => file)).to.deep.equal([])
  })

  it('has a page for each export of each entry of the package', () => {
    const { exports } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      readonly exports: Readonly<Record<string, string | { readonly 'koa-itsm-source': string }>>
    }
    const entries = Object.entries(exports).flatMap(([path, of]) =>
      typeof of === 'string' ? [] : [[path.replace('.', 'koa-itsm'), of['koa-itsm-source'].slice(2)] as const],
    )
    expect(Object.fromEntries(entries)).to.deep.equal(ENTRIES)
    expect(declarations).to.have.length.above(200)
    expect(namesWithoutPage(declarations)).to.deep.equal([])
  })

  it('lists no name that there is not, and none twice', () => {
    const known = new Set(declarations.map(({ name }) => name))
    const listed = PAGES.flatMap(({ names }) => names)
    expect(listed.filter((name) => !known.has(name))).to.deep.equal([])
    expect(listed).to.deep.equal([...new Set(listed)])
  })

  it('says something about each name and each member', () => {
    expect(withoutDoc(declarations.filter(({ name }) => !OPAQUE.has(name)))).to.deep.equal([])
  })

  it('would notice an export without a page, and names and members without a comment', () => {
    const none = { text: '', params: [], throws: [] }
    const said = { ...none, text: 'Has a `width`.' }
    const member = (path: string, doc = none) => ({ path, code: `${path}: number`, doc })
    const one: Declaration = {
      ...{ name: 'Box', entry: 'koa-itsm', kind: 'interface', code: 'interface Box', file: 'plugin/index.ts', uses: [] },
      doc: said,
      members: [member('width'), member('height'), member('size', said), member('size.width'), member('size.depth')],
    }
    expect(namesWithoutPage([one])).to.deep.equal(['Box'])
    expect(withoutDoc([one])).to.deep.equal(['plugin/index.ts: Box.height', 'plugin/index.ts: Box.size.depth'])
    expect(withoutDoc([{ ...one, doc: none, members: [] }])).to.deep.equal(['plugin/index.ts: Box'])
  })

  it('names no source files: hosts do not see them', () => {
    const named = readdirSync(REFERENCE).flatMap((file) => {
      const text = readFileSync(join(REFERENCE, file), 'utf8')
      return [...text.matchAll(/`[\w./-]+\.ts`|\(spec, |import\("/g)].map(([name]) => `${file}: ${name}`)
    })
    expect(named).to.deep.equal([])
  })
})
