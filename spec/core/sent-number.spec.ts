import { expect } from 'chai'
import { parseWithin } from '../../plugin/core/json-text.js'
import { isExact, SentNumber } from '../../plugin/core/sent-number.js'

/** What was parsed, with the digits of the numbers that keep them as `#…`. */
const shown = (value: unknown): unknown => {
  if (value instanceof SentNumber) return `#${value}`
  if (Array.isArray(value)) return value.map(shown)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shown(one)]))
}
const parsed = (text: string) => shown(parseWithin(text))

describe('numbers of JSON texts', () => {
  it('keep the digits that JavaScript would change', () => {
    const kept = [
      ...[
        '6543210987654321001',
        '9007199254740993',
        '-9007199254740993',
        '6543210987654321000',
        '1.0',
        '-0',
        '0.0',
        '1E2',
        '1e2',
      ],
      ...['1e21', '1E400', '-1e400', '1e-400', '0.1000000000000000055', '12.50', '123456789012345678901234567890'],
    ]
    for (const digits of kept) {
      expect(parsed(`{"a":${digits}}`), digits).to.deep.equal({ a: `#${digits}` })
      expect(parsed(`[ 1,${digits}\n,\t${digits}]`), digits).to.deep.equal([1, `#${digits}`, `#${digits}`])
    }
  })

  it('are plain numbers otherwise', () => {
    for (const digits of ['0', '-1', '12.5', '9007199254740991', '1e-7', '0.1', '1e+21', '1.7976931348623157e+308']) {
      expect(parseWithin(`{"a":${digits}}`), digits).to.deep.equal({ a: Number(digits) })
    }
  })

  it('are not searched in texts and names', () => {
    const text = String.raw`{"a 1.0":"x, 1.0 \", 6543210987654321001 \\","b":[": 1E400 "],"6543210987654321001":1.0,"c":"\\\"1.0"}`
    const plain = JSON.parse(text)
    expect(parsed(text)).to.deep.equal({ ...plain, '6543210987654321001': '#1.0' })
  })

  it('leave what is no JSON to be refused', () => {
    for (const text of ['{"a":01.0}', '{"a":1.}', '{1.0:1}', '{"a":1.0 2.0}', '{"a":--1.0}', '{"a":.5, "b":1.0}', '[1.0'])
      expect(() => parseWithin(text), text).to.throw(SyntaxError)
  })

  it('are passed to the function that revives, and names that are own ones stay', () => {
    const seen = parseWithin('{"a":1.0,"b":2}', (key, value) => (key === 'a' ? undefined : value))
    expect(seen).to.deep.equal({ b: 2 })
    expect(Object.keys(parseWithin('{"__proto__":1.0,"toString":2.0}') as object)).to.deep.equal(['__proto__', 'toString'])
  })

  it('are exact if they are the same number in other digits', () => {
    const exact = ['1.0', '1e2', '-0', '0e999999', '100.00e-2', '6543210987654321000', '1E22', '007', '+5', '5.', '.5']
    expect(exact.filter((digits) => !isExact(digits))).to.deep.equal([])
    const inexact = ['9007199254740993', '1E400', '1e-400', '0.1000000000000000055', '6543210987654321001', '1e99999999999']
    expect(inexact.filter(isExact)).to.deep.equal([])
  })

  it('take no more than linear time', () => {
    const texts = [
      `{"a":${'7'.repeat(1_500_000)}}`,
      `{"a":"${', 1.0'.repeat(300_000)}","b":1.0}`,
      `{"a":[${'1.0,'.repeat(9_000)}1.0]}`,
      `{"a":1.${'0'.repeat(1_000_000)}e${'9'.repeat(400_000)}}`,
      `{"a":"${'\\"'.repeat(500_000)}","b":1.0}`,
    ]
    const start = performance.now()
    for (const text of texts)
      for (const value of Object.values(parseWithin(text) as object)) if (value instanceof SentNumber) value.exact
    expect(performance.now() - start).to.be.below(2_000)
  })
})
