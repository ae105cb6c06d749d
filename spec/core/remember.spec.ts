import { expect } from 'chai'
import { remember } from '../../plugin/core/remember.js'

describe('a function that remembers', () => {
  it('works once for each text, and again for what it has forgotten', () => {
    const asked: string[] = []
    const lengthOf = remember((text) => asked.push(text) && text.length, 2)
    expect(['a', 'bb', 'a', 'bb'].map(lengthOf)).to.deep.equal([1, 2, 1, 2])
    expect(asked).to.deep.equal(['a', 'bb'])
    expect(['ccc', 'a'].map(lengthOf)).to.deep.equal([3, 1])
    expect(asked).to.deep.equal(['a', 'bb', 'ccc', 'a'])
  })

  it('remembers nothing that was thrown', () => {
    let calls = 0
    const fail = remember(() => {
      calls += 1
      throw new Error('no')
    })
    expect(() => fail('x')).to.throw('no')
    expect(() => fail('x')).to.throw('no')
    expect(calls).to.equal(2)
  })
})
