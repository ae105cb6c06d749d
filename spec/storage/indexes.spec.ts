import { expect } from 'chai'
import { indexRequestLists } from '../../migrations/0021_index_request_lists.js'
import { orderWorkLists } from '../../migrations/0074_order_work_lists.js'
import { createQueries } from '../../plugin/storage/records/query.js'
import { WORK } from '../support/filled-tables.js'
import { withHouse } from '../support/house.js'

describe('indexes for lists of requests', () => {
  const house = withHouse()

  const columnsOfIndexes = async () => {
    const { knex, dialect } = house.storage
    const table = house.storage.table('requests')
    if (dialect === 'sqlite') {
      const indexes: { name: string }[] = await knex.raw('select name from sqlite_master where type = ? and tbl_name = ?', [
        'index',
        table,
      ])
      const columns = await Promise.all(
        indexes.map(
          async ({ name }) =>
            (await knex.raw('select name from pragma_index_info(?) order by seqno', [name])) as { name: string }[],
        ),
      )
      return columns.map((some) => some.map(({ name }) => name).join())
    }
    const [rows] = (await knex.raw(
      'select group_concat(column_name order by seq_in_index) as names from information_schema.statistics where table_schema = database() and table_name = ? group by index_name',
      [table],
    )) as [{ names: string }[]]
    return rows.map(({ names }) => names)
  }
  const wanted = [
    'subject',
    'next_target_at',
    'response_target_at',
    'resolution_target_at',
    'impact',
    'team_id',
    'member_id',
  ].map((name) => `account_id,${name}`)

  it('are there', async () => {
    expect(await columnsOfIndexes()).to.include.members(wanted)
  })

  it('are made by a migration that may run again after it broke, and can be taken back', async () => {
    const { knex, dialect, table } = house.storage
    const schema = { knex, dialect, table }
    await knex.schema.alterTable(table('requests'), (builder) => {
      builder.dropIndex([], `${table('requests')}_account_id_impact_index`)
    })
    await indexRequestLists.up(schema)
    expect(await columnsOfIndexes()).to.include.members(wanted)
    await indexRequestLists.down(schema)
    expect(await columnsOfIndexes()).to.not.include.members(wanted)
    await indexRequestLists.up(schema)
    expect(await columnsOfIndexes()).to.include.members(wanted)
    // A later migration has replaced one of them.
    await orderWorkLists.up(schema)
  })

  for (const [field, column] of [
    ['subject', 'subject'],
    ['next_target_at', 'next_target_at'],
    ['resolution_target_at', 'resolution_target_at'],
  ] as const) {
    for (const descending of [false, true]) {
      it(`give the order by ${field}${descending ? ', descending' : ''}, without sorting`, async () => {
        const { storage, catalog } = house
        if (storage.dialect !== 'mysql') return
        const statements: string[] = []
        const listen = ({ sql }: { sql: string }) => void statements.push(sql)
        storage.knex.on('query', listen)
        const where = { path: ['account'], op: 'in', values: ['acme'] } as const
        const selection = { type: catalog.type('request'), where, sort: [{ field, descending }], limit: 26 }
        await createQueries(storage, catalog).cells({}, selection, [['id']])
        storage.knex.removeListener('query', listen)
        // The inner query finds the page. A table without rows would be read as a whole.
        const page = /\((SELECT t\.`id` AS page_id.*)\) p ON/s.exec(statements.at(-1) ?? '')?.[1] ?? ''
        const index = `${storage.table('requests')}_account_id_${column}_index`
        const forced = page.replace(' t WHERE', ` t FORCE INDEX (${index}) WHERE`)
        expect(forced).to.contain('FORCE INDEX')
        const [rows] = (await storage.knex.raw(`EXPLAIN ${forced}`, ['acme', 26, 0])) as [Record<string, unknown>[]]
        expect(JSON.stringify(rows)).to.contain(index)
        expect(JSON.stringify(rows)).to.not.match(/filesort|Sort:/)
      })
    }
  }
})

describe('indexes for the order of work records', () => {
  const house = withHouse()

  /** The indexes of all tables, as `table: columns`; on servers only. */
  const indexes = async () => {
    const [rows] = (await house.storage.knex.raw(
      'select table_name as name, group_concat(column_name order by seq_in_index) as columns from information_schema.statistics where table_schema = database() and table_name like ? group by table_name, index_name',
      ['itsm_%'],
    )) as [{ name: string; columns: string }[]]
    return rows.map(({ name, columns }) => `${name.replace('itsm_', '')}: ${columns}`)
  }

  it('are for every column that these are sorted by', async function () {
    const { storage, catalog } = house
    if (storage.dialect !== 'mysql') return this.skip()
    const wanted = WORK.map((name) => catalog.type(name)).flatMap(({ table, fields, collection }) =>
      [...collection.sortable].map((name) => `${table}: account_id,${fields.get(name)?.column}`.replace(/,id$/, '')),
    )
    expect(await indexes()).to.include.members(wanted)
  })

  it('leave none that is the beginning of another, unless lists read it in the order of ids', async function () {
    if (house.storage.dialect !== 'mysql') return this.skip()
    const all = await indexes()
    const beginnings = all.filter((one) => all.some((other) => other.startsWith(`${one},`)))
    const others = beginnings.filter((one) => !one.endsWith(': account_id'))
    expect(others).to.deep.equal(['requests: account_id,service_instance_id'])
  })

  it('are made by a migration that may run again after it broke, and can be taken back', async () => {
    const { knex, dialect, table } = house.storage
    const schema = { knex, dialect, table }
    if (dialect !== 'mysql') {
      await orderWorkLists.down(schema)
      return orderWorkLists.up(schema)
    }
    const before = await indexes()
    await knex.schema.alterTable(table('tasks'), (builder) => {
      builder.dropIndex([], `${table('tasks')}_account_id_impact_index`)
    })
    await orderWorkLists.up(schema)
    expect(await indexes()).to.have.members(before)
    await orderWorkLists.down(schema)
    expect(await indexes()).to.include.members(['requests: account_id,category,status', 'project_phases: owner_type,owner_id'])
    expect(await indexes()).to.not.include('tasks: account_id,impact')
    await orderWorkLists.up(schema)
    expect(await indexes()).to.have.members(before)
  })
})
