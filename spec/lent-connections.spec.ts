/** Hosts lend connections of other versions than ours: they compile without a cast, and run. */
import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { MongoClient } from 'mongodb-6'
import { openStore } from '../plugin/jobs/agenda-store.js'
import { type Consumer, makeConsumer } from './support/consumer.js'
import { testStore, withDatabase } from './support/database.js'

/** A host that lends what the two imports make; without MONGODB_URL jobs wait in memory. */
const HOST = `
import knex from 'knex-3.1'
import { createPlugin, listener } from 'koa-itsm'
import { type Db, MongoClient } from 'mongodb-7.0'

const database = knex({ client: 'mysql2', connection: process.env['MYSQL_URL'] ?? '' })
const mongo = process.env['MONGODB_URL'] ? await MongoClient.connect(process.env['MONGODB_URL']) : null
const db: Db | undefined = mongo?.db('itsm_lent_' + process.pid)

let heard: (name: string) => void = () => {}
const event = new Promise<string>((resolve) => { heard = resolve })
const itsm = createPlugin({
  baseUrl: 'https://desk.example/v1',
  secret: 'only for this spec, and long enough',
  database: { knex: database },
  ...(db ? { mongo: { db } } : {}),
  on: { 'person.create': [listener('hears', async ({ name }) => heard(name))] },
})
await itsm.migrate()
await itsm.accounts.put({ id: 'acme', name: 'Acme', timeZone: 'Amsterdam' })
await itsm.start()
const system = itsm.asSystem('tries it out', 'acme')
await system.create('person', { name: 'Ines', primary_email: process.pid + '@acme.example' })
for (const isCommitted of [false, true]) {
  const transaction = await database.transaction({ isolationLevel: 'read committed' })
  await itsm.asSystem('tries it out', 'acme', { transaction }).create('site', { name: (isCommitted ? 'Kept ' : 'Undone ') + process.pid })
  await (isCommitted ? transaction.commit() : transaction.rollback())
}
const { items } = await system.list('person', { fields: 'name' })
const sites = await system.list('site', { fields: 'name' })
// Another process may have used the database before.
const own = sites.items.map(({ name }) => String(name).split(' ')).filter(([, pid]) => pid === String(process.pid))
console.log(own.map(([name]) => name).join())
console.log(items[0]?.['name'], await event, (await db?.collection('itsm_jobs').countDocuments()) !== 0)
await itsm.stop()
await db?.dropDatabase()
await mongo?.close()
await database.destroy()
`

/** Each version that is installed here is what the options take. */
const TYPES = `
import type { Knex as Knex31 } from 'knex-3.1'
import type { Knex } from 'knex'
import type { HostTransaction, LentDb, LentKnex, PluginOptions } from 'koa-itsm'
import type { Db as Db6 } from 'mongodb-6'
import type { Db as Db70 } from 'mongodb-7.0'
import type { Db } from 'mongodb'

declare const given: { older: Knex31; same: Knex; oldDb: Db6; olderDb: Db70; sameDb: Db }
export const knexes: readonly LentKnex[] = [given.older, given.same]
export const databases: readonly LentDb[] = [given.oldDb, given.olderDb, given.sameDb]
declare const begun: { older: Knex31.Transaction; same: Knex.Transaction }
export const transactions: readonly HostTransaction[] = [begun.older, begun.same]
// @ts-expect-error a pool is not a transaction
export const wrongTransaction: HostTransaction = given.same
export const options: Pick<PluginOptions, 'database' | 'mongo'> = { database: { knex: given.older }, mongo: { db: given.olderDb } }
// @ts-expect-error a pool of mysql2 is not a knex
export const wrongKnex: LentKnex = { query: () => {} }
// @ts-expect-error a client is not a database
export const wrongDb: LentDb = { db: () => given.sameDb }
`

describe('what hosts lend', function () {
  this.timeout(120_000)
  const database = withDatabase({ migrated: false })
  let consumer: Consumer
  /** What the compiler says of the programs. */
  let complaints = ''

  before('makes a project', async () => {
    consumer = await makeConsumer()
    consumer.write({ 'host.ts': HOST, 'types.ts': TYPES })
    complaints = await consumer.compile()
  })
  after(() => consumer.remove())

  it('may be a knex and a MongoDB driver of another version, in types', () => {
    expect(complaints).to.equal('')
  })

  it('may be a knex of another version, at work', async function () {
    if (testStore() !== 'server') this.skip()
    const host = consumer.run('host.js', { MYSQL_URL: database.url })
    expect(await host.ends(), host.output).to.equal(0)
    expect(host.output).to.contain('Ines person.create')
    expect(host.output).to.match(/^Kept$/m)
  })

  it('may not be a database of another major version beside ours, which is said at the start', async function () {
    const url = process.env['MONGODB_URL']
    if (!url) this.skip()
    const client = await MongoClient.connect(url)
    try {
      const error = await openStore({ db: client.db('itsm_lent') }, 'itsm_jobs').catch((failure: unknown) => failure)
      expect(String(error)).to.contain('another major version of the package mongodb').and.to.contain('itsm_lent')
    } finally {
      await client.close()
    }
  })

  it('may be a database of another MongoDB driver, at work', async function () {
    const url = process.env['MONGODB_URL']
    if (testStore() !== 'server' || !url) this.skip()
    const host = consumer.run('host.js', { MYSQL_URL: database.url, MONGODB_URL: url })
    expect(await host.ends(), host.output).to.equal(0)
    expect(host.output).to.contain('person.create true')
  })

  it('is shared: what hosts bring is a peer, and ranges leave room for their versions', () => {
    const { dependencies, peerDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
    expect(Object.keys(peerDependencies)).to.deep.equal(['knex', 'koa', 'mongodb', 'mysql2', 'objection'])
    // The backend names one version of Agenda as its peer, so that neither can move alone.
    const exact = Object.entries(dependencies).filter(([, range]) => !/^\^\d/.test(String(range)))
    expect(exact.map(([name]) => name)).to.deep.equal(['@agendajs/mongo-backend', 'agenda'])
  })
})
