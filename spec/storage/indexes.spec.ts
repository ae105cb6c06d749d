import { expect } from 'chai'
import { indexRequestLists } from '../../migrations/0021_index_request_lists.js'
import { createQueries } from '../../plugin/storage/records/query.js'
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
    'category,status',
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
