import { expect } from 'chai'
import { createChangedAccounts } from '../../plugin/jobs/changed-accounts.js'
import { testStore } from '../support/database.js'
import { withHouse } from '../support/house.js'

describe('an account with another time zone', () => {
  const house = withHouse({ file: true })
  /** Records that count in the zone of the account, in several pieces. */
  const MANY = 1100
  const accountZone = (timeZone: string) => house.accounts.put({ id: 'acme', name: 'ACME', timeZone })
  const changed = () => createChangedAccounts(house)
  const tasks = () => house.storage.knex('itsm_tasks')
  const marked = async () => Number((await tasks().whereNotNull('renew_at').count({ n: '*' }))[0]?.['n'])
  const unmark = () => tasks().update({ renew_at: null })
  /** Marks until nothing is left. */
  const markAll = async (one = changed()) => {
    while (await one.markSome());
  }

  before(async () => {
    const rows = Array.from({ length: MANY }, (_, index) => {
      return {
        account_id: index % 11 === 0 ? 'other' : 'acme',
        subject: 'x',
        status: index % 2 ? 'assigned' : 'completed',
        team_id: 7,
      }
    })
    await house.storage.knex.batchInsert('itsm_tasks', rows, 100)
  })
  beforeEach(async () => {
    await accountZone('Amsterdam')
    await markAll()
    await unmark()
  })
  const OPEN = 500

  it('is stored without a wait for a record that somebody is saving', async function () {
    if (testStore() === 'embedded') this.skip()
    await house.storage.knex.transaction(async (other) => {
      await other('itsm_tasks').where({ account_id: 'acme' }).forUpdate().select('id')
      await accountZone('London')
    })
    expect(await changed().isDue()).to.equal(true)
  })

  it('makes its records due in pieces, each in its own transaction, and those of no other', async () => {
    await accountZone('London')
    expect(await marked()).to.equal(0)
    const counts: number[] = []
    const one = changed()
    while (await one.markSome()) counts.push(await marked())
    const steps = counts.map((count, index) => count - (counts[index - 1] ?? 0)).filter((step) => step > 0)
    expect(steps).to.deep.equal([200, 200, 100])
    expect(await marked()).to.equal(OPEN)
    expect(await tasks().whereNotNull('renew_at').distinct().pluck('account_id')).to.deep.equal(['acme'])
    expect(await changed().isDue()).to.equal(false)
  })

  it('has all of them due although the process has died that had marked some', async () => {
    await accountZone('London')
    const died = changed()
    while ((await marked()) === 0) await died.markSome()
    await unmark()
    await markAll()
    expect(await marked()).to.equal(OPEN)
  })

  it('begins again when the zone changes while they are marked', async () => {
    await accountZone('London')
    const one = changed()
    while ((await marked()) < OPEN) await one.markSome()
    await unmark()
    await accountZone('Madrid')
    await markAll(one)
    expect([await marked(), await changed().isDue()]).to.deep.equal([OPEN, false])
  })

  it('has all of them due although another value changes before they are', async () => {
    await accountZone('London')
    await house.accounts.put({ id: 'acme', name: 'ACME', locale: 'nl-NL' })
    await markAll()
    expect([await marked(), await changed().isDue()]).to.deep.equal([OPEN, false])
    await house.accounts.put({ id: 'acme', name: 'ACME', locale: 'en-US' })
    await unmark()
    await markAll()
    expect(await marked()).to.equal(0)
  })

  it('has nothing to do with the same zone', async () => {
    await accountZone('Amsterdam')
    expect([await changed().isDue(), await changed().markSome(), await marked()]).to.deep.equal([false, false, 0])
  })
})
