import { expect } from 'chai'
import { reversedDigits } from '../../../plugin/core/text/telephone-digits.js'

describe('telephone numbers', () => {
  it('are their digits, the last one first', () => {
    expect(reversedDigits('+1 (123) 456-7890 ext. 7')).to.equal('709876543211')
    expect(reversedDigits('letters')).to.equal('')
    expect(reversedDigits('٠١٢')).to.equal('')
  })

  it('do not begin with the zeros that one dials', () => {
    expect(reversedDigits('0031 20 100')).to.equal('0010213')
    expect(reversedDigits('020 100')).to.equal('00102')
    expect(reversedDigits('000')).to.equal('')
  })

  it('have 32 digits at most, the last ones', () => {
    expect(reversedDigits(`1${'2'.repeat(31)}3`)).to.equal(`3${'2'.repeat(31)}`)
  })
})
