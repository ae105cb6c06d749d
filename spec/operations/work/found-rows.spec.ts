/** Records of an owner that rules and settlings of one save ask for: read once, and again after whatever may have changed them. */
import { expect } from 'chai'
import { follow, rule } from '../../../plugin/index.js'
import { readSources } from '../../../plugin/operations/work/facts.js'
import { unitOf } from '../../../plugin/operations/work/unit.js'
import type { Criterion, Scalar } from '../../../plugin/schema/language/conditions.js'
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

  describe('in the unit', () => {
    const where = (tour: number) => ({ path: ['tour'], op: 'in', values: [tour] }) as const
    const row = Object.freeze({ id: 1, tour_id: 1 })
    const unitWith = (...ours: readonly number[]) => {
      const { access, catalog, queries, scope, storage } = house
      const unit = unitOf({ catalog, decisions: access.decisions, queries, scope, storage }, {})
      for (const id of ours) unit.remember('tour', { id })
      return unit
    }
    /** Numbers of reads of several questions in a row. */
    const reads = async (unit: ReturnType<typeof unitWith>, ...asked: readonly Criterion[]) => {
      let count = 0
      for (const one of asked) {
        await unit.found('concert', one, async () => {
          count += 1
          return [row]
        })
      }
      return count
    }
    const another = (path: string, values: readonly Scalar[] = [1]): Criterion => ({ path: [path], op: 'in', values })

    it('are kept for an owner that is locked, in whatever order it is asked for', async () => {
      expect(await reads(unitWith(), where(1), where(1))).to.equal(2)
      expect(await reads(unitWith(1), where(1), { all: [where(1)] }, where(1))).to.equal(1)
      const account = another('account', ['acme'])
      expect(await reads(unitWith(1), { all: [where(1), account] }, { all: [account, { all: [where(1)] }] })).to.equal(1)
      expect(await reads(unitWith(1), { all: [where(1), account] }, where(1))).to.equal(2)
    })

    it('are not kept for links, fields of other records, texts, several values and alternatives', async () => {
      const others: readonly Criterion[] = [
        ...[another('predecessors'), another('name', ['one']), another('tour', [1, 2])],
        { any: [where(1)] },
        { path: ['tour', 'season'], op: 'in', values: [1] },
        { path: ['tour'], op: 'not in', values: [2] },
      ]
      for (const one of others) {
        const both = { all: [where(1), one] }
        expect(await reads(unitWith(1), both, both), JSON.stringify(one)).to.equal(2)
      }
    })

    it('are few, of few owners, and forgotten with a savepoint', async () => {
      const all = Array.from({ length: 30 }, (_, index) => index + 1)
      const unit = unitWith(...all)
      expect(await reads(unit, ...all.map(where))).to.equal(30)
      expect(await reads(unit, ...all.map(where))).to.equal(10)
      const undo = unit.savepoint()
      undo()
      unit.remember('tour', { id: 1 })
      expect(await reads(unit, where(1), where(1))).to.equal(1)
      const many = async () => Array.from({ length: 101 }, () => row)
      unit.forgetFound()
      expect(await unit.found('concert', where(1), many)).to.have.length(101)
      expect(await reads(unit, where(1))).to.equal(1)
    })

    it('are not kept if something is written while they are read', async () => {
      for (const type of ['concert', undefined]) {
        const unit = unitWith(1)
        const early = unit.found('concert', where(1), async () => {
          await new Promise(setImmediate)
          return []
        })
        unit.forgetFound(type)
        expect(await early).to.deep.equal([])
        expect(await unit.found('concert', where(1), async () => [row])).to.deep.equal([row])
      }
    })

    it('may be more than a function has arguments', async () => {
      const { access, catalog, queries, scope, storage } = house
      const many = Array.from({ length: 300_000 }, (_, index) => ({ id: index + 1, tour_id: 1 }))
      const deps = {
        catalog,
        decisions: access.decisions,
        queries: { ...queries, rows: async () => many },
        scope,
        storage,
      }
      const call = { ...(await house.system()), transaction: undefined }
      const sources = await readSources(deps as never, call as never, catalog.type('tour'), closing as never, [{ id: 1 }])
      expect(sources.get('concerts')?.of.get(1)).to.have.length(300_000)
    })

    it('are lists of their own', async () => {
      const unit = unitWith(1)
      const look = () => unit.found('concert', where(1), async () => [row]) as Promise<Row[]>
      for (const _ of [1, 2, 3]) expect((await look()).splice(0, 1)).to.deep.equal([row])
    })
  })
})
