/** Dry runs of imports tell what the import would do, and leave nothing behind (behaviour: Dry runs). */
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { before, describe, it } from 'mocha'
import { isOfRecords, readRows } from '../../plugin/testing/snapshot.js'
import { rowsOfCsv } from '../support/csv.js'
import { imported } from '../support/file-clients.js'
import { withMounted } from '../support/mounted.js'

const FOLDER = 'fixtures/imports'
const ADMIN = '@owen'
const DRY = { dry_run: 'true' }
/** What imports write about themselves, and what becomes of events. */
const OF_IMPORTS = /^itsm_(imports?|import_.*|late_commits|leases|outbox|messages|channel_deliveries|delivery_attempts)$/
/** Files of each shape of rows. Types of the same shape share all of the code. */
const files = [
  ...[
    'calendars/01-created',
    'change_templates/cleared-and-refused',
    'organizations/tree-in-any-order',
    'people/duplicate-header',
  ],
  ...['product_categories/renamed-by-an-earlier-row', 'projects/phases', 'requests/every-column', 'time_entries/every-column'],
  ...['people_contact_details/03-failures', 'people_roles/every-column', 'ci_relations/every-column', 'notes/twice'],
].map((name) => `${FOLDER}/${name}.json`)

describe('Dry runs', () => {
  const place = withMounted('bare', { rateLimit: { perHour: 1_000_000, burst: false } })
  before('starts, and waits for what timers still do with the world', async function () {
    this.timeout(30_000)
    await place.itsm.start()
    for (let [last, now] = ['', JSON.stringify(await stored())]; last !== now; ) {
      await sleep(1500)
      ;[last, now] = [now, JSON.stringify(await stored())]
    }
  })

  const get = async (path: string) => (await place.ask(ADMIN, 'GET', path)).json
  const newest = async () => ((await get('/imports?per_page=1')) as { id: number; dry_run: boolean }[])[0]
  const failuresOf = async (id: number | undefined) => (await place.ask(ADMIN, 'GET', `/imports/${id}/failures`)).text
  /** Lines without their time and without that about the dry run. */
  const linesOf = (log: string) =>
    log
      .trimEnd()
      .split('\n')
      .map((line) => line.replace(/^\S+ /, ''))
      .filter((line) => !line.includes('dry run'))
  const stored = async () => {
    return Object.fromEntries(await readRows(place.database.storage, (name) => isOfRecords(name) && !OF_IMPORTS.test(name)))
  }
  const withIds = (bytes: Buffer) =>
    Buffer.from(
      bytes.toString('latin1').replace(/\{\{(.+?)\}\}/g, (_, name: string) => String(place.world.id(name))),
      'latin1',
    )

  /** A dry run and the import itself have the same results, log and failed rows. @returns the changes of the dry run */
  const same = async (type: string, file: string | Buffer) => {
    const before = await stored()
    const { logfile: _, log, ...dry } = await imported(place, ADMIN, type, file, DRY)
    const after = await stored()
    for (const [table, rows] of Object.entries(before)) expect(after[table], table).to.deep.equal(rows)
    const entry = await newest()
    expect(entry?.dry_run).to.equal(true)
    const failures = await failuresOf(entry?.id)
    const changes = (await get(`/imports/${entry?.id}/changes?per_page=100`)) as Record<string, unknown>[]
    const { logfile: __, log: realLog, ...real } = await imported(place, ADMIN, type, file)
    if (log.includes(' started')) expect(log).to.match(/line 1: This is a dry run: nothing is stored/)
    expect(linesOf(log)).to.deep.equal(linesOf(realLog))
    expect(dry).to.deep.equal(real)
    expect(await failuresOf((await newest())?.id)).to.equal(failures)
    return { changes, results: real.results }
  }

  for (const path of files) {
    const { type } = JSON.parse(readFileSync(path, 'utf8')) as { type: string }
    it(`${path} has the results of the import`, async () => {
      await same(type, withIds(readFileSync(path.replace(/json$/, 'csv'))))
    }).timeout(20_000)
  }

  it('find the records that rows of earlier chunks would have made, and those that later rows make', async () => {
    const shuffled = Array.from({ length: 1100 }, (_, index) => (index * 577) % 1100)
    const rows = shuffled.map(
      (n) => `HR,${n},Person ${n},p${n}@widgets.example,${n === 0 ? '' : `p${Math.floor(n / 3)}@widgets.example`}`,
    )
    const again = [
      'HR,5,Person 5 again,p5@widgets.example,p1@widgets.example',
      'HR,6,Person 6,p7@widgets.example,p2@widgets.example',
    ]
    const file = ['Source,Source ID,Name,Primary Email,Manager', ...rows, ...again].join('\n')
    const { changes, results } = await same('people', file)
    expect(results).to.deep.include({ created: 1100, updated: 1, failures: 1 })
    expect(changes[0]).to.have.all.keys('type', 'id', 'name', 'field', 'before', 'after')
    expect(changes[0]).to.deep.include({ type: 'person', id: null, before: null })
  }).timeout(60_000)

  it('know what rows of earlier chunks have made of the same record', async () => {
    const people = ['ines', 'sam', 'ravi'].map((name) => `${name}@widgets.example`)
    const rows = Array.from({ length: 620 }, (_, n) => `${people[n % 3]},${n % 5 < 2 ? 1 : 0},${n % 7 < 3 ? 1 : 0}`)
    const { results } = await same('people_roles', ['Person,Auditor,Key Contact', ...rows].join('\n'))
    expect(Math.min(...['created', 'updated', 'deleted', 'unchanged'].map((counter) => Number(results[counter])))).to.be.above(
      5,
    )
  }).timeout(60_000)

  it('show a record that would change, and how', async () => {
    const row = (note: string) => `Source,Source ID,Name,Remarks\nDry,1,Dry site,${note}\n`
    await imported(place, ADMIN, 'sites', row('as it is'))
    await imported(place, ADMIN, 'sites', row('as it would be'), DRY)
    const [site] = (await get('/sites?sourceID=1&source=Dry')) as { id: number }[]
    const changes = await get(`/imports/${(await newest())?.id}/changes`)
    expect(changes).to.deep.include({
      ...{ type: 'site', id: site?.id, name: 'Dry site', field: 'remarks' },
      ...{ before: 'as it is', after: 'as it would be' },
    })
    expect(await get(`/sites/${site?.id}`)).to.deep.include({ remarks: 'as it is' })
  })

  it('send no event and no mail', async () => {
    const all = async (table: string) => Number((await place.database.knex(`itsm_${table}`).count({ all: '*' }))[0]?.['all'])
    /** Numbers of messages and mails, once those of earlier imports are there. */
    const told = async () => {
      while (await all('outbox')) await sleep(20)
      return [await all('messages'), await all('channel_deliveries')]
    }
    const before = await told()
    await imported(place, ADMIN, 'sites', 'Name\nA site of a dry run\n', DRY)
    expect(await told()).to.deep.equal(before)
    await imported(place, ADMIN, 'sites', 'Name\nA site\n')
    expect(await told()).to.not.deep.equal(before)
  })

  it('are not mistaken for imports', async () => {
    for (const dry_run of ['yes', 'maybe', '2', 'tru']) {
      const error = await imported(place, ADMIN, 'sites', 'Name\nX\n', { dry_run }).catch((one: Error) => one.message)
      expect(error).to.match(/"dry_run"/)
    }
    const { results } = await imported(place, ADMIN, 'sites', 'Name\nStored\n', { dry_run: ' False ' })
    expect(results['created']).to.equal(1)
    expect((await newest())?.dry_run).to.equal(false)
    expect(await get(`/imports/${(await newest())?.id}/changes`)).to.deep.equal([])
  })

  it('give their failed rows to repair', async () => {
    await imported(place, ADMIN, 'sites', 'Name,Time Zone\nMars base,Mars\n', DRY)
    const [, row] = await rowsOfCsv(await failuresOf((await newest())?.id))
    expect(row?.slice(0, 4)).to.deep.equal(['Mars base', 'Mars', '2', 'Time Zone'])
  })
})
