/** Keeps orders and a ledger of the host in one transaction with records of the plugin, in both directions. */
import { createServer } from 'node:http'
import Koa from 'koa'
import { createPlugin, type InTransactionHook, TransactionLost } from 'koa-itsm'
import { embeddedDatabase } from 'koa-itsm/embedded'

// The pool that is lent, so that a transaction of yours can be joined: `knex({ client: 'mysql2', … })` on a server.
const knex = embeddedDatabase(':memory:')
await knex.schema.createTable('ledger', (table) => {
  table.increments('id')
  table.integer('request_id').notNullable()
  table.string('status').notNullable()
  table.integer('person_id') // empty for the system
})
await knex.schema.createTable('orders', (table) => {
  table.integer('request_id').primary()
  table.integer('amount').notNullable()
})

// Their rows in ours: committed with the request, whoever has saved it, or not at all.
const writeLedger: InTransactionHook = async ({ after, before, call, db, id }) => {
  if (before?.['status'] === after?.['status']) return
  await db('ledger').insert({ request_id: id, status: after?.['status'], person_id: call.actor?.id ?? null })
}

const port = Number(process.env['PORT'] ?? 3000)
const itsm = createPlugin({
  baseUrl: `http://127.0.0.1:${port}/v1`,
  secret: 'an example has no secrets, but it needs 32 characters',
  database: { knex },
  allowInsecure: true,
  inTransaction: { 'request.save': [writeLedger] },
})
await itsm.migrate()
await itsm.accounts.put({ id: 'acme', name: 'Acme', serviceDesk: { name: 'Service Desk' } })
const { id } = await itsm.asSystem('seed', 'acme').create('person', { name: 'Ines', primary_email: 'ines@acme.example' })
await itsm.grant(Number(id), 'acme', ['account_owner', 'specialist'])
const token = await itsm.credentials.apiToken(Number(id))

// Our records in yours: the request exists if, and only if, the order does.
async function order(person: number, amount: number): Promise<unknown> {
  // Also set `{ isolationLevel: 'read committed' }` on MySQL and MariaDB.
  return knex.transaction(async (trx) => {
    const desk = itsm.as(person, { transaction: trx })
    const request = await desk.create('request', { subject: `Order of ${amount}`, category: 'rfi' })
    if (amount > 100) throw new Error('over the budget') // neither request nor order, and no mail about it
    await trx('orders').insert({ request_id: request['id'], amount })
    return request['id']
  })
}

/** Only the host can repeat a transaction that it has begun. */
async function persistently<T>(work: () => Promise<T>, times = 5): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof TransactionLost) || times === 1) throw error
    return persistently(work, times - 1)
  }
}

console.log(`Ordered: request ${await persistently(() => order(Number(id), 80))}`)
await order(Number(id), 500).catch((error: Error) => console.log(`Not ordered: ${error.message}`))

const host = new Koa()
host.use(async (ctx, next) => {
  if (ctx.path !== '/books') return next()
  ctx.body = { orders: await knex('orders'), ledger: await knex('ledger') }
})
host.use(itsm.middleware)
await itsm.start()
const server = createServer(host.callback()).listen(port, '127.0.0.1')
server.once('listening', () => {
  const change = '{"status": "completed", "completion_reason": "solved", "note": "Delivered."}'
  console.log(`Try: curl -u ${token}:x --json '${change}' -X PATCH http://127.0.0.1:${port}/v1/requests/1`)
  console.log(`Then: curl http://127.0.0.1:${port}/books`)
})
process.once('SIGTERM', async () => {
  server.close()
  await itsm.stop()
  await knex.destroy()
  server.closeAllConnections()
})
