import { expect } from 'chai'
import { follow, rule } from '../../../plugin/index.js'
import { errorOf, refusalOf, withHouse } from '../../support/house.js'
import { createTours, tours } from '../../support/tour.js'

/** Deadlocks of writers of children of one owner, with a settling that changes siblings. */
describe('probe siblings', function () {
  this.timeout(400_000)
  const siblings = follow('siblings', {
    of: { concerts: { type: 'concert', by: 'tour' } },
    decide: ({ owner, concerts }) => {
      if (owner['name'] !== 'Siblings') return null
      const done = concerts.filter((c) => String(c['name']).startsWith('x')).length
      return { concerts: new Map(concerts.map((c) => [Number(c['id']), { source: `s${done}` }] as const)) }
    },
  })
  const house = withHouse({
    records: tours,
    migrations: [createTours],
    file: true,
    extend: [{ extends: 'tour', settle: [siblings] }],
  })
  for (const many of [2, 20, 40]) {
    it(`PATCH ${many}`, async () => {
      const call = await house.system()
      const tour = Number((await house.operations.save(call, 'tour', null, { name: 'Siblings' }))['id'])
      const out = await house.operations.saveAll(
        call,
        'concert',
        Array.from({ length: 200 }, (_, n) => ({ id: null, body: { name: `${n}`, tour_id: tour } })),
      )
      const ids = out.map((o) => ('row' in o ? Number(o.row['id']) : 0))
      let tries = 0
      const count = (sql: any) => {
        if (/^(BEGIN|START)/i.test(sql.sql)) tries += 1
      }
      house.storage.knex.on('query', count)
      const started = Date.now()
      const results = await Promise.allSettled(
        ids.slice(0, many).map(async (id) => house.operations.save(await house.system(), 'concert', id, { name: `x${id}` })),
      )
      house.storage.knex.removeListener('query', count)
      const failed = results.filter((r) => r.status === 'rejected').map((r: any) => String(r.reason.message).slice(0, 120))
      const rows = (await house.table('concerts')).filter((r) => Number(r['tour_id']) === tour)
      const [{ n } = { n: '?' }] = house.storage.dialect === 'mysql' ? [{ n: '' }] : []
      console.log({
        many,
        ms: Date.now() - started,
        begins: tries,
        failed,
        sources: [...new Set(rows.map((r) => r['source']))],
      })
    })
  }
})
