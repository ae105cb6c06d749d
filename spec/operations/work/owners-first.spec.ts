import { expect } from 'chai'
import { follow } from '../../../plugin/index.js'
import { countStatements } from '../../support/count-statements.js'
import { withHouse } from '../../support/house.js'
import { createTours, tours } from '../../support/tour.js'

/** How many concerts of a tour are done shows in each of them; how many of a season are done, in the season. */
const siblings = follow('siblings', {
  of: { concerts: { type: 'concert', by: 'tour' } },
  decide({ concerts }) {
    const source = `${concerts.filter(({ status }) => status === 'done').length} done`
    return { concerts: new Map(concerts.map(({ id }) => [Number(id), { source }] as const)) }
  },
})
const below = follow('below', {
  of: { tours: { type: 'tour', by: 'season' }, concerts: { type: 'concert', by: 'tour', of: 'tours' } },
  decide: ({ concerts }) => ({ owner: { source: `${concerts.filter(({ status }) => status === 'done').length} done` } }),
})

describe('owners are locked before what is saved', function () {
  this.timeout(60_000)
  const house = withHouse({
    records: tours,
    migrations: [createTours],
    file: true,
    extend: [
      { extends: 'tour', settle: [siblings] },
      { extends: 'season', settle: [below] },
    ],
  })
  const add = (type: string, body: object = {}) => house.add(type, { name: 'One', ...body })
  const save = async (type: string, id: number, body: object) => house.operations.save(await house.system(), type, id, body)
  const concerts = async (tour: number, count: number) => {
    const items = Array.from({ length: count }, (_, n) => ({ id: null, body: { name: `${n}`, tour_id: tour } }))
    const outcomes = await house.operations.saveAll(await house.system(), 'concert', items)
    return outcomes.map((saved) => ('row' in saved ? Number(saved.row['id']) : 0))
  }
  const sourcesOf = async (tour: number) =>
    (await house.table('concerts')).filter((row) => Number(row['tour_id']) === tour).map((row) => row['source'])

  for (const many of [2, 20]) {
    it(`so ${many} children finish at once although each changes all others`, async () => {
      const tour = await add('tour')
      const ids = await concerts(tour, many * 2)
      await Promise.all(ids.slice(0, many).map((id) => save('concert', id, { status: 'done' })))
      expect(new Set(await sourcesOf(tour))).to.deep.equal(new Set([`${many} done`]))
    })
  }

  it('so children are made, linked, moved and removed while others finish', async () => {
    const [tour, other] = [await add('tour'), await add('tour')]
    const ids = await concerts(tour, 20)
    const call = await house.system()
    await Promise.all(
      ids.map((id, index) => {
        if (index % 5 === 0) return save('concert', id, { tour_id: other })
        if (index % 5 === 1) return house.operations.remove(call, 'concert', id)
        if (index % 5 === 2) return add('concert', { tour_id: tour })
        if (index % 5 === 3) return house.operations.link(call, { type: 'concert', id }, 'successors', ids[2] ?? 0)
        return save('concert', id, { status: 'done' })
      }),
    )
    expect(await sourcesOf(tour)).to.deep.equal(Array(16).fill('4 done'))
    expect(await sourcesOf(other)).to.deep.equal(Array(4).fill('0 done'))
  })

  it('and what lies between, so that it is not moved meanwhile', async () => {
    const seasons = [await add('season'), await add('season')]
    for (let round = 0; round < 8; round += 1) {
      const tour = await add('tour', { season_id: seasons[0] })
      const [one = 0, two = 0] = await concerts(tour, 2)
      await Promise.all([
        save('concert', one, { status: 'done' }),
        save('tour', tour, { season_id: seasons[1] }),
        save('concert', two, { status: 'done' }),
      ])
    }
    const found = await Promise.all(seasons.map(async (id) => (await house.row('season', id))?.['source']))
    expect(found).to.deep.equal(['0 done', '16 done'])
  })

  it('with the same number of statements, however many children change', async () => {
    const counter = countStatements(house.storage.knex)
    const call = await house.system()
    const costs: number[] = []
    for (const count of [2, 10, 90]) {
      const [one = 0] = await concerts(await add('tour'), count)
      costs.push(await counter.during(() => house.operations.save(call, 'concert', one, { status: 'done' })))
    }
    expect(new Set(costs)).to.have.property('size', 1)
  })
})
