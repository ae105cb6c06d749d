import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import knex, { type Knex } from 'knex'
import { Model, UniqueViolationError } from 'objection'
import { InvalidOptions } from '../../plugin/core/errors.js'
import { openStorage } from '../../plugin/storage/database/connections.js'
import { duplicateKeyName, isConnectionFault, isDuplicate } from '../../plugin/storage/database/faults.js'
import { embeddedDatabase } from '../../plugin/storage/embedded/index.js'
import { libsqlClient } from '../../plugin/storage/embedded/libsql-client.js'

describe('the embedded database', () => {
  let database: Knex
  let folder: string
  const path = () => join(folder, 'itsm.db')
  /** A transaction that has written, so that all others wait for it. */
  const writer = async () => {
    const holding = await database.transaction()
    await holding('people').insert({ name: 'Ines' })
    return holding
  }

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'itsm-'))
    database = embeddedDatabase(path())
    await database.schema.createTable('people', (table) => {
      table.increments('id')
      table.string('name').notNullable().unique({ indexName: 'people_name_unique' })
      table.integer('age')
    })
  })

  afterEach(async () => {
    await database.destroy()
    rmSync(folder, { recursive: true, force: true })
  })

  it('answers ids, counts and rows as other databases do', async () => {
    expect(await database('people').insert({ name: 'Ines', age: 30 })).to.deep.equal([1])
    expect(await database('people').insert({ name: 'Omar', age: 40 })).to.deep.equal([2])
    expect(await database('people').update({ age: 50 })).to.equal(2)
    expect(await database('people').where({ name: 'Omar' }).delete()).to.equal(1)
    expect(await database('people').first()).to.deep.equal({ id: 1, name: 'Ines', age: 50 })
  })

  it('takes booleans, and keeps texts that look like dates as texts', async () => {
    await database('people').insert({ name: '2026-11-21 09:30:00', age: true })
    expect(await database('people').first('name', 'age')).to.deep.equal({ name: '2026-11-21 09:30:00', age: 1 })
  })

  it('sees a column that was added after the statement was first used', async () => {
    await database('people').insert({ name: 'Ines' })
    const before = await database('people').select()
    await database.schema.alterTable('people', (table) => {
      table.string('phone')
    })
    const after = await database('people').select()
    expect(Object.keys(before[0])).to.not.include('phone')
    expect(Object.keys(after[0])).to.include('phone')
  })

  it('sees a column that another connection added', async () => {
    await database('people').insert({ name: 'Ines' })
    await database('people').select()
    const other = embeddedDatabase(path())
    await other.schema.alterTable('people', (table) => {
      table.string('phone')
    })
    await other.destroy()
    expect(Object.keys((await database('people').select())[0])).to.include('phone')
  })

  it('reports a duplicate as Objection expects it, with the name of the key', async () => {
    class Person extends Model {
      static override tableName = 'people'
      declare name: string
    }
    const people = Person.bindKnex(database)
    await people.query().insert({ name: 'Ines' })
    const failed: unknown = await people
      .query()
      .insert({ name: 'Ines' })
      .catch((error: unknown) => error)
    expect(failed).to.be.instanceOf(UniqueViolationError)
    expect(isDuplicate(failed)).to.equal(true)
    expect(duplicateKeyName(failed)).to.equal('people_name_unique')
  })

  it('undoes a savepoint alone', async () => {
    await database.transaction(async (outer) => {
      await outer('people').insert({ name: 'Ines' })
      await outer
        .transaction(async (inner) => {
          await inner('people').insert({ name: 'Omar' })
          throw new Error('not today')
        })
        .catch(() => {})
    })
    expect(await database('people').pluck('name')).to.deep.equal(['Ines'])
  })

  it('lets one connection wait for another without stopping the process', async () => {
    const other = embeddedDatabase(path())
    let go = () => {}
    const gate = new Promise<void>((resolve) => {
      go = resolve
    })
    let locked = () => {}
    const isLocked = new Promise<void>((resolve) => {
      locked = resolve
    })
    try {
      const holding = database.transaction(async (trx) => {
        await trx('people').insert({ name: 'Ines' })
        locked()
        await gate
      })
      await isLocked
      const waiting = other('people').insert({ name: 'Omar' })
      const transaction = other.transaction((trx) => trx('people').insert({ name: 'Zoe' }))
      setTimeout(go, 50)
      await Promise.all([holding, waiting, transaction])
      expect(await database('people').orderBy('name').pluck('name')).to.deep.equal(['Ines', 'Omar', 'Zoe'])
    } finally {
      await other.destroy()
    }
  })

  it('commits what has waited for another connection, whatever the length of its statement', async () => {
    const other = embeddedDatabase(path())
    const many = (word: string) => Array.from({ length: 300 }, (_, index) => ({ name: `${word} ${index}`.padEnd(30, '.') }))
    try {
      const holding = await writer()
      const waiting = Promise.all([other('people').insert(many('one')), other('people').insert(many('two'))])
      await sleep(100)
      await holding.commit()
      await waiting
      expect(await database('people').count({ count: '*' })).to.deep.equal([{ count: 601 }])
      await database('people').insert({ name: 'Omar' })
    } finally {
      await other.destroy()
    }
  })

  it('commits what is written after a statement that has waited in vain', async () => {
    const other = embeddedDatabase(path())
    try {
      const holding = await writer()
      const begun = other.transaction((trx) => trx('people').insert({ name: 'Never' }))
      expect(await begun.catch((error: { code: string }) => error.code)).to.equal('SQLITE_BUSY')
      await holding.commit()
      await other('people').insert({ name: 'Omar' })
      expect(await database('people').pluck('name')).to.deep.equal(['Ines', 'Omar'])
      await database('people').insert({ name: 'Zoe' })
    } finally {
      await other.destroy()
    }
  }).timeout(15_000)

  it('does not run a statement whose time is over, and goes on', async () => {
    const other = embeddedDatabase(path())
    try {
      const holding = await writer()
      const late = other('people').insert({ name: 'Late' }).timeout(100)
      expect(await late.catch((error: Error) => error.name)).to.equal('KnexTimeoutError')
      const next = other('people').insert({ name: 'Omar' })
      const waiting = next.then(
        () => 'stored',
        (error: Error) => error.message,
      )
      await sleep(300)
      await holding.commit()
      expect(await waiting).to.equal('stored')
      expect(await database('people').pluck('name')).to.deep.equal(['Ines', 'Omar'])
    } finally {
      await other.destroy()
    }
  })

  it('keeps a database in memory, although a statement has waited in vain for an attached file', async () => {
    const memory = embeddedDatabase(':memory:')
    try {
      await memory.schema.createTable('kept', (table) => void table.increments('id'))
      await memory.raw('attach ? as file', [path()])
      const holding = await writer()
      const begun = memory.transaction((trx) => trx('file.people').insert({ name: 'Never' }))
      expect(await begun.catch((error: { code: string }) => error.code)).to.equal('SQLITE_BUSY')
      await holding.commit()
      expect(await memory('kept').select()).to.deep.equal([])
    } finally {
      await memory.destroy()
    }
  }).timeout(15_000)

  it('does not mind a transaction that reads before it writes while another writes', async () => {
    const other = embeddedDatabase(path())
    try {
      await Promise.all(
        [database, other].flatMap((each, index) =>
          [1, 2, 3].map((number) =>
            each.transaction(async (trx) => {
              const count = await trx('people').count({ count: '*' }).first()
              await trx('people').insert({ name: `${index}-${number}`, age: Number(count?.['count']) })
            }),
          ),
        ),
      )
      expect(await database('people').orderBy('age').pluck('age')).to.deep.equal([0, 1, 2, 3, 4, 5])
    } finally {
      await other.destroy()
    }
  })

  it('inserts many rows at once', async () => {
    const rows = Array.from({ length: 400 }, (_, index) => ({ name: `person ${index}`, age: index }))
    await database.batchInsert('people', rows, 200)
    expect(await database('people').count({ count: '*' }).first()).to.deep.equal({ count: 400 })
  })
})

describe('opening a storage', () => {
  it('knows the dialect of what it is lent, prefixes names, and never closes it', async () => {
    const lent = embeddedDatabase(':memory:')
    const storage = openStorage({ knex: lent }, 'desk_')
    expect([storage.dialect, storage.owned, storage.table('people')]).to.deep.equal(['sqlite', false, 'desk_people'])
    await storage.close()
    expect(await lent.raw('select 1 as one')).to.deep.equal([{ one: 1 }])
    await lent.destroy()
  })

  it('writes names as they are, whatever the knex that it is lent makes of them', async () => {
    const lent = knex({
      ...embeddedConfig(),
      wrapIdentifier: (name, wrap) => wrap(name.toUpperCase()),
      postProcessResponse: () => 'nothing of it',
    })
    const { knex: ours } = openStorage({ knex: lent }, 'itsm_')
    await ours.transaction(async (trx) => {
      await trx.schema.createTable('tasks', (table) => {
        table.string('sourceID')
      })
      await trx('tasks').insert({ sourceID: 'A-1' })
    })
    expect(await ours('tasks').select()).to.deep.equal([{ sourceID: 'A-1' }])
    expect(await lent.raw('select 1 as one')).to.equal('nothing of it')
    await lent.destroy()
  })

  it('opens what an address names, and closes it', async () => {
    const storage = openStorage({ url: 'sqlite::memory:' }, 'itsm_')
    expect(await storage.knex.raw('select 1 as one')).to.deep.equal([{ one: 1 }])
    await storage.close()
    const failed: unknown = await storage.knex.raw('select 1').catch((error: unknown) => error)
    expect(failed).to.be.an('error')
  })

  it('refuses an address of another kind of database', () => {
    expect(() => openStorage({ url: 'postgres://localhost/desk' }, 'itsm_')).to.throw(InvalidOptions, 'database.url')
    expect(() => openStorage({ url: 'localhost' }, 'itsm_')).to.throw(InvalidOptions, 'database.url')
  })

  it('tells a server that is away from a query that is wrong', async () => {
    const away = openStorage({ url: 'mysql://root@127.0.0.1:1/desk' }, 'itsm_')
    const wrong = openStorage({ url: 'sqlite::memory:' }, 'itsm_')
    const faults = await Promise.all([away, wrong].map(({ knex }) => knex.raw('selec').catch((error: unknown) => error)))
    expect(faults.map(isConnectionFault)).to.deep.equal([true, false])
    await Promise.all([away.close(), wrong.close()])
  })
})

function embeddedConfig(): Knex.Config {
  return {
    client: libsqlClient(),
    connection: { filename: ':memory:' },
    useNullAsDefault: true,
    pool: { min: 1, max: 1 },
  }
}
