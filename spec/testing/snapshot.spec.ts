import { mkdtempSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import knex, { type Knex } from 'knex'
import { describe, it } from 'mocha'
import { openStorage } from '../../plugin/storage/database/connections.js'
import { embeddedDatabase } from '../../plugin/storage/embedded/index.js'
import { shippedFixtures, takeSnapshot } from '../../plugin/testing/index.js'
import { isOfRecords, type Rows, readRows } from '../../plugin/testing/snapshot.js'
import { watchStatements } from '../../plugin/testing/watch-statements.js'
import { testStore, withDatabase } from '../support/database.js'
import { fixtures, withMounted } from '../support/mounted.js'

describe('a snapshot', () => {
  const mounted = withMounted()
  const { database } = mounted

  const take = () => takeSnapshot({ knex: database.lent, plugins: [mounted.itsm] })
  const rows = async () => sorted(await readRows(database.storage, isOfRecords))

  it('puts back rows that were added, changed and removed, in tables with and without ids', async () => {
    const [before, snapshot] = [await rows(), await take()]
    const owen = mounted.world.id('owen')
    await mounted.itsm.as(owen).create('request', { subject: 'Later', category: 'other' })
    await mounted.itsm.as(owen).update('person', mounted.world.id('ines'), { name: 'Somebody else' })
    await database
      .knex('itsm_people')
      .where({ id: mounted.world.id('eva') })
      .delete()
    await database.knex('itsm_team_members').delete()
    await database.knex('itsm_accounts').update({ name: 'Changed' })
    expect(await rows()).not.to.deep.equal(before)
    await snapshot.restore()
    expect(await rows()).to.deep.equal(before)
    expect(await take()).to.have.property('restore')
  })

  it('puts back the bytes of files, too', async () => {
    const chunks = database.knex('itsm_file_chunks')
    await chunks.clone().insert({ location: 'a', position: 0, content: Buffer.from([0, 1, 255]) })
    const [before, snapshot] = [await rows(), await take()]
    await chunks.clone().update({ content: Buffer.from([2]) })
    await snapshot.restore()
    expect(await rows()).to.deep.equal(before)
    await chunks.clone().delete()
  })

  it('can be restored again, and when nothing has changed', async () => {
    const [before, snapshot] = [await rows(), await take()]
    for (const subject of ['One', 'Two']) {
      const answer = await mounted.ask('ines', 'POST', '/requests', { subject, category: 'other' })
      expect(answer.status).to.equal(201)
      await snapshot.restore()
      await snapshot.restore()
      expect(await rows()).to.deep.equal(before)
    }
  })

  const sentDuring = async (work: () => Promise<unknown>) => {
    const sent: string[] = []
    watchStatements(database.knex).hear((sql) => sent.push(sql))
    await work()
    return sent.splice(0)
  }

  it('looks only at the tables that were written when nothing else writes', async () => {
    const only = { knex: database.lent, plugins: [mounted.itsm], onlyWriter: true }
    const [before, snapshot] = [await rows(), await takeSnapshot(only)]
    await mounted.ask('ines', 'POST', '/requests', { subject: 'New', category: 'other' })
    await database
      .knex('itsm_people')
      .where({ id: mounted.world.id('eva') })
      .delete()
    const asked = await sentDuring(() => snapshot.restore())
    expect(await rows()).to.deep.equal(before)
    expect(asked.some((sql) => sql.includes('itsm_people'))).to.equal(true)
    expect(asked.filter((sql) => /checksum|itsm_sites|itsm_calendars/.test(sql))).to.deep.equal([])
    expect(await sentDuring(() => snapshot.restore())).to.have.lengthOf.at.most(1)
  })

  it('makes plugins forget what they remember of rows', async () => {
    const snapshot = await take()
    const administrators = async () =>
      (await mounted.ask('eva', 'GET', `/people/${mounted.world.id('ines')}/permissions`)).status
    const before = await administrators()
    await mounted.itsm.grant(mounted.world.id('eva'), 'widgets', ['account_administrator'])
    const between = await administrators()
    await snapshot.restore()
    expect([between, await administrators()]).to.deep.equal([200, before])
    expect(before).not.to.equal(200)
  })

  it('brings files of the package along', () => {
    const shipped = shippedFixtures()
    expect(shipped.world).to.deep.equal(fixtures.world)
    expect(shipped.topics.map(({ name }) => name)).to.deep.equal(fixtures.topics.map(({ name }) => name))
    expect([...shipped.records.keys()]).to.deep.equal([...fixtures.records.keys()])
  })
})

describe('a snapshot of a database with several pools', () => {
  const database = withDatabase({ file: true })
  const created_at = '2026-11-20 10:00:00'
  const lease = (name: string) => ({ kind: 'spec', name, holder: 'spec', held_until: '2026-11-20 10:00:00' })

  it('puts back what other pools have written, also after writes of its own', async () => {
    const { knex: own, storage, url } = database
    await own('itsm_leases').insert([lease('kept'), lease('too')])
    const before = sorted(await readRows(storage, isOfRecords))
    const snapshot = await takeSnapshot({ knex: own })
    const other = openStorage({ url }, 'itsm_')
    try {
      for (const beats of [7, 8]) {
        await own('itsm_accounts').insert({ id: `a${beats}`, name: 'A', locale: 'en', time_zone: 'UTC', created_at })
        await other.knex('itsm_leases').where({ name: 'kept' }).update({ beats })
        await other.knex('itsm_leases').insert(lease('more'))
        await snapshot.restore()
        expect(sorted(await readRows(storage, isOfRecords))).to.deep.equal(before)
      }
    } finally {
      await other.close()
    }
  })
})

describe('a snapshot of a database with a trigger', () => {
  const database = withDatabase()

  it('puts back what no statement names', async () => {
    const { knex: own, storage } = database
    const lease = { kind: 'spec', name: 'a', holder: 'spec', held_until: '2026-11-20 10:00:00' }
    const also = `insert into itsm_leases (kind, name, holder, held_until) values ('spec', 'b', 'spec', '2026-11-20 10:00:00')`
    await own.raw(
      storage.dialect === 'mysql'
        ? `create trigger itsm_hidden after insert on itsm_accounts for each row ${also}`
        : `create trigger itsm_hidden after insert on itsm_accounts begin ${also}; end`,
    )
    await own('itsm_leases').insert(lease)
    const before = sorted(await readRows(storage, isOfRecords))
    const snapshot = await takeSnapshot({ knex: own, onlyWriter: true })
    await own('itsm_accounts').insert({ id: 'a', name: 'A', locale: 'en', time_zone: 'UTC', created_at: '2026-11-20 10:00:00' })
    expect(sorted(await readRows(storage, isOfRecords))).not.to.deep.equal(before)
    await snapshot.restore()
    expect(sorted(await readRows(storage, isOfRecords))).to.deep.equal(before)
    await own.raw('drop trigger itsm_hidden')
  })

  it('may be taken often', async () => {
    const warned: Error[] = []
    const hear = (warning: Error) => void warned.push(warning)
    process.on('warning', hear)
    for (let taken = 0; taken < 12; taken += 1) await takeSnapshot({ knex: database.lent })
    await new Promise((resolve) => setImmediate(resolve))
    process.off('warning', hear)
    expect(warned).to.deep.equal([])
  })
})

describe('a snapshot of a database that is not for tests', () => {
  const database = withDatabase({ migrated: false })

  it('is refused, unless it is asked for', async () => {
    const live = await makeLive(database.url)
    try {
      const error = await takeSnapshot({ knex: live.knex }).catch((failure: unknown) => failure)
      expect(String(error))
        .to.contain(live.name)
        .and.to.contain('does not look like one for tests')
        .and.to.contain('anyDatabase')
      expect(await takeSnapshot({ knex: live.knex, anyDatabase: true })).to.have.property('restore')
    } finally {
      await live.end()
    }
  })
})

/** A database whose name says nothing of tests. */
async function makeLive(url: string): Promise<{ readonly knex: Knex; readonly name: string; end(): Promise<unknown> }> {
  if (testStore() === 'embedded') {
    const folder = mkdtempSync(join(homedir(), '.itsm-live-'))
    const file = embeddedDatabase(join(folder, 'desk.db'))
    const end = async () => {
      await file.destroy()
      rmSync(folder, { recursive: true, force: true })
    }
    return { knex: file, name: 'desk.db', end }
  }
  const name = `itsm_live_${process.pid}`
  const address = new URL(url)
  const server = knex({ client: 'mysql2', connection: address.href })
  await server.raw('create database ??', [name])
  address.pathname = `/${name}`
  const live = knex({ client: 'mysql2', connection: address.href })
  const end = async () => {
    await server.raw('drop database ??', [name])
    await Promise.all([server.destroy(), live.destroy()])
  }
  return { knex: live, name, end }
}

/** Rows as texts, whatever their order. */
function sorted(rows: Rows): ReadonlyMap<string, readonly string[]> {
  return new Map([...rows].map(([table, { rows: each }]) => [table, each.map((row) => JSON.stringify(row)).sort()]))
}
