import { expect } from 'chai'
import { chunksOf } from '../../../plugin/core/chunks.js'
import type { PickedById } from '../../../plugin/storage/records/picked-rows.js'
import { createQueries, type Queries } from '../../../plugin/storage/records/query.js'
import { countStatements } from '../../support/count-statements.js'
import { withMounted } from '../../support/mounted.js'

describe('rows of several types', () => {
  const mounted = withMounted()
  let queries: Queries
  before(() => {
    queries = createQueries(mounted.database.storage, mounted.itsm.catalog)
  })
  const rowOf = async ({ id, type }: PickedById) =>
    (await queries.rows({}, { type, where: { path: ['id'], op: 'in', values: [id] } }))[0] ?? null
  const firstOf = async (name: string): Promise<readonly PickedById[]> => {
    const type = mounted.itsm.catalog.type(name)
    const [row] = await queries.rows({}, { type, where: { all: [] }, limit: 1 })
    return row ? [{ type, id: Number(row['id']) }] : []
  }

  it('are the same as when each is read alone', async () => {
    const all: PickedById[] = []
    for (const name of mounted.itsm.catalog.types.keys()) all.push(...(await firstOf(name)))
    expect(all.length).to.be.greaterThan(40)
    for (const some of chunksOf(all, 8)) {
      const expected = await Promise.all(some.map(rowOf))
      // As text, and once the server has prepared them.
      for (const _ of [1, 2, 3]) expect((await queries.pick({}, some)).rows).to.deep.equal(expected)
    }
  })

  it('are in the order in which they are asked for, and null if there are none', async () => {
    const [request] = await firstOf('request')
    const [team] = await firstOf('team')
    if (!request || !team) throw new Error('The world has no request or no team')
    const none = { type: team.type, id: 987_654 }
    const { rows: picked } = await queries.pick({}, [none, request, team, { ...request, id: 0 }, request])
    expect(picked.map((row) => row?.['id'] ?? null)).to.deep.equal([null, request.id, team.id, null, request.id])
    expect(picked[1]).to.deep.equal(await rowOf(request))
    expect((await queries.pick({}, [none])).rows).to.deep.equal([null])
  })

  it('take one statement', async () => {
    const some = [...(await firstOf('person')), ...(await firstOf('site')), ...(await firstOf('calendar'))]
    expect(await countStatements(mounted.database.knex).during(() => queries.pick({}, some))).to.equal(1)
  })

  it('have the records behind them, and say which of them are linked', async () => {
    const { world } = mounted
    const { catalog } = mounted.itsm
    const [person, team, organization] = ['person', 'team', 'organization'].map((name) => catalog.type(name))
    const link = team?.links.get('members')
    if (!person || !team || !organization || !link) throw new Error('Types are missing')
    const [sam, desk, owen] = ['@sam', '@service-desk', '@owen'].map((name) => world.id(name))
    const behind = (at: number) => ({ type: organization, behind: at, column: 'organization_id' })
    const picked = [{ type: person, id: 987_654 }, { type: person, id: Number(sam) }, behind(1), behind(0)]
    const pairs = [sam, owen, 987_654].map((to) => ({ link, from: Number(desk), to: Number(to) }))
    for (const _ of [1, 2, 3]) {
      const { linked, rows } = await queries.pick({}, picked, pairs)
      expect(rows.map((row) => row?.['name'] ?? null)).to.deep.equal([null, 'Sam Peters', 'Widget IT', null])
      expect(linked).to.deep.equal([true, false, false])
    }
    expect(await countStatements(mounted.database.knex).during(() => queries.pick({}, picked, pairs))).to.equal(1)
  })

  it('tell a link from the one of the other side, which has the same table', async () => {
    const { world } = mounted
    const { catalog } = mounted.itsm
    const [team, person] = [catalog.type('team'), catalog.type('person')]
    const [sam, desk] = [world.id('@sam'), world.id('@service-desk')]
    const picked = [{ type: person, id: sam }]
    const sides = [
      { link: team.links.get('members'), from: desk, to: sam },
      { link: person.links.get('teams'), from: sam, to: desk },
    ]
    for (const { from, link, to } of [...sides, ...sides]) {
      if (!link) throw new Error('There is no such link')
      expect((await queries.pick({}, picked, [{ link, from, to }])).linked, `${link.from} ${link.to}`).to.deep.equal([true])
    }
  })
})
