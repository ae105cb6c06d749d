import { expect } from 'chai'
import type { Params } from '../../plugin/core/errors.js'
import { de } from '../../plugin/words/de.js'
import { en } from '../../plugin/words/en.js'
import { fr } from '../../plugin/words/fr.js'
import { nl } from '../../plugin/words/nl.js'
import { alternatives, inOneLine, quoted, withColon } from '../../plugin/words/quotes.js'
import { createWords } from '../../plugin/words/words.js'
import { sourcesIn } from '../support/sources.js'

/** A value for each name that a sentence may hold. */
const VALUES: Params = {
  ...{
    min: 1,
    max: 250,
    mistake: 'Unknown fields: sourcce',
    line: 17,
    times: 5,
    count: 1200,
    created: 3,
    updated: 2,
    deleted: 0,
    unchanged: 40,
    failures: 1,
    errors: 0,
  },
  ...{ role: 'release_manager', enumeration: 'request.status', values: ['waiting_for', 'waiting_for_customer'] },
  ...{
    parameter: 'colour',
    value: 'Mars',
    column: 'Hat',
    kind: 'CERT_HAS_EXPIRED',
    seconds: 20,
    type: 'people',
    id: 12,
    person: 'Eva',
    name: 'Owen Wright',
    subject: 'No mail',
    team: 'Email',
    reasons: 'Service is empty',
    record: 'Request',
    encoding: 'UTF-8',
    columns: ['Contact URI', 'Address City'],
    ...{ by: 'Ines', at: '2026-11-25T09:30:00Z' },
    ...{ near: 'Hats', text: 'Report of today', earlier: 2 },
    ...{ total: 1300, limit: 10, source_id: 'S-1', reason: 'Name is empty' },
  },
}
/** Codes that are said of lists: members, links, attachments, custom fields. */
const OF_LISTS = [
  ...['invalid', 'cannot_be_found', 'not_allowed', 'cycle', 'too_many', 'too_many_files', 'too_big_text', 'second_value'],
  ...['cannot_be_set', 'file_taken', 'other_project'],
]
/** Codes that are said of numbers, costs among them, which are plural in German and Dutch: of one pattern in each language. */
const OF_NUMBERS = ['less_than', 'greater_than', 'not_a_number', 'not_an_integer']
/** Codes about a call of the API, in languages whose word for it is also the name of the record type. */
const OF_CALLS = ['key_of_other', 'shown_once']
/** Verbs that would have to agree with a label before them. */
const VERBS =
  /^\{label\} (ist|sind|kann|können|darf|dürfen|muss|müssen|hat|haben|wird|würde|is|zijn|kan|kunnen|mag|mogen|moet|moeten|heeft|hebben|zou|est|sont|n’est|peut|ne|doit|doivent|dépasse|a)\b/
const TABLES = { nl, de, fr }
const SINGULAR = 'team'
const PLURAL = 'members'

describe('sentences in every language', () => {
  const words = createWords()
  const codes = Object.keys(en.sentences)
  const said = (language: string, code: string, field: string, params = VALUES) =>
    words.sentence(language, code, words.fieldLabel(language, 'request', field), params)

  for (const language of ['en-US', 'en-GB', 'nl', 'de', 'fr', 'fr-CA']) {
    it(`are complete and begin with a capital in ${language}`, () => {
      for (const code of codes) {
        for (const field of [SINGULAR, PLURAL]) {
          const sentence = said(language, code, field)
          // The last line of an English log begins like its counters.
          if (code !== 'import_results') expect(sentence, code).to.match(/^\p{Lu}/u)
          expect(sentence, code).not.to.match(/[{}]|undefined|…|\s$| {2}/)
          expect(sentence, code).not.to.match(/[a-z]_[a-z]|waiting_for|release_manager/)
          expect(sentence, code).not.to.match(/\bRelease Manager\b.*\bRelease Manager\b/)
        }
      }
    })
  }

  for (const language of ['nl', 'de', 'fr'] as const) {
    it(`have nothing English in ${language}`, () => {
      for (const code of codes) {
        const sentence = said(language, code, PLURAL)
        expect(sentence, code).not.to.equal(said('en-US', code, PLURAL))
        expect(sentence, code).not.to.match(/\b(the|must|cannot|with|Members|Waiting for|Release Manager role|not)\b/)
      }
    })

    it(`are right for one and for many where lists are meant in ${language}`, () => {
      const table: Readonly<Record<string, string>> = TABLES[language].sentences
      for (const code of [...OF_LISTS, ...OF_NUMBERS]) expect(table[code], code).not.to.match(VERBS)
      for (const code of OF_NUMBERS) expect(table[code], code).to.match(/^\{label\}\u00a0?: \p{Ll}/u)
    })

    it(`do not call a call of the API like the records in ${language}`, () => {
      const request = words.fieldLabel(language, 'note', 'request')
      expect(request).not.to.equal('Request')
      for (const code of OF_CALLS) expect(said(language, code, SINGULAR), code).not.to.match(new RegExp(request, 'i'))
    })
  }

  it('are raised by some code, and what the code raises has a sentence', () => {
    const outside = sourcesIn('plugin').filter(({ path }) => !path.startsWith('plugin/words/'))
    const raised = new Set(outside.flatMap(({ strings }) => strings.map(({ text }) => text)))
    expect(codes.filter((code) => !raised.has(code))).to.deep.equal([])
    const stops = outside.flatMap(({ text }) => [...text.matchAll(/new ImportStopped\('(\w+)'/g)].map(([, code]) => code))
    expect(stops.length).to.be.greaterThan(10)
    expect(stops.filter((code) => !codes.includes(String(code)))).to.deep.equal([])
  })

  it('say values by their labels, in quotation marks, as alternatives', () => {
    const waiting = { enumeration: 'request.status', values: ['waiting_for'] }
    const months = { enumeration: 'recurrence.frequency', values: ['monthly', 'yearly'] }
    expect(said('en-US', 'only_with_status', 'waiting_until', waiting)).to.equal(
      'Waiting until can only be set when the status is "Waiting for"',
    )
    expect(['en-US', 'nl', 'de', 'fr'].map((language) => said(language, 'only_with_frequency', 'day_of_week', months))).to.eql([
      'Day of week can only be set when the frequency is "Monthly" or "Yearly"',
      'Dag van de week kan alleen worden opgegeven bij frequentie ‘Maandelijks’ of ‘Jaarlijks’',
      'Wochentag kann nur bei Häufigkeit „Monatlich“ oder „Jährlich“ angegeben werden',
      'Jour de la semaine n’est possible qu’avec la fréquence «\u00a0Tous les mois\u00a0» ou «\u00a0Tous les ans\u00a0»',
    ])
  })

  it('say lists of a host as they are, unless it names an enumeration', () => {
    const more = createWords({
      de: { sentences: { only_in: '{label} nur {where}' }, values: { 'vehicle.kind': { van: 'Transporter' } } },
    })
    expect(more.sentence('de', 'only_in', 'Sitze', { where: ['van', 'car'] })).to.equal('Sitze nur „van“ oder „car“')
    expect(more.sentence('de', 'only_in', 'Sitze', { where: ['van', 'car'], enumeration: 'vehicle.kind' })).to.equal(
      'Sitze nur „Transporter“ oder „Car“',
    )
    expect(more.sentence('de', 'only_in', 'Sitze', { where: [] })).to.equal('Sitze nur ')
  })

  it('quote as the language does', () => {
    expect(['en-GB', 'nl', 'de', 'fr-CA', 'ja'].map((language) => quoted(language, 'x'))).to.eql([
      '"x"',
      '‘x’',
      '„x“',
      '«\u00a0x\u00a0»',
      '"x"',
    ])
    expect(alternatives('no language', ['a', 'b', 'c'])).to.equal('"a", "b", or "c"')
  })

  it('stand in one line, and before what they are about, as the language has it', () => {
    expect(['de', 'fr'].map((language) => inOneLine(language, ['A', 'B']))).to.eql(['A; B', 'A\u00a0; B'])
    expect(['de', 'fr-CA'].map((language) => withColon(language, 'A', 'B'))).to.eql(['A: B', 'A\u00a0: B'])
  })

  it('have one apostrophe in French, and no-break spaces before colons and inside quotation marks', () => {
    for (const text of textsOf(fr)) {
      expect(text).not.to.include("'")
      expect(text.replace(/\{\w+\}|https?:/g, ''), text).not.to.match(/[^\u00a0][:;»?!]|«[^\u00a0]/)
    }
  })
})

function textsOf(table: object): string[] {
  return Object.values(table).flatMap((value) => (typeof value === 'string' ? [value] : textsOf(value)))
}
