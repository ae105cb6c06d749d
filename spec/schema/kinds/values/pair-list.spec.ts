import { expect } from 'chai'
import { readPairs, withPairs } from '../../../../plugin/schema/kinds/values/pair-list.js'

const deep = (levels: number): unknown => (levels === 0 ? 1 : [deep(levels - 1)])
const read = (value: unknown) => {
  const found = readPairs(value)
  return 'refused' in found ? found.refused : found.value
}

describe('a JSON object as a list of id and value', () => {
  it('is read from a list, or from a list as JSON text', () => {
    expect(
      read([
        { id: 'a', value: 1 },
        { id: 2, value: null, more: 'x' },
      ]),
    ).to.deep.equal({ a: 1, 2: null })
    expect(read('[{"id":"a","value":[true]}]')).to.deep.equal({ a: [true] })
    expect(read([])).to.deep.equal({})
  })

  it('is refused when it cannot be understood', () => {
    const wrong: unknown[] = ['x', '{}', {}, [null], [1], [[]], [{ id: 'a' }], [{ value: 1 }], [{ id: ' ', value: 1 }]]
    for (const value of wrong) expect(read(value), JSON.stringify(value)).to.equal('invalid')
    expect(read([{ id: {}, value: 1 }])).to.equal('invalid')
    expect(read([{ id: 'a', value: () => 1 }])).to.equal('invalid')
    expect(read([{ id: 'a', value: deep(31) }])).to.deep.equal({ a: deep(31) })
    expect(read([{ id: 'a', value: deep(32) }])).to.equal('invalid')
    expect(read([{ id: 'a', value: 'x'.repeat(65_536) }])).to.equal('too_big_text')
  })

  it('has one value for each id', () => {
    const twice = readPairs([
      { id: '1', value: 1 },
      { id: 1, value: 1 },
    ])
    expect(twice).to.deep.equal({ refused: 'second_value', params: { value: '1' } })
    const id = 'x'.repeat(300)
    const long = [{ id, value: 1 }]
    expect(readPairs([...long, ...long])).to.deep.equal({ refused: 'second_value', params: { value: 'x'.repeat(100) } })
  })

  it('takes ids that objects have by themselves', () => {
    expect(withPairs({}, { constructor: 1 }, true)).to.deep.equal({ value: { constructor: 1 } })
  })

  it('holds nothing that reaches for prototypes, whatever copies or merges it', () => {
    for (const value of [1, null, { admin: true }]) expect(read([{ id: '__proto__', value }])).to.equal('reserved_name')
    expect(read([{ id: 'constructor', value: { prototype: { admin: true } } }])).to.equal('reserved_name')
    expect(read('[{"id":"a","value":{"__proto__":{"admin":true},"b":1}}]')).to.equal('reserved_name')
  })

  it('sets its ids in the object, and keeps the others', () => {
    expect(withPairs({ a: 1, b: 2 }, { b: 3, c: 4 }, false)).to.deep.equal({ value: { a: 1, b: 3, c: 4 } })
    expect(withPairs(null, { a: 1 }, false)).to.deep.equal({ value: { a: 1 } })
  })

  it('agrees with an object that comes with it', () => {
    expect(withPairs({ a: { b: [1], c: 2 } }, { a: { c: 2, b: [1] } }, true)).to.deep.equal({ value: { a: { c: 2, b: [1] } } })
    expect(withPairs({ a: 1 }, { a: 2 }, true)).to.deep.equal({ refused: 'second_value', params: { value: 'a' } })
  })

  it('is no bigger than the object may be', () => {
    const half = 'x'.repeat(40_000)
    expect(withPairs({ a: half }, { b: half }, false)).to.deep.equal({ refused: 'too_big_text' })
  })
})
