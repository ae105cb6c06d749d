import { expect } from 'chai'
import { BadRequest } from '../../plugin/core/errors.js'
import { parseWithin } from '../../plugin/core/json-text.js'

const many = (count: number, one: (n: number) => string) => Array.from({ length: count }, (_, n) => one(n)).join(',')
const names = (count: number) => `{${many(count, (n) => `"name ${n}":${n}`)}}`
/** Long enough that it is counted before it is parsed. */
const padded = (text: string) => `${text}${' '.repeat(5_000)}`

describe('JSON texts of callers', () => {
  it('are parsed with 1,000 names in an object, 5,000 names and lists, 10,000 entries and 32 levels', () => {
    const within = [
      names(1_000),
      `{${many(4, (n) => `"o${n}":${names(1_000)}`)}}`,
      `{"list":[${many(10_000, String)}]}`,
      `{"lists":[${many(4_998, () => '[1]')}]}`,
      `{"empty":[${many(4_998, () => '[ ]')}]}`,
      `{"objects":[${many(4_998, () => '{"id":1}')}]}`,
      padded(`${'[{"a":'.repeat(16)}1${'}]'.repeat(16)}`),
    ]
    for (const text of within) expect(parseWithin(text)).to.deep.equal(JSON.parse(text))
  })

  it('are refused beyond that, wherever the names and entries are', () => {
    const IN_AN_OBJECT = 'Body should not have more than 1000 names in an object'
    const IN_ALL = 'Body should not have more than 5000 names and lists'
    const ENTRIES = 'Body should not have more than 10000 entries in its lists'
    const LEVELS = 'Body should not be nested deeper than 32 levels'
    const beyond: [text: string, message: string][] = [
      [names(1_001), IN_AN_OBJECT],
      [`{"deep":[{"er":${names(1_001)}}]}`, IN_AN_OBJECT],
      [`{${many(1_001, () => '"same":1')}}`, IN_AN_OBJECT],
      [`{${many(5, (n) => `"o${n}":${names(1_000)}`)}}`, IN_ALL],
      [`{"list":[${many(10_001, String)}]}`, ENTRIES],
      [`{"lists":[${many(4_999, () => '[1]')}]}`, IN_ALL],
      [`{"objects":[${many(4_999, () => '{"id":1}')}]}`, IN_ALL],
      [`{"a":[${many(6_000, String)}],"b":{"c":[${many(6_000, String)}]}}`, ENTRIES],
      [padded(`${'['.repeat(33)}${']'.repeat(33)}`), LEVELS],
    ]
    for (const [text, message] of beyond) expect(() => parseWithin(text), message).to.throw(BadRequest, message)
  })

  it('are counted behind long numbers and blanks, too', () => {
    const [digits, blanks] = ['7'.repeat(5_000), ' '.repeat(5_000)]
    const within = `{"a":[${blanks}],"b":[${many(9_998, String)},${digits}${blanks},${blanks}${digits}],"c":"${'x\\"'.repeat(99)}"}`
    const { b, ...rest } = parseWithin(within) as { b: unknown[] }
    expect(rest).to.deep.equal({ a: [], c: 'x"'.repeat(99) })
    expect(b.map(String)).to.deep.equal([...Array.from({ length: 9_998 }, (_, n) => String(n)), digits, digits])
    const beyond = (text: string) => expect(() => parseWithin(text)).to.throw(BadRequest, '10000 entries')
    beyond(`{"a":[${blanks}1],"b":[${many(10_000, String)}]}`)
    beyond(`{"a":${digits},"b":[${blanks}${many(10_000, String)},${digits}]}`)
    beyond(`{"a":"${'x'.repeat(40)}\\"${'['.repeat(40)}","b":[${many(10_001, String)}]}`)
  })

  it('may hold any signs in their texts', () => {
    const text = JSON.stringify({ text: '{"a":[1,2,'.repeat(20_000), '\\"[[': '\\', end: '\\"'.repeat(3_000), last: ['"'] })
    expect(parseWithin(text)).to.deep.equal(JSON.parse(text))
  })

  it('are no JSON however they are malformed', () => {
    for (const text of ['{"a":1', '[:,:,', '":', '{]}[', '"\\', ':'.repeat(5_000), '[,'.repeat(20), '}'.repeat(5_000)]) {
      expect(() => parseWithin(padded(text)), text.slice(0, 20)).to.throw(SyntaxError)
    }
  })
})
