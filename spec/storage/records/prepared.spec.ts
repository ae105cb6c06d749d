import { expect } from 'chai'
import type { Knex } from 'knex'
import { addColumns, createTable } from '../../../migrations/tools.js'
import type { Criterion } from '../../../plugin/schema/language/conditions.js'
import { createPreparing } from '../../../plugin/storage/records/prepared.js'
import { createQueries, type Queries } from '../../../plugin/storage/records/query.js'
import { columnsOf } from '../../../plugin/storage/records/record-columns.js'
import { createArrayRunner } from '../../../plugin/storage/records/run-as-arrays.js'
import { testStore, withDatabase } from '../../support/database.js'
import { errorOf } from '../../support/house.js'
import { withMounted } from '../../support/mounted.js'

type Cells = readonly (readonly unknown[])[]

describe('statements that are repeated', () => {
  const database = withDatabase({ migrated: false })
  const runner = () => createArrayRunner(database.storage)
  const KINDS = [
    ...['string_', 'exact_', 'text_', 'json_', 'strings_', 'long_', 'integer_', 'float_', 'decimal_', 'boolean_', 'date_'],
    ...['datetime_', 'word_', 'moment_', 'local_', 'time_', 'number_'],
  ]
  // Without whole seconds in moment_: they come without .000 then, and records have no such columns.
  const ROWS: readonly (readonly (string | number | null)[])[] = [
    [
      ...[
        'Zoë 😀',
        'Exact',
        'é'.repeat(40_000),
        '{"a":[1,null]}',
        '["x","y"]',
        '{"long":1}',
        -2_147_483_648,
        0.1,
        '-120.50',
        1,
      ],
      ...['2026-01-31', '2026-01-31 00:00:00', 'best_effort', '2026-01-31 00:00:00.100', '2026-01-31T00:00', '00:00', 0],
    ],
    [
      ...['', '', '', 'null', '[]', '', 2_147_483_647, 1e300, '999999999999.99', 0],
      ...[
        '0001-01-01',
        '9999-12-31 23:59:59',
        '2026-01-31 10:20:30',
        '2026-01-31 10:20:30.007',
        '',
        '23:59',
        9_007_199_254_740_991,
      ],
    ],
    [
      ...['a', 'b', 'c', '1', '"text"', 'é', 7, -1.5, '0.00', 1],
      ...['2024-02-29', '2024-02-29 12:00:00', '', null, null, null, 5],
    ],
    KINDS.map(() => null),
  ]

  before('makes a table with all kinds of columns', async () => {
    await createTable(database.storage, 'kinds', (table) => {
      table.id()
      table.string('string_', 30)
      table.exact('exact_')
      table.text('text_')
      table.json('json_')
      table.strings('strings_')
      table.longText('long_')
      table.integer('integer_')
      table.float('float_')
      table.decimal('decimal_')
      table.boolean('boolean_')
      table.date('date_')
      table.datetime('datetime_')
      table.datetimeOrWord('word_')
      table.moment('moment_')
      table.localDatetime('local_')
      table.timeOfDay('time_')
      table.number('number_')
    })
    const rows = ROWS.map((row) => Object.fromEntries(KINDS.map((kind, index) => [kind, row[index]])))
    for (const row of rows) await database.knex('itsm_kinds').insert(row)
  })

  async function same(
    sql: string,
    bindings: readonly (string | number | null)[] = [],
    db: Knex = database.knex,
  ): Promise<Cells> {
    const run = runner()
    const asText = await run(db, { sql, bindings, isRepeated: false })
    for (let times = 0; times < 3; times += 1) {
      expect(await run(db, { sql, bindings, isRepeated: true })).to.deep.equal(asText)
    }
    return asText
  }

  it('give the same values, whatever the kind of column', async () => {
    const found = await same('SELECT * FROM `itsm_kinds` ORDER BY `id`')
    expect(found).to.have.length(4)
    const some = await same(
      'SELECT COUNT(*), SUM(`integer_`), MAX(`decimal_`), NULL, 1 = 1, COALESCE(NULL, MAX(`text_`)) FROM `itsm_kinds`',
    )
    expect(some).to.have.length(1)
  })

  it('find the same rows by every kind of value', async () => {
    for (const [index, kind] of KINDS.entries()) {
      for (const row of ROWS) {
        const value = row[index] ?? null
        const found = await same(`SELECT \`id\` FROM \`itsm_kinds\` WHERE \`${kind}\` IN (?) ORDER BY \`id\``, [value])
        if (value !== null && kind !== 'float_') expect(found.length, `${kind} ${value}`).to.be.greaterThan(0)
        await same(`SELECT \`id\` FROM \`itsm_kinds\` WHERE \`${kind}\` >= ? ORDER BY \`id\` DESC LIMIT ? OFFSET ?`, [
          value,
          2,
          1,
        ])
      }
    }
  })

  it('see what a change of the table has made of it', async () => {
    const run = runner()
    const statement = { sql: 'SELECT * FROM `itsm_kinds` WHERE `id` = ?', bindings: [1], isRepeated: true }
    const [before] = await run(database.knex, statement)
    await run(database.knex, statement)
    await addColumns(database.storage, 'kinds', (columns) => void columns.integer('added'))
    const [after] = await run(database.knex, statement)
    expect(after).to.have.length((before?.length ?? 0) + 1)
    expect((await run(database.knex, statement))[0]).to.deep.equal(after)
  })

  it('give each caller the rows that meet its own values, also where alternatives stand on both sides of an outer join', async () => {
    await createTable(database.storage, 'owners', (table) => {
      table.id()
      table.number('manager')
    })
    await createTable(database.storage, 'sheets', (table) => {
      table.id()
      table.number('owner')
    })
    for (const manager of [null, 1, null, null]) await database.knex('itsm_owners').insert({ manager })
    for (const owner of [2, 3, 2]) await database.knex('itsm_sheets').insert({ owner })
    const run = runner()
    const sql =
      'SELECT s.`id` FROM `itsm_sheets` s LEFT JOIN `itsm_owners` o ON o.`id` = s.`owner` ' +
      'WHERE (s.`owner` IN (?) OR o.`manager` IN (?)) AND s.`id` IN (?)'
    const seen: unknown[] = []
    for (const person of [2, 1, 3, 4, 2]) {
      seen.push(await run(database.knex, { sql, bindings: [person, person, 3], isRepeated: true }))
    }
    expect(seen).to.deep.equal([[[3]], [[3]], [], [], [[3]]])
  })

  it('work in a transaction, and lock', async () => {
    const lock = database.storage.dialect === 'mysql' ? ' FOR UPDATE' : ''
    await database.knex.transaction(async (open) => {
      await open('itsm_kinds').where({ id: 1 }).update({ integer_: 12 })
      const [row] = await same(`SELECT \`integer_\` FROM \`itsm_kinds\` WHERE \`id\` = ?${lock}`, [1], open)
      expect(row).to.deep.equal([12])
    })
  })

  it('are not kept without bounds', async function () {
    if (testStore() !== 'server') return this.skip()
    const [[{ version }]] = await database.knex.raw('SELECT VERSION() AS version')
    // Nothing is prepared on MySQL.
    if (!/mariadb/i.test(version)) return this.skip()
    const run = runner()
    await database.knex.transaction(async (open) => {
      const prepared = async () => {
        const [[sent], [closed]] = await Promise.all(
          ['Com_stmt_prepare', 'Com_stmt_close'].map(async (name) => (await open.raw(`show session status like '${name}'`))[0]),
        )
        return Number(sent.Value) - Number(closed.Value)
      }
      const before = await prepared()
      for (let number = 0; number < 200; number += 1) {
        const sql = `SELECT ${number} FROM \`itsm_kinds\` WHERE \`id\` = ?`
        for (const _ of [1, 2]) expect(await run(open, { sql, bindings: [1], isRepeated: true })).to.deep.equal([[number]])
      }
      expect((await prepared()) - before).to.be.within(32, 64)
    })
  })

  describe('on a connection that cannot', () => {
    /** A connection of the driver that fails with these errors, one after the other, and then succeeds. */
    function failing(...errors: readonly number[]) {
      return answering('5.5.5-10.11.19-MariaDB-log', ...errors)
    }

    function answering(serverVersion: string | undefined, ...errors: readonly number[]) {
      const left = [...errors]
      const log: string[] = []
      const connection = {
        execute({ sql }: { sql: string }, done: (error: object | null, rows?: unknown) => void) {
          log.push(`execute ${sql}`)
          const errno = left.shift()
          if (errno) done(Object.assign(new Error(`error ${errno}`), { errno }))
          else done(null, [['prepared']])
        },
        unprepare: ({ sql }: { sql: string }) => void log.push(`unprepare ${sql}`),
        config: { rowsAsArray: false, typeCast: true },
        _handshakePacket: { serverVersion },
      }
      const send = createPreparing({})
      const ask = async (sql: string, config: object = {}) => {
        Object.assign(connection.config, config)
        const answer = await send(connection as object, { sql, bindings: [] }, async () => ({ response: [[['text']]] }))
        return (answer as { response: readonly [Cells] }).response[0][0]?.[0]
      }
      return { ask, log }
    }

    it('are sent as text when something between has lost them, and prepared again', async () => {
      for (const errno of [1243, 1615]) {
        const { ask, log } = failing(errno)
        expect(await ask('a')).to.equal('text')
        expect(await ask('a')).to.equal('prepared')
        expect(log).to.deep.equal(['execute a', 'unprepare a', 'execute a'])
      }
    })

    it('are sent as text for ever when they cannot be prepared', async () => {
      for (const errno of [1210, 1295, 1390]) {
        const { ask, log } = failing(errno)
        expect(await ask('a')).to.equal('text')
        expect(await ask('a')).to.equal('text')
        expect(await ask('b')).to.equal('prepared')
        expect(log).to.deep.equal(['execute a', 'unprepare a', 'execute b'])
      }
    })

    it('are sent as text for a while when the server has too many', async () => {
      const { ask, log } = failing(1461)
      for (let times = 0; times <= 1000; times += 1) expect(await ask(`q${times}`)).to.equal('text')
      expect(await ask('a')).to.equal('prepared')
      expect(log).to.deep.equal(['execute q0', 'unprepare q0', 'execute a'])
    })

    it('are sent as text where the host converts values itself', async () => {
      const { ask, log } = failing()
      expect(await ask('a', { typeCast: () => 1 })).to.equal('text')
      expect(log).to.deep.equal([])
    })

    it('are sent as text on MySQL, and where the server does not say what it is', async () => {
      for (const version of ['9.7.0', undefined]) {
        const { ask, log } = answering(version)
        expect(await ask('a')).to.equal('text')
        expect(log).to.deep.equal([])
      }
    })

    it('fail with every other error', async () => {
      const { ask } = failing(1213)
      expect(await errorOf(ask('a'))).to.have.property('errno', 1213)
      expect(await ask('a')).to.equal('prepared')
    })
  })
})

describe('texts of queries', () => {
  const mounted = withMounted()
  const call = {}
  let queries: Queries

  before('makes queries', () => {
    queries = createQueries(mounted.database.storage, mounted.itsm.catalog)
  })

  it('read every record type as a new query does, once and again', async () => {
    for (const type of mounted.itsm.catalog.types.values()) {
      const where: Criterion = { path: ['id'], op: 'not in', values: [0] }
      const slots = columnsOf(type).map(([column]) => [column])
      const asked = { type, where, limit: 20, offset: 1, language: 'nl' }
      const fresh = createQueries(mounted.database.storage, mounted.itsm.catalog)
      const [rows, cells] = [await fresh.rows(call, { type, where }), await fresh.cells(call, asked, slots)]
      for (const _ of [1, 2, 3]) {
        expect(await queries.rows(call, { type, where }), type.name).to.deep.equal(rows)
        expect(await queries.cells(call, asked, slots), type.name).to.deep.equal(cells)
      }
    }
  })

  it('bind the values of each query where the text has them', async () => {
    const type = mounted.itsm.catalog.type('request')
    const all = await queries.rows(call, { type, where: { all: [] } })
    expect(all.length).to.be.greaterThan(3)
    const ids = all.map(({ id }) => Number(id))
    for (const row of all) {
      const where: Criterion = {
        all: [
          { any: [{ path: ['subject'], op: 'in', values: [String(row['subject']), null] }] },
          { path: ['id'], op: '>=', values: [Number(row['id'])] },
          { path: ['id'], op: 'in', values: [Number(row['id']), 0] },
          { path: ['status'], op: 'not in', values: [null, `not ${row['status']}`] },
          { path: ['requested_by', 'name'], op: 'not in', values: [`x${row['id']}`] },
        ],
      }
      expect(await queries.cells(call, { type, where }, [['id'], ['subject']])).to.deep.equal([[row['id'], row['subject']]])
      expect(await queries.count(call, { type, where })).to.equal(1)
      expect((await queries.rows(call, { type, where }, { lock: true })).map(({ id }) => id)).to.deep.equal([row['id']])
    }
    for (const [index, id] of ids.entries()) {
      const selection = { type, where: { all: [] }, limit: 1 + (index % 3), offset: index }
      expect((await queries.cells(call, selection, [['id']]))[0]).to.deep.equal([id])
    }
    for (let length = 0; length <= ids.length; length += 1) {
      const some = ids.slice(0, length)
      const found = await queries.cells(call, { type, where: { path: ['id'], op: 'in', values: some } }, [['id']])
      expect(found.map(([id]) => id)).to.deep.equal(some)
    }
    expect(
      await queries.cells(
        call,
        { type, where: { path: ['id'], op: 'in', values: Array.from({ length: 3000 }, (_, at) => at) } },
        [['id']],
      ),
    ).to.deep.equal(ids.filter((id) => id < 3000).map((id) => [id]))
  })

  it('differ where only null, an operator, an order or a language differs', async () => {
    const type = mounted.itsm.catalog.type('request')
    const ask = async (where: Criterion, more: object = {}) =>
      (await queries.cells(call, { type, where, ...more }, [['id']])).map(([id]) => id)
    const one = ['member'] as const
    for (const _ of [1, 2]) {
      const [with_, without] = [
        await ask({ path: one, op: 'not in', values: [null] }),
        await ask({ path: one, op: 'in', values: [null] }),
      ]
      expect([...with_, ...without]).to.have.length(await queries.count(call, { type, where: { all: [] } }))
      expect(await ask({ path: one, op: 'in', values: [] })).to.deep.equal([])
      expect(await ask({ any: [] })).to.deep.equal([])
      const ascending = await ask({ all: [] })
      expect(await ask({ all: [] }, { sort: [{ field: 'id', descending: true }] })).to.deep.equal(ascending.toReversed())
    }
  })

  it('refuse placeholders that were not resolved', async () => {
    const type = mounted.itsm.catalog.type('request')
    const where: Criterion = { path: ['member'], op: 'in', values: [{ placeholder: 'me' }] }
    expect(await errorOf(queries.cells(call, { type, where }, [['id']]))).to.have.property(
      'message',
      "The placeholder 'me' was not resolved",
    )
  })
})
