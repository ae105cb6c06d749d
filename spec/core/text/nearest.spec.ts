import { expect } from 'chai'
import { nearest, suggestion } from '../../../plugin/core/text/nearest.js'

describe('The nearest name', () => {
  it('is the one that differs least, in two letters at most', () => {
    expect(nearest('sendmail', ['sendMial', 'sendMail'])).to.equal('sendMail')
    expect(nearest('custom_dta', ['custom_fields', 'custom_data'])).to.equal('custom_data')
    expect(nearest('subjct', ['object', 'subject'])).to.equal('subject')
    expect(nearest('colour', ['city', 'country'])).to.equal(undefined)
  })

  it('is none among names that are too short to be mistaken for each other', () => {
    expect(nearest('ci', ['id'])).to.equal(undefined)
    expect(nearest('url', ['uri'])).to.equal('uri')
  })

  it('takes no time for a name of a megabyte', () => {
    expect(suggestion('x'.repeat(1_000_000), ['name'])).to.equal('')
    expect(suggestion('nmae', ['name'])).to.equal("; did you mean 'name'?")
  })
})
