/**
 * Tables of a host agree with ours, wherever its process is killed and whatever is rolled back: rows that hooks write in our
 * transactions, and records in transactions of the host. `LEDGER_KILLS=50` tries more than the usual few places.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import type { Knex } from 'knex'
import { createPlugin } from '../../../plugin/index.js'
import { withDatabase } from '../../support/database.js'
import { hostPool } from '../../support/host-pool.js'
import { moduleUrl, NODE_FLAGS } from '../../support/modules.js'
import { silent, TEST_SECRET } from '../../support/settings.js'

const KILLS = Number(process.env['LEDGER_KILLS'] ?? 8)
/** Milliseconds: what the processes do in it takes many times less. */
const LONGEST = 250

interface Tables {
  readonly ledger: readonly { type: string; record_id: number; was: string | null; became: string | null }[]
  readonly orders: readonly { record_id: number; name: string; lines: number }[]
  readonly lines: ReadonlyMap<string, number>
  readonly created: ReadonlySet<string>
  /** Names by id. */
  readonly records: ReadonlyMap<string, ReadonlyMap<number, string>>
}

describe('tables of a host', function () {
  this.timeout(60_000 + KILLS * 10_000)
  const children = new Set<ChildProcess>()
  let pool: Knex
  let setup: ReturnType<typeof createPlugin>
  after('ends processes that a failure has left', async () => {
    for (const child of children) await end(child)
    await setup?.stop()
    await pool?.destroy()
  })
  const database = withDatabase({ file: true })

  async function end(child: ChildProcess): Promise<void> {
    children.delete(child)
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }

  /** Starts a host, and kills it some time after all of its workers have begun. */
  async function killOne(token: string): Promise<void> {
    const options = { execArgv: NODE_FLAGS, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] as const }
    const child = fork(moduleUrl('spec/support/ledger-in-child'), [database.url, token], {
      ...options,
      stdio: [...options.stdio],
    })
    children.add(child)
    const unexpected: string[] = []
    await new Promise<void>((resolve, reject) => {
      child.once('exit', (code) => reject(new Error(`The host has ended by itself, with ${code}`)))
      child.on('message', (message: { readonly unexpected?: string }) => {
        if (message.unexpected === undefined) return resolve()
        unexpected.push(message.unexpected)
        reject(new Error(message.unexpected))
      })
    })
    await sleep(Math.random() * LONGEST)
    await end(child)
    expect(unexpected).to.deep.equal([])
  }

  /** All tables as of one moment: the server may still be executing the last commit of the process. */
  async function read(): Promise<Tables> {
    return pool.transaction(async (trx) => {
      const records = new Map<string, ReadonlyMap<number, string>>()
      for (const [type, table] of [
        ['person', 'itsm_people'],
        ['service_category', 'itsm_service_categories'],
        ['organization', 'itsm_organizations'],
      ] as const) {
        const rows: { id: number; name: string }[] = await trx(table).select('id', 'name')
        records.set(type, new Map(rows.map(({ id, name }) => [Number(id), name])))
      }
      const lines: { owner_type: string; owner_id: number; n: number }[] = await trx('itsm_audit_lines')
        .groupBy('owner_type', 'owner_id')
        .select('owner_type', 'owner_id')
        .count({ n: '*' })
      const created: { record_id: number }[] = await trx('itsm_outbox').where({ event: 'person.create' }).select('record_id')
      return {
        records,
        ledger: await trx('ledger').orderBy('id').select(),
        orders: await trx('orders').select(),
        lines: new Map(lines.map(({ n, owner_id, owner_type }) => [`${owner_type} ${owner_id}`, Number(n)])),
        created: new Set(created.map(({ record_id }) => `person ${record_id}`)),
      }
    })
  }

  function mustAgree({ created, ledger, lines, orders, records }: Tables): void {
    const steps = new Map<string, Tables['ledger'][number][]>()
    for (const row of ledger) {
      const of = `${row.type} ${row.record_id}`
      steps.set(of, [...(steps.get(of) ?? []), row])
    }
    for (const [of, rows] of steps) {
      // Each row goes on where the one before it has ended.
      expect(
        rows.map(({ was }) => was),
        of,
      ).to.deep.equal([null, ...rows.map(({ became }) => became).slice(0, -1)])
      const [type = '', id] = of.split(' ')
      expect(records.get(type)?.get(Number(id)) ?? null, of).to.equal(rows.at(-1)?.became)
      expect(lines.get(of), `audit lines of ${of}`).to.equal(rows.length)
    }
    for (const type of ['person', 'service_category'])
      for (const [id, name] of records.get(type) ?? [])
        if (/^(Person|Category) \d/.test(name)) expect(steps.has(`${type} ${id}`), `ledger of ${type} ${id}`).to.equal(true)
    const people = [...steps.keys()].filter((of) => of.startsWith('person '))
    expect([...created].filter((of) => steps.has(of))).to.have.members(people)

    const organizations = [...(records.get('organization') ?? [])].map(([id, name]) => `${id} ${name}`)
    expect(organizations).to.have.members(orders.map(({ name, record_id }) => `${record_id} ${name}`))
    for (const order of orders)
      expect(lines.get(`organization ${order.record_id}`), `audit lines of ${order.name}`).to.equal(Number(order.lines))
  }

  it('agree with those of the plugin wherever the process is killed, and whatever is rolled back', async () => {
    pool = hostPool(database.url)
    await pool.schema.createTable('ledger', (table) => {
      table.increments('id')
      table.string('type').notNullable()
      table.bigInteger('record_id').notNullable()
      table.string('was')
      table.string('became')
    })
    await pool.schema.createTable('orders', (table) => {
      table.increments('id')
      table.bigInteger('record_id').notNullable()
      table.string('name').notNullable()
      table.integer('lines').notNullable()
    })
    setup = createPlugin({
      ...{ baseUrl: 'http://127.0.0.1:9/v1', allowInsecure: true, secret: TEST_SECRET, log: silent, database: { knex: pool } },
    })
    await setup.accounts.put({ id: 'acme', name: 'Acme' })
    const owen = await setup.asSystem('x', 'acme').create('person', { name: 'Owen', primary_email: 'owen@acme.example' })
    await setup.grant(Number(owen['id']), 'acme', ['account_owner', 'configuration_manager'])
    const token = await setup.credentials.apiToken(Number(owen['id']))
    for (let kills = 0; kills < KILLS; kills += 1) {
      await killOne(token)
      mustAgree(await read())
    }
    const { ledger, orders } = await read()
    expect(ledger.length, 'rows of the ledger').to.be.greaterThan(KILLS)
    expect(orders.length, 'orders').to.be.greaterThan(KILLS)
    if (process.env['LEDGER_KILLS'])
      console.log(`      ${KILLS} kills: ${ledger.length} rows of the ledger, ${orders.length} orders`)
  })
})
