import { expect } from 'chai'
import { isLanguage, LANGUAGES, languageIn, languageLabel, languageOf } from '../../plugin/words/languages.js'

describe('languages', () => {
  it('stand in the order of the specification, each once, and fit into five characters', () => {
    expect(LANGUAGES.slice(0, 8)).to.eql(['en-US', 'en-GB', 'nl', 'de', 'fr', 'es', 'es-AR', 'es-ES'])
    expect(LANGUAGES.indexOf('mk')).to.equal(54)
    expect(LANGUAGES).to.have.length(66)
    expect(new Set(LANGUAGES)).to.have.property('size', LANGUAGES.length)
    expect(LANGUAGES.filter((id) => id.length > 5)).to.eql([])
  })

  it('are called by their own names', () => {
    expect(languageLabel('nl')).to.equal('Nederlands')
    expect(languageLabel('en-US')).to.equal('English (United States)')
    expect(languageLabel('fr-CA')).to.equal('français (Canada)')
    expect(LANGUAGES.filter((id) => languageLabel(id) === id)).to.eql([])
    expect(languageLabel('no language')).to.equal('no language')
  })

  it('are recognized by their exact id', () => {
    expect(isLanguage('pt-BR')).to.equal(true)
    expect(isLanguage('pt-br')).to.equal(false)
    expect(isLanguage('en')).to.equal(false)
  })

  it('are meant by tags: by their first part, where they have no id of their own', () => {
    const tags = [
      'nl',
      'NL',
      'nl-NL',
      'nl_NL',
      ' nl-BE ',
      'fr-CA',
      'FR_ca',
      'fr-BE',
      'pt-br',
      'pt',
      'en',
      'es-MX',
      'zh-Hant-TW',
    ]
    const ids = ['nl', 'nl', 'nl', 'nl', 'nl', 'fr-CA', 'fr-CA', 'fr', 'pt-BR', 'pt-PT', 'en-US', 'es', 'zh-CN']
    expect(tags.map(languageIn)).to.eql(ids)
    for (const tag of ['', '-', 'xx', 'xx-NL', 'klingon', 'n', 'nl-', 'nl nl', 'constructor', null, undefined]) {
      expect(languageIn(tag), String(tag)).to.equal(null)
    }
    for (const id of LANGUAGES) expect(languageIn(id)).to.equal(id)
  })

  it('are replaced by the nearest one that has words', () => {
    const wanted = ['nl', 'nl-BE', 'NL_be', 'de-AT', 'fr-CA', 'fr-ca', 'en', 'en-GB', 'en-AU', ' de ']
    const nearest = ['nl', 'nl', 'nl', 'de', 'fr-CA', 'fr-CA', 'en-US', 'en-GB', 'en-US', 'de']
    expect(wanted.map((language) => languageOf(language))).to.eql(nearest)
  })

  it('give way to American English when nobody has words for them', () => {
    for (const wanted of ['xx', 'ja', '', '-', 'constructor', null, undefined]) expect(languageOf(wanted)).to.equal('en-US')
  })

  it('include those that a host has words for', () => {
    expect(languageOf('es-MX', ['en', 'es'])).to.equal('es')
    expect(languageOf('pt', ['en', 'pt-BR'])).to.equal('pt-PT')
  })
})
