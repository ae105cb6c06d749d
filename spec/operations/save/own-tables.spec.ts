/** Hooks and rules of a host that read and write tables of the host: with `db`, in the transaction of the save. */
import { expect } from 'chai'
import knex, { type Knex } from 'knex'
import { createPlugin, extendRecord, type Plugin, type PluginOptions, rule } from '../../../plugin/index.js'
import { REFUSED } from '../../../plugin/storage/database/lend-transaction.js'
import { testStore, withDatabase } from '../../support/database.js'
import { errorOf } from '../../support/house.js'
import { silent, TEST_SECRET } from '../../support/settings.js'

describe('a hook or rule with a table of its own', () => {
  const database = withDatabase({ file: true })
  const closing: (() => Promise<unknown>)[] = []
  const visits = (): Promise<string[]> => database.knex('visits').orderBy('id').pluck('place')

  before(async () => {
    await database.knex.schema.createTable('visits', (table) => {
      table.increments('id')
      table.string('place').unique()
      table.integer('times').notNullable().defaultTo(0)
    })
    await put(plugin())
  })
  after(async () => {
    for (const close of closing.reverse()) await close()
  })
  afterEach(async () => {
    await database.knex('visits').delete()
    await database.knex('itsm_sites').delete()
  })

  const put = (itsm: Plugin) => itsm.accounts.put({ id: 'acme', name: 'Acme' })

  function plugin(more: Partial<PluginOptions> = {}): Plugin {
    const lent = { knex: database.lent }
    const itsm = createPlugin({
      ...{ baseUrl: 'http://127.0.0.1:9/v1', allowInsecure: true, secret: TEST_SECRET, log: silent },
      ...{ database: lent, rateLimit: { burst: false } },
      ...more,
    })
    closing.push(() => itsm.stop())
    return itsm
  }
  const systemOf = (itsm: Plugin) => itsm.asSystem('the spec', 'acme')
  /** The system of a plugin with this hook of sites. */
  const withHook = (hook: (db: Knex, name: string) => unknown) =>
    systemOf(plugin({ before: { 'site.save': [async ({ db, next }) => void (await hook(db, String(next['name'])))] } }))

  const pools: readonly (readonly [what: string, open: () => PluginOptions['database']])[] = [
    ['lent', () => ({ knex: testStore() === 'server' ? smallPool() : database.knex })],
    ['of the plugin', () => ({ url: database.url, pool: { min: 0, max: testStore() === 'server' ? 2 : 1 } })],
  ]
  function smallPool(): Knex {
    const pool = knex({ client: 'mysql2', connection: database.url, pool: { min: 0, max: 2 }, log: { warn() {} } })
    closing.push(() => pool.destroy())
    return pool
  }
  for (const [what, open] of pools) {
    it(`keeps no connection waiting: 100 saves at once with two connections, in a pool ${what}`, async () => {
      const system = systemOf(
        plugin({
          database: open(),
          before: {
            'site.save': [
              async ({ db, next }) => {
                const [{ count = 0 } = {}] = await db('visits').count({ count: '*' })
                await db('visits').insert({ place: String(next['name']), times: Number(count) >= 0 ? 1 : 0 })
              },
            ],
          },
        }),
      )
      const names = Array.from({ length: 100 }, (_, index) => `Site ${what} ${index}`)
      await Promise.all(names.map((name) => system.create('site', { name })))
      expect((await visits()).sort()).to.deep.equal([...names].sort())
    }).timeout(30_000)
  }

  it('writes in each phase, and nothing is left of a save or removal that is refused at its end', async () => {
    const places = (phase: string) => ({ place: phase })
    let refuses = false
    const visiting = rule('visiting', () => ({
      async fill({ db }) {
        await db('visits').insert(places('fill'))
      },
      async check({ db }) {
        await db('visits').insert(places('check'))
      },
      async fillWithId({ db }) {
        await db('visits').insert(places('fillWithId'))
      },
      async written({ db, fail }) {
        await db('visits').insert(places('written'))
        if (refuses) fail('base', 'no')
      },
      async writtenAll([context]) {
        await context?.db('visits').insert(places('writtenAll'))
      },
      async remove({ db }) {
        await db('visits').insert(places('remove'))
      },
      async removed({ db, fail }) {
        await db('visits').insert(places('removed'))
        if (refuses) fail('base', 'no')
      },
    }))
    const system = systemOf(plugin({ extend: [extendRecord('webhook', { rules: [visiting()] })] }))
    const hook = { event: 'person.create', uri: 'https://receiver.example/hook' }
    refuses = true
    expect((await errorOf(system.create('webhook', hook))).message).to.include('Validation Failed')
    expect(await visits()).to.deep.equal([])
    refuses = false
    const { id } = await system.create('webhook', hook)
    expect(await visits()).to.deep.equal(['fill', 'check', 'fillWithId', 'writtenAll', 'written'])
    await database.knex('visits').delete()
    refuses = true
    await errorOf(system.remove('webhook', Number(id)))
    expect(await visits()).to.deep.equal([])
    refuses = false
    await system.remove('webhook', Number(id))
    expect(await visits()).to.deep.equal(['remove', 'removed'])
  })

  it('is made when a function asks for it, in all phases', async () => {
    const ways: string[] = []
    const note = (phase: string) => (context: object) =>
      void ways.push(`${phase}: ${typeof Object.getOwnPropertyDescriptor(context, 'db')?.get}`)
    const looking = rule('looking', () => ({ fill: note('fill'), written: note('written'), removed: note('removed') }))
    const system = systemOf(plugin({ extend: [extendRecord('webhook', { rules: [looking()] })] }))
    const { id } = await system.create('webhook', { event: 'person.create', uri: 'https://receiver.example/hook' })
    await system.remove('webhook', Number(id))
    expect(ways).to.deep.equal(['fill: function', 'written: function', 'removed: function'])
  })

  it('is undone with the save when it throws', async () => {
    const system = withHook(async (db) => {
      await db('visits').insert({ place: 'Delft' })
      throw new Error('no')
    })
    expect((await errorOf(system.create('site', { name: 'Delft' }))).message).to.include(
      "The host's before hook of site.save failed",
    )
    expect(await visits()).to.deep.equal([])
  })

  const refused: Readonly<Record<string, (db: Knex) => unknown>> = {
    'commit()': (db) => (db as Knex.Transaction).commit(),
    'rollback()': (db) => (db as Knex.Transaction).rollback(),
    'destroy()': (db) => db.destroy(),
    'initialize()': (db) => db.initialize(),
    'transactionProvider()': (db) => db.transactionProvider()(),
    'transaction() without a function': (db) => db.transaction(),
    'transaction() with options': (db) => db.transaction(async () => {}, { readOnly: true }),
    "'COMMIT'": (db) => db.raw('COMMIT'),
    "'rollback to savepoint x'": (db) => db.raw('/* x */ rollback to savepoint x'),
    "'set autocommit = 1'": (db) => db.raw(' set autocommit = 1'),
    "'/*!50000 commit */'": (db) => db.raw('/*!50000 commit */'),
    "'end'": (db) => db.raw('end'),
    "'create table": (db) => db.schema.createTable('visits_too', (table) => table.increments()),
    "'truncate": (db) => db.raw('truncate table visits'),
    "'call visit()'": (db) => db.raw('call visit()'),
    "'execute immediate": (db) => db.raw("execute immediate 'commit'"),
    "'prepare": (db) => db.raw("prepare ending from 'commit'"),
    "'set statement": (db) => db.raw('set statement max_statement_time = 1 for commit'),
    "'set password": (db) => db.raw("set password for nobody@nowhere = 'x'"),
    "'set @@session.autocommit": (db) => db.raw('set @@session.autocommit = 1'),
    // The statement would outlive the save, on a connection of the pool.
    "'use information_schema'": (db) => db.raw('use information_schema'),
    "'insert or rollback": (db) => db.raw('insert or rollback into visits (place) values (?)', ['Delft']),
    'withUserParams()': (db) => db.withUserParams({}),
    'disableProcessing()': (db) => (db as Knex & { disableProcessing(): void }).disableProcessing(),
    'removeAllListeners()': (db) => db.removeAllListeners(),
    'executionPromise()': (db) => (db as Knex.Transaction).executionPromise,
    'client.transaction()': (db) => db.client.transaction(async () => {}),
    'stream()': async (db) => {
      for await (const _ of db('visits').stream()) break
    },
  }
  for (const [what, misuse] of Object.entries(refused)) {
    it(`cannot end the transaction or leave it: ${what}`, async () => {
      const system = withHook(async (db) => {
        await db('visits').insert({ place: 'Delft' })
        await misuse(db)
      })
      const error = await errorOf(system.create('site', { name: 'Delft' }))
      expect(error.message).to.include(`${what}`).and.to.include('is not possible')
      expect(error.cause).to.be.instanceOf(TypeError)
      expect(await visits()).to.deep.equal([])
    })
  }

  it('lends or refuses every member of a knex', async () => {
    const seen = new Set<string>()
    await withHook((db) => {
      const builder = db.queryBuilder()
      const trx = db as Knex & Readonly<Record<string, unknown>>
      for (const name of Object.getOwnPropertyNames(trx)) if (!(name in builder) && !REFUSED.includes(name)) seen.add(name)
    }).create('site', { name: 'Delft' })
    // Of a function, for builders, for what is lent, and harmless.
    const known = [
      ...['name', 'length', 'prototype', 'arguments', 'caller'],
      ...['client', 'context', 'queryBuilder', 'raw', 'ref', 'fn', 'schema', 'batchInsert', 'transaction'],
      ...['userParams', 'isTransaction', 'isCompleted', '_internalListeners'],
    ]
    const unknown = [...seen].filter((name) => !known.includes(name) && !/^andWhereJson(Not)?(Sub|Super)setOf$/.test(name))
    expect(unknown).to.deep.equal([])
  })

  it('cannot end the transaction with one of several statements', async function () {
    if (testStore() === 'embedded') this.skip()
    const many = { url: `${database.url}?multipleStatements=true` }
    const hook: NonNullable<PluginOptions['before']>[string][number] = async ({ db }) => {
      await db('visits').insert({ place: 'Delft' })
      await db.raw('select 1; select 2;')
      await db.raw('select 1; commit')
    }
    const system = systemOf(plugin({ database: many, before: { 'site.save': [hook] } }))
    expect((await errorOf(system.create('site', { name: 'Delft' }))).message).to.include("'commit' is not possible")
    expect(await visits()).to.deep.equal([])
  })

  it('stores nothing after a trigger that ends the transaction', async function () {
    if (testStore() === 'server') this.skip()
    await database.knex.raw(
      "create trigger strict before insert on visits when new.place = 'wrong' begin select raise(rollback, 'not there'); end",
    )
    const system = withHook(async (db) => {
      await db('visits').insert({ place: 'Delft' })
      await db('visits')
        .insert({ place: 'wrong' })
        .catch(() => {})
      await db('visits')
        .insert({ place: 'committed by itself' })
        .catch(() => {})
    })
    const error = await errorOf(system.create('site', { name: 'Delft' }))
    await database.knex.raw('drop trigger strict')
    expect(error.message).to.include('A statement of a hook or rule has ended the transaction of the save')
    expect(await visits()).to.deep.equal([])
    expect(await database.knex('itsm_sites')).to.deep.equal([])
  })

  it('may undo a part with transaction(), also within another one, and in batches', async () => {
    const system = withHook(async (db) => {
      await db('visits').insert({ place: 'kept' })
      await db
        .transaction(async (part) => {
          await part('visits').insert({ place: 'undone' })
          await part.transaction((inner) => inner('visits').insert({ place: 'undone too' }))
          throw new Error('undo')
        })
        .catch(() => {})
      await db.transaction(async (part) => {
        await part('visits').insert({ place: 'outer' })
        await part.transaction((inner) => inner('visits').insert({ place: 'kept' })).catch(() => {})
      })
      await db.batchInsert('visits', [{ place: 'batch 1' }, { place: 'batch 2' }], 1)
      await db.transaction((part) => part.commit()).catch((error) => db('visits').insert({ place: String(error).slice(0, 9) }))
    })
    await system.create('site', { name: 'Delft' })
    expect(await visits()).to.deep.equal(['kept', 'outer', 'batch 1', 'batch 2', 'TypeError'])
  })

  it('does not lose what it writes beside a transaction() that is undone', async () => {
    const system = withHook(async (db) => {
      let isOpen = () => {}
      const opened = new Promise<void>((resolve) => {
        isOpen = resolve
      })
      const part = db.transaction(async (inner) => {
        await inner('visits').insert({ place: 'undone' })
        isOpen()
        await new Promise((resolve) => setTimeout(resolve, 20))
        await db('visits').insert({ place: 'undone as well' })
        throw new Error('undo')
      })
      const beside = opened.then(() => db('visits').insert({ place: 'kept' }))
      await Promise.allSettled([part, beside])
    })
    await system.create('site', { name: 'Delft' })
    expect(await visits()).to.deep.equal(['kept'])
  })

  it('has one transaction() after the other, also if they begin at the same time', async () => {
    const system = withHook(async (db) => {
      const undone = db.transaction(async (part) => {
        await part('visits').insert({ place: 'undone' })
        throw new Error('undo')
      })
      const kept = db.transaction((part) => part('visits').insert({ place: 'kept' }))
      const empty = [1, 2].map(() => db.transaction(async () => {}))
      await Promise.allSettled([undone, kept, ...empty])
      await db('visits').insert({ place: 'kept, too' })
    })
    await system.create('site', { name: 'Delft' })
    expect(await visits()).to.deep.equal(['kept', 'kept, too'])
  })

  it('ends a transaction() after those that were begun within it', async () => {
    const system = withHook(async (db) => {
      await db
        .transaction(async (part) => {
          void part.transaction(async (inner) => {
            await new Promise((resolve) => setTimeout(resolve, 20))
            await inner('visits').insert({ place: 'undone' })
          })
          throw new Error('undo')
        })
        .catch(() => {})
      await db('visits').insert({ place: 'kept' })
    })
    await system.create('site', { name: 'Delft' })
    expect(await visits()).to.deep.equal(['kept'])
  })

  it('is waited for, and may do nothing once its phase has ended', async () => {
    let late: Promise<unknown> = Promise.resolve()
    const system = withHook((db) => {
      void db('visits').insert({ place: 'not awaited' }).then()
      late = new Promise((resolve) => setTimeout(resolve, 150))
        .then(() => db('visits').insert({ place: 'late' }))
        .catch((error: unknown) => error)
    })
    await system.create('site', { name: 'Delft' })
    expect(String(await late)).to.include("continued after the phase 'before': it must wait for what it starts")
    expect(await visits()).to.deep.equal(['not awaited'])
  })

  it('keeps names and rows as the host converts them', async function () {
    if (testStore() === 'embedded') this.skip()
    const pool = knex({
      ...{ client: 'mysql2', connection: database.url, pool: { min: 0, max: 1 }, log: { warn() {} } },
      wrapIdentifier: (name, wrap) => wrap(name === '*' ? name : name.toLowerCase()),
      postProcessResponse: (rows) => (Array.isArray(rows) ? rows.map((row) => ({ ...row, ours: true })) : rows),
    })
    closing.push(() => pool.destroy())
    let seen: unknown
    const hook: NonNullable<PluginOptions['before']>[string][number] = async ({ db }) => {
      await db('VISITS').insert({ PLACE: 'Delft' })
      seen = await db('VISITS').select('PLACE')
    }
    await systemOf(plugin({ database: { knex: pool }, before: { 'site.save': [hook] } })).create('site', { name: 'Delft' })
    expect(seen).to.deep.equal([{ place: 'Delft', ours: true }])
  })

  it('is repeated with its save when it loses against another transaction, even if it says nothing of it', async function () {
    if (testStore() === 'embedded') this.skip()
    await database.knex('visits').insert([{ place: 'a' }, { place: 'b' }])
    let runs = 0
    let arrived = () => {}
    const both = new Promise<void>((resolve) => {
      arrived = () => runs === 2 && resolve()
    })
    const system = withHook(async (db, name) => {
      const [first = '', second = ''] = name === 'a' ? ['a', 'b'] : ['b', 'a']
      await db('visits').where({ place: first }).increment('times')
      runs += 1
      arrived()
      await both
      await db('visits')
        .where({ place: second })
        .increment('times')
        .catch(() => {})
    })
    await Promise.all(['a', 'b'].map((name) => system.create('site', { name })))
    expect(runs).to.be.at.least(3)
    expect(await database.knex('visits').orderBy('place').pluck('times')).to.deep.equal([2, 2])
  })
})
