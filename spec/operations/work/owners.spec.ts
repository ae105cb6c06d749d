import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import type { Knex } from 'knex'
import { testStore } from '../../support/database.js'
import { errorOf, withHouse } from '../../support/house.js'

describe('locks of records that may have owners', () => {
  const house = withHouse({ file: true })
  const stored = async (table: string, row: object) => {
    const [id = 0] = await house.storage
      .knex(house.storage.table(table))
      .insert({ account_id: 'acme', subject: 'A', status: 'assigned', ...row })
    return id
  }
  const rename = async (id: number, more: object = {}) =>
    house.operations.save(await house.system(), 'request', id, { subject: 'B', ...more })
  /** True if nobody has locked the record. */
  const isFree = async (table: string, id: number): Promise<boolean> => {
    const skipping = house.storage.knex.raw('SELECT id FROM ?? WHERE id = ? FOR UPDATE SKIP LOCKED', [
      house.storage.table(table),
      id,
    ])
    return (await skipping)[0].length === 1
  }
  /** Does the work while another transaction has locked the record. */
  const whileLocked = async (table: string, id: number, work: () => Promise<void>) =>
    house.storage.knex.transaction(async (open: Knex.Transaction) => {
      await open(house.storage.table(table)).where({ id }).forUpdate()
      await work()
    })

  it('are taken by one statement if it has none', async () => {
    const id = await stored('requests', {})
    const seen: string[] = []
    const hear = ({ sql }: { readonly sql: string }) => void seen.push(sql)
    house.storage.knex.on('query', hear)
    await rename(id)
    house.storage.knex.off('query', hear)
    expect(seen.filter((sql) => /^select .* from `itsm_requests`/is.test(sql))).to.have.length(1)
    expect(await house.row('request', id)).to.include({ subject: 'B' })
  })

  it('are taken from the top down if it has one: it stays free while its owner is not', async function () {
    if (testStore() !== 'server') return this.skip()
    const change = await stored('changes', {})
    const id = await stored('requests', { change_id: change })
    let saved: Promise<unknown> = Promise.resolve()
    await whileLocked('changes', change, async () => {
      saved = rename(id)
      await sleep(300)
      expect(await isFree('requests', id)).to.equal(true)
    })
    await saved
    expect(await house.row('request', id)).to.include({ subject: 'B' })
  })

  it('are taken from the top down if its body names one', async function () {
    if (testStore() !== 'server') return this.skip()
    const [change, id] = [await stored('changes', {}), await stored('requests', {})]
    let saved: Promise<unknown> = Promise.resolve()
    await whileLocked('changes', change, async () => {
      saved = rename(id, { change_id: change })
      await sleep(300)
      expect(await isFree('requests', id)).to.equal(true)
    })
    await saved
    expect(await house.row('request', id)).to.include({ subject: 'B', change_id: change })
  })

  it('find nothing where there is no record', async () => {
    expect(await errorOf(rename(4_000_000))).to.have.property('status', 404)
    const id = await stored('requests', { account_id: 'beta' })
    expect(await errorOf(rename(id))).to.have.property('status', 404)
    expect(await errorOf(rename(0))).to.have.property('status', 404)
  })
})
