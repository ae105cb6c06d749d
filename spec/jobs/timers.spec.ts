import { expect } from 'chai'
import { type Migration, partTable, recordTable } from '../../migrations/tools.js'
import { due, follow } from '../../plugin/index.js'
import { readDue } from '../../plugin/jobs/due-records.js'
import { createTimers, type TimersDeps } from '../../plugin/jobs/timers.js'
import { identity } from '../../plugin/schema/kinds/common-fields.js'
import { boolean, datetime, oneOf, ref, string } from '../../plugin/schema/kinds/fields.js'
import { defineRecord } from '../../plugin/schema/language/define-record.js'
import { createLeases } from '../../plugin/storage/queues/leases.js'
import { createQueries } from '../../plugin/storage/records/query.js'
import { countStatements } from '../support/count-statements.js'
import { withHouse } from '../support/house.js'
import { MINUTE } from '../support/webhooks.js'
import { recordLog } from './record-log.js'

const collection = { fields: 'id', sort: 'id', filterable: 'id' } as const
const access = { create: ['specialist'], update: ['specialist'] } as const

const permit = defineRecord('permit', {
  path: 'permits',
  fields: {
    ...identity,
    label: string(40),
    status: oneOf(['valid', 'expired'], { default: 'valid' }),
    expires_at: datetime(),
    folder: ref('folder'),
    updated_at: datetime({ readOnly: true }),
  },
  collection,
  access,
  events: ['status-changed'],
  timers: [due('expires_at', { while: { status: 'valid' }, set: { status: 'expired' } })],
})

/** Closed when all of its permits have expired. */
const folder = defineRecord('folder', {
  path: 'folders',
  title: null,
  fields: { ...identity, closed: boolean({ readOnly: true, default: false }) },
  collection,
  access,
  settle: [
    follow('permits', {
      of: { permits: { type: 'permit', by: 'folder' } },
      decide: ({ permits }) => ({
        owner: { closed: permits.length > 0 && permits.every(({ status }) => status === 'expired') },
      }),
    }),
  ],
})

const reminder = defineRecord('reminder', {
  path: 'reminders',
  fields: { ...identity, remind_at: datetime(), reminded: boolean({ readOnly: true, default: false }) },
  collection,
  access,
  audit: false,
  timers: [due('remind_at', { while: {}, set: { remind_at: null, reminded: true } })],
})

const visa = defineRecord('visa', {
  path: 'visas',
  title: null,
  partOf: ['permit'],
  fields: { ...identity, kind: oneOf(['new', 'old'], { readOnly: true, default: 'new' }), ends_at: datetime() },
  collection,
  access,
  timers: [due('ends_at', { while: { kind: 'new' }, set: { kind: 'old' } })],
})

const createPermits: Migration = {
  name: 'host_0001_create_permits',
  async up(schema) {
    await recordTable(schema, 'permits', (table) => {
      table.string('label', 40)
      table.enum('status')
      table.datetime('expires_at')
      table.datetime('updated_at')
      table.ref('folder_id')
      table.index('status', 'expires_at')
    })
    await recordTable(schema, 'folders', (table) => table.boolean('closed'))
    await partTable(schema, 'visas', (table) => {
      table.enum('kind')
      table.datetime('ends_at')
      table.index('kind', 'ends_at')
    })
    await recordTable(schema, 'reminders', (table) => {
      table.datetime('remind_at')
      table.boolean('reminded')
      table.index('remind_at')
    })
  },
  down: async () => {},
}

describe('timers', () => {
  const saved: string[] = []
  const house = withHouse({
    records: [permit, folder, reminder, visa],
    migrations: [createPermits],
    before: {
      'permit.save': [
        ({ before, call, fail, next }) => {
          if (!before) return
          saved.push(`${next['id']} ${call.acts} ${call.account.id}`)
          if (next['label'] === 'refused') fail('status', 'locked')
          if (next['label'] === 'broken') throw new Error('The hook is broken')
          if (next['label'] === 'away') throw Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
          if (next['label'] === 'undone') next['status'] = 'valid'
          if (next['label'] === 'renewed') Object.assign(next, { status: 'valid', expires_at: call.now })
          if (next['label'] === 'hangs') return new Promise<never>(() => {})
        },
      ],
    },
  })
  const { log, entries } = recordLog()
  const NOW = '2026-11-21T09:30:00Z'

  const timers = (more: Partial<TimersDeps> = {}) => {
    const { callers, catalog, clock, operations, storage } = house
    let ids = 0
    const randomId = () => `${Math.random()} ${ids++}`
    return createTimers({
      ...{ callers, catalog, clock, log, operations, storage, leaseMs: MINUTE, pageSize: 10 },
      queries: createQueries(storage, catalog),
      leases: createLeases({ storage, clock, log, randomId }),
      ...more,
    })
  }
  const add = async (label: string, expires_at: string | null, account = 'acme') =>
    Number((await house.operations.save(await house.system(account), 'permit', null, { label, expires_at }))['id'])
  const statusOf = async (id: number) => (await house.row('permit', id))?.['status']
  const statuses = (ids: readonly number[]) => Promise.all(ids.map(statusOf))

  beforeEach(async () => {
    house.clock.set(NOW)
    for (const name of ['permits', 'folders', 'reminders', 'visas', 'audit_lines', 'outbox', 'leases']) {
      await house.storage.knex(house.storage.table(name)).delete()
    }
    saved.length = 0
    entries.length = 0
  })

  it('save what they say when the moment has come, not before, and once', async () => {
    const id = await add('one', '2026-11-21T10:00:00Z')
    const never = await add('never', null)
    saved.length = 0
    expect(await timers().fireDue()).to.deep.equal({ saved: 0, unfired: 0, next: null })
    house.clock.set('2026-11-21T09:59:45Z')
    const soon = await timers().fireDue()
    expect(soon).to.deep.equal({ saved: 0, unfired: 0, next: new Date('2026-11-21T10:00:00Z') })
    house.clock.set('2026-11-21T10:00:00Z')
    expect(await timers().fireDue()).to.deep.equal({ saved: 1, unfired: 0, next: null })
    expect(await timers().fireDue()).to.include({ saved: 0 })
    expect(await statuses([id, never])).to.deep.equal(['expired', 'valid'])
    expect(saved).to.deep.equal([`${id} plugin acme`])
  })

  it('act as the plugin: with rules, an audit line and an event, which name no person', async () => {
    const id = await add('one', NOW)
    await timers().fireDue()
    expect(await house.row('permit', id)).to.include({ updated_at: NOW })
    const lines = (await house.table('audit_lines')).filter((line) => line['action'] === 'update')
    expect(lines).to.have.length(1)
    expect(lines[0]).to.include({ created_by_id: null })
    expect(JSON.parse(String(lines[0]?.['changes']))).to.deep.equal({ status: ['valid', 'expired'] })
    const [event] = (await house.table('outbox')).filter((one) => one['event'] === 'permit.status-changed')
    expect(event).to.include({ person_id: null, account_id: 'acme' })
  })

  it('set read-only fields, of types without an audit line and without updated_at', async () => {
    const id = await house.add('reminder', { remind_at: NOW })
    expect(await timers().fireDue()).to.include({ saved: 1 })
    expect(await house.row('reminder', id)).to.include({ remind_at: null, reminded: true })
  })

  it('settle what follows from the records, once for all of them', async () => {
    const closed = await house.add('folder', {})
    const open = await house.add('folder', {})
    const into = async (folder_id: number, expires_at: string) =>
      house.operations.save(await house.system(), 'permit', null, { folder_id, expires_at })
    for (let n = 0; n < 5; n += 1) await into(closed, NOW)
    await into(open, NOW)
    await into(open, '2026-11-22T00:00:00Z')
    expect(await timers().fireDue()).to.include({ saved: 6 })
    expect(await house.row('folder', closed)).to.include({ closed: true })
    expect(await house.row('folder', open)).to.include({ closed: false })
    const lines = (await house.table('audit_lines')).filter((line) => line['owner_type'] === 'folder')
    expect(lines.filter((line) => line['action'] === 'update')).to.have.length(1)
  })

  it('save sub-records', async () => {
    const owner = { type: 'permit', id: await add('owner', null) }
    const id = await house.add('visa', { ends_at: NOW }, { owner })
    expect(await timers().fireDue()).to.include({ saved: 1 })
    expect(await house.row('visa', id)).to.include({ kind: 'old', owner_id: owner.id })
  })

  it('read from the index, in its order, nothing but what is due', async () => {
    const { storage, catalog } = house
    const type = catalog.type('permit')
    const statements: string[] = []
    const listen = ({ sql }: { sql: string }) => void statements.push(sql)
    storage.knex.on('query', listen)
    for (const timer of type.timers) {
      const range = { from: null, until: NOW, after: { id: 7, moment: '2020-01-01T00:00:00Z' }, limit: 200 }
      await readDue(createQueries(storage, catalog), { type, timer }, range)
    }
    storage.knex.removeListener('query', listen)
    // The inner query finds the page. A table without rows would be read as a whole.
    const page = /\((SELECT t\.`id` AS page_id.*)\) p ON/s.exec(statements.at(-1) ?? '')?.[1] ?? ''
    const index = `${storage.table('permits')}_status_expires_at_index`
    const values = ['valid', NOW, NOW, NOW, NOW, 7, 200, 0]
    const plan = async () => {
      if (storage.dialect === 'sqlite') return storage.knex.raw(`EXPLAIN QUERY PLAN ${page}`, values)
      return storage.knex.raw(`EXPLAIN ${page.replace(' t WHERE', ` t FORCE INDEX (${index}) WHERE`)}`, values)
    }
    const text = JSON.stringify(await plan())
    expect(text).to.contain(index)
    expect(text).to.not.match(/filesort|Sort:|TEMP B-TREE/)
  })

  it('catch up in pages, however many records have the same moment, in every account', async () => {
    const ids: number[] = []
    for (let n = 0; n < 43; n += 1)
      ids.push(await add(`${n}`, n < 35 ? NOW : '2020-01-01T00:00:00Z', n % 3 ? 'acme' : 'globex'))
    const pages: number[] = []
    const saveAll: TimersDeps['operations']['saveAll'] = (call, type, items) => {
      pages.push(items.length)
      return house.operations.saveAll(call, type, items)
    }
    expect(await timers({ operations: { saveAll } }).fireDue()).to.include({ saved: 43, unfired: 0 })
    expect(new Set(await statuses(ids))).to.deep.equal(new Set(['expired']))
    expect(Math.max(...pages)).to.be.at.most(10)
    const accounts = new Set(saved.map((text) => text.split(' ')[2]))
    expect([...accounts].sort()).to.deep.equal(['acme', 'globex'])
  })

  it('take turns: a backlog of one type keeps no other waiting', async () => {
    for (let n = 0; n < 35; n += 1) await add(`${n}`, '2020-01-01T00:00:00Z')
    await house.add('reminder', { remind_at: NOW })
    const order: string[] = []
    const saveAll: TimersDeps['operations']['saveAll'] = (call, type, items) => {
      order.push(type)
      return house.operations.saveAll(call, type, items)
    }
    await timers({ operations: { saveAll } }).fireDue()
    expect(order).to.deep.equal(['permit', 'reminder', 'permit', 'permit', 'permit'])
  })

  it('take turns with what becomes due meanwhile', async () => {
    for (let n = 0; n < 35; n += 1) await add(`${n}`, '2020-01-01T00:00:00Z')
    await house.add('reminder', { remind_at: '2026-11-21T09:30:05Z' })
    const order: string[] = []
    const saveAll: TimersDeps['operations']['saveAll'] = (call, type, items) => {
      if (order.push(type) === 2) house.clock.set('2026-11-21T09:30:05Z')
      return house.operations.saveAll(call, type, items)
    }
    await timers({ operations: { saveAll } }).fireDue()
    expect(order).to.deep.equal(['permit', 'permit', 'reminder', 'permit', 'permit'])
  })

  it('of one type that cannot be read keep no other waiting', async () => {
    await house.add('reminder', { remind_at: NOW })
    const queries = createQueries(house.storage, house.catalog)
    const cells: TimersDeps['queries']['cells'] = (call, asked, slots) => {
      if (asked.type.name === 'permit') throw new Error('The table is gone')
      return queries.cells(call, asked, slots)
    }
    let failed: unknown
    await timers({ queries: { ...queries, cells } })
      .fireDue()
      .catch((error: unknown) => {
        failed = error
      })
    expect(failed).to.be.instanceOf(AggregateError)
    expect((await house.table('reminders')).map((row) => Boolean(row['reminded']))).to.deep.equal([true])
  })

  it('look again under the lock: what somebody has changed since is left as it is', async () => {
    const [closed, later, kept] = [await add('closed', NOW), await add('later', NOW), await add('kept', NOW)]
    const queries = createQueries(house.storage, house.catalog)
    let changed = false
    const rows: TimersDeps['queries']['rows'] = async (...asked) => {
      if (!changed) {
        changed = true
        await house.storage.knex(house.storage.table('permits')).where({ id: closed }).update({ status: 'expired' })
        await house.storage
          .knex(house.storage.table('permits'))
          .where({ id: later })
          .update({ expires_at: '2026-11-22 00:00:00' })
      }
      return queries.rows(...asked)
    }
    // A database in a file has one connection: the change is made by the transaction that reads.
    if (house.storage.dialect === 'sqlite') return
    saved.length = 0
    expect(await timers({ queries: { ...queries, rows } }).fireDue()).to.include({ saved: 1 })
    expect(saved).to.deep.equal([`${kept} plugin acme`])
    expect(await statusOf(later)).to.equal('valid')
  })

  it('do not wait for records that another transaction has locked: these have their turn later', async () => {
    const ids: number[] = []
    for (let n = 0; n < 25; n += 1) ids.push(await add(`${n}`, NOW))
    if (house.storage.dialect === 'sqlite') return
    const one = timers()
    await house.storage.knex.transaction(async (db) => {
      await db(house.storage.table('permits'))
        .whereIn('id', [ids[3] ?? 0, ids[17] ?? 0])
        .forUpdate()
      const begun = Date.now()
      expect(await one.fireDue()).to.include({ saved: 23, unfired: 0 })
      expect(Date.now() - begun).to.be.below(8000)
    })
    expect(await one.fireDue()).to.include({ saved: 2, unfired: 0 })
    expect(entries.filter(({ level }) => level === 'warn')).to.deep.equal([])
  })

  describe('leave alone what cannot be saved', () => {
    for (const label of ['refused', 'broken', 'away']) {
      it(`(${label}), and save the others`, async () => {
        const ids: number[] = []
        for (let n = 0; n < 25; n += 1) ids.push(await add(n === 7 ? label : `${n}`, NOW))
        const bad = ids[7] ?? 0
        const one = timers()
        expect(await one.fireDue()).to.deep.equal({ saved: 24, unfired: 1, next: null })
        expect((await statuses(ids)).filter((status) => status === 'expired')).to.have.length(24)
        const lines = entries.filter(({ level }) => level === 'warn')
        expect(lines).to.have.length(1)
        expect(lines[0]?.details).to.include({ type: 'permit', id: bad, due: 'expires_at', failures: 1 })
        expect(await house.row('permit', bad)).to.include({ status: 'valid' })
      })
    }

    it('and try it again after pauses that grow', async () => {
      await add('refused', NOW)
      const one = timers()
      const tries: number[] = []
      for (let minute = 0; minute <= 20; minute += 1) {
        saved.length = 0
        await one.fireDue()
        if (saved.length > 0) tries.push(minute)
        house.clock.pass(MINUTE)
      }
      expect(tries).to.deep.equal([0, 1, 3, 7, 15])
    })

    it('but not once it has been changed', async () => {
      const id = await add('refused', NOW)
      const one = timers()
      await one.fireDue()
      house.clock.pass(1000)
      await house.storage.knex(house.storage.table('permits')).where({ id }).update({ label: 'fine' })
      expect(await one.fireDue()).to.include({ saved: 0 })
      await house.storage.knex(house.storage.table('permits')).where({ id }).update({ updated_at: '2026-11-21 09:30:01' })
      expect(await one.fireDue()).to.include({ saved: 1 })
    })

    it('nor in another process', async () => {
      const id = await add('refused', NOW)
      await timers().fireDue()
      await house.storage.knex(house.storage.table('permits')).where({ id }).update({ label: 'fine' })
      expect(await timers().fireDue()).to.include({ saved: 1 })
    })

    it('when a hook undoes what was set', async () => {
      await add('undone', NOW)
      const one = timers()
      house.clock.pass(5000)
      expect(await one.fireDue()).to.include({ saved: 0, unfired: 1 })
      house.clock.pass(5000)
      expect(await one.fireDue()).to.include({ saved: 0, unfired: 0 })
      expect(entries.filter(({ level }) => level === 'warn')).to.have.length(1)
    })

    it('when a hook lets it wait for a moment that has come, too', async () => {
      await add('renewed', '2026-11-21T09:29:00Z')
      const one = timers()
      saved.length = 0
      for (let second = 0; second < 60; second += 1) {
        await one.fireDue()
        house.clock.pass(1000)
      }
      expect(saved).to.have.length(1)
      await one.fireDue()
      expect(saved).to.have.length(2)
    })

    it('when the database does not agree that it is done', async () => {
      const id = await add('one', NOW)
      const row = { ...(await house.row('permit', id)), status: 'expired' }
      let tries = 0
      const saveAll: TimersDeps['operations']['saveAll'] = async (_call, _type, items) => {
        tries += 1
        if (tries > 1000) throw new Error('It is tried for ever')
        return items.map(() => ({ outcome: 'updated', id, row, changed: ['status'] }) as never)
      }
      await timers({ operations: { saveAll } }).fireDue()
      expect(tries).to.be.below(50)
    })

    it('when a hook never ends, and save the others', async () => {
      const ids: number[] = []
      for (let n = 0; n < 10; n += 1) ids.push(await add(n === 7 ? 'hangs' : `${n}`, NOW))
      expect(await timers({ withinMs: 500 }).fireDue()).to.include({ saved: 9, unfired: 1 })
      expect((await statuses(ids)).filter((status) => status === 'expired')).to.have.length(9)
      expect(entries.filter(({ level }) => level === 'warn')).to.have.length(1)
    })

    it('of an account that is gone', async () => {
      const id = await add('one', NOW)
      await house.storage.knex(house.storage.table('permits')).where({ id }).update({ account_id: 'gone' })
      const other = await add('other', NOW)
      expect(await timers().fireDue()).to.include({ saved: 1, unfired: 1 })
      expect(await statuses([id, other])).to.deep.equal(['valid', 'expired'])
    })
  })

  it('say so when the database is away, and blame no record', async () => {
    const id = await add('one', NOW)
    const away = async () => {
      throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
    }
    const queries = createQueries(house.storage, house.catalog)
    let isAway = true
    const one = timers({
      queries: {
        cells: queries.cells,
        rows: (...asked) => (isAway ? away() : queries.rows(...asked)),
        run: (...asked) => (isAway ? away() : queries.run(...asked)),
      },
    })
    let failed: unknown
    await one.fireDue().catch((error: unknown) => {
      failed = error
    })
    expect(failed).to.be.instanceOf(AggregateError)
    isAway = false
    expect(await one.fireDue()).to.include({ saved: 1 })
    expect(await statusOf(id)).to.equal('expired')
    expect(entries.filter(({ level }) => level === 'warn')).to.deep.equal([])
  })

  it('only read when nothing is due: one statement a timer, and one for accounts with another time zone', async () => {
    await add('later', '2026-11-21T09:30:10Z')
    await add('refused', NOW)
    const one = timers()
    await one.fireDue()
    const counted = await countStatements(house.storage.knex).during(() => one.fireDue())
    const ours = [...house.catalog.types.values()].flatMap(({ timers: some }) => some).length
    expect(counted).to.equal(ours + 1)
  })

  it('end after a page when the process stops', async () => {
    for (let n = 0; n < 25; n += 1) await add(`${n}`, NOW)
    const stopping = new AbortController()
    const saveAll: TimersDeps['operations']['saveAll'] = (call, type, items) => {
      stopping.abort()
      return house.operations.saveAll(call, type, items)
    }
    expect(await timers({ operations: { saveAll } }).fireDue(stopping.signal)).to.include({ saved: 10 })
    expect(await timers().fireDue()).to.include({ saved: 15 })
  })

  it('look once more when they are called while they run', async () => {
    await add('one', NOW)
    const one = timers()
    const runs = [one.fireDue(), one.fireDue()]
    const late = add('two', NOW).then(() => one.fireDue())
    await Promise.all([...runs, late])
    expect(await timers().fireDue()).to.include({ saved: 0 })
  })

  it('of two processes at once save each record once', async () => {
    const ids: number[] = []
    for (let n = 0; n < 40; n += 1) ids.push(await add(`${n}`, NOW))
    const [one, other] = await Promise.all([timers().fireDue(), timers().fireDue()])
    expect(one.saved + other.saved).to.equal(40)
    expect(new Set(await statuses(ids))).to.deep.equal(new Set(['expired']))
    expect((await house.table('audit_lines')).filter((line) => line['action'] === 'update')).to.have.length(40)
  })

  it('without the lease of two processes at once still save each record once', async () => {
    for (let n = 0; n < 40; n += 1) await add(`${n}`, NOW)
    const attempt = (async (_place: unknown, work: (lease: { lost: AbortSignal }) => Promise<unknown>) => ({
      held: true,
      result: await work({ lost: new AbortController().signal }),
    })) as unknown as TimersDeps['leases']['attempt']
    await Promise.all([timers({ leases: { attempt } }).fireDue(), timers({ leases: { attempt } }).fireDue()])
    expect((await house.table('audit_lines')).filter((line) => line['action'] === 'update')).to.have.length(40)
  })

  it('are taken over from a process that died, when its lease has ended', async () => {
    await add('one', NOW)
    await house.storage.knex(house.storage.table('leases')).insert({
      ...{ kind: 'timers', name: '', holder: 'dead', held_until: '2026-11-21 09:30:30.000' },
    })
    expect(await timers().fireDue()).to.include({ saved: 0 })
    house.clock.pass(31_000)
    expect(await timers().fireDue()).to.include({ saved: 1 })
  })
})
