import { expect } from 'chai'
import { rule } from '../../../plugin/schema/language/define-rule.js'
import { extendRecord } from '../../../plugin/schema/language/extend-record.js'
import { countStatements } from '../../support/count-statements.js'
import { errorOf, refusalOf, withHouse } from '../../support/house.js'

describe('what rules ask', () => {
  /** Answers of the last save, by what was asked. */
  const told = new Map<string, unknown>()
  const idsOf = (rows: readonly { readonly [column: string]: unknown }[]) => rows.map((row) => Number(row['id']))
  const asking = rule('asking', () => ({
    async check({ find, findBy, isReferred, linked, load, next, valuesOf }) {
      const [topic, value = ''] = String(next['remarks'] ?? '').split(':')
      const id = Number(value)
      if (topic === 'find') told.set(value, (await find('site', { city: value })).length)
      if (topic === 'text') told.set(value, idsOf(await findBy('site', 'city', value)))
      if (topic === 'members') told.set(value, idsOf(await findBy('team', 'members', id, { disabled: false })))
      if (topic === 'nobody')
        told.set(value, [await load('person', 0), await findBy('person', 'site', null), await isReferred('person', 'site', 0)])
      if (topic === 'values')
        told.set(value, (await valuesOf('person', 'job_title', 'site', id, { disabled: false })).toSorted())
      if (topic === 'ids') told.set(value, await valuesOf('person', 'site', 'site', id))
      if (topic === 'referred') told.set(value, await isReferred('person', 'site', id))
      if (topic === 'linked') told.set(value, await linked('team', team, 'members', id))
      if (topic === 'other') told.set(value, await find('ship', {}))
      if (topic === 'field') told.set(value, await findBy('site', value, 1))
      if (topic === 'nothing') told.set(value, await find('site', { city: undefined } as never))
      if (topic === 'object') told.set(value, await findBy('site', 'city', { of: value }))
      if (topic === 'number') told.set(value, await findBy('person', 'site', Number(value)))
      if (topic === 'digits') told.set(value, idsOf(await findBy('person', 'site', value)))
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
    for (const [name, more] of Object.entries({
      D: {},
      E: {},
      F: { job_title: null },
      G: { job_title: 'Cook', disabled: true },
    }))
      await house.addPerson(name, [], { site_id: rome, job_title: 'Baker', ...more })
    expect(await ask(`values:${oslo}`, `values:${rome}`)).to.deep.equal({ [oslo]: [null], [rome]: ['Baker', null] })
    expect(await ask(`ids:${rome}`, 'ids:9999', 'ids:x')).to.deep.equal({ [rome]: [rome], 9999: [], x: [] })
    expect(await ask(`linked:${ann}`, `linked:${ben}`)).to.deep.equal({ [ann]: true, [ben]: false })
  })

  it('is answered without regard to case, for one record and for many', async () => {
    const ids = [await house.add('site', { name: 'C1', city: 'Cork' }), await house.add('site', { name: 'C2', city: 'CORK' })]
    expect(await ask('text:cork')).to.deep.equal({ cork: ids })
    expect(await ask('text:cork', 'text:Nowhere', 'text:Cork')).to.deep.equal({ cork: ids, Nowhere: [], Cork: ids })
  })

  it('takes ids as texts, and finds nothing for what is no number', async () => {
    const site = await house.add('site', { name: 'Dock' })
    const person = Number((await house.row('person', await house.addPerson('Dea Dock', [], { site_id: site })))?.['id'])
    expect(await ask(`digits:${site}`)).to.deep.equal({ [site]: [person] })
    expect(await ask(`digits:${site}`, 'digits:9999')).to.deep.equal({ [site]: [person], 9999: [] })
    expect(await ask('number:x')).to.deep.equal({ x: [] })
  })

  for (const [topic, message] of [
    ['field:citty', "site has no stored field or link 'citty' to find records by; did you mean 'city'?"],
    ['field:constructor', "site has no stored field or link 'constructor' to find records by"],
    ['nothing:1', "A condition of a rule has no value for 'city'; null means empty"],
    ['object:1', "findBy('site', 'city'): an object is no single value"],
  ] as const) {
    it(`is an error with a name where it makes no sense: ${topic}`, async () => {
      expect((await errorOf(house.add('site', { name: 'Pier', remarks: topic }))).message).to.equal(
        `The rule asking of site failed: ${message}`,
      )
    })
  }

  it('is an error above the maximum for one record, and not for a batch that finds more together', async function () {
    this.timeout(120_000)
    const { knex, table } = house.storage
    const digit =
      '(select 0 d union select 1 union select 2 union select 3 union select 4 union select 5 union select 6 union select 7 union select 8 union select 9)'
    const fill = (city: string) =>
      knex.raw(
        `insert into ${table('sites')} (account_id, name, city) select 'acme', null, '${city}' from ${digit} a, ${digit} b, ${digit} c, ${digit} d, (select 0 n union select 1 union select 2 union select 3 union select 4 union select 5) e`,
      )
    await fill('Big')
    await fill('Great')
    expect(await ask('text:Big', 'text:Great'))
      .to.have.property('Big')
      .with.length(60_000)
    await knex.raw(`update ${table('sites')} set city = 'Big' where city = 'Great'`)
    const error = await errorOf(house.add('site', { name: 'One', remarks: 'text:Big' }))
    expect(error.message).to.equal('The rule asking of site failed: A rule may find at most 100000 records of site')
    await knex(table('sites')).where({ city: 'Big' }).delete()
  })

  it('has no answer where nothing is named', async () => {
    expect(await ask('nobody:0')).to.deep.equal({ 0: [null, [], false] })
  })

  it('is an error with a name where a type is misspelt', async () => {
    const work = house.add('site', { name: 'Pier', remarks: 'other:1' })
    expect((await errorOf(work)).message).to.equal("The rule asking of site failed: There is no record type 'ship'")
  })

  it('costs the same for one record and for many that ask for different things', async () => {
    const counter = countStatements(house.storage.knex)
    const texts = (count: number) => Array.from({ length: count }, (_, index) => `text:City ${index}`)
    const few = await counter.during(() => ask(...texts(2)))
    expect(await counter.during(() => ask(...texts(40)))).to.equal(few)
  })

  it('finds a row that cannot be changed once rules have filled it in', async () => {
    for (const remarks of ['set in check', 'set when written'])
      expect((await errorOf(house.add('site', { name: remarks, remarks }))).cause).to.be.instanceOf(TypeError)
  })

  it('is asked after the hooks of the host, so that what they set is checked', async () => {
    const work = house.add('broadcast', { message: 'backwards', start_at: '2026-11-21T09:00', message_type: 'info' })
    expect(await refusalOf(work)).to.deep.include(['end_at', 'end_before_start'])
  })
})
