import { expect } from 'chai'
import { chunksOf } from '../../../plugin/core/chunks.js'
import type { Picked } from '../../../plugin/storage/records/picked-rows.js'
import { createQueries, type Queries } from '../../../plugin/storage/records/query.js'
import { countStatements } from '../../support/count-statements.js'
import { withMounted } from '../../support/mounted.js'

describe('rows of several types', () => {
  const mounted = withMounted()
  let queries: Queries
  before(() => {
    queries = createQueries(mounted.database.storage, mounted.itsm.catalog)
  })
  const rowOf = async ({ id, type }: Picked) =>
    (await queries.rows({}, { type, where: { path: ['id'], op: 'in', values: [id] } }))[0] ?? null
  const firstOf = async (name: string): Promise<readonly Picked[]> => {
    const type = mounted.itsm.catalog.type(name)
    const [row] = await queries.rows({}, { type, where: { all: [] }, limit: 1 })
    return row ? [{ type, id: Number(row['id']) }] : []
  }

  it('are the same as when each is read alone', async () => {
    const all: Picked[] = []
    for (const name of mounted.itsm.catalog.types.keys()) all.push(...(await firstOf(name)))
    expect(all.length).to.be.greaterThan(40)
    for (const some of chunksOf(all, 8)) {
      const expected = await Promise.all(some.map(rowOf))
      // As text, and once the server has prepared them.
      for (const _ of [1, 2, 3]) expect(await queries.pick({}, some)).to.deep.equal(expected)
    }
  })

  it('are in the order in which they are asked for, and null if there are none', async () => {
    const [request] = await firstOf('request')
    const [team] = await firstOf('team')
    if (!request || !team) throw new Error('The world has no request or no team')
    const none = { type: team.type, id: 987_654 }
    const picked = await queries.pick({}, [none, request, team, { ...request, id: 0 }, request])
    expect(picked.map((row) => row?.['id'] ?? null)).to.deep.equal([null, request.id, team.id, null, request.id])
    expect(picked[1]).to.deep.equal(await rowOf(request))
    expect(await queries.pick({}, [none])).to.deep.equal([null])
  })

  it('take one statement', async () => {
    const some = [...(await firstOf('person')), ...(await firstOf('site')), ...(await firstOf('calendar'))]
    expect(await countStatements(mounted.database.knex).during(() => queries.pick({}, some))).to.equal(1)
  })
})
