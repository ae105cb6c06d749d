/** Records of the plugin in a transaction of the host. */
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import type { Knex } from 'knex'
import { createPlugin, listener, type Plugin, type PluginOptions, TransactionLost } from '../../../plugin/index.js'
import { embeddedDatabase } from '../../../plugin/storage/embedded/index.js'
import { testStore, withDatabase } from '../../support/database.js'
import { hostPool } from '../../support/host-pool.js'
import { errorOf, refusalOf } from '../../support/house.js'
import { silent, TEST_SECRET } from '../../support/settings.js'

const READ_COMMITTED = testStore() === 'server' ? { isolationLevel: 'read committed' as const } : {}

describe('a transaction of the host', () => {
  const plugins: Plugin[] = []
  const unhandled: unknown[] = []
  const note = (reason: unknown) => void unhandled.push(reason)
  let pool: Knex
  let itsm: Plugin

  // Before the hook that drops the database.
  after(async () => {
    process.off('unhandledRejection', note)
    for (const one of plugins) await one.stop()
    await pool.schema.dropTable('ledger')
    await pool.destroy()
  })
  const database = withDatabase({ file: true })

  before(async () => {
    pool = hostPool(database.url)
    await pool.schema.createTable('ledger', (table) => {
      table.increments('id')
      table.string('what').unique()
    })
    itsm = plugin()
    await itsm.accounts.put({ id: 'acme', name: 'Acme' })
    process.on('unhandledRejection', note)
  })
  afterEach(async () => {
    await pause(5)
    expect(unhandled.splice(0)).to.deep.equal([])
    for (const table of [
      'ledger',
      'itsm_sites',
      'itsm_people',
      'itsm_permissions',
      'itsm_outbox',
      'itsm_audit_lines',
      'itsm_files',
    ])
      await pool(table).delete()
    itsm.forget()
  })

  function plugin(more: Partial<PluginOptions> = {}): Plugin {
    const made = createPlugin({
      ...{ baseUrl: 'http://127.0.0.1:9/v1', allowInsecure: true, secret: TEST_SECRET, log: silent },
      ...{ database: { knex: pool }, rateLimit: { burst: false } },
      ...more,
    })
    plugins.push(made)
    return made
  }
  const begin = () => pool.transaction(READ_COMMITTED)
  const system = (transaction?: Knex.Transaction) =>
    itsm.asSystem('the ledger', 'acme', transaction ? { transaction } : undefined)
  const names = async (): Promise<string[]> => (await pool('itsm_sites').pluck('name')).sort()
  const whats = async (): Promise<string[]> => (await pool('ledger').pluck('what')).sort()
  const counts = async () => {
    const tables = ['itsm_sites', 'itsm_audit_lines', 'itsm_outbox', 'itsm_files', 'itsm_file_chunks', 'ledger']
    return Promise.all(tables.map(async (table) => Number((await pool(table).count({ n: '*' }))[0]?.['n'])))
  }

  it('commits records, their audit lines, events and files with its own rows', async () => {
    const trx = await begin()
    const api = system(trx)
    await trx('ledger').insert({ what: 'opened' })
    const { key } = await api.upload({ name: 'plan.txt', content: streamOf('the plan') })
    const site = await api.create('site', { name: 'North', remarks: 'See.', remarks_attachments: [{ key }] })
    await api.update('site', Number(site['id']), { name: 'North West' })
    await api.create('person', { name: 'Eve', primary_email: 'eve@acme.example' })
    await trx.commit()
    expect(await counts()).to.deep.equal([1, 3, 1, 1, 1, 1])
    expect(await system().read('site', Number(site['id']))).to.include({ name: 'North West' })
  })

  it('leaves nothing when it is rolled back, with or without an error', async () => {
    const before = await counts()
    for (const reason of [undefined, new Error('no')]) {
      const trx = await begin()
      trx.executionPromise.catch(() => {})
      const { key } = await system(trx).upload({ name: 'plan.txt', content: streamOf('the plan') })
      await system(trx).create('site', { name: 'North', remarks: 'See.', remarks_attachments: [{ key }] })
      await trx('ledger').insert({ what: 'opened' })
      await trx.rollback(reason)
      expect(await counts()).to.deep.equal(before)
    }
    const failed = pool.transaction(async (trx) => {
      await system(trx).create('site', { name: 'North' })
      throw new Error('changed its mind')
    }, READ_COMMITTED)
    expect(await errorOf(failed)).to.have.property('message', 'changed its mind')
    expect(await counts()).to.deep.equal(before)
  })

  it('shows its own rows to those who read in it, people and roles included, and to nobody else', async () => {
    const trx = await begin()
    const eve = await system(trx).create('person', { name: 'Eve', primary_email: 'eve@acme.example' })
    await trx('itsm_permissions').insert({ person_id: eve['id'], account_id: 'acme', role: 'account_administrator' })
    const asEve = itsm.as('eve@acme.example', { account: 'acme', transaction: trx })
    const site = await asEve.create('site', { name: 'Hers' })
    expect(await asEve.read('site', Number(site['id']))).to.include({ name: 'Hers' })
    expect((await asEve.list('site')).items).to.have.length(1)
    expect((await asEve.strict.list('site', { name: 'Hers' })).items).to.have.length(1)
    const rows = []
    for await (const row of asEve.export('sites')) {
      // The transaction can be used between the rows.
      await asEve.update('site', Number(site['id']), { name: 'Still hers' })
      rows.push(row)
    }
    expect(rows).to.have.length(1)
    if (testStore() === 'server') {
      expect(await errorOf(itsm.as(Number(eve['id'])).list('site'))).to.be.instanceOf(RangeError)
      expect((await system().list('site')).items).to.have.length(0)
    }
    await trx.rollback()
    expect(await errorOf(itsm.as(Number(eve['id'])).list('site'))).to.be.instanceOf(RangeError)
  })

  it('leads to records that were passed to another account, as without it', async () => {
    await itsm.accounts.put({ id: 'globex', name: 'Globex' })
    await itsm.accounts.trust('acme', 'globex')
    const trx = await begin()
    const [ours, theirs] = [system(trx), itsm.asSystem('the ledger', 'globex', { transaction: trx })]
    const gil = await theirs.create('person', { name: 'Gil', primary_email: 'gil@globex.example' })
    await trx('itsm_permissions').insert({ person_id: gil['id'], account_id: 'globex', role: 'specialist' })
    const team = await theirs.create('team', { name: 'Network', member_ids: [gil['id']] })
    const end = await ours.create('person', { name: 'End', primary_email: 'end@acme.example' })
    const body = { category: 'other', subject: 'Passed', requested_by_id: end['id'], team_id: team['id'] }
    const { id } = await ours.create('request', body)
    const asGil = itsm.as(Number(gil['id']), { transaction: trx })
    expect(await asGil.read('request', Number(id))).to.include({ subject: 'Passed' })
    expect(await asGil.update('request', Number(id), { note: 'Looking at it' })).to.include({ subject: 'Passed' })
    await trx.rollback()
  })

  it('takes whatever the API has, and needs no second connection for it', async () => {
    const before = await counts()
    const trx = await begin()
    const eve = await system(trx).create('person', { name: 'Eve', primary_email: 'eve@acme.example' })
    await trx('itsm_permissions').insert({ person_id: eve['id'], account_id: 'acme', role: 'account_administrator' })
    await trx('itsm_permissions').insert({ person_id: eve['id'], account_id: 'acme', role: 'specialist' })
    const api = itsm.as(Number(eve['id']), { transaction: trx })
    const { id: team } = await api.create('team', { name: 'Desk' })
    await api.link({ type: 'team', id: Number(team) }, 'members', Number(eve['id']))
    const { isNew, record } = await api.submitEvent({ subject: 'Disk full', source: 'Watchdog' })
    expect([isNew, record['subject']]).to.deep.equal([true, 'Disk full'])
    expect((await api.submitEvent({ subject: 'Disk full', source: 'Watchdog' })).isNew).to.equal(false)
    const hours = [{ weekday: 'mon', time_from: '09:00', time_until: '17:00' }]
    const { id: calendar } = await api.create('calendar', { name: 'Mondays', calendar_hours: hours })
    const span = { start: '2026-11-23T00:00:00Z', end: '2026-11-24T00:00:00Z' }
    expect(await api.duration(Number(calendar), span)).to.equal(480)
    await api.create('webhook', { event: 'request.create', uri: 'https://hook.example/' })
    const { id: category } = await api.create('service_category', { name: 'Mail' })
    await api.remove('service_category', Number(category))
    await api.unlink({ type: 'team', id: Number(team) }, 'members', Number(eve['id']))
    expect((await api.list('request', {}, 'open')).items).to.have.length(1)
    await trx.rollback()
    expect(await counts()).to.deep.equal(before)
  })

  it('forgets what the process has remembered once it commits, and not before', async () => {
    const person = await system().create('person', { name: 'Max', primary_email: 'max@acme.example' })
    const max = Number(person['id'])
    await itsm.grant(max, 'acme', ['account_administrator'])
    await itsm.as(max).create('site', { name: 'One' })
    expect((await system().list('site')).totalEntries).to.equal(1)
    const trx = await begin()
    await trx('itsm_permissions').where({ person_id: max }).delete()
    await system(trx).create('site', { name: 'Two' })
    await system(trx).update('person', max, { disabled: true })
    if (testStore() === 'server') expect((await system().list('site')).totalEntries).to.equal(1)
    await trx.commit()
    expect((await system().list('site')).totalEntries).to.equal(2)
    expect(await errorOf(itsm.as(max).create('site', { name: 'Three' }))).to.be.instanceOf(RangeError)
  })

  it('stays usable after a refused record, and decides itself', async () => {
    await pool.transaction(async (trx) => {
      await trx('ledger').insert({ what: 'first' })
      expect(await refusalOf(system(trx).create('site', { name: '' }))).to.deep.equal([['name', 'blank']])
      const late = system(trx).create('site', { name: 'x', source: 'a', sourceID: 'x'.repeat(400) })
      expect(await refusalOf(late)).to.not.deep.equal([])
      await system(trx).create('site', { name: 'Second' })
      await trx('ledger').insert({ what: 'third' })
    }, READ_COMMITTED)
    expect(await names()).to.deep.equal(['Second'])
    expect(await whats()).to.deep.equal(['first', 'third'])
  })

  it('undoes with its savepoint what was saved in that, and keeps the rest', async () => {
    const trx = await begin()
    await system(trx).create('site', { name: 'Outer' })
    const undone = trx.transaction(async (part) => {
      await system(part).create('site', { name: 'Inner' })
      expect((await system(part).list('site')).items).to.have.length(2)
      throw new Error('undo')
    })
    await errorOf(undone)
    await trx.transaction(async (part) => void (await system(part).create('site', { name: 'Kept' })))
    await system(trx).create('site', { name: 'Later' })
    await trx.commit()
    expect(await names()).to.deep.equal(['Kept', 'Later', 'Outer'])
  })

  it('takes operations at once in turn', async () => {
    const trx = await begin()
    const wanted = Array.from({ length: 8 }, (_, index) => `Site ${index}`)
    const saved = await Promise.allSettled([...wanted, ''].map((name) => system(trx).create('site', { name })))
    expect(saved.filter(({ status }) => status === 'fulfilled')).to.have.length(8)
    await trx.commit()
    expect(await names()).to.deep.equal(wanted)
  })

  it('is committed only when the operations in it have ended', async () => {
    const trx = await begin()
    const saved = Promise.all([system(trx).create('site', { name: 'A' }), system(trx).create('site', { name: 'B' })])
    await pause(1)
    await trx.commit()
    await saved
    expect(await names()).to.deep.equal(['A', 'B'])
    expect((await counts())[1]).to.equal(2)
    expect(await errorOf(system(trx).list('site')))
      .to.have.property('message')
      .that.includes('has ended')
  })

  it('lets work after a commit begin when it has committed, and never when it is rolled back', async () => {
    const heard: string[] = []
    const hearing = plugin({ on: { 'person.create': [listener('ear', async ({ name }) => void heard.push(String(name)))] } })
    await hearing.start()
    const as = (transaction: Knex.Transaction) => hearing.asSystem('the ledger', 'acme', { transaction })
    for (const isCommitted of [false, true]) {
      const trx = await begin()
      await trx.transaction(
        async (part) => void (await as(part).create('person', { name: 'Eve', primary_email: 'eve@acme.example' })),
      )
      await pause(150)
      expect(heard).to.deep.equal([])
      await (isCommitted ? trx.commit() : trx.rollback())
    }
    // Much less than the time until jobs look by themselves.
    for (const until = Date.now() + 3000; heard.length === 0 && Date.now() < until; ) await pause(10)
    expect(heard).to.deep.equal(['person.create'])
    await hearing.stop()
  })

  it('is refused where it cannot be meant, and says why', async () => {
    const said = async (transaction: unknown) => {
      const run = async () => itsm.asSystem('x', 'acme', { transaction } as never).list('site')
      const { name, message } = await errorOf(run())
      return `${name}: ${message}`
    }
    const like = 'TypeError: asSystem: the transaction must be one of knex, as knex.transaction() returns it, not '
    expect(await said(17)).to.equal(`${like}17`)
    expect(await said(pool)).to.equal(`${like}another function`)
    const promise = pool.transaction()
    expect(await said(promise)).to.equal(`${like}a promise: await it`)
    await (await promise).rollback()
    const other = embeddedDatabase(':memory:')
    const theirs = await other.transaction()
    expect(await said(theirs)).to.equal(
      'TypeError: asSystem: the transaction must be of the pool of the plugin, not of another one: begin it with the knex that was lent as database.knex',
    )
    const own = plugin({ database: { url: database.url } })
    expect(await errorOf(own.asSystem('x', 'acme', { transaction: theirs }).list('site')))
      .to.have.property('message')
      .that.includes('the plugin has a pool of its own (database.url): lend it your knex as database.knex')
    await theirs.rollback()
    await other.destroy()
    const ended = await begin()
    await ended.commit()
    expect(await said(ended)).to.include('Error: asSystem: the transaction has ended')
    expect(() => itsm.as(1, { transacton: ended } as never)).to.throw(TypeError, "'transacton'; did you mean 'transaction'?")
    expect(() => itsm.asSystem('x', 'acme', 7 as never)).to.throw(
      TypeError,
      'the options must be { strict, transaction } or absent',
    )
    expect(() => itsm.as(1, { transaction: 7 } as never)).to.throw(TypeError, 'as: the transaction must be one of knex')
  })

  it('is not that of a hook, nor usable within one', async () => {
    const seen: string[] = []
    let around: Knex.Transaction | null = null
    const hooked = plugin({
      before: {
        'site.save': [
          async ({ db }) => {
            const nested = async (transaction: unknown) =>
              hooked.asSystem('x', 'acme', { transaction } as never).create('person', { name: 'No' })
            for (const one of [db, around]) if (one) seen.push((await errorOf(nested(one))).message)
          },
        ],
      },
    })
    around = await begin()
    await hooked.asSystem('x', 'acme', { transaction: around }).create('site', { name: 'Mine' })
    await around.commit()
    expect(seen).to.have.length(2)
    expect(seen[0]).to.include('not the db of a hook or rule')
    expect(seen[1]).to.include('must not use the transaction that its own record is saved in')
    expect(await names()).to.deep.equal(['Mine'])
  })

  it('of a host that converts names and rows is as good', async () => {
    const converting = hostPool(database.url, {
      wrapIdentifier: (value, wrap) => wrap(value.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)),
      postProcessResponse: (rows) => (Array.isArray(rows) ? rows.map((row) => ({ converted: row })) : rows),
    })
    const theirs = plugin({ database: { knex: converting } })
    const trx = await converting.transaction()
    await trx('ledger').insert({ what: 'x' })
    await theirs.asSystem('x', 'acme', { transaction: trx }).create('site', { name: 'Converted' })
    expect(await trx('ledger').select('what')).to.deep.equal([{ converted: { what: 'x' } }])
    await trx.commit()
    await theirs.stop()
    await converting.destroy()
    expect(await names()).to.deep.equal(['Converted'])
  })

  describe('on a server', () => {
    before(function () {
      if (testStore() !== 'server') this.skip()
    })

    it('that loses against another one is lost as a whole, even if the host goes on', async () => {
      const [one, two] = [await system().create('site', { name: 'One' }), await system().create('site', { name: 'Two' })]
      const ids = [Number(one['id']), Number(two['id'])] as const
      const [ours, other] = [await begin(), await begin()]
      ours.executionPromise.catch(() => {})
      await other('ledger').insert(Array.from({ length: 50 }, (_, index) => ({ what: `heavy ${index}` })))
      await ours('ledger').insert({ what: 'lost' })
      await other('itsm_sites').where({ id: ids[0] }).forUpdate()
      await system(ours).update('site', ids[1], { name: 'Changed' })
      const waiting = other('itsm_sites').where({ id: ids[1] }).forUpdate().then()
      await pause(100)
      const error = await errorOf(system(ours).update('site', ids[0], { name: 'Changed' }))
      expect(error).to.be.instanceOf(TransactionLost)
      expect(error).to.include({ code: 'ER_LOCK_DEADLOCK', errno: 1213 })
      await waiting
      await other.rollback()
      // A host that does not look: each statement would be committed by itself.
      expect(await errorOf(ours('ledger').insert({ what: 'stray' }).then())).to.equal(error)
      expect(await errorOf(system(ours).list('site'))).to.equal(error)
      expect(await errorOf(ours.transaction(async () => {}))).to.equal(error)
      expect(await errorOf(ours.commit())).to.equal(error)
      expect(await errorOf(ours.executionPromise)).to.equal(error)
      expect(await whats()).to.deep.equal([])
      expect(await names()).to.deep.equal(['One', 'Two'])
    })

    it('that is lost fails as a whole where the host catches the error within its function', async () => {
      const site = await system().create('site', { name: 'One' })
      const other = await begin()
      await other('ledger').insert(Array.from({ length: 50 }, (_, index) => ({ what: `heavy ${index}` })))
      await other('itsm_sites').where({ id: site['id'] }).forUpdate()
      let waiting: Promise<unknown> | null = null
      const caught = pool.transaction(async (trx) => {
        await system(trx).create('site', { name: 'Lost' })
        const [{ id } = { id: 0 }] = await trx('itsm_sites').where({ name: 'Lost' }).select('id')
        waiting = other('itsm_sites').where({ id }).forUpdate().then()
        await pause(100)
        await system(trx)
          .update('site', Number(site['id']), { name: 'Changed' })
          .catch(() => {})
        await trx('ledger')
          .insert({ what: 'stray' })
          .catch(() => {})
      }, READ_COMMITTED)
      expect(await errorOf(caught)).to.be.instanceOf(TransactionLost)
      await waiting
      await other.rollback()
      expect([await whats(), await names()]).to.deep.equal([[], ['One']])
    })

    it('is told from one that a statement has ended', async () => {
      const trx = await begin()
      await trx.raw('create table another (id int)')
      const error = await errorOf(system(trx).create('site', { name: 'Stray' }))
      expect(error.message).to.include('the transaction has ended')
      await trx.rollback()
      await pool.schema.dropTable('another')
      expect(await names()).to.deep.equal([])
    })

    it('goes on after a lock wait, which ends only the operation', async () => {
      const site = await system().create('site', { name: 'Held' })
      const [holder, trx] = [await begin(), await begin()]
      await holder('itsm_sites').where({ id: site['id'] }).forUpdate()
      await trx.raw('set innodb_lock_wait_timeout = 1')
      const late = system(trx).update('site', Number(site['id']), { name: 'Late' })
      expect(await errorOf(late))
        .to.be.instanceOf(TransactionLost)
        .and.to.include({ errno: 1205 })
      await holder.rollback()
      await system(trx).update('site', Number(site['id']), { name: 'In time' })
      await trx.raw('set innodb_lock_wait_timeout = 50')
      await trx.commit()
      expect(await names()).to.deep.equal(['In time'])
    })
  })
})

async function* streamOf(text: string) {
  yield Buffer.from(text)
}
