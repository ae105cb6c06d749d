import { expect } from 'chai'
import { ignoredFields } from '../../../plugin/http/answers/ignored-fields.js'

describe('the header X-Ignored-Fields', () => {
  it('names fields as they were sent', () => {
    expect(ignoredFields(['id', 'created_at', 'colour'])).to.equal('id, created_at, colour')
  })

  it('is a header whatever the names are', () => {
    const hostile = ['a,b', 'c\r\nSet-Cookie: d=e', 'é', '\ud800', '"', '', '\0']
    expect(ignoredFields(hostile)).to.equal('a%2Cb, c%0D%0ASet-Cookie%3A%20d%3De, %C3%A9, %EF%BF%BD, %22, , %00')
    const cut = ignoredFields([`${'a'.repeat(99)}😀b`])
    expect(cut).to.equal(`${'a'.repeat(99)}%EF%BF%BD...`)
  })

  it('ends somewhere', () => {
    const many = Array.from({ length: 100_000 }, (_, index) => `field_${index}`)
    const header = ignoredFields(many)
    expect(header)
      .to.have.length.within(1_900, 2_000)
      .and.match(/^field_0, field_1, .*, field_\d+, \.\.\.$/)
    expect(ignoredFields(Array.from({ length: 30 }, () => 'é'.repeat(200)))).to.have.length.below(2_000)
  })
})
