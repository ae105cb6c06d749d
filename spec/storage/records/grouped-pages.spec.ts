import { expect } from 'chai'
import type { RecordType } from '../../../plugin/schema/catalog.js'
import type { Row } from '../../../plugin/schema/language/define-rule.js'
import { createGroupedPages, groupingOf } from '../../../plugin/storage/records/grouped-pages.js'
import { parametrize } from '../../../plugin/storage/records/parametrize.js'
import { createQueries } from '../../../plugin/storage/records/query.js'
import { createTexts } from '../../../plugin/storage/records/statement-texts.js'
import { withHouse } from '../../support/house.js'

/** Of the account of the caller. */
const REQUESTS = 300

describe('the order of lists', () => {
  const house = withHouse({
    // Hides some project categories, so that their titles must not show in the order of projects.
    scope: ({ type }, decide) => (type === 'project_category' ? { allOf: [decide(), { id: [1, 2, 3] }] } : decide()),
  })
  let titles: ReadonlyMap<string, ReadonlyMap<number, unknown>>
  let caller = 0

  before(async () => {
    const { storage, add, addPerson } = house
    caller = await addPerson('Quinn', ['auditor'])
    const random = randomNumbers(7)
    const fill = (table: string, rows: readonly object[]) => storage.knex.batchInsert(storage.table(table), [...rows], 50)
    const named = (account_id: string, names: readonly (string | null)[], from: number) =>
      names.map((name, index) => ({ id: from + index, account_id, name, disabled: index % 3 === 0 }))
    await fill('teams', [
      ...named('acme', ['beta', 'Alpha', 'delta', 'x'], 1),
      ...named('globex', ['alpha', 'DELTA', 'gamma'], 5),
    ])
    const people = ['Zoe', 'zoe', 'ann', 'Ann', null, 'bob', 'ZOE', 'carl']
    await fill('people', [
      ...named('acme', people, 101).map((row) => ({ ...row, primary_email: `p${row.id}@acme.example` })),
      ...named('globex', people, 201).map((row) => ({ ...row, primary_email: `p${row.id}@globex.example` })),
    ])
    await add('project_category', { reference: 'low', name: 'Low' })
    for (const name of ['High', 'Middle', 'Above', 'below'])
      await add('project_category', { reference: name.toLowerCase(), name })
    const one = (values: readonly unknown[]) => values[random(values.length)]
    const requests = Array.from({ length: REQUESTS + 40 }, (_, index) => ({
      id: index + 1,
      account_id: index < REQUESTS ? 'acme' : 'globex',
      subject: `Request ${index}`,
      // Two of the teams do not exist.
      team_id: one([null, 1, 1, 1, 2, 3, 5, 6, 7, 9998, 9999]),
      member_id: one([null, null, 101, 102, 103, 104, 105, 106, 107, 108, 201, 203, 205]),
      category: one(['incident', 'rfc', 'other', 'other', 'removed']),
      impact: one([null, 'low', 'medium', 'top']),
      status: one([null, 'gone', 'lost', 'completed', 'completed', 'assigned']),
    }))
    await fill(
      'requests',
      requests.toSorted(() => random(3) - 1),
    )
    const projects = Array.from({ length: 60 }, (_, index) => ({
      id: index + 1,
      account_id: 'acme',
      subject: `Project ${index}`,
      category_id: one([null, 1, 2, 3, 4, 5]),
      status: 'completed',
    }))
    await fill('projects', projects)
    titles = new Map([
      ['team', await titlesIn('teams', 'name')],
      ['member', await titlesIn('people', 'name')],
      ['category', await titlesIn('project_categories', 'reference')],
    ])
  })

  const titlesIn = async (table: string, title: string) =>
    new Map((await house.table(table)).map((row) => [Number(row['id']), row[title]]))

  /** The ids of all pages, one after the other. */
  const listed = async (type: string, sort: string, perPage: number) => {
    const call = await house.by(caller)
    const ids: number[] = []
    for (let page = 1; ; page++) {
      const parameters = [
        ['sort', sort],
        ['per_page', String(perPage)],
        ['page', String(page)],
      ] as const
      const found = await house.operations.list(call, type, { parameters })
      ids.push(...found.items.map((item) => Number(item['id'])))
      if (page >= found.totalPages) return ids
    }
  }

  /** The same by a plain sort of all rows. */
  const expected = async (type: RecordType, sort: string, byId = false) => {
    const rows = (await house.table(type.table)).filter((row) => row['account_id'] === 'acme')
    const keys = sort.split(',').map((key) => ({ name: key.replace('-', ''), sign: key.startsWith('-') ? -1 : 1 }))
    if (!keys.some(({ name }) => name === 'id')) keys.push({ name: 'id', sign: keys.at(-1)?.sign ?? 1 })
    const placesOf = (row: Row, name: string): readonly unknown[] => {
      const field = type.fields.get(name)
      const value = row[field?.column ?? 'id']
      if (field?.kind === 'enum') return [field.values?.includes(String(value)) ? field.values.indexOf(String(value)) : null]
      if (field?.kind !== 'ref') return [value]
      const title = titles.get(name)?.get(Number(value)) ?? null
      return byId ? [value] : [title === null ? null : String(title).toLowerCase(), value]
    }
    const compare = (one: Row, other: Row): number => {
      for (const { name, sign } of keys) {
        const others = placesOf(other, name)
        for (const [index, place] of placesOf(one, name).entries()) {
          const result = order(place, others[index])
          if (result !== 0) return result * sign
        }
      }
      return 0
    }
    return (rows as readonly Row[]).toSorted(compare).map((row) => Number(row['id']))
  }

  for (const field of ['team', 'member', 'service_instance', 'category', 'impact', 'status', 'subject', 'sourceID']) {
    for (const sort of [field, `-${field}`, `${field},-id`, `-${field},id`, `updated_at,-${field}`]) {
      it(`by ${sort} is that of all records, cut into pages`, async () => {
        const wanted = await expected(house.catalog.type('request'), sort)
        expect(wanted.length).to.equal(REQUESTS)
        for (const perPage of [7, 100])
          expect(await listed('request', sort, perPage), `${perPage} a page`).to.deep.equal(wanted)
      })
    }
  }

  it('by references to records that the caller may not see is that of their ids', async () => {
    for (const sort of ['category', '-category'])
      expect(await listed('project', sort, 7)).to.deep.equal(await expected(house.catalog.type('project'), sort, true))
  })

  it('does not depend on an index', async function () {
    const { knex, dialect, table } = house.storage
    if (dialect !== 'mysql') return this.skip()
    const name = `${table('requests')}_account_id_team_id_index`
    await knex.schema.alterTable(table('requests'), (builder) => void builder.dropIndex([], name))
    try {
      const queries = createQueries(house.storage, house.catalog)
      const type = house.catalog.type('request')
      const where = { path: ['account'], op: 'in', values: ['acme'] } as const
      const selection = { type, where, sort: [{ field: 'team', descending: false }], limit: 50, offset: 10 }
      const ids = (await queries.cells({}, selection, [['id']])).map(([id]) => Number(id))
      expect(ids).to.deep.equal((await expected(type, 'team')).slice(10, 60))
    } finally {
      await knex.schema.alterTable(table('requests'), (builder) => void builder.index(['account_id', 'team_id'], name))
    }
  })

  describe('in groups', () => {
    const ACCOUNT = { path: ['account'], op: 'in', values: ['acme'] } as const
    const by = (field: string, more: readonly string[] = []) => {
      const sort = [field, ...more].map((name) => ({ field: name, descending: false }))
      return groupingOf(house.catalog, house.catalog.type('request'), ACCOUNT, sort)
    }

    /** Reads a page in groups, with other work after the groups have been listed. */
    const page = async (
      field: string,
      limit: number,
      offset: number,
      { meanwhile = async () => {}, ...more }: { meanwhile?: () => Promise<unknown>; mostEntries?: number } = {},
    ) => {
      const { storage, catalog, queries } = house
      const grouping = by(field)
      if (!grouping) throw new Error(`no groups by ${field}`)
      const read = createGroupedPages({ storage, catalog, textOf: createTexts(10) }, more.mostEntries)
      let statements = 0
      const rows = await read(
        async ({ sql, bindings }) => {
          const found = await queries.run({}, sql, bindings)
          statements += 1
          if (sql.includes(more.mostEntries === 0 ? 'COUNT(*)' : 'GROUP BY')) await meanwhile()
          return found
        },
        {
          ...{ type: catalog.type('request'), where: parametrize(ACCOUNT), grouping, limit, offset, hint: '', form: '' },
          write: (found) => found,
        },
      )
      return rows && { statements, ids: rows.map(([id]) => Number(id)) }
    }

    it('is for one reference or enumeration, perhaps with the id, of all records of an account', () => {
      expect(by('team')?.index).to.deep.equal(['account_id', 'team_id'])
      expect(by('status', ['id'])?.index).to.deep.equal(['account_id', 'status'])
      for (const grouping of [by('subject'), by('team', ['status']), by('team', ['id', 'status']), by('id')])
        expect(grouping).to.equal(null)
      const type = house.catalog.type('request')
      const sort = [{ field: 'team', descending: false }]
      const open = { all: [ACCOUNT, { path: ['status'], op: 'in', values: ['assigned'] }] } as const
      expect(groupingOf(house.catalog, type, open, sort)).to.equal(null)
      expect(groupingOf(house.catalog, type, ACCOUNT, [{ field: 'team', descending: false, byId: true }])).to.equal(null)
    })

    for (const mostEntries of [undefined, 0]) {
      it(`gives the records of each page${mostEntries === 0 ? ', also if they are counted first' : ''}`, async function () {
        if (house.storage.dialect !== 'mysql') return this.skip()
        for (const field of ['team', 'member', 'category']) {
          const wanted = await expected(house.catalog.type('request'), field)
          for (const limit of [1, 26, 101]) {
            for (let offset = 0; offset <= REQUESTS + limit; offset += limit * 3) {
              const found = await page(field, limit, offset, { ...(mostEntries === 0 ? { mostEntries } : {}) })
              const ids = wanted.slice(offset, offset + limit)
              // A page that is not full is read as before, unless its records were counted.
              if (found === null) expect(ids.length).to.be.lessThan(mostEntries === 0 ? 0 : limit)
              else expect(found.ids, `${field}, ${limit} from ${offset}`).to.deep.equal(ids)
              expect(found?.statements ?? 0).to.be.at.most(mostEntries === 0 ? 4 : 3)
            }
          }
        }
      })
    }

    it('takes two statements for most pages', async function () {
      if (house.storage.dialect !== 'mysql') return this.skip()
      for (const offset of [0, 20, 120, 225]) expect((await page('team', 25, offset))?.statements).to.equal(2)
      expect((await page('team', 25, 120, { mostEntries: 0 }))?.statements).to.equal(3)
    })

    it('takes three if the first values have too few records', async function () {
      if (house.storage.dialect !== 'mysql') return this.skip()
      const { knex, table } = house.storage
      const people = Array.from({ length: 30 }, (_, index) => 300 + index)
      const named = people.map((id) => ({
        id,
        account_id: 'acme',
        name: 'aaa',
        primary_email: `p${id}@acme.example`,
        disabled: false,
      }))
      const requests = people.map((id) => ({ id: 1000 + id, account_id: 'acme', subject: 'Alone', member_id: id }))
      await knex(table('people')).insert(named)
      await knex(table('requests')).insert(requests)
      try {
        const empty = await knex(table('requests')).where({ account_id: 'acme', member_id: null }).pluck('id')
        const unnamed = await knex(table('requests')).where({ account_id: 'acme' }).whereIn('member_id', [105, 205]).pluck('id')
        const found = await page('member', 25, empty.length + unnamed.length)
        expect(found).to.deep.equal({ statements: 3, ids: people.slice(0, 25).map((id) => 1000 + id) })
      } finally {
        await knex(table('requests')).where('id', '>=', 1300).delete()
        await knex(table('people')).whereIn('id', people).delete()
      }
    })

    it('is not for values that have one place in the order', async function () {
      if (house.storage.dialect !== 'mysql') return this.skip()
      expect(await page('status', 25, 0)).to.equal(null)
      expect((await page('category', 25, 0))?.ids).to.deep.equal(
        (await expected(house.catalog.type('request'), 'category')).slice(0, 25),
      )
    })

    it('is given up if records have gone in between, so that no page ends early', async function () {
      if (house.storage.dialect !== 'mysql') return this.skip()
      const { knex, table } = house.storage
      const rows = await knex(table('requests')).where({ account_id: 'acme' })
      const remove = () => knex(table('requests')).where({ account_id: 'acme' }).delete()
      try {
        expect(await page('member', 1, 0, { meanwhile: remove })).to.equal(null)
        await knex.batchInsert(table('requests'), rows, 50)
        expect(await page('member', 25, 150, { meanwhile: remove, mostEntries: 0 })).to.equal(null)
      } finally {
        await remove()
        await knex.batchInsert(table('requests'), rows, 50)
      }
    })

    it('is given up if a record has got a value that none had, so that it is not missing', async function () {
      if (house.storage.dialect !== 'mysql') return this.skip()
      const { knex, table } = house.storage
      const [{ id, team_id }] = await knex(table('requests')).where({ account_id: 'acme' }).orderBy('id').limit(1)
      const count = (await knex(table('requests')).where({ account_id: 'acme' })).length
      const [added = 0] = await knex(table('teams')).insert({ account_id: 'acme', name: 'zzz', disabled: false })
      const move = () => knex(table('requests')).where({ id }).update({ team_id: added })
      try {
        expect(await page('team', count, 0, { meanwhile: move, mostEntries: 1e9 })).to.equal(null)
        expect((await page('team', count, 0, { mostEntries: 1e9 }))?.ids).to.have.length(count)
      } finally {
        await knex(table('requests')).where({ id }).update({ team_id })
        await knex(table('teams')).where({ id: added }).delete()
      }
    })
  })
})

/** Empty values come first. */
function order(one: unknown, other: unknown): number {
  if (one === other) return 0
  if (one === null || one === undefined) return -1
  if (other === null || other === undefined) return 1
  return one < other ? -1 : 1
}

/** The same numbers in each run. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}
