/** Records of an owner that rules and settlings of one save ask for: read once, and again after whatever may have changed them. */
import { expect } from 'chai'
import { follow, rule } from '../../../plugin/index.js'
import { unitOf } from '../../../plugin/operations/work/unit.js'
import type { Row } from '../../../plugin/schema/language/define-rule.js'
import { watchStatements } from '../../../plugin/testing/watch-statements.js'
import { testStore } from '../../support/database.js'
import { withHouse } from '../../support/house.js'
import { createTours, tours } from '../../support/tour.js'

const values = (tour: unknown, name: string) =>
  `(account_id, name, status, tour_id) values ('acme', '${name}', 'ready', ${tour})`
/** Statements of a rule, in forms that are understood and in one that is not. */
const RAW: { readonly [form: string]: (tour: unknown, concert: unknown) => string } = {
  insert: (tour) => `insert into itsm_concerts ${values(tour, 'second')}`,
  update: (_, concert) => `update itsm_concerts set name = 'second' where id = ${concert}`,
  delete: (_, concert) => `delete from itsm_concerts where id = ${concert}`,
  ...(testStore() === 'embedded' && {
    with: (tour: unknown) => `with one as (select 1) insert into itsm_concerts ${values(tour, 'second')}`,
  }),
}

describe('found rows', () => {
  /** Names of the concerts at each look, in the order of the looks. */
  let seen: string[][] = []
  let between: () => unknown = () => null
  const names = (rows: readonly Row[]) => rows.map(({ name }) => String(name))
  const looks = rule('looks', () => ({
    async fill({ before, findBy, next }) {
      if (before && before['name'] !== next['name']) seen.push(names(await findBy('concert', 'tour', before['id'])))
    },
    async written({ before, db, findBy, next, save }) {
      if (!before || before['name'] === next['name']) return
      const concerts = await findBy('concert', 'tour', next['id'])
      seen.push(names(concerts))
      const form = String(next['name'])
      const text = RAW[form]?.(next['id'], concerts[0]?.['id'])
      if (text) await db.raw(text)
      if (form === 'save') await save('concert', null, { name: 'second', tour_id: next['id'] })
      await between()
      seen.push(names(await findBy('concert', 'tour', next['id'])))
    },
  }))
  /** Looks at the concerts of a tour that its own save does not lock. */
  const peeks = rule('peeks', () => ({
    async fill({ findBy, next }) {
      if (next['name'] === null) return
      const ofOther = async () => names(await findBy('concert', 'tour', Number(next['name'])))
      seen.push(await ofOther())
      await between()
      seen.push(await ofOther())
    },
  }))
  const closing = follow('names', {
    of: { concerts: { type: 'concert', by: 'tour' } },
    decide({ concerts }) {
      seen.push(names(concerts as readonly Row[]))
      return {}
    },
  })
  const house = withHouse({
    records: tours,
    migrations: [createTours],
    extend: [
      { extends: 'tour', rules: [looks()], settle: [closing] },
      { extends: 'artist', rules: [peeks()] },
    ],
  })
  const tourWith = async (...concerts: readonly string[]) => {
    const tour = await house.add('tour', { name: 'Summer' })
    for (const name of concerts) await house.add('concert', { name, tour_id: tour })
    seen = []
    return tour
  }
  const rename = async (tour: number, name: string) =>
    void (await house.operations.save(await house.system(), 'tour', tour, { name }))
  afterEach(() => {
    between = () => null
  })

  it('are read once for all rules and settlings of a save', async () => {
    const tour = await tourWith('first')
    const statements: string[] = []
    watchStatements(house.storage.knex).hear((sql) => void (/from\W+itsm_concerts\W/i.test(sql) && statements.push(sql)))
    await rename(tour, 'Winter')
    expect(seen.length).to.be.greaterThan(3)
    expect(new Set(seen.map(String))).to.deep.equal(new Set(['first']))
    expect(statements).to.have.length(1)
  })

  for (const form of Object.keys({ ...RAW, save: null })) {
    it(`are read again after what a rule writes: ${form}`, async () => {
      const tour = await tourWith('first')
      await rename(tour, form)
      const [before, written, after, settled] = [seen[0], seen[1], seen.at(-2), seen.at(-1)]
      const expected = form === 'delete' ? [] : form === 'update' ? ['second'] : ['first', 'second']
      expect([before, written]).to.deep.equal([['first'], ['first']])
      expect([after, settled]).to.deep.equal([expected, expected])
    })
  }

  it('are read again where another transaction may change them: the owner is not locked', async function () {
    // It has one connection.
    if (testStore() === 'embedded') this.skip()
    const tour = await tourWith('first')
    between = () => house.add('concert', { name: 'second', tour_id: tour })
    await house.add('artist', { name: String(tour) })
    expect([seen[0], seen.at(-1)]).to.deep.equal([['first'], ['first', 'second']])
  })

  it('are few, of few owners, and forgotten with a savepoint', () => {
    const { access, catalog, queries, scope, storage } = house
    const unit = unitOf({ catalog, decisions: access.decisions, queries, scope, storage }, {})
    const where = (tour: number) => ({ path: ['tour'], op: 'in', values: [tour] }) as const
    const row = Object.freeze({ id: 1, tour_id: 1 })
    unit.keepFound('concert', where(1), [row])
    expect(unit.found('concert', where(1))).to.equal(undefined)
    for (let id = 1; id <= 30; id += 1) unit.remember('tour', { id })
    const undo = unit.savepoint()
    for (let id = 1; id <= 30; id += 1) unit.keepFound('concert', where(id), [row])
    expect(unit.found('concert', where(1))).to.deep.equal([row])
    expect(unit.found('concert', { all: [where(1)] })).to.deep.equal([row])
    expect(unit.found('concert', { any: [where(1)] })).to.equal(undefined)
    expect(unit.found('concert', where(30))).to.equal(undefined)
    undo()
    expect(unit.found('concert', where(1))).to.equal(undefined)
    unit.remember('tour', { id: 1 })
    unit.keepFound(
      'concert',
      where(1),
      Array.from({ length: 101 }, () => row),
    )
    expect(unit.found('concert', where(1))).to.equal(undefined)
  })
})
