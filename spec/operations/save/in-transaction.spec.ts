/** The host's hooks in the transaction of a save: its rows are committed, and undone, with the record. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import type { Knex } from 'knex'
import Koa from 'koa'
import {
  createPlugin,
  extendRecord,
  type InTransactionContext,
  Invalid,
  type Plugin,
  type PluginOptions,
  rule,
} from '../../../plugin/index.js'
import { withDatabase } from '../../support/database.js'
import { createFestival, festival } from '../../support/festival.js'
import { errorOf, refusalOf, withHouse } from '../../support/house.js'
import { silent, TEST_SECRET } from '../../support/settings.js'

type Hooks = NonNullable<PluginOptions['inTransaction']>

describe('hooks in the transaction', () => {
  const plugins: Plugin[] = []
  const servers: Server[] = []
  after(async () => {
    for (const server of servers) server.close()
    for (const itsm of plugins) await itsm.stop()
  })
  const database = withDatabase({ file: true })
  const ledger = async (): Promise<string[]> => database.knex('ledger').orderBy('id').pluck('what')

  before(async () => {
    await database.knex.schema.createTable('ledger', (table) => {
      table.increments('id')
      table.string('what')
    })
    await plugin({}).accounts.put({ id: 'acme', name: 'Acme' })
  })
  afterEach(async () => {
    for (const table of [
      'ledger',
      'itsm_sites',
      'itsm_calendar_hours',
      'itsm_calendars',
      'itsm_broadcasts',
      'itsm_organizations',
    ])
      await database.knex(table).delete()
  })

  function plugin(inTransaction: Hooks, more: Partial<PluginOptions> = {}): Plugin {
    const itsm = createPlugin({
      ...{ baseUrl: 'http://127.0.0.1:9/v1', allowInsecure: true, secret: TEST_SECRET, log: silent },
      ...{ database: { knex: database.lent }, rateLimit: { burst: false }, inTransaction },
      ...more,
    })
    plugins.push(itsm)
    return itsm
  }
  const system = (itsm: Plugin) => itsm.asSystem('the ledger', 'acme')
  const shown = ({ after, before, type }: InTransactionContext) =>
    `${type}: ${before?.['name'] ?? '-'} > ${after?.['name'] ?? '-'}`
  const write = (db: Knex, what: string) => db('ledger').insert({ what })
  const note = (context: InTransactionContext) => write(context.db, shown(context))

  it('are called with the row before and after, once for what has changed', async () => {
    const seen: InTransactionContext[] = []
    const itsm = plugin({ 'site.save': [(context) => void seen.push(context), note], 'site.remove': [note] })
    const { id } = await system(itsm).create('site', { name: 'One' })
    await system(itsm).update('site', Number(id), { name: 'Two' })
    await system(itsm).update('site', Number(id), { name: 'Two' })
    expect(await ledger()).to.deep.equal(['site: - > One', 'site: One > Two'])
    const [first, second] = seen
    expect(first).to.include({ type: 'site', id: Number(id), before: null })
    expect(first?.call).to.include({ actor: null, cause: 'host: the ledger' }).and.to.have.nested.property('account.id', 'acme')
    expect(second?.before).to.include({ id: Number(id), name: 'One', account_id: 'acme' }).and.to.be.frozen
    expect(second?.after).to.include({ name: 'Two' }).and.to.be.frozen
  })

  it('see a record that rules save again only once, as it will be committed', async () => {
    const again = rule('again', () => ({
      async written({ next, save }) {
        if (next['remarks'] === null)
          await save('site', Number(next['id']), { remarks: 'by the rule', name: `${next['name']}!` })
        if (next['name'] === 'Mother!') await save('site', null, { name: 'Child', remarks: 'x' })
      },
    }))
    const itsm = plugin({ 'site.save': [note] }, { extend: [extendRecord('site', { rules: [again()] })] })
    await system(itsm).create('site', { name: 'Mother' })
    expect(await ledger()).to.deep.equal(['site: - > Mother!', 'site: - > Child'])
  })

  it('see sub-records, also those that are replaced', async () => {
    const itsm = plugin({
      'calendar.save': [note],
      'calendar_hour.save': [({ after, db }) => write(db, `from ${after?.['time_from']}`)],
      'calendar_hour.remove': [({ before, db }) => write(db, `no longer from ${before?.['time_from']}`)],
    })
    const hours = (from: string) => [{ weekday: 'mon', time_from: from, time_until: '17:00' }]
    const { id } = await system(itsm).create('calendar', { name: 'Days', calendar_hours: hours('08:00') })
    await system(itsm).update('calendar', Number(id), { calendar_hours: hours('09:00') })
    const rows = await ledger()
    expect(rows.sort()).to.deep.equal([
      'calendar: - > Days',
      'calendar: Days > Days',
      'from 08:00',
      'from 09:00',
      'no longer from 08:00',
    ])
  })

  it('see removals, and those of sub-records', async () => {
    const itsm = plugin({
      'service_category.remove': [note],
      'service_category_translation.remove': [({ before, db }) => write(db, `translation: ${before?.['name']}`)],
    })
    const { id } = await system(itsm).create('service_category', { name: 'Mail' })
    const owner = { type: 'service_category', id: Number(id) }
    await system(itsm).create('service_category_translation', { locale: 'fr-FR', name: 'Courrier' }, owner)
    await system(itsm).remove('service_category', Number(id))
    expect((await ledger()).sort()).to.deep.equal(['service_category: Mail > -', 'translation: Courrier'])
  })

  it('undo the record and the rows of the host when they throw, with the answer of other hooks', async () => {
    const broken = plugin({ 'site.save': [note, () => Promise.reject(new Error('no ink'))] })
    const error = await errorOf(system(broken).create('site', { name: 'One' }))
    expect(`${error.name}: ${error.message}`).to.equal(
      "HookFailed: The host's inTransaction hook 2 of 2 of site.save failed: no ink",
    )
    const refusing = plugin({
      'site.save': [
        note,
        () => {
          throw new Invalid([['name', 'The ledger is closed']])
        },
      ],
    })
    expect(await refusalOf(system(refusing).create('site', { name: 'One' }))).to.deep.equal([['name', 'The ledger is closed']])
    expect(await ledger()).to.deep.equal([])
    expect(await database.knex('itsm_sites').pluck('name')).to.deep.equal([])
  })

  it('refuse what comes too late', async () => {
    let late: Knex | null = null
    let later: (() => Promise<unknown>) | null = null
    const itsm = plugin({
      'site.save': [
        (context) => {
          late = context.db
          later = async () => write(context.db, 'later')
          // Not awaited here: it is awaited before the commit.
          void write(context.db, 'in time').then()
        },
      ],
    })
    await system(itsm).create('site', { name: 'One' })
    for (const attempt of [async () => write(late as never, 'late'), later as never as () => Promise<unknown>])
      expect((await errorOf(attempt())).message).to.include("continued after the phase 'inTransaction'")
    expect(await ledger()).to.deep.equal(['in time'])
  })

  /** The API over HTTP, as an administrator. */
  async function served(itsm: Plugin) {
    const [found] = (await system(itsm).list('person', { primary_email: 'owen@acme.example' })).items
    const owen = found ?? (await system(itsm).create('person', { name: 'Owen', primary_email: 'owen@acme.example' }))
    await itsm.grant(Number(owen['id']), 'acme', ['account_administrator'])
    await itsm.start()
    const token = await itsm.credentials.apiToken(Number(owen['id']))
    const server = createServer(new Koa().use(itsm.middleware).callback())
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const ask = async (method: string, path: string, body?: FormData | object) => {
      const isForm = body instanceof FormData
      const headers = { authorization: `Bearer ${token}`, ...(isForm ? {} : { 'content-type': 'application/json' }) }
      const sent = body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }
      const { port } = server.address() as AddressInfo
      return (await fetch(`http://127.0.0.1:${port}/v1${path}`, { method, headers, ...sent })).text()
    }
    /** Waits for the end of the newest import, and returns its id. */
    const ended = async () => {
      for (const until = Date.now() + 8000; Date.now() < until; ) {
        const [newest] = JSON.parse(await ask('GET', '/imports')) as { id: number; state: string }[]
        if (newest?.state === 'done') return newest.id
        await pause(20)
      }
      throw new Error('The import has not ended')
    }
    const imported = async (names: readonly string[], more: Record<string, string> = {}) => {
      const form = new FormData()
      for (const [name, value] of Object.entries({ type: 'sites', ...more })) form.set(name, value)
      form.set('file', new Blob([`Name\n${names.join('\n')}\n`]), 'sites.csv')
      await ask('POST', '/import', form)
      return ended()
    }
    return { ask, ended, imported }
  }

  it('leave out only the records that they refuse, in arrays and imports', async () => {
    const refuse = ({ after }: InTransactionContext) => {
      if (after?.['name'] === 'Bad') throw new Invalid([['base', 'not this one']])
    }
    const { ask, imported } = await served(plugin({ 'site.save': [note, refuse] }))
    const bodies = ['A', 'B', 'Bad', 'C', 'D'].map((name) => ({ name }))
    expect(await ask('POST', '/sites', bodies)).to.include('not this one')
    await imported(['E', 'F', 'Bad', 'G'])
    const good = ['A', 'B', 'C', 'D', 'E', 'F', 'G']
    expect(await ledger()).to.deep.equal(good.map((name) => `site: - > ${name}`))
    expect((await database.knex('itsm_sites').pluck('name')).sort()).to.deep.equal(good)
  }).timeout(20_000)

  it('are undone with a dry run, and run for what the undo of an import puts back', async () => {
    const states = ({ after, before, db }: InTransactionContext) =>
      write(db, [before, after].map((row) => row && `${row['name']}${row['disabled'] ? ' (disabled)' : ''}`).join(' > '))
    const { ask, ended, imported } = await served(plugin({ 'site.save': [states], 'site.remove': [states] }))
    await imported(['Dry'], { dry_run: 'true' })
    expect(await ledger()).to.deep.equal([])
    const id = await imported(['Wet'])
    await ask('POST', `/imports/${id}/undo`)
    await ended()
    expect(await ledger()).to.deep.equal([' > Wet', 'Wet > Wet (disabled)'])
  }).timeout(20_000)

  it('run once for each operation in a transaction of the host', async () => {
    const itsm = plugin({ 'site.save': [note] })
    const trx = await database.knex.transaction()
    const api = itsm.asSystem('x', 'acme', { transaction: trx })
    const { id } = await api.create('site', { name: 'One' })
    await api.update('site', Number(id), { name: 'Two' })
    expect(await trx('ledger').pluck('what')).to.have.length(2)
    await trx.commit()
    expect(await ledger()).to.deep.equal(['site: - > One', 'site: One > Two'])
  })

  it('are options that are checked', () => {
    const made = (inTransaction: unknown) => () => plugin(inTransaction as Hooks)
    expect(made({ 'sites.save': [] })).to.throw(
      "inTransaction.sites.save: must be '<record type>.save' or '<record type>.remove'; did you mean 'site.save'?",
    )
    expect(made({ 'site.create': [] })).to.throw("inTransaction.site.create: must be '<record type>.save'")
    expect(made({ 'attachment.save': [] })).to.throw('inTransaction.attachment.save: must be')
    expect(made({ 'site.save': () => {} })).to.throw('inTransaction.site.save: must be an array of functions')
    expect(made([])).to.throw('inTransaction')
  })
})

describe('hooks in the transaction of a removal by a flag', () => {
  const seen: unknown[] = []
  const saw = (event: string) => (context: InTransactionContext) => {
    seen.push([event, context.before?.['deleted'], context.after?.['deleted']])
  }
  const inTransaction = { 'act.save': [saw('save')], 'act.remove': [saw('remove')] }
  const house = withHouse({ records: festival, migrations: [createFestival], inTransaction })

  it('see it as a removal, with the row that stays', async () => {
    const stage = await house.add('stage', { name: 'Main' })
    const id = await house.add('act', { subject: 'Over', stage_id: stage })
    const wim = await house.addPerson('Wim Worker', ['specialist'])
    for (let times = 0; times < 2; times += 1) await house.operations.remove(await house.by(wim), 'act', id)
    expect(seen).to.deep.equal([
      ['save', undefined, false],
      ['remove', false, true],
    ])
  })
})
