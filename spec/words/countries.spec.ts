import { expect } from 'chai'
import { COUNTRIES, countryLabels } from '../../plugin/words/countries.js'

describe('countries', () => {
  it('are the 249 codes of ISO 3166-1 in alphabetical order', () => {
    expect(COUNTRIES).to.have.length(249)
    expect(COUNTRIES).to.eql([...new Set(COUNTRIES)].sort())
    expect(COUNTRIES.filter((code) => !/^[A-Z]{2}$/.test(code))).to.eql([])
  })

  it('are named in the language of the caller', () => {
    expect(['en', 'nl', 'de', 'fr', 'fr-CA'].map((language) => countryLabels(language)('DE'))).to.eql([
      'Germany',
      'Duitsland',
      'Deutschland',
      'Allemagne',
      'Allemagne',
    ])
  })

  it('all have a name', () => {
    const label = countryLabels('en')
    expect(COUNTRIES.filter((code) => label(code) === code)).to.eql([])
  })

  it('leave other texts alone', () => {
    expect(['XX', 'nl', '', 'nowhere'].map(countryLabels('en'))).to.eql(['XX', 'nl', '', 'nowhere'])
  })
})
