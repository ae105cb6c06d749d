import { expect } from 'chai'
import { type Migration, recordTable } from '../../../migrations/tools.js'
import type { Call } from '../../../plugin/core/call.js'
import { Invalid, type Violation } from '../../../plugin/core/errors.js'
import { OtherRefused, toldToCaller } from '../../../plugin/operations/work/other-refused.js'
import { identity } from '../../../plugin/schema/kinds/common-fields.js'
import { string } from '../../../plugin/schema/kinds/fields.js'
import { defineRecord } from '../../../plugin/schema/language/define-record.js'
import { type OtherRecords, type RuleContext, rule } from '../../../plugin/schema/language/define-rule.js'
import { extendRecord } from '../../../plugin/schema/language/extend-record.js'
import { messageOf } from '../../../plugin/words/violations.js'
import { createWords } from '../../../plugin/words/words.js'
import { recordLog } from '../../jobs/record-log.js'
import { errorOf, refusalOf, withHouse } from '../../support/house.js'
import { NO_LISTS } from '../../support/small-types.js'

describe('the refusal of a record that a rule saves', () => {
  const words = createWords()
  const told = (language: string, type: string, violations: readonly Violation[], body: object = {}) => {
    const { entries, log } = recordLog()
    const { violations: found } = toldToCaller(
      { log, words },
      { language } as Call,
      'rule r of trip',
      new OtherRefused(type, violations, body),
    )
    return { entries, texts: found.map((one) => [one[0], messageOf(words, language, 'trip', one)]) }
  }

  it('is about the record as a whole, in the language of the caller', () => {
    const blank: readonly Violation[] = [['team', 'blank']]
    expect(told('en-US', 'request', blank).texts).to.deep.equal([['base', "A request could not be saved: Team can't be blank"]])
    expect(told('en-GB', 'organization', blank).texts.join()).to.contain('An organisation could not be saved: Team')
    expect(told('en-US', 'ci', blank).texts.join()).to.contain('A CI could not be saved: Team')
    expect(told('nl', 'request', blank).texts.join()).to.match(
      /^base,Een record van de soort ".+" kan niet worden opgeslagen: Team/,
    )
    expect(told('de', 'request', blank).texts.join()).to.match(
      /^base,Ein Datensatz der Art „.+“ konnte nicht gespeichert werden: Team/,
    )
    expect(told('fr-CA', 'request', blank).texts.join()).to.match(
      /^base,Un enregistrement de type «\u00a0.+\u00a0» n’a pas pu être enregistré\u00a0: /,
    )
  })

  it('names all that is wrong with the record', () => {
    const both: readonly Violation[] = [
      ['team', 'blank'],
      ['subject', 'too_long', { max: 80 }],
    ]
    expect(told('en-US', 'request', both).texts[0]?.[1]).to.equal(
      "A request could not be saved: Team can't be blank, Subject is too long (maximum is 80 characters)",
    )
  })

  it('is logged with the rule, the type and the names in the body, and without any value', () => {
    const { entries } = told('en-US', 'request', [['category', 'second_value', { value: 'secret' }]], {
      subject: 'secret',
      category: 'x',
    })
    expect(entries).to.have.length(1)
    const text = JSON.stringify(entries)
    for (const part of ['rule r of trip', 'request', 'subject', 'category: second_value']) expect(text).to.contain(part)
    expect(text).to.not.contain('secret')
  })

  describe('of a rule that saves another one', () => {
    const chain = rule('chain', () => ({
      async written({ next, save }) {
        const [first, ...others] = String(next['remarks'] ?? '').split(',')
        if (first) await save(others.length > 0 ? 'site' : 'organization', null, { name: first, remarks: others.join() })
      },
    }))
    const house = withHouse({ extend: [extendRecord('site', { rules: [chain()] })] })

    it('tells about the one that was refused first', async () => {
      await house.add('organization', { name: 'Known' })
      const work = house.add('site', { name: 'One', remarks: 'Two,Three,Known' })
      expect(await refusalOf(work)).to.deep.equal([
        ['base', 'other_not_saved', { record: 'An organization', reasons: 'Name has already been taken' }],
      ])
      expect(await house.table('sites')).to.have.length(0)
    })
  })

  describe('that is gone, or that cannot be removed', () => {
    const parcel = defineRecord('parcel', {
      path: 'parcels',
      fields: { ...identity, name: string(30) },
      ...NO_LISTS,
      access: { create: [], update: [], remove: [] },
      rules: [
        rule('sealed', () => ({ remove: ({ fail, next }) => void (next['name'] === 'Sealed' && fail('name', 'locked')) }))(),
      ],
    })
    const createParcels: Migration = {
      name: 'host_0001_create_parcels',
      up: (schema) => recordTable(schema, 'parcels', (table) => table.string('name', 30)),
      down: async () => {},
    }
    let act: (context: RuleContext & OtherRecords) => unknown = () => undefined
    const acting = rule('acting', () => ({ written: async (context) => void (await act(context)) }))
    const house = withHouse({
      records: [parcel],
      migrations: [createParcels],
      extend: [extendRecord('site', { rules: [acting()] })],
    })
    const site = async (does: typeof act) => {
      act = does
      const refused = await errorOf(house.add('site', { name: 'One' }))
      expect(await house.table('sites')).to.have.length(0)
      return refused instanceof Invalid ? refused.violations : String(refused)
    }
    const gone = (code: string) => [['base', code, { record: 'A parcel', reasons: 'It does not exist any more' }]]

    it('is told to the caller as another record, not as the own one', async () => {
      expect(await site(({ save }) => save('parcel', 4711, { name: 'Gone' }))).to.deep.equal(gone('other_not_saved'))
      expect(await site(({ remove }) => remove('parcel', 4711))).to.deep.equal(gone('other_not_removed'))
      const sealed = await house.add('parcel', { name: 'Sealed' })
      expect(await site(({ remove }) => remove('parcel', sealed))).to.deep.equal([
        ['base', 'other_not_removed', { record: 'A parcel', reasons: 'Name lies in a period that is locked' }],
      ])
      expect(await house.table('parcels')).to.have.length(1)
    })

    it('can be met by the rule', async () => {
      let met: unknown
      act = async ({ attempt }) => {
        met = await attempt('parcel', { id: 4711, body: { name: 'Gone' } })
      }
      await house.add('site', { name: 'Two' })
      expect(met).to.deep.include({ violations: [['base', 'other_gone']] })
    })
  })
})
