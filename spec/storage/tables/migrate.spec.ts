import { expect } from 'chai'
import { tellReasonsApart } from '../../../migrations/0048_tell_reasons_apart.js'
import { renewCountedTimes } from '../../../migrations/0051_renew_counted_times.js'
import { migrations } from '../../../migrations/index.js'
import { createTable, dropTables, type Migration, type MigrationTools } from '../../../migrations/tools.js'
import { SYSTEM_TABLES } from '../../../plugin/schema/check/system-tables.js'
import { openStorage } from '../../../plugin/storage/database/connections.js'
import { migrate, pendingMigrations } from '../../../plugin/storage/tables/migrate.js'
import { testStore, withDatabase } from '../../support/database.js'

const names = migrations.map((migration) => migration.name)

describe('migrating', () => {
  describe('an empty database', () => {
    const database = withDatabase({ migrated: false })

    it('is pending in full before, and changes nothing by being asked', async () => {
      expect(await pendingMigrations(database.storage)).to.deep.equal(names)
      expect(await database.knex.schema.hasTable('itsm_migrations')).to.equal(false)
    })

    it('runs every migration in order', async () => {
      expect(await migrate(database.storage)).to.deep.equal(names)
      for (const table of SYSTEM_TABLES) expect(await database.knex.schema.hasTable(`itsm_${table}`), table).to.equal(true)
    })

    it('has nothing to do the second time', async () => {
      expect(await migrate(database.storage)).to.deep.equal([])
      expect(await pendingMigrations(database.storage)).to.deep.equal([])
    })

    it('keeps the tables of another prefix apart', async () => {
      const other = openStorage({ knex: database.knex }, 'second_')
      expect(await migrate(other)).to.deep.equal(names)
      expect(await database.knex.schema.hasTable('second_accounts')).to.equal(true)
    })

    it('runs the migrations of the host after ours, and remembers them', async () => {
      const vehicles: Migration = {
        name: 'fleet_0001_create_vehicles',
        up: (schema) => createTable(schema, 'vehicles', (table) => table.id()),
        down: (schema) => dropTables(schema, 'vehicles'),
      }
      expect(await migrate(database.storage, [vehicles])).to.deep.equal([vehicles.name])
      expect(await pendingMigrations(database.storage, [vehicles])).to.deep.equal([])
    })
  })

  describe('from several processes at once', () => {
    const database = withDatabase({ migrated: false, file: true })

    it('runs each migration once', async () => {
      const others = [1, 2].map(() => openStorage({ url: database.url }, 'itsm_'))
      try {
        const runs = await Promise.all([database.storage, ...others].map((storage) => migrate(storage)))
        expect(runs.flat()).to.deep.equal(names)
        expect(await database.knex('itsm_migrations').orderBy('id').pluck('name')).to.deep.equal(names)
      } finally {
        for (const other of others) await other.close()
      }
    })

    it('is not kept away for ever by a process that died while it migrated', async () => {
      await database
        .knex('itsm_migrations')
        .where({ name: names.at(-1) })
        .delete()
      // SQLite takes the lock back with everything else that the process had not committed.
      if (testStore() === 'server') await database.knex('itsm_migrations_lock').update({ is_locked: 1 })
      expect(await migrate(database.storage)).to.deep.equal(names.slice(-1))
    })
  })

  describe('when a migration breaks', () => {
    const database = withDatabase()
    const broken = (breaks: boolean): Migration => ({
      name: 'fleet_0001_two_tables',
      async up(schema) {
        await createTable(schema, 'first', (table) => table.id())
        if (breaks) throw new Error('the power went')
        await createTable(schema, 'second', (table) => table.id())
      },
      down: (schema) => dropTables(schema, 'first', 'second'),
    })

    it('says so, stays pending, and can be repeated', async () => {
      const failed = await migrate(database.storage, [broken(true)]).catch((error: unknown) => error)
      expect(failed).to.be.an('error').with.property('message').that.includes('the power went')
      expect(await pendingMigrations(database.storage, [broken(false)])).to.deep.equal(['fleet_0001_two_tables'])
      expect(await migrate(database.storage, [broken(false)])).to.deep.equal(['fleet_0001_two_tables'])
      expect(await database.knex.schema.hasTable('itsm_second')).to.equal(true)
    })
  })

  describe('back', () => {
    const database = withDatabase()

    it('leaves no table of ours', async () => {
      const schema = { knex: database.knex, dialect: database.storage.dialect, table: database.storage.table }
      for (const migration of migrations.toReversed()) await migration.down(schema)
      for (const table of SYSTEM_TABLES) expect(await database.knex.schema.hasTable(`itsm_${table}`), table).to.equal(false)
    })
  })

  describe('once more what was done in part', () => {
    const database = withDatabase({ migrated: false })
    const tools = (): MigrationTools => ({ ...database.storage, knex: database.knex })
    /** The statements with which a migration updates rows. */
    const updatesOf = async (work: () => Promise<void>) => {
      const updates: string[] = []
      const note = ({ sql }: { readonly sql: string }) => /^update/i.test(sql) && updates.push(sql)
      database.knex.on('query', note)
      await work()
      database.knex.off('query', note)
      return updates
    }
    before(() => migrate(database.storage))

    it('is possible both ways: no column is added or removed twice', async () => {
      const latest = migrations.filter(({ name }) => name >= '0048')
      for (const { down } of latest.toReversed()) for (const _ of ['in part', 'again']) await down(tools())
      for (const { up } of latest) for (const _ of ['in part', 'again']) await up(tools())
      expect(await database.knex.schema.hasColumn('itsm_changes', 'reason_from_tasks')).to.equal(true)
    })

    it('updates rows in ranges of their ids, and finds them all', async () => {
      const changes = Array.from({ length: 1200 }, (_, index) => ({
        ...{ account_id: 'acme', subject: `${index}`, status: 'completed', completion_reason: 'complete' },
        id: 3 * index + 1,
      }))
      await database.knex.batchInsert('itsm_changes', changes, 100)
      await database.knex('itsm_tasks').insert({ account_id: 'acme', subject: 'x', change_id: 4, status: 'failed' })
      const counts = async (table: string, row: object) =>
        Number((await database.knex(table).where(row).count({ n: '*' }))[0]?.['n'])
      const reasons = await updatesOf(() => tellReasonsApart.up(tools()))
      expect(await counts('itsm_changes', { reason_from_tasks: true })).to.equal(1199)
      const tasks = changes.map(({ id }) => ({ account_id: 'acme', subject: `${id}`, change_id: id, status: 'assigned' }))
      await database.knex.batchInsert('itsm_tasks', tasks, 100)
      const renewed = await updatesOf(() => renewCountedTimes.up(tools()))
      const marked = await database.knex('itsm_tasks').whereNotNull('renew_at').pluck('status')
      expect([marked.length, new Set(marked)]).to.deep.equal([1200, new Set(['assigned'])])
      for (const sql of [...reasons, ...renewed]) expect(sql).to.match(/`id` between \? and \?/)
      expect([reasons.length, renewed.length]).to.deep.equal([3, 3])
    })
  })

  describe('makes tables', () => {
    const database = withDatabase()

    it('in which exact texts are exact, whatever letters they are compared with', async () => {
      const row = { name: 'Acme', locale: 'en', time_zone: 'Z', created_at: '2026-11-21 09:30:00' }
      await database.knex('itsm_accounts').insert([
        { ...row, id: 'acme' },
        { ...row, id: 'ACME' },
      ])
      expect(await database.knex('itsm_accounts').where({ id: 'acme' }).pluck('id')).to.deep.equal(['acme'])
      expect(await database.knex('itsm_accounts').where({ id: 'Łódź 😀' })).to.deep.equal([])
    })

    it('that keep moments as the texts that they were given, to the millisecond', async () => {
      const moment = '2026-11-21 09:30:00.123'
      await database.knex('itsm_credentials').insert({ person_id: 1, updated_at: moment })
      expect(await database.knex('itsm_credentials').pluck('updated_at')).to.deep.equal([moment])
    })
  })
})
