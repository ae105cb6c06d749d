import { expect } from 'chai'
import { isBlank, trimmed } from '../../../plugin/core/text/blank.js'

describe('core/blank: blanks around texts', () => {
  const BLANKS = [
    '',
    ' ',
    '\u200b',
    '\u2060 ',
    '\u0085\t',
    ' '.repeat(999),
    '\u200b'.repeat(1_000),
    ' \u200b'.repeat(1_001),
    '\ufeff\u3000',
  ]

  it('are removed, of any kind and number', () => {
    for (const before of BLANKS) {
      for (const after of BLANKS) {
        for (const text of ['x', 'x y', 'x\u200by', '😀', 'x'.repeat(1_000), `x${' '.repeat(2_500)}y`])
          expect(trimmed(before + text + after)).to.equal(text)
      }
    }
  })

  it('alone are empty', () => {
    for (const blanks of BLANKS) expect([trimmed(blanks), isBlank(blanks)]).to.deep.equal(['', true])
    for (const value of [0, false, 'x', ' \u200bx', []]) expect(isBlank(value)).to.equal(false)
  })
})
