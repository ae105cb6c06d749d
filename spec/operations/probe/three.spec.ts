import { withHouse } from '../../support/house.js'
import { createTours, tours } from '../../support/tour.js'

describe('probe three', function () {
  this.timeout(400_000)
  const house = withHouse({ records: tours, migrations: [createTours], file: true })
  const save = async (type: string, id: number | null, body: object) =>
    house.operations.save(await house.system(), type, id, body)
  for (const n of [3, 7, 40, 80])
    it(`many children ${n}000`, async () => {
      const tour = Number((await save('tour', null, { name: 'Big' }))['id'])
      const k = house.storage.knex
      const digit =
        '(select 0 d union select 1 union select 2 union select 3 union select 4 union select 5 union select 6 union select 7 union select 8 union select 9)'
      for (let i = 0; i < n; i++)
        await k.raw(
          `insert into ${house.storage.table('concerts')} (account_id, name, tour_id, status) select 'acme', 'x', ${tour}, 'ready' from ${digit} a, ${digit} b, ${digit} c`,
        )
      const t = Date.now()
      const c = await save('concert', null, { name: 'x', tour_id: tour }).catch((e) => String(e).slice(-300))
      console.log(
        n,
        Date.now() - t,
        'ms',
        typeof c === 'string' ? c : c['status'],
        (await house.row('tour', tour))?.['open_count'],
      )
    })
})
