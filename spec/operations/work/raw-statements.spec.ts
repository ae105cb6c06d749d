/** Settlings see what rules write with statements of their own, in whatever form. */
import { expect } from 'chai'
import { follow, rule } from '../../../plugin/index.js'
import { testStore } from '../../support/database.js'
import { withHouse } from '../../support/house.js'
import { createTours, tours } from '../../support/tour.js'

type Form = (id: unknown) => string

const VALUES = (id: unknown) => `(account_id, name, status, tour_id) values ('acme', 'x', 'done', ${id})`
const ADDS: { readonly [form: string]: Form } = {
  plain: (id) => `insert into itsm_concerts ${VALUES(id)}`,
  quoted: (id) => `INSERT INTO \`itsm_concerts\` ${VALUES(id)}`,
  columns: (id) => `insert into itsm_concerts (\`account_id\`, name, status, tour_id) values ('acme', 'x', 'done', ${id})`,
  comment: (id) => `/* host */ insert into itsm_concerts ${VALUES(id)}`,
  dashes: (id) => `-- host\ninsert into itsm_concerts ${VALUES(id)}`,
  ...(testStore() === 'embedded' && {
    schema: (id: unknown) => `insert into \`main\`.\`itsm_concerts\` ${VALUES(id)}`,
    upper: (id: unknown) => `insert into \`ITSM_CONCERTS\` ${VALUES(id)}`,
    with: (id: unknown) => `with one as (select 1) insert into itsm_concerts ${VALUES(id)}`,
  }),
}
const SETS: { readonly [form: string]: Form } = {
  plain: (id) => `update itsm_tours set income = 5 where id = ${id}`,
  quoted: (id) => `update \`itsm_tours\` set income = 5 where id = ${id}`,
  columns: (id) => `update itsm_tours set \`income\` = 5 where id = ${id}`,
  comment: (id) => `/* host */ update itsm_tours set income = 5 where id = ${id}`,
  with: (id) => `with one as (select 1) update itsm_tours set income = 5 where id = ${id}`,
  ...(testStore() === 'server' && {
    joined: (id: unknown) =>
      `update \`itsm_seasons\` s right join itsm_tours t on s.id = 0 set t.income = 5 where t.id = ${id}`,
  }),
}

describe('statements of rules', () => {
  const writes = rule('writes', () => ({
    async written({ before, db, next }) {
      const name = String(next['name'])
      if (before?.['name'] === name) return
      const text = (before ? SETS : ADDS)[name]?.(next['id'])
      if (text) await db.raw(text)
    },
  }))
  const house = withHouse({ records: tours, migrations: [createTours], extend: [{ extends: 'tour', rules: [writes()] }] })

  for (const form of Object.keys(ADDS)) {
    it(`that add to a new record are seen when it is settled: ${form}`, async () => {
      const tour = await house.add('tour', { name: form })
      expect(await house.row('tour', tour)).to.include({ status: 'closed', open_count: 0 })
    })
  }

  for (const form of Object.keys(SETS)) {
    // MariaDB has no `with` before an update.
    it(`that change a record are seen when it is settled: ${form}`, async function () {
      if (form === 'with' && testStore() === 'server') this.skip()
      const tour = await house.add('tour', { name: 'first' })
      const saved = await house.operations.save(await house.system(), 'tour', tour, { name: form })
      expect([saved['income'], (await house.row('tour', tour))?.['income']]).to.deep.equal([0, 0])
    })
  }
})

describe('a settling of an owner', () => {
  const seen: unknown[] = []
  const sets = rule('sets', () => ({
    fill({ before, next }) {
      if (before) next['created_at'] = '2020-01-01T00:00:00Z'
    },
  }))
  const income = follow('income', {
    of: { sponsors: { part: 'sponsor' } },
    decide({ owner, sponsors }) {
      seen.push([owner['name'], owner['created_at']])
      return { owner: { income: sponsors.length } }
    },
  })
  const named = follow('named', {
    of: { season: { refersTo: 'season' } },
    fields: ['source'],
    decide: ({ season }) => ({ owner: { source: String(season[0]?.['name'] ?? '') || null } }),
  })
  const records = tours.map((one) =>
    one.name === 'tour' ? { ...one, existsWhile: { status: 'open' }, rules: [sets()], settle: [income] } : one,
  )
  const house = withHouse({ records, migrations: [createTours] })
  const others = withHouse({
    records: tours.map((one) => (one.name === 'tour' ? { ...one, settle: [named] } : one)),
    migrations: [createTours],
  })
  const save = async (id: number, body: object) => house.operations.save(await house.system(), 'tour', id, body)

  it('that counts as removed is not run, and it gets no sub-records', async () => {
    const tour = await house.add('tour', { name: 'Over', status: 'open' })
    seen.length = 0
    await save(tour, { status: 'closed' })
    expect(seen).to.deep.equal([])
    const added = house.operations.save(await house.system(), 'sponsor', null, { amount: 3 }, { type: 'tour', id: tour })
    expect(await added.catch((error: Error) => error.constructor.name)).to.equal('NotFound')
    const open = await house.add('tour', { name: 'Open', status: 'open' })
    const together = house.operations.together(await house.system(), async (inside) => {
      await house.operations.save(inside, 'tour', open, { status: 'closed' })
      return house.operations.save(inside, 'sponsor', null, { amount: 3 }, { type: 'tour', id: open })
    })
    expect(await together.catch((error: Error) => error.constructor.name)).to.equal('NotFound')
  })

  it('sees what is stored, as callers do, and not what a rule has set in vain', async () => {
    const tour = await house.add('tour', { name: 'A', status: 'open' })
    const stored = (await house.row('tour', tour))?.['created_at']
    seen.length = 0
    expect((await save(tour, { name: 'B' }))['created_at']).to.equal(stored)
    expect(seen).to.deep.equal([['B', stored]])
  })

  it('runs when it refers to another record that a source starts from', async () => {
    const [first, second] = await Promise.all(['A', 'B'].map((name) => others.add('season', { name, status: 'open' })))
    const tour = await others.add('tour', { name: 'T', season_id: first, status: 'open' })
    expect(await others.row('tour', tour)).to.include({ source: 'A' })
    await others.operations.save(await others.system(), 'tour', tour, { season_id: second })
    expect(await others.row('tour', tour)).to.include({ source: 'B' })
  })
})
