import { expect } from 'chai'
import { slownessOf } from './support/slow-patterns.js'
import { type Source, sourcesIn } from './support/sources.js'

const sources = ['plugin', 'migrations', 'examples'].flatMap(sourcesIn)
/** Files that put expressions together while they run, and why that is sound. */
const COMPOSE: Readonly<Record<string, string>> = {
  'plugin/core/time/zoned-time.ts': 'of the constants of the file; the spec puts them together as well',
  'plugin/testing/match.ts': 'what the author of a request case writes',
}

describe('the regular expressions', () => {
  it('take linear time for every text', () => {
    const slow = sources.flatMap(({ path, patterns }) =>
      patterns.flatMap(({ text, line }) => slownessOf(parsed(text)).map((reason) => `${path}:${line} ${text} ${reason}`)),
    )
    expect(slow).to.deep.equal([])
  })

  it('are all seen by this spec', () => {
    const count = sources.reduce((sum, { patterns }) => sum + patterns.length, 0)
    expect(count).to.be.greaterThan(100)
    const composing = sources.filter(({ code }) => /\bRegExp\(/.test(code)).map(({ path }) => path)
    expect(composing.toSorted()).to.deep.equal(Object.keys(COMPOSE).toSorted())
  })

  it('that are put together of constants are linear too', () => {
    const composed = sources.filter(({ path }) => path === 'plugin/core/time/zoned-time.ts').flatMap(composedIn)
    expect(composed.length).to.equal(4)
    expect(composed.flatMap((pattern) => slownessOf(pattern).map((reason) => `${pattern} ${reason}`))).to.deep.equal([])
  })
})

describe('the search for slow regular expressions', () => {
  const SLOW = [
    // These have blocked the service: headers of files, texts of cells, paths.
    /^"+|"+$/g,
    /\s*[\r\n]+\s*/g,
    /\/+$/,
    // Digits of a number, which two parts of the expression can share.
    /^[-+]?(\d+\.?\d*|\.\d+)$/,
    /^(-?)0*(\d*)(?:\.(\d*?)0*)?$/,
    /<([^>]*)>; rel="([^"]*)"/g,
    /failed: (.+)$/,
    /(?:^| )a.*b/,
    /^(a+)+$/,
    /^(?:a|ab?)*c/,
  ]
  const LINEAR = [
    /^"+/,
    /[\r\n]/,
    /^(.+) @([a-z0-9-]+)$/i,
    /^[-+]?(\d+(\.\d*)?|\.\d+)$/,
    /<([^<>]*)>; rel="([^"]*)"/g,
    /failed: (.+)/,
    /\s+/g,
    /:[^:@/]*@/,
  ]

  it('finds them', () => {
    expect(SLOW.filter((pattern) => slownessOf(pattern).length === 0)).to.deep.equal([])
  })

  it('leaves the others alone', () => {
    expect(LINEAR.flatMap(slownessOf)).to.deep.equal([])
  })
})

function parsed(literal: string): RegExp {
  const end = literal.lastIndexOf('/')
  return new RegExp(literal.slice(1, end), literal.slice(end + 1))
}

/** The values of `new RegExp(…)` with a template of constants of the file. */
function composedIn({ text }: Source): RegExp[] {
  const constants = new Map([...text.matchAll(/^const (\w+) = '(.*)'$/gm)].map(([, name, value = '']) => [name, value]))
  return [...text.matchAll(/new RegExp\(`(.*)`(?:, '(\w+)')?\)/g)].map(([, template = '', flags]) => {
    const source = template.replace(/\$\{(\w+)\}/g, (_, name) => constants.get(name) ?? '[')
    return new RegExp(source.replaceAll('\\\\', '\\'), flags)
  })
}
