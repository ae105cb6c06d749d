import { expect } from 'chai'
import { describe, it } from 'mocha'
import { type NotedWrites, noteWrites } from '../../plugin/testing/noted-writes.js'
import { testStore, withDatabase } from '../support/database.js'

/** What statements write: nothing, rows of one table, or more than their text tells. */
const TEXTS: Record<string, object | null> = {
  'select * from `itsm_leases` for update': {},
  '(select 1) union (select 2)': {},
  'with a as (select 1 as one) select one from a': {},
  'savepoint a': {},
  'insert into `itsm_leases` (`kind`) values (?)': { itsm_leases: 'added' },
  'insert ignore into `itsm_leases` (`kind`) values (?)': { itsm_leases: 'added' },
  'insert into `itsm_leases` (`kind`) values (?) on duplicate key update `kind` = ?': { itsm_leases: 'changed' },
  'insert into `itsm_leases` (`kind`) values (?) on conflict (`kind`) do update set `kind` = ?': { itsm_leases: 'changed' },
  'update `itsm_leases` set `kind` = ?': { itsm_leases: 'changed' },
  'UPDATE `itsm_leases` AS t SET `kind` = ? WHERE (t.`name` = ?)': { itsm_leases: 'changed' },
  'delete from `itsm_leases` where `kind` = ?': { itsm_leases: 'changed' },
  'update `itsm_leases` inner join `itsm_sites` on 1 = 1 set `itsm_sites`.`name` = ?': null,
  'delete `itsm_sites` from `itsm_leases` inner join `itsm_sites` on 1 = 1': null,
  'delete from `itsm_sites` using `itsm_leases`, `itsm_sites`': null,
  'delete from itsm_leases': null,
  'replace into `itsm_leases` (`kind`) values (?)': null,
  'with a as (select 1) delete from `itsm_leases`': null,
  'truncate table `itsm_leases`': null,
  'call tidy_up()': null,
  'insert into `db`.`itsm_leases` (`kind`) values (?)': null,
  'update `db`.`itsm_leases` set `kind` = ?': null,
  'delete from `db`.`itsm_leases`': null,
  'set statement max_statement_time=1 for delete from `itsm_leases`': null,
  'begin not atomic delete from `itsm_leases`; end': null,
  'select 1; delete from `itsm_leases`': null,
  'set names utf8mb4': {},
  'BEGIN;': {},
  '/* of the host */ insert into `itsm_leases` (`kind`) values (?)': { itsm_leases: 'added' },
  '-- of the host\n(select 1)': {},
  '/*! delete from `itsm_leases` */': null,
  'with a as (select `id` from `itsm_sites` for update) select 1 from a': {},
  '/*M! SET STATEMENT max_recursive_iterations = 10 FOR */ with recursive a as (select 1) select 1 from a': {},
  '/*M! SET STATEMENT max_recursive_iterations = 10 FOR */ delete from `itsm_leases`': { itsm_leases: 'changed' },
}

describe('writes that are noted', () => {
  describe('by the text of a statement', () => {
    for (const [sql, written] of Object.entries(TEXTS)) {
      it(`: ${sql}`, async () => {
        const heard = pool()
        heard.send(sql)
        expect(found(heard.writes, 0)).to.deep.equal(written)
      })
    }

    it('are unknown for a driver that cannot be watched', () => {
      const heard = pool({})
      expect(found(heard.writes, heard.writes.now())).to.equal(null)
    })
  })

  describe('of a database', () => {
    const database = withDatabase()
    const lease = { kind: 'spec', holder: 'spec', held_until: '2026-11-20 10:00:00' }
    const during = async (work: () => Promise<unknown>) => {
      const writes = noteWrites(database.knex)
      const moment = writes.now()
      await work()
      return found(writes, moment)
    }

    it('name the tables and tell additions from changes, inside and outside of transactions', async () => {
      const { knex } = database
      const leases = () => knex('itsm_leases')
      expect(await during(() => leases().select())).to.deep.equal({})
      expect(await during(() => leases().insert({ ...lease, name: 'a' }))).to.deep.equal({ itsm_leases: 'added' })
      expect(await during(() => leases().where({ name: 'a' }).delete())).to.deep.equal({ itsm_leases: 'changed' })
      const both = during(() =>
        knex.transaction(async (transaction) => {
          await transaction('itsm_leases').insert({ ...lease, name: 'b' })
          await transaction('itsm_leases').where({ name: 'b' }).update({ beats: 2 })
        }),
      )
      expect(await both).to.deep.equal({ itsm_leases: 'changed' })
    })

    it('are told from any moment', async () => {
      const writes = noteWrites(database.knex)
      const early = writes.now()
      await database.knex('itsm_leases').insert({ ...lease, name: 'c' })
      const late = writes.now()
      expect(found(writes, early)).to.deep.equal({ itsm_leases: 'added' })
      expect(found(writes, late)).to.deep.equal({})
    })

    it('are those of copies of the knex, too, and of prepared statements', async () => {
      const copy = database.knex.withUserParams({})
      const sql = 'update `itsm_leases` set `beats` = 1'
      expect(await during(() => copy('itsm_leases').update({ beats: 3 }))).to.deep.equal({ itsm_leases: 'changed' })
      if (testStore() === 'embedded') return
      const writes = noteWrites(database.knex)
      const connection = await database.knex.client.acquireConnection()
      await new Promise((resolve) => connection.execute(sql, resolve))
      await database.knex.client.releaseConnection(connection)
      expect(found(writes, 0)).to.deep.equal({ itsm_leases: 'changed' })
    })
  })
})

function found(writes: NotedWrites, moment: number): object | null {
  const written = writes.since(moment)
  return written && Object.fromEntries(written)
}

/** A pool with one connection, of mysql2 unless another one is given, and a function that sends it a statement. */
function pool(connection: { query?(sql: string): void } = { query() {}, ...{ execute() {} } }) {
  let acquired: (id: number, connection: object) => void = () => {}
  const on = (_: string, listener: typeof acquired) => {
    acquired = listener
  }
  const writes = noteWrites({ client: { pool: { on } } } as never)
  acquired(1, connection)
  return { writes, send: (sql: string) => connection.query?.(sql) }
}
