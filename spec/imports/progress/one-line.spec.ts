import { expect } from 'chai'
import { oneLine } from '../../../plugin/imports/progress/one-line.js'

describe('texts on one line', () => {
  it('lose line ends, control characters and marks that turn the text around', () => {
    expect(oneLine('  a\r\n\tb\u0000c\u2028d\u202ee\u0085f ', 100)).to.equal('a b c d e f')
  })

  it('keep letters, marks and joined emoji', () => {
    expect(oneLine('Zoë 名前 👩‍🚀 e\u0301', 100)).to.equal('Zoë 名前 👩‍🚀 e\u0301')
  })

  it('are cut with a sign, whatever their length', () => {
    expect(oneLine('abcdef', 6)).to.equal('abcdef')
    expect(oneLine('abcdefg', 6)).to.equal('abcdef…')
    expect(oneLine(`ab${' '.repeat(2_000_000)}c`, 6)).to.equal('ab…')
  })
})
