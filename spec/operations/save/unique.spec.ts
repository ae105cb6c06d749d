import { expect } from 'chai'
import { Invalid } from '../../../plugin/core/errors.js'
import { countStatements } from '../../support/count-statements.js'
import { testStore } from '../../support/database.js'
import { refusalOf, withHouse } from '../../support/house.js'

describe('unique values', () => {
  const house = withHouse()
  const site = (name: string, more: object = {}) => house.add('site', { name, ...more })

  it('are refused without regard to case, on the field to blame', async () => {
    await site('Houston')
    expect(await refusalOf(site('hOUSTON'))).to.deep.equal([['name', 'taken']])
  })

  it('may be changed in their case only', async () => {
    const id = await site('lisbon')
    await house.operations.save(await house.system(), 'site', id, { name: 'Lisbon' })
    expect(await house.row('site', id)).to.include({ name: 'Lisbon' })
  })

  it('are taken by disabled records too', async () => {
    await site('Closed', { disabled: true })
    expect(await refusalOf(site('closed'))).to.deep.equal([['name', 'taken']])
  })

  it('may be used again in another account', async () => {
    await site('Everywhere')
    await house.add('site', { name: 'Everywhere' }, { account: 'globex' })
    expect((await house.table('sites')).filter((row) => row['name'] === 'Everywhere')).to.have.length(2)
  })

  it('hold for source and sourceID together, when both are given', async () => {
    await site('S1', { source: 'erp', sourceID: '17' })
    await site('S2', { source: 'crm', sourceID: '17' })
    await site('S3', { source: 'erp' })
    await site('S4', { source: 'erp' })
    await site('S6', { source: 'ERP', sourceID: '17' })
    expect(await refusalOf(site('S5', { source: 'erp', sourceID: '17' }))).to.deep.equal([['sourceID', 'taken']])
  })

  it('are reported with all other violations, and each group on its own field', async () => {
    await site('Taken', { source: 'erp', sourceID: 'taken' })
    const body = { name: 'taken', source: 'erp', sourceID: 'taken', country: 'Atlantis' }
    expect(await refusalOf(house.add('site', body))).to.deep.equal([
      ['sourceID', 'taken'],
      ['name', 'taken'],
      ['country', 'inclusion'],
    ])
  })

  it('are all reported, although the database names one of them', async () => {
    await site('Both', { source: 'erp', sourceID: 'both' })
    const both = [
      ['sourceID', 'taken'],
      ['name', 'taken'],
    ]
    expect(await refusalOf(site('BOTH', { source: 'erp', sourceID: 'both' }))).to.deep.equal(both)
    const id = await site('Neither')
    const change = { name: 'both', source: 'erp', sourceID: 'both' }
    expect(await refusalOf(house.operations.save(await house.system(), 'site', id, change))).to.deep.equal(both)
    expect(await house.row('site', id)).to.include({ name: 'Neither', sourceID: null })
  })

  it('of a single record are left to the index of a server, which costs no statement', async function () {
    if (testStore() !== 'server') return this.skip()
    const counting = countStatements(house.storage.knex)
    const counts = [await counting.during(() => site('Alone'))]
    counts.push(await counting.during(() => site('Alone 2', { source: 'erp', sourceID: 'alone' })))
    expect(counts[1]).to.equal(counts[0])
  })

  it('belong to one address only once, however it is written', async () => {
    await house.addPerson('Mia Mail')
    expect(await refusalOf(house.add('person', { name: 'Mia', primary_email: ' MIA.Mail@Acme.example ' }))).to.deep.equal([
      ['primary_email', 'taken'],
    ])
  })

  it('keep letters of other scripts apart', async () => {
    const call = await house.system()
    const names = ['कि', 'की', 'ก', 'กา', 'も', 'こ']
    const outcomes = await house.operations.saveAll(
      call,
      'site',
      names.map((name) => ({ id: null, body: { name } })),
    )
    expect(outcomes.map(({ outcome }) => outcome)).to.deep.equal(names.map(() => 'created'))
  })

  it('are won by one of two who save at the same time: the other is told so', async () => {
    for (const round of [1, 2, 3, 4, 5]) {
      const results = await Promise.allSettled(['Race', 'RACE', 'race'].map((name) => site(`${name} ${round}`)))
      const errors = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
      expect(errors).to.have.length(2)
      for (const error of errors) {
        expect(error).to.be.instanceOf(Invalid)
        expect((error as Invalid).violations).to.deep.equal([['name', 'taken']])
      }
    }
  })

  it('are won by one of two who rename at the same time', async () => {
    const ids = [await site('Rename A'), await site('Rename B')]
    const call = await house.system()
    const results = await Promise.allSettled(ids.map((id) => house.operations.save(call, 'site', id, { name: 'Renamed' })))
    expect(results.map((result) => result.status).sort()).to.deep.equal(['fulfilled', 'rejected'])
    for (const result of results) if (result.status === 'rejected') expect(result.reason).to.be.instanceOf(Invalid)
  })

  describe('as their keys have them, on every database', () => {
    it('are refused where full case folding makes one text of two', async () => {
      await site('Straße')
      expect(await refusalOf(site('STRASSE'))).to.deep.equal([['name', 'taken']])
    })

    it('are refused without regard to blanks at the end, but accents distinguish', async () => {
      await site('Zürich')
      await site('zurich')
      expect(await refusalOf(site('ZÜRICH '))).to.deep.equal([['name', 'taken']])
    })

    it('cost only the culprit of a batch its place', async () => {
      await site('Gießen')
      const call = await house.system()
      const items = ['Aachen', 'Bonn', 'GIESSEN', 'Celle', 'Dessau'].map((name) => ({ id: null, body: { name } }))
      const outcomes = await house.operations.saveAll(call, 'site', items)
      expect(outcomes.map(({ outcome }) => outcome)).to.deep.equal(['created', 'created', 'refused', 'created', 'created'])
      expect(outcomes[2]).to.deep.equal({ outcome: 'refused', violations: [['name', 'taken']] })
      for (const name of ['Aachen', 'Bonn', 'Celle', 'Dessau']) {
        expect(
          (await house.table('sites')).filter((row) => row['name'] === name),
          name,
        ).to.have.length(1)
      }
    })
  })
})
