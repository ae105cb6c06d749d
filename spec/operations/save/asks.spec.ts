import { expect } from 'chai'
import { rule } from '../../../plugin/schema/define-rule.js'
import { extendRecord } from '../../../plugin/schema/extend-record.js'
import { countStatements } from '../../support/count-statements.js'
import { errorOf, refusalOf, withHouse } from '../../support/house.js'

describe('what rules ask', () => {
  /** Answers of the last save, by what was asked. */
  const told = new Map<string, unknown>()
  const idsOf = (rows: readonly { readonly [column: string]: unknown }[]) => rows.map((row) => Number(row['id']))
  const asking = rule('asking', () => ({
    async check({ find, findBy, isReferred, linked, load, next }) {
      const [topic, value = ''] = String(next['remarks'] ?? '').split(':')
      const id = Number(value)
      if (topic === 'find') told.set(value, (await find('site', { city: value })).length)
      if (topic === 'text') told.set(value, idsOf(await findBy('site', 'city', value)))
      if (topic === 'members') told.set(value, idsOf(await findBy('team', 'members', id, { disabled: false })))
      if (topic === 'nobody')
        told.set(value, [await load('person', 0), await findBy('person', 'site', null), await isReferred('person', 'site', 0)])
      if (topic === 'referred') told.set(value, await isReferred('person', 'site', id))
      if (topic === 'linked') told.set(value, await linked('team', team, 'members', id))
      if (topic === 'other') told.set(value, await find('ship', {}))
    },
  }))
  const stubborn = rule('stubborn', () => ({
    check({ next }) {
      if (next['remarks'] === 'set in check') (next as { city: string }).city = 'Elsewhere'
    },
    written({ next }) {
      if (next['remarks'] === 'set when written') (next as { city: string }).city = 'Elsewhere'
    },
  }))
  const house = withHouse({
    extend: [extendRecord('site', { rules: [asking(), stubborn()] })],
    before: {
      'broadcast.save': [
        ({ next }) => {
          if (next['message'] === 'backwards') next['end_at'] = '2001-01-01T00:00'
        },
      ],
    },
  })
  let team = 0
  let ann = 0
  let ben = 0
  before(async () => {
    ann = await house.addPerson('Ann Asker')
    ben = await house.addPerson('Ben Beside')
    team = await house.add('team', { name: 'Crew', member_ids: [ann] })
    await house.add('team', { name: 'Gone', disabled: true, member_ids: [ann, ben] })
  })
  const ask = async (...remarks: readonly string[]) => {
    told.clear()
    const items = remarks.map((text, index) => ({
      id: null,
      body: { name: `${text} ${index} ${Math.random()}`, remarks: text },
    }))
    const outcomes = await house.operations.saveAll(await house.system(), 'site', items)
    expect(outcomes.map(({ outcome }) => outcome)).to.deep.equal(remarks.map(() => 'created'))
    return Object.fromEntries(told)
  }

  it('is answered with all records, however many there are', async () => {
    const items = Array.from({ length: 230 }, (_, index) => ({ id: null, body: { name: `Hill ${index}`, city: 'Hilltown' } }))
    await house.operations.saveAll(await house.system(), 'site', items)
    expect(await ask('find:Hilltown', 'find:Nowhere')).to.deep.equal({ Hilltown: 230, Nowhere: 0 })
  })

  it('is answered for each record of a batch apart', async () => {
    const [oslo, rome] = [
      await house.add('site', { name: 'O', city: 'Oslo' }),
      await house.add('site', { name: 'R', city: 'Rome' }),
    ]
    expect(await ask('text:Oslo', 'text:Rome', 'text:Paris')).to.deep.equal({ Oslo: [oslo], Rome: [rome], Paris: [] })
    expect(await ask(`members:${ann}`, `members:${ben}`)).to.deep.equal({ [ann]: [team], [ben]: [] })
    await house.add('person', { name: 'Cas', primary_email: 'cas@acme.example', site_id: oslo })
    expect(await ask(`referred:${oslo}`, `referred:${rome}`)).to.deep.equal({ [oslo]: true, [rome]: false })
    expect(await ask(`linked:${ann}`, `linked:${ben}`)).to.deep.equal({ [ann]: true, [ben]: false })
  })

  it('has no answer where nothing is named', async () => {
    expect(await ask('nobody:0')).to.deep.equal({ 0: [null, [], false] })
  })

  it('is an error with a name where a type is misspelt', async () => {
    const work = house.add('site', { name: 'Pier', remarks: 'other:1' })
    expect((await errorOf(work)).message).to.equal("There is no record type 'ship'")
  })

  it('costs the same for one record and for many that ask for different things', async () => {
    const counter = countStatements(house.storage.knex)
    const texts = (count: number) => Array.from({ length: count }, (_, index) => `text:City ${index}`)
    const few = await counter.during(() => ask(...texts(2)))
    expect(await counter.during(() => ask(...texts(40)))).to.equal(few)
  })

  it('finds a row that cannot be changed once rules have filled it in', async () => {
    for (const remarks of ['set in check', 'set when written'])
      expect((await errorOf(house.add('site', { name: remarks, remarks }))).name).to.equal('TypeError')
  })

  it('is asked after the hooks of the host, so that what they set is checked', async () => {
    const work = house.add('broadcast', { message: 'backwards', start_at: '2026-11-21T09:00', message_type: 'info' })
    expect(await refusalOf(work)).to.deep.include(['end_at', 'end_before_start'])
  })
})
