/**
 * Exports since a time have everything that was committed after it, whenever its save began (behaviour: Exports). One process
 * saves slowly, in transactions of its own and of its host; another one exports.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import { createPlugin, type Plugin } from '../../plugin/index.js'
import { type ChildHost, startChildHost } from '../support/child-host.js'
import { rowsOfCsv } from '../support/csv.js'
import { isAgain, testStore, withDatabase } from '../support/database.js'
import { silent, TEST_SECRET } from '../support/settings.js'

/** A file of which each half is a transaction, or on the database that the other pass has not seen, a tenth of that. */
const PEOPLE = isAgain() ? 400 : 1500
const MINUTE = 60_000

describe('exports since a time', function () {
  this.timeout(120_000)
  const database = withDatabase({ file: true })
  let child: ChildHost
  let here: Plugin
  /** Milliseconds by which the clock of this process is behind. */
  let behind = 0

  before(async () => {
    child = await startChildHost(database.url)
    here = createPlugin({
      ...{ baseUrl: 'http://127.0.0.1:9/v1', allowInsecure: true, secret: TEST_SECRET, log: silent },
      ...{ database: { knex: database.lent }, clock: { now: () => new Date(Date.now() - behind) } },
      inTransaction: {
        'site.save': [
          async ({ after }) => {
            const [, milliseconds = 0] = /in (\d+) ms/.exec(String(after?.['name'])) ?? []
            await pause(Number(milliseconds))
          },
        ],
      },
    })
  })
  afterEach(() => {
    behind = 0
  })
  after(async () => {
    await here?.stop()
    await child?.kill()
  })

  const system = (options = {}) => here.asSystem('the specs save slowly', 'acme', options)
  const now = () => new Date().toISOString()

  /** The names or addresses in the file of the other process; and what it says to ask for next, or what was asked for. */
  async function exported(type: string, from: string): Promise<{ names: readonly string[]; next: string }> {
    const { body, status } = await child.call('POST', '/export', { type, from })
    if (status === 204) return { names: [], next: from }
    expect(status, JSON.stringify(body)).to.equal(200)
    for (;;) {
      const { body: progress } = await child.call('GET', `/export/${body['token']}`)
      if (progress['state'] !== 'done') {
        expect(progress['state']).to.be.oneOf(['queued', 'processing'])
        await pause(20)
        continue
      }
      expect(progress['next_from']).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
      const rows = await rowsOfCsv(await (await fetch(String(progress['url']))).text())
      const index = (rows[0] ?? []).findIndex((header) => ['Name', 'Primary Email'].includes(header))
      return { names: rows.slice(1).map((cells) => cells[index] ?? ''), next: String(progress['next_from']) }
    }
  }

  it('have a save whose transaction was open meanwhile, whichever time a client asks with', async () => {
    const saved = system().create('site', { name: 'Slow depot in 2500 ms' })
    await pause(1000)
    const { names, next } = await exported('sites', now())
    // The embedded database has one writer: the export has waited for it.
    if (testStore() === 'server') expect(names).to.not.include('Slow depot in 2500 ms')
    const own = now()
    await saved
    for (const from of testStore() === 'server' ? [next, own] : [next])
      expect((await exported('sites', from)).names, from).to.include('Slow depot in 2500 ms')
  })

  it('have what a transaction of the host stored minutes before its commit', async () => {
    behind = 20 * MINUTE
    let asked = ''
    await database.knex.transaction(async (trx) => {
      await system({ transaction: trx }).create('site', { name: 'Old depot' })
      await trx.transaction(async (part) => {
        await system({ transaction: part }).create('site', { name: 'Old depot in a savepoint' })
      })
      behind = 0
      asked = now()
    })
    await pause(10)
    expect((await exported('sites', asked)).names).to.include.members(['Old depot', 'Old depot in a savepoint'])
    const rows = await database.knex('itsm_late_commits')
    expect(rows.length).to.be.at.least(1)
  })

  it('have what a save stored minutes before its commit, and what a later one changed', async () => {
    behind = 20 * MINUTE
    const saved = system().create('site', { name: 'Depot in 300 ms' })
    await pause(100)
    behind = 0
    const asked = now()
    await saved
    const later = new Date(Date.now() + MINUTE).toISOString()
    expect((await exported('sites', asked)).names).to.include('Depot in 300 ms')
    expect((await exported('sites', later)).names).to.deep.equal([])
  })

  it('are followed without a gap while a file is imported', async () => {
    const addresses = Array.from({ length: PEOPLE }, (_, index) => `person${index}@acme.example`)
    const form = new FormData()
    form.set('type', 'people')
    const text = ['Primary Email,Name', ...addresses.map((address) => `${address},${address}`)].join('\n')
    form.set('file', new Blob([text], { type: 'text/csv' }), 'people.csv')
    const { body } = await child.call('POST', '/import', form)
    const seen = new Set<string>()
    let next = now()
    for (let isOver = false; !isOver; ) {
      const { body: progress } = await child.call('GET', `/import/${body['token']}`)
      isOver = progress['state'] === 'done'
      expect(progress['state']).to.be.oneOf(['queued', 'processing', 'done'])
      const found = await exported('people', next)
      for (const name of found.names) seen.add(name)
      next = found.next
    }
    expect(addresses.filter((address) => !seen.has(address))).to.deep.equal([])
  })
})
