import { expect } from 'chai'
import { differencesIn } from '../../plugin/testing/match.js'

describe('an expected body', () => {
  it('fits itself, and says where another one differs', () => {
    expect(differencesIn({ a: [1, { b: null }] }, { a: [1, { b: null }] }, false)).to.deep.equal([])
    expect(differencesIn({ a: [1, { b: null }] }, { a: [1, { b: 2 }] }, false)).to.deep.equal(['body.a[1].b is 2, not null'])
    expect(differencesIn([1], [1, 2], true)).to.deep.equal(['body has 2 elements, not 1: [1,2]'])
    expect(differencesIn({ a: 1 }, null, false)).to.deep.equal(['body is null, not an object'])
  })

  it('refuses keys that it does not list, unless it is partial', () => {
    expect(differencesIn({ a: 1 }, { a: 1, b: 2 }, false)).to.deep.equal(['body.b was not expected: 2'])
    expect(differencesIn({ a: { c: 1 } }, { a: { c: 1, d: 2 }, b: 2 }, true)).to.deep.equal([])
    expect(differencesIn({ a: 1, b: 2 }, { a: 1 }, true)).to.deep.equal(['body.b is absent, not 2'])
  })

  it('may ask for a kind of value', () => {
    const fits = (expected: string, value: unknown) => differencesIn({ v: expected }, { v: value }, false).length === 0
    expect([fits('@id', 7), fits('@id', 0), fits('@id', '7'), fits('@id', null)]).to.deep.equal([true, false, false, false])
    expect(fits('@datetime', '2026-11-21T09:30:00+01:00')).to.equal(true)
    expect([fits('@datetime', '2026-11-21'), fits('@datetime', '2026-11-21T09:30:00')]).to.deep.equal([false, false])
    expect([fits('@text', 'x'), fits('@text', ''), fits('@any', null)]).to.deep.equal([true, false, true])
    expect(differencesIn({ v: '@any' }, {}, false)).to.deep.equal(['body.v is absent, not @any'])
    expect(differencesIn({ v: '@absent' }, {}, false)).to.deep.equal([])
    expect(fits('@absent', 1)).to.equal(false)
  })

  it('may test a list or a text', () => {
    expect(differencesIn({ $contains: [{ id: 2 }] }, [{ id: 1 }, { id: 2 }], false)).to.deep.equal([])
    expect(differencesIn({ $contains: [{ id: 3 }] }, [{ id: 1 }], false).length).to.equal(1)
    expect(differencesIn({ $each: { id: '@id' } }, [], false)).to.deep.equal(['body has no elements'])
    expect(differencesIn({ $each: { id: '@id' } }, [{ id: 1 }, { id: 'x' }], false).length).to.equal(1)
    expect(differencesIn({ $matches: '^a+$' }, 'aab', false).length).to.equal(1)
    expect(differencesIn({ $length: 2 }, [1, 2], false)).to.deep.equal([])
    expect(differencesIn({ $nonsense: 2 }, [1, 2], false)).to.deep.equal(['body: unknown test $nonsense'])
  })
})
