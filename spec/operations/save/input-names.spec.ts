import { expect } from 'chai'
import { countStatements } from '../../support/count-statements.js'
import { createFestival, festival } from '../../support/festival.js'
import { refusalOf, withHouse } from '../../support/house.js'

describe('what callers call things', () => {
  const house = withHouse({ records: festival, migrations: [createFestival] })
  let admin = 0
  let stage = 0
  let polka = 0
  before(async () => {
    admin = await house.addPerson('Ada Admin', ['account_administrator'])
    stage = await house.add('stage', { name: 'Main' })
    await house.add('genre', { name: 'Folk', code: 'folk/all' })
    polka = await house.add('genre', { name: 'Polka', code: 'folk/polka' })
  })

  const add = (body: object) => house.add('act', { subject: 'Act', stage_id: stage, ...body })
  const genreOf = async (id: number) => (await house.row('act', id))?.['genre_id']
  const save = async (id: number, body: object) => house.operations.save(await house.by(admin), 'act', id, body)

  describe('a reference that is shown as a text', () => {
    it('is taken as that text, whatever its case, and as id, and under its other name', async () => {
      for (const body of [
        { genre: 'folk/polka' },
        { genre: ' FOLK/Polka ' },
        { genre_id: polka },
        { genre: { id: polka } },
        { style: 'folk/polka' },
        { style_id: String(polka) },
        { style: { id: polka } },
      ]) {
        expect(await genreOf(await add(body)), JSON.stringify(body)).to.equal(polka)
      }
    })

    it('is cleared by null and by a blank text', async () => {
      for (const genre of [null, '', '  ']) {
        const id = await add({ genre: 'folk/all' })
        await save(id, { genre })
        expect(await genreOf(id), JSON.stringify(genre)).to.equal(null)
      }
    })

    it('is not in the list when nothing has the text, or not in this account', async () => {
      await house.add('genre', { name: 'Tango', code: 'tango' }, { account: 'globex' })
      for (const genre of ['tango', 'folk', 'Polka', 12, true, false, String(polka)]) {
        expect(await refusalOf(add({ genre })), String(genre)).to.deep.equal([['genre', 'inclusion']])
      }
      for (const wrong of ['folk/polka', 99_999, {}, [], { id: null }, { id: 'folk' }]) {
        expect(await refusalOf(add({ genre_id: wrong })), JSON.stringify(wrong)).to.deep.equal([['genre', 'cannot_be_found']])
      }
      for (const genre of [{}, [], { id: null }, { id: 'folk' }]) {
        expect(await refusalOf(add({ genre })), JSON.stringify(genre)).to.deep.equal([['genre', 'cannot_be_found']])
      }
    })

    it('is not in the list when it is disabled, unless it is there already', async () => {
      const ska = await house.add('genre', { name: 'Ska', code: 'ska' })
      const id = await add({ genre: 'ska' })
      await house.operations.save(await house.system(), 'genre', ska, { disabled: true })
      expect(await refusalOf(add({ genre: 'ska' }))).to.deep.equal([['genre', 'inclusion']])
      await save(id, { genre: 'Ska', subject: 'Still ska' })
      expect(await house.row('act', id)).to.include({ genre_id: ska, subject: 'Still ska' })
    })

    it('is looked up once for a whole batch, and reported with everything else that is wrong', async () => {
      const counter = countStatements(house.storage.knex)
      const call = await house.by(admin)
      const saving = (genres: readonly string[]) => () =>
        house.operations.saveAll(
          call,
          'act',
          genres.map((genre, index) => ({ id: null, body: { subject: `Batch ${index}`, stage_id: stage, genre } })),
        )
      // Genres that are not there, so that nothing is counted for them.
      const two = await counter.during(saving(['x1', 'x2']))
      const many = await counter.during(saving(Array.from({ length: 20 }, (_, index) => `x${index}`)))
      expect(many).to.equal(two)
      expect(await refusalOf(add({ genre: 'x', subject: ' ' }))).to.deep.equal([
        ['subject', 'blank'],
        ['genre', 'inclusion'],
      ])
    })
  })

  describe('a list of texts', () => {
    const namesOf = async (id: number) => (await house.row('act', id))?.['nicknames']

    it('keeps its texts in order, without blank ones, under either name', async () => {
      expect(await namesOf(await add({ nicknames: [' The Reds ', '', 'Blues', 1999] }))).to.deep.equal([
        'The Reds',
        'Blues',
        '1999',
      ])
      expect(await namesOf(await add({ aliases: ['Greens'] }))).to.deep.equal(['Greens'])
    })

    it('is cleared by null and by an empty list', async () => {
      for (const nicknames of [null, [], [' ']]) {
        const id = await add({ nicknames: ['Reds'] })
        await save(id, { nicknames })
        expect(await namesOf(id), JSON.stringify(nicknames)).to.equal(null)
      }
    })

    it('is a list, and nothing that looks like one', async () => {
      for (const nicknames of ['["Reds"]', 'Reds,Blues', { 0: 'Reds' }, [['Reds']], [null], [true], ['a\0b']]) {
        expect(await refusalOf(add({ nicknames })), JSON.stringify(nicknames)).to.deep.equal([['nicknames', 'invalid']])
      }
    })

    it('has at most 100 texts, none longer than the field allows', async () => {
      const many = (count: number) => Array.from({ length: count }, (_, index) => `Name ${index}`)
      expect(await namesOf(await add({ nicknames: many(100) }))).to.have.length(100)
      expect(await refusalOf(add({ nicknames: many(101) }))).to.deep.equal([['nicknames', 'invalid']])
      expect(await refusalOf(add({ nicknames: ['Reds', 'x'.repeat(21)] }))).to.deep.equal([
        ['nicknames', 'too_long', { max: 20 }],
      ])
    })
  })

  it('that links have a singular of their own', async () => {
    const id = await add({ helping_hand_ids: [admin], helper_ids: [99_999] })
    const rows = await house.storage.knex(house.storage.table('act_helpers')).where({ act_id: id })
    expect(rows.map((row) => Number(row.person_id))).to.deep.equal([admin])
  })

  it('that values of other records and links themselves are never written', async () => {
    const other = await add({ subject: 'Other' })
    const id = await add({ manager_id: admin, manager: { id: admin }, predecessors: [{ id: other }] })
    expect(await house.row('act', id)).to.not.have.property('manager_id')
    expect(await house.storage.knex(house.storage.table('act_successions')).where({ successor_id: id })).to.deep.equal([])
  })

  it('that a link which can be given while creating is ignored afterwards', async () => {
    const other = await add({ subject: 'Other' })
    const id = await add({ predecessor_ids: [other] })
    await save(id, { predecessor_ids: [] })
    const rows = await house.storage.knex(house.storage.table('act_successions')).where({ successor_id: id })
    expect(rows.map((row) => Number(row.predecessor_id))).to.deep.equal([other])
  })
})
