import { expect } from 'chai'
import type { Knex } from 'knex'
import { isDuplicate } from '../../../plugin/storage/database/faults.js'
import { createRowTexts } from '../../../plugin/storage/records/row-texts.js'
import { createWriteRunner } from '../../../plugin/storage/records/run-as-arrays.js'
import { createWriter, type Writer } from '../../../plugin/storage/records/write.js'
import { watchStatements } from '../../../plugin/testing/watch-statements.js'
import { testStore } from '../../support/database.js'
import { errorOf, withHouse } from '../../support/house.js'

describe('writing rows', () => {
  const house = withHouse()
  const db = () => house.storage.knex as Knex
  const type = () => house.catalog.type('team')
  const times = { created_at: '2026-01-31T09:00:00Z', updated_at: '2026-01-31T09:00:00Z' }
  const team = (name: string, more: object = {}) => ({ account_id: 'acme', name, disabled: false, ...times, ...more })
  const nameOf = async (id: number) => (await house.row('team', id))?.['name']
  let writer: Writer
  beforeEach(() => {
    writer = createWriter(house.storage)
  })

  it('stores one row like several, with the ids in order', async () => {
    const one = [...(await writer.insert(db(), type(), [team('A')])), ...(await writer.insert(db(), type(), [team('B')]))]
    const more = await writer.insert(db(), type(), [team('C'), team('D')])
    expect(await Promise.all([...one, ...more].map(nameOf))).to.deep.equal(['A', 'B', 'C', 'D'])
  })

  it('stores the id that a row has already', async () => {
    expect(await writer.insert(db(), type(), [team('Back', { id: 4711 })])).to.deep.equal([4711])
    expect(await nameOf(4711)).to.equal('Back')
  })

  it('stores the same values again and again, of each set of columns', async () => {
    const [id = 0, other = 0] = await writer.insert(db(), type(), [team('E'), team('F')])
    for (const name of ['é', "O'Hara \\ `?", '']) {
      await writer.update(db(), type(), [{ id, name, remarks: `of ${name}` }], ['name'])
      expect(await house.row('team', id)).to.include({ name, remarks: null })
      await writer.update(db(), type(), [{ id, name: 'x', remarks: `of ${name}`, disabled: true }], ['remarks', 'disabled'])
      expect(await house.row('team', id)).to.include({ name, remarks: `of ${name}`, disabled: true })
      await writer.update(db(), type(), [{ id, disabled: false }], ['remarks', 'disabled'])
      expect(await house.row('team', id)).to.include({ name, remarks: null, disabled: false })
    }
    expect(await nameOf(other)).to.equal('F')
  })

  it('stores many rows as they are, whatever their texts contain, and does not show their values to who watches', async () => {
    const texts = ['é', "O'Hara \\ `?", '?', '??', "'); drop table x; --", '\n\u001a', '%', '10', '😀', 'a\\']
    const remarksOf = async (id: number) => (await house.row('team', id))?.['remarks']
    const seen: string[] = []
    watchStatements(db()).hear((sql) => void seen.push(sql))
    const rows = texts.map((remarks, index) => team(`Many ${index}`, { remarks }))
    const ids = await writer.insert(db(), type(), rows)
    expect(await Promise.all(ids.map(remarksOf))).to.deep.equal(texts)
    expect(await Promise.all(ids.map(nameOf))).to.deep.equal(texts.map((_, index) => `Many ${index}`))
    const turned = texts.toReversed()
    const changed = ids.map((id, index) => team(`Other ${index}`, { id, remarks: turned[index] ?? '' }))
    await writer.update(db(), type(), changed, ['remarks'])
    expect(await Promise.all(ids.map(remarksOf))).to.deep.equal(turned)
    expect(await Promise.all(ids.map(nameOf))).to.deep.equal(texts.map((_, index) => `Many ${index}`))
    expect(seen.filter((sql) => /drop|O'Hara/.test(sql))).to.deep.equal([])
  })

  it('stores rows of different columns', async () => {
    const [first = 0, second = 0] = await writer.insert(db(), type(), [team('Q'), team('R', { remarks: 'more' })])
    expect(await Promise.all([first, second].map(nameOf))).to.deep.equal(['Q', 'R'])
    expect((await house.row('team', first))?.['remarks']).to.equal(null)
    expect((await house.row('team', second))?.['remarks']).to.equal('more')
  })

  it('refuses a value that another row has, and can go on', async () => {
    const pair = { source: 'spec', sourceID: 'once' }
    for (const name of ['G', 'H', 'I']) {
      const made = writer.insert(db(), type(), [team(name, pair)])
      if (name === 'G') await made
      else expect(isDuplicate(await errorOf(made))).to.equal(true)
    }
    const [id = 0] = await writer.insert(db(), type(), [team('J')])
    for (const _ of [1, 2]) {
      const failed = await errorOf(writer.update(db(), type(), [{ id, ...pair }], ['source', 'sourceID']))
      expect(isDuplicate(failed)).to.equal(true)
      expect(failed.message).not.to.contain('once')
    }
    await writer.update(db(), type(), [{ id, name: 'K' }], ['name'])
    expect(await nameOf(id)).to.equal('K')
  })

  it('is undone with its transaction, and seen by those who watch its statements', async () => {
    const seen: string[] = []
    const watched = watchStatements(db())
    watched.hear((sql) => void seen.push(sql))
    const ids: number[] = []
    const failed = await errorOf(
      db().transaction(async (open) => {
        for (const name of ['L', 'M']) ids.push(...(await writer.insert(open, type(), [team(name)])))
        await writer.update(open, type(), [{ id: ids[0] ?? 0, name: 'N' }], ['name'])
        throw new Error('back')
      }),
    )
    expect(failed.message).to.equal('back')
    expect(await Promise.all(ids.map(nameOf))).to.deep.equal([undefined, undefined])
    const ours = seen.filter((sql) => /^(insert into|update) `itsm_teams`/i.test(sql))
    expect(ours.map((sql) => sql.slice(0, 6).toLowerCase())).to.deep.equal(['insert', 'insert', 'update'])
  })

  it('is not sent again when its connection is lost: it may have been stored', async function () {
    if (testStore() !== 'server') return this.skip()
    const client = db().client
    const sent: string[] = []
    const lost = Object.assign(new Error('gone'), { code: 'PROTOCOL_CONNECTION_LOST' })
    const dead = {
      pool: client.pool,
      acquireConnection: async () => ({}),
      releaseConnection: async () => {},
      query: async (_: object, { sql }: { readonly sql: string }) => {
        sent.push(sql)
        throw lost
      },
    }
    const statement = createRowTexts().insert('itsm_teams', { name: 'lost' })
    expect(await errorOf(createWriteRunner()({ client: dead } as unknown as Knex, statement))).to.equal(lost)
    expect(sent).to.have.length(1)
  })
})

describe('texts that write a row', () => {
  it('are repeated for the same table and columns only', () => {
    const texts = createRowTexts()
    const isRepeated = [
      texts.insert('a', { x: 1, y: 2 }),
      texts.insert('a', { x: 3, y: null }),
      texts.insert('a', { y: 2, x: 1 }),
      texts.update('a', { x: 1, y: 2 }, 5),
      texts.update('b', { x: 1, y: 2 }, 5),
      texts.update('a', { x: 9, y: 9 }, 6),
    ]
    expect(isRepeated.map((one) => one.isRepeated)).to.deep.equal([false, true, false, false, false, true])
    expect(isRepeated[1]).to.deep.equal({
      sql: 'INSERT INTO `a` (`x`, `y`) VALUES (?, ?)',
      bindings: [3, null],
      isRepeated: true,
    })
    expect(isRepeated[5]).to.deep.equal({
      sql: 'UPDATE `a` SET `x` = ?, `y` = ? WHERE `id` = ?',
      bindings: [9, 9, 6],
      isRepeated: true,
    })
  })

  it('are forgotten when there are too many, the oldest first', () => {
    const texts = createRowTexts()
    for (let number = 0; number <= 500; number += 1) texts.update('a', { [`c${number}`]: 1 }, 1)
    expect(texts.update('a', { c500: 1 }, 1).isRepeated).to.equal(true)
    expect(texts.update('a', { c0: 1 }, 1).isRepeated).to.equal(false)
  })
})
