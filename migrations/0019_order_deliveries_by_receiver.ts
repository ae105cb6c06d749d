import { createHash } from 'node:crypto'
import { addColumns, addIndex, createTable, dropColumns, dropIndex, dropTables, type Migration } from './tools.js'

/**
 * Deliveries wait for a receiver, the URL of one or more webhooks of an account. One process at a time delivers to it, so that
 * all these webhooks together keep the order of events.
 */
export const orderDeliveriesByReceiver: Migration = {
  name: '0019_order_deliveries_by_receiver',

  async up(schema) {
    const { knex, table } = schema
    // A digest of account and URL; see webhooks/receiver-key.ts.
    if (!(await knex.schema.hasColumn(table('deliveries'), 'receiver'))) {
      await addColumns(schema, 'deliveries', (columns) => void columns.exact('receiver').notNullable().defaultTo(''))
    }
    await addIndex(schema, 'deliveries', 'receiver', 'dropped_at', 'next_at')
    await createTable(schema, 'webhook_receivers', (columns) => {
      columns.exact('receiver').notNullable()
      columns.exact('claimed_by').notNullable()
      columns.moment('claimed_until').notNullable()
      columns.primary('receiver')
    })
    const waiting = knex(table('deliveries')).where('receiver', '').distinct('webhook_id')
    const webhooks: { id: number | string; account_id: string; uri: string }[] = await knex(table('webhooks'))
      .whereIn('id', waiting)
      .select('id', 'account_id', 'uri')
    for (const { id, account_id, uri } of webhooks) {
      await knex(table('deliveries'))
        .where({ webhook_id: id })
        .update({ receiver: keyOf(account_id, uri) })
    }
    for (const column of ['claimed_by', 'claimed_until']) {
      if (await knex.schema.hasColumn(table('webhook_health'), column)) await dropColumns(schema, 'webhook_health', column)
    }
  },

  async down(schema) {
    await addColumns(schema, 'webhook_health', (columns) => {
      columns.exact('claimed_by')
      columns.moment('claimed_until')
    })
    await dropTables(schema, 'webhook_receivers')
    await dropIndex(schema, 'deliveries', 'receiver', 'dropped_at', 'next_at')
    await dropColumns(schema, 'deliveries', 'receiver')
  },
}

function keyOf(accountId: string, uri: string): string {
  const { origin, pathname } = URL.canParse(uri) ? new URL(uri) : { origin: '', pathname: uri }
  return createHash('sha256').update(`${accountId} ${origin}${pathname}`).digest('hex')
}
