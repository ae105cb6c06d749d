import { expect } from 'chai'
import { follow, rule } from '../../../plugin/index.js'
import { EndlessWork } from '../../../plugin/operations/work/unit.js'
import { inTransaction } from '../../../plugin/storage/database/transaction.js'
import { countStatements } from '../../support/count-statements.js'
import { errorOf, refusalOf, withHouse } from '../../support/house.js'
import { createTours, tours } from '../../support/tour.js'

describe('settling', function () {
  this.timeout(60_000)
  const house = withHouse({
    records: tours,
    migrations: [createTours],
    file: true,
    before: {
      'tour.save': [
        ({ fail, next }) => {
          if (next['name'] === 'Locked' && next['status'] === 'closed') fail('status', 'locked')
        },
      ],
    },
  })
  let admin = 0
  before(async () => {
    admin = await house.addPerson('Ada Admin', ['account_administrator'])
  })
  const save = async (type: string, id: number | null, body: object) =>
    house.operations.save(await house.by(admin), type, id, body)
  const add = async (type: string, body: object) => Number((await save(type, null, body))['id'])
  const tourOf = async (id: number) => (await house.row('tour', id)) ?? {}
  const concerts = async (tour: number, count: number, more: object = {}) => {
    const items = Array.from({ length: count }, (_, n) => ({ id: null, body: { name: `${n}`, tour_id: tour, ...more } }))
    const outcomes = await house.operations.saveAll(await house.by(admin), 'concert', items)
    return outcomes.map((saved) => ('row' in saved ? Number(saved.row['id']) : 0))
  }

  it('fills what a new record needs, and returns records as they are when all is settled', async () => {
    const created = await save('tour', null, { name: 'New' })
    expect(created).to.include({ status: 'open', open_count: 0, artist_count: 0, income: 0 })
    const [one = 0] = await concerts(Number(created['id']), 1)
    expect(await house.row('concert', one)).to.include({ status: 'ready' })
    expect(await save('concert', one, { status: 'waiting' })).to.include({ status: 'ready' })
  })

  it('follows creations, changes, moves and removals', async () => {
    const [from, to] = [await add('tour', { name: 'From' }), await add('tour', { name: 'To' })]
    const [one = 0, two = 0] = await concerts(from, 2)
    expect(await tourOf(from)).to.include({ status: 'open', open_count: 2 })
    await save('concert', one, { status: 'done' })
    expect(await tourOf(from)).to.include({ status: 'open', open_count: 1 })
    await save('concert', two, { tour_id: to })
    expect(await tourOf(from)).to.include({ status: 'closed', open_count: 0 })
    expect(await tourOf(to)).to.include({ status: 'open', open_count: 1 })
    await house.operations.remove(await house.by(admin), 'concert', one)
    expect(await tourOf(from)).to.include({ status: 'open', open_count: 0 })
    const owner = { type: 'tour', id: from }
    await house.operations.link(await house.by(admin), owner, 'concerts', two)
    expect([(await tourOf(from))['open_count'], (await tourOf(to))['open_count']]).to.deep.equal([1, 0])
    await house.operations.unlinkAll(await house.by(admin), owner, 'concerts')
    expect(await tourOf(from)).to.include({ open_count: 0 })
  })

  it('goes up over several levels, and down to siblings', async () => {
    const season = await add('season', { name: 'Summer' })
    const tour = await add('tour', { name: 'Through', season_id: season })
    const [first = 0, second = 0] = await concerts(tour, 2)
    await save('concert', second, { predecessor_ids: [first] })
    expect(await house.row('concert', second)).to.include({ status: 'waiting' })
    await save('concert', first, { status: 'done' })
    expect(await house.row('concert', second)).to.include({ status: 'ready' })
    expect(await house.row('season', season)).to.include({ status: 'open' })
    await save('concert', second, { status: 'done' })
    expect(await tourOf(tour)).to.include({ status: 'closed' })
    expect(await house.row('season', season)).to.include({ status: 'closed' })
    await concerts(tour, 1)
    expect(await house.row('season', season)).to.include({ status: 'open' })
  })

  it('follows links from either side, sub-records, and those of children', async () => {
    const call = await house.by(admin)
    const tour = await add('tour', { name: 'Rich' })
    const artists = [await add('artist', { name: 'Ann' }), await add('artist', { name: 'Bob' })]
    await save('tour', tour, { artist_ids: artists })
    expect(await tourOf(tour)).to.include({ artist_count: 2 })
    await house.operations.unlink(call, { type: 'tour', id: tour }, 'artists', artists[0] ?? 0)
    expect(await tourOf(tour)).to.include({ artist_count: 1 })
    await house.operations.remove(call, 'artist', artists[1] ?? 0)
    expect(await tourOf(tour)).to.include({ artist_count: 0 })

    await save('tour', tour, { sponsors: [{ amount: 5 }, { amount: 6 }] })
    expect(await tourOf(tour)).to.include({ income: 11 })
    const [concert = 0, next = 0] = await concerts(tour, 2)
    const owner = { type: 'concert', id: concert }
    const { id } = await house.operations.save(call, 'ticket', null, { amount: 30 }, owner)
    expect(await tourOf(tour)).to.include({ income: 41 })
    await house.operations.save(call, 'ticket', Number(id), { amount: 31 }, owner)
    expect(await tourOf(tour)).to.include({ income: 42 })
    await house.operations.removeAll(call, 'ticket', owner)
    expect(await tourOf(tour)).to.include({ income: 11 })

    await house.operations.link(call, owner, 'successors', next)
    expect(await house.row('concert', next)).to.include({ status: 'waiting' })
    await house.operations.unlink(call, { type: 'concert', id: next }, 'predecessors', concert)
    expect(await house.row('concert', next)).to.include({ status: 'ready' })
  })

  it('gives the same result in whatever order things are saved', async () => {
    const done: unknown[] = []
    for (const order of [
      [0, 1, 2],
      [2, 1, 0],
      [1, 2, 0],
    ]) {
      const tour = await add('tour', { name: 'Orders' })
      const ids = await concerts(tour, 4)
      for (const [index, id] of ids.slice(1).entries()) await save('concert', id, { predecessor_ids: ids.slice(0, index + 1) })
      for (const index of order) await save('concert', ids[index] ?? 0, { status: 'done' })
      const rows = await Promise.all(ids.map((id) => house.row('concert', id)))
      done.push([rows.map((row) => row?.['status']), (await tourOf(tour))['open_count']])
    }
    expect(done).to.deep.equal(Array.from({ length: 3 }, () => [['done', 'done', 'done', 'ready'], 1]))
  })

  it('writes audit lines and events of what it changed, by the person who caused it', async () => {
    const tour = await add('tour', { name: 'Audited' })
    const [one = 0] = await concerts(tour, 1)
    const [count, dispatchWakes] = [(await house.table('outbox')).length, house.dispatchWakes()]
    await save('concert', one, { status: 'done' })
    expect(house.dispatchWakes()).to.equal(dispatchWakes + 1)
    const lines = (await house.table('audit_lines')).filter(
      (line) => line['owner_type'] === 'tour' && Number(line['owner_id']) === tour,
    )
    const last = lines.at(-1)
    expect(JSON.parse(String(last?.['changes']))).to.deep.equal({ open_count: [1, 0], status: ['open', 'closed'] })
    expect(Number(last?.['created_by_id'])).to.equal(admin)
    const events = (await house.table('outbox')).slice(count).map((row) => row['event'])
    expect(events).to.include.members(['concert.update', 'tour.update', 'tour.status-changed'])
  })

  it('refuses the save that leads to what is refused, and only that one of a batch', async () => {
    const [locked, free] = [await add('tour', { name: 'Locked' }), await add('tour', { name: 'Free' })]
    const [[one = 0], [two = 0]] = [await concerts(locked, 1), await concerts(free, 1)]
    expect(await refusalOf(save('concert', one, { status: 'done' }))).to.deep.equal([
      ['base', 'other_not_saved', { record: 'A tour', reasons: 'Status lies in a period that is locked' }],
    ])
    expect(await house.row('concert', one)).to.include({ status: 'ready' })
    const items = [one, two].map((id) => ({ id, body: { status: 'done' } }))
    const outcomes = await house.operations.saveAll(await house.by(admin), 'concert', items)
    expect(outcomes.map(({ outcome }) => outcome)).to.deep.equal(['refused', 'updated'])
    expect([(await tourOf(locked))['status'], (await tourOf(free))['status']]).to.deep.equal(['open', 'closed'])
    expect(await house.row('concert', one)).to.include({ status: 'ready' })
  })

  it('follows imports and leaves out of them what cannot be settled', async () => {
    const [locked, free] = [await add('tour', { name: 'Locked' }), await add('tour', { name: 'Free' })]
    const call = { ...(await house.by(admin)), origin: 'import' } as const
    const items = [locked, free, free, locked].map((tour, n) => ({
      id: null,
      body: { name: `I${n}`, tour_id: tour, status: 'done' },
    }))
    const outcomes = await inTransaction(house.storage, call, (inside) => house.operations.saveAll(inside, 'concert', items))
    expect(outcomes.map(({ outcome }) => outcome)).to.deep.equal(['refused', 'created', 'created', 'refused'])
    expect([(await tourOf(locked))['status'], (await tourOf(free))['status']]).to.deep.equal(['open', 'closed'])
    expect((await house.table('concerts')).filter(({ tour_id }) => Number(tour_id) === locked)).to.have.length(0)
  })

  it('costs the same number of statements for one child and for fifty', async () => {
    const counter = countStatements(house.storage.knex)
    const costs: number[] = []
    for (const count of [2, 10, 50]) {
      const tour = await add('tour', { name: 'Cost' })
      const ids = await concerts(tour, count)
      const call = await house.by(admin)
      const items = ids.map((id) => ({ id, body: { status: 'done' } }))
      costs.push(await counter.during(() => house.operations.saveAll(call, 'concert', items)))
      expect(await tourOf(tour)).to.include({ status: 'closed' })
    }
    expect(new Set(costs)).to.have.property('size', 1)
  })

  it('settles once for a batch of many owners, too', async () => {
    const ids: number[] = []
    for (let n = 0; n < 5; n += 1) ids.push(...(await concerts(await add('tour', { name: `T${n}` }), 2)))
    const counter = countStatements(house.storage.knex)
    const call = await house.by(admin)
    const cost = (some: readonly number[]) =>
      counter.during(() =>
        house.operations.saveAll(
          call,
          'concert',
          some.map((id) => ({ id, body: { status: 'done' } })),
        ),
      )
    expect(await cost(ids.slice(0, 4))).to.equal(await cost(ids.slice(4)))
  })

  it('reads more children than a statement can name', async () => {
    const tour = await add('tour', { name: 'Last' })
    const { knex, table } = house.storage
    const digit = `(${Array.from({ length: 10 }, (_, d) => `select ${d} d`).join(' union ')})`
    const thousand = `select 'acme', ${tour}, 'done' from ${digit} a, ${digit} b, ${digit} c`
    for (let count = 0; count < 33; count += 1) {
      await knex.raw(`insert into ${table('concerts')} (account_id, tour_id, status) ${thousand}`)
    }
    await concerts(tour, 1)
    expect(await tourOf(tour)).to.include({ open_count: 1 })
    await knex(table('concerts')).where({ tour_id: tour }).delete()
  })

  it('leaves records of other accounts alone', async () => {
    const tour = await house.add('tour', { name: 'Theirs' }, { account: 'globex' })
    await inTransaction(house.storage, await house.system(), async (call) => {
      await house.operations.save(call, 'concert', null, { name: 'Ours', tour_id: tour })
    })
    expect(await tourOf(tour)).to.include({ open_count: 0 })
  })

  for (const many of [2, 20]) {
    it(`closes the owner of ${many} children that finish at once`, async () => {
      const tour = await add('tour', { name: 'Finish' })
      const ids = await concerts(tour, many)
      const calls = await Promise.all(ids.map(() => house.by(admin)))
      await Promise.all(ids.map((id, index) => house.operations.save(calls[index] as never, 'concert', id, { status: 'done' })))
      expect(await tourOf(tour)).to.include({ status: 'closed', open_count: 0 })
    })

    it(`frees the last of ${many} that all wait for each other in turn, when those before it finish at once`, async () => {
      const tour = await add('tour', { name: 'Chain' })
      const ids = await concerts(tour, many + 1)
      const last = ids.pop() ?? 0
      await save('concert', last, { predecessor_ids: ids })
      await Promise.all(ids.map((id) => save('concert', id, { status: 'done' })))
      expect(await house.row('concert', last)).to.include({ status: 'ready' })
      expect(await tourOf(tour)).to.include({ status: 'open', open_count: 1 })
    })

    it(`counts ${many} children that are made at once`, async () => {
      const tour = await add('tour', { name: 'Made' })
      await Promise.all(Array.from({ length: many }, () => add('concert', { tour_id: tour })))
      expect(await tourOf(tour)).to.include({ open_count: many })
    })
  }
})

describe('a settling that expects what every record must have', () => {
  const trusting = follow('trusting', {
    of: { concerts: { type: 'concert', by: 'tour' } },
    fills: ['status'],
    decide: ({ owner }) => ({
      owner: { status: String(owner['name']).includes('x') ? 'open' : (owner['name'] as string).toLowerCase() && 'open' },
    }),
  })
  const house = withHouse({ records: tours, migrations: [createTours], extend: [{ extends: 'tour', settle: [trusting] }] })

  it('is not asked for a body that is refused anyway', async () => {
    expect(await refusalOf(house.add('tour', { name: { of: 1 } }))).to.deep.include(['name', 'invalid'])
  })
})

describe('a settling that reads what records refer to', () => {
  const inSeason = follow('inSeason', {
    of: {
      season: { refersTo: 'season' },
      sisters: { type: 'tour', by: 'season', of: 'season' },
      concerts: { type: 'concert', by: 'tour' },
    },
    decide({ owner, season, sisters }) {
      if (owner['name'] === 'Meddler') return { season: new Map(season.map(({ id }) => [Number(id), { name: 'Mine' }])) }
      const names = [...season, ...sisters].map(({ name }) => name)
      return { owner: { source: String(owner['name']).startsWith('In') ? names.join('+') || null : null } }
    },
  })
  const house = withHouse({ records: tours, migrations: [createTours], extend: [{ extends: 'tour', settle: [inSeason] }] })

  it('gets the shared record for each owner, and nothing for owners without one', async () => {
    const season = await house.add('season', { name: 'Autumn' })
    const one = await house.add('tour', { name: 'In one', season_id: season })
    const two = await house.add('tour', { name: 'In two', season_id: season })
    const none = await house.add('tour', { name: 'In none' })
    expect(await house.row('tour', one)).to.include({ source: 'Autumn+In one' })
    expect(await house.row('tour', two)).to.include({ source: 'Autumn+In one+In two' })
    expect(await house.row('tour', none)).to.include({ source: null })
  })

  it('is not run when the shared record changes, and must not set values of it', async () => {
    const season = await house.add('season', { name: 'Winter' })
    const tour = await house.add('tour', { name: 'In', season_id: season })
    await house.operations.save(await house.system(), 'season', season, { name: 'Spring' })
    expect(await house.row('tour', tour)).to.include({ source: 'Winter+In' })
    const error = await errorOf(house.add('tour', { name: 'Meddler', season_id: season }))
    expect(error.message).to.match(/'season' is not a source with records/)
  })
})

describe('a settling that names its fields', () => {
  const asked: string[] = []
  const counting = (name: string, fields: readonly string[]) =>
    follow(name, {
      of: { tours: { type: 'tour', by: 'season' } },
      fields,
      decide({ owner }) {
        asked.push(`${name} ${owner['id']}`)
        return null
      },
    })
  const house = withHouse({
    records: tours,
    migrations: [createTours],
    extend: [{ extends: 'season', settle: [counting('ofStatus', ['status'])] }],
  })
  /** Seasons that are settled by the work. */
  const settledBy = async (work: () => Promise<unknown>) => {
    asked.length = 0
    await work()
    return [...new Set(asked)]
  }
  const save = async (type: string, id: number, body: object) => house.operations.save(await house.system(), type, id, body)

  it('runs for what changes one of them, or a record that it follows, and not for others', async () => {
    let season = 0
    await settledBy(async () => {
      season = await house.add('season', { name: 'Rainy', status: 'open' })
    })
    expect(asked).to.deep.equal([`ofStatus ${season}`])
    expect(await settledBy(() => save('season', season, { name: 'Dry' }))).to.deep.equal([])
    expect(await settledBy(() => save('season', season, { status: 'closed' }))).to.deep.equal([`ofStatus ${season}`])
    expect(await house.row('season', season)).to.include({ name: 'Dry', status: 'open' })
    const tour = await house.add('tour', { name: 'Wet' })
    expect(await settledBy(() => save('tour', tour, { season_id: season }))).to.deep.equal([`ofStatus ${season}`])
    expect(await settledBy(() => save('tour', tour, { name: 'Soaked' }))).to.deep.equal([`ofStatus ${season}`])
    expect(await settledBy(() => save('season', season, { status: 'open', name: 'Wet' }))).to.deep.equal([])
  })

  it('reads nothing twice that the transaction has, and nothing of a new record that cannot be there', async () => {
    const sent = async (work: () => Promise<unknown>) => countStatements(house.storage.knex).during(work)
    const add = async () => house.add('season', { name: 'New', status: 'open' })
    await add()
    const season = await add()
    // Only a change reads its record. The settling of a new one reads nothing.
    expect(await sent(add)).to.equal((await sent(() => save('season', season, { name: 'Other' }))) - 1)
  })
})

describe('a settling of a new record', () => {
  const adds = rule('adds', () => ({
    async written({ before, db, next }) {
      if (before || next['name'] !== 'Own') return
      const row = { account_id: next['account_id'], name: 'First', status: 'done', tour_id: next['id'] }
      await db('itsm_concerts').insert({ ...row, created_at: '2026-11-21 09:00:00', updated_at: '2026-11-21 09:00:00' })
    },
  }))
  const house = withHouse({ records: tours, migrations: [createTours], extend: [{ extends: 'tour', rules: [adds()] }] })

  it('sees what a rule has written for it with statements of its own', async () => {
    const tour = await house.add('tour', { name: 'Own' })
    expect(await house.row('tour', tour)).to.include({ status: 'closed', open_count: 0 })
  })

  it('sees what the same transaction has saved for it, and linked with it', async () => {
    const call = await house.system()
    const artist = await house.add('artist', { name: 'Ann' })
    const tour = await house.operations.together(call, async (inside) => {
      const { id } = await house.operations.save(inside, 'tour', null, { name: 'Both', artist_ids: [artist] })
      await house.operations.save(inside, 'concert', null, { name: 'One', tour_id: Number(id) })
      await house.operations.save(inside, 'tour', Number(id), { sponsors: [{ amount: 7 }] })
      return Number(id)
    })
    expect(await house.row('tour', tour)).to.include({ open_count: 1, artist_count: 1, income: 7 })
  })
})

describe('settlings that are wrong', () => {
  const flip = follow('flip', {
    of: { concerts: { type: 'concert', by: 'tour' } },
    decide: ({ owner }) => (owner['name'] === 'Flip' ? { owner: { income: owner['income'] === 1 ? 2 : 1 } } : null),
  })
  const strange = follow('strange', {
    of: { concerts: { type: 'concert', by: 'tour' } },
    decide({ owner }) {
      const answers: { readonly [name: string]: unknown } = {
        Late: Promise.resolve({}),
        Text: 'closed',
        Column: { owner: { colour: 'red' } },
        Source: { people: new Map() },
        Plain: { concerts: { 1: {} } },
        Stranger: { concerts: new Map([[4711, { status: 'done' }]]) },
      }
      if (owner['name'] === 'Throws') throw new Error('boom')
      return answers[String(owner['name'])] as never
    },
  })
  const house = withHouse({ records: tours, migrations: [createTours], extend: [{ extends: 'tour', settle: [flip, strange] }] })

  it('end with the names of those that never agree', async () => {
    const error = await errorOf(house.add('tour', { name: 'Flip' }))
    expect(error).to.be.instanceOf(EndlessWork)
    expect(error.message).to.match(/^Settling did not finish within 120 rounds: .*flip of tour \d+ → .* → …$/)
  })

  for (const [name, says] of [
    ['Throws', /settling 'strange' of tour failed: boom$/],
    ['Late', /decide must return an object of values/],
    ['Text', /decide must return an object of values, not a promise or 'closed'/],
    ['Column', /'colour' is not a stored field of tour/],
    ['Source', /'people' is not a source with records, so it cannot get values/],
    ['Plain', /'concerts' must be a Map of values by id/],
    ['Stranger', /'concerts' has no record 4711/],
  ] as const) {
    it(`are named with what they return: ${name}`, async () => {
      expect((await errorOf(house.add('tour', { name }))).message).to.match(says)
    })
  }
})
