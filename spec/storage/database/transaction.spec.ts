import { expect } from 'chai'
import { createTable } from '../../../migrations/tools.js'
import type { Call } from '../../../plugin/core/call.js'
import { CallEnd } from '../../../plugin/core/call-signal.js'
import { openStorage } from '../../../plugin/storage/database/connections.js'
import { inSavepoint } from '../../../plugin/storage/database/savepoint.js'
import { afterCommit, dbOf, inTransaction, tellAfterCommit } from '../../../plugin/storage/database/transaction.js'
import { testStore, withDatabase } from '../../support/database.js'
import { call } from './outside-call.js'

describe('a transaction', () => {
  const database = withDatabase({ migrated: false })

  const insert = (within: Call, name: string) => dbOf(database.storage, within)('itsm_names').insert({ name })
  const names = () => database.knex('itsm_names').orderBy('name').pluck('name')

  before(async () => {
    const { knex, dialect, table } = database.storage
    await createTable({ knex, dialect, table }, 'names', (columns) => {
      columns.exact('name').notNullable()
      columns.integer('number').notNullable().defaultTo(0)
      columns.primary('name')
    })
  })

  beforeEach(async () => {
    await database.knex('itsm_names').delete()
  })

  it('keeps what was written, and answers what the work answers', async () => {
    const answer = await inTransaction(database.storage, call, async (within) => {
      await insert(within, 'one')
      return 42
    })
    expect(answer).to.equal(42)
    expect(await names()).to.deep.equal(['one'])
  })

  it('keeps nothing when the work throws', async () => {
    const failed = await rejection(
      inTransaction(database.storage, call, async (within) => {
        await insert(within, 'one')
        throw new Error('not today')
      }),
    )
    expect(failed).to.have.property('message', 'not today')
    expect(await names()).to.deep.equal([])
  })

  it('is joined by work inside of it, so that both are kept or neither', async () => {
    await rejection(
      inTransaction(database.storage, call, async (outer) => {
        await insert(outer, 'outer')
        await inTransaction(database.storage, outer, (inner) => insert(inner, 'inner'))
        throw new Error('not today')
      }),
    )
    expect(await names()).to.deep.equal([])
    await inTransaction(database.storage, call, async (outer) => {
      await insert(outer, 'outer')
      await inTransaction(database.storage, outer, (inner) => insert(inner, 'inner'))
    })
    expect(await names()).to.deep.equal(['inner', 'outer'])
  })

  for (const thrown of [undefined, null, 'a text']) {
    it(`fails when the work throws ${thrown}`, async () => {
      const failed = await rejection(
        inTransaction(database.storage, call, async (within) => {
          await insert(within, 'one')
          throw thrown
        }),
      )
      if (thrown) expect(failed).to.equal(thrown)
      else expect(failed).to.have.property('message', `The work of a transaction threw ${thrown}`)
      expect(await names()).to.deep.equal([])
    })
  }

  it('runs what waits for the commit after the outermost one, once', async () => {
    const seen: string[] = []
    await inTransaction(database.storage, call, async (outer) => {
      await inTransaction(database.storage, outer, async (inner) => {
        afterCommit(inner, () => seen.push('told'))
      })
      seen.push('inner done')
      await insert(outer, 'outer')
      seen.push('outer done')
    })
    expect(seen).to.deep.equal(['inner done', 'outer done', 'told'])
  })

  it('forgets what waits for the commit when it is rolled back', async () => {
    const seen: string[] = []
    await rejection(
      inTransaction(database.storage, call, async (within) => {
        afterCommit(within, () => seen.push('told'))
        throw new Error('not today')
      }),
    )
    expect(seen).to.deep.equal([])
  })

  it('tells once what was said many times, without what a savepoint has taken back', async () => {
    const told: (readonly string[])[] = []
    const tell = (all: readonly string[]) => told.push(all)
    await inTransaction(database.storage, call, async (outer) => {
      tellAfterCommit(outer, tell, ['one'])
      await rejection(
        inSavepoint(database.storage, outer, async () => {
          tellAfterCommit(outer, tell, ['two'])
          throw new Error('back')
        }),
      )
      await inTransaction(database.storage, outer, async (inner) => tellAfterCommit(inner, tell, ['three', 'four']))
    })
    expect(told).to.deep.equal([['one', 'three', 'four']])
    tellAfterCommit(call, tell, ['five'])
    expect(told).to.have.length(2)
  })

  it('runs what waits for a commit at once when there is no transaction', () => {
    const seen: string[] = []
    afterCommit(call, () => seen.push('told'))
    expect(seen).to.deep.equal(['told'])
  })

  it('does not fail for what goes wrong after the commit', async () => {
    const warned = new Promise<Error>((resolve) => process.once('warning', resolve))
    await inTransaction(database.storage, call, async (within) => {
      await insert(within, 'one')
      afterCommit(within, () => {
        throw new Error('the relay is away')
      })
    })
    expect((await warned).message).to.equal('the relay is away')
    expect(await names()).to.deep.equal(['one'])
  })

  it('of one database is refused by another', async () => {
    const other = openStorage({ knex: database.lent }, 'other_')
    const failed = await rejection(inTransaction(database.storage, call, async (within) => dbOf(other, within)))
    expect(failed).to.have.property('message').that.includes('another database')
  })

  it('is repeated as a whole when it loses, with what waits for the commit run once', async () => {
    const seen: string[] = []
    let runs = 0
    await inTransaction(database.storage, call, async (within) => {
      runs += 1
      await insert(within, 'one')
      afterCommit(within, () => seen.push(`told by run ${runs}`))
      if (runs < 3) throw Object.assign(new Error('lost'), { code: 'ER_LOCK_DEADLOCK', errno: 1213 })
    })
    expect(await names()).to.deep.equal(['one'])
    expect(seen).to.deep.equal(['told by run 3'])
  })

  it('gives up after seven repetitions', async function () {
    this.timeout(20_000)
    let runs = 0
    const lost = Object.assign(new Error('lost'), { code: 'ER_LOCK_DEADLOCK', errno: 1213 })
    const failed = await rejection(
      inTransaction(database.storage, call, async () => {
        runs += 1
        throw lost
      }),
    )
    expect(failed).to.equal(lost)
    expect(runs).to.equal(8)
  })

  it('is not repeated once the time of the call is over, not even after a pause', async () => {
    const signal = new CallEnd()
    let runs = 0
    const work = inTransaction(database.storage, { ...call, signal }, async () => {
      runs += 1
      // At the latest during the pause, which takes more than ten milliseconds.
      setTimeout(() => signal.abort(new Error('too late')), 2)
      throw Object.assign(new Error('lost'), { code: 'ER_LOCK_DEADLOCK', errno: 1213 })
    })
    expect(await rejection(work)).to.have.property('message', 'too late')
    expect(runs).to.equal(1)
  })

  it('is not repeated for other errors', async () => {
    let runs = 0
    await rejection(
      inTransaction(database.storage, call, async () => {
        runs += 1
        throw new Error('not today')
      }),
    )
    expect(runs).to.equal(1)
  })

  it('survives a real deadlock: both sides end with their work done', async function () {
    // SQLite has one writer at a time, so there is no deadlock to survive.
    if (testStore() === 'embedded') this.skip()
    await database.knex('itsm_names').insert([{ name: 'a' }, { name: 'b' }])
    let runs = 0
    let arrived = 0
    let open = () => {}
    const bothHaveOne = new Promise<void>((resolve) => {
      open = resolve
    })
    const touch = (within: Call, name: string) =>
      dbOf(database.storage, within)('itsm_names').where({ name }).increment('number', 1)
    const side = (first: string, second: string) =>
      inTransaction(database.storage, call, async (within) => {
        runs += 1
        await touch(within, first)
        arrived += 1
        if (arrived === 2) open()
        await bothHaveOne
        await touch(within, second)
      })
    await Promise.all([side('a', 'b'), side('b', 'a')])
    expect(await database.knex('itsm_names').orderBy('name').pluck('number')).to.deep.equal([2, 2])
    expect(runs).to.equal(3)
  })

  it('is repeated as a whole also when the work has caught that it has lost', async function () {
    if (testStore() === 'embedded') this.skip()
    await database.knex('itsm_names').insert(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => ({ name })))
    const locked = promised()
    const strong = promised()
    // The server lets the transaction lose that has written less.
    const stronger = inTransaction(database.storage, call, async (within) => {
      const rows = dbOf(database.storage, within)('itsm_names')
      await rows.clone().whereNot({ name: 'a' }).increment('number', 1)
      strong.resolve()
      await locked.promise
      await rows.clone().where({ name: 'a' }).increment('number', 1)
    })
    let runs = 0
    await inTransaction(database.storage, call, async (within) => {
      runs += 1
      const add = async (name: string) => dbOf(database.storage, within)('itsm_names').where({ name }).increment('number', 10)
      await add('a')
      if (runs === 1) await strong.promise
      locked.resolve()
      const caught = await add('b').catch((error: unknown) => error)
      if (runs > 1) expect(caught).to.equal(1)
      await add('c').catch(() => {})
    })
    await stronger
    expect(runs).to.equal(2)
    expect(await database.knex('itsm_names').orderBy('name').pluck('number')).to.deep.equal([11, 11, 11, 1, 1, 1])
  })
})

async function rejection(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise
  } catch (error) {
    return error
  }
  throw new Error('This should have been refused')
}

function promised() {
  let resolve = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}
