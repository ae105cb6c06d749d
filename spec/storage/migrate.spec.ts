import { expect } from 'chai'
import { migrations } from '../../migrations/index.js'
import { createTable, dropTables, type Migration } from '../../migrations/tools.js'
import { SYSTEM_TABLES } from '../../plugin/schema/derive/tables.js'
import { openStorage } from '../../plugin/storage/connections.js'
import { migrate, pendingMigrations } from '../../plugin/storage/migrate.js'
import { testStore, withDatabase } from '../support/database.js'

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
