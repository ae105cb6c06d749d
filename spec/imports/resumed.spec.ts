/** Imports that another worker goes on with: dry runs, and the end of whole lists (behaviour: Dry runs, Whole lists). */
import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { before, describe, it } from 'mocha'
import { createImports, type Imports } from '../../plugin/imports/imports.js'
import type { Upload } from '../../plugin/imports/upload.js'
import { createLeases } from '../../plugin/storage/queues/leases.js'
import { withHouse } from '../support/house.js'
import { settingsWith, silent } from '../support/settings.js'

/** More than a chunk of rows. */
const ROWS = 620

describe('imports that are interrupted', () => {
  const house = withHouse()
  let admin = 0
  let imports: Imports
  let woken: number[] = []
  let onSave: (type: string) => void = () => {}

  before(async () => {
    admin = await house.addPerson('Ada Admin', ['account_administrator'])
    const { baseUrl, secret, takeOverAfterMs, words } = settingsWith()
    const { access, catalog, clock, operations, permissions, queries, storage } = house
    imports = createImports({
      ...{ access, catalog, clock, permissions, queries, storage },
      leases: createLeases({ storage, clock, log: silent, randomId: randomUUID }),
      operations: {
        ...operations,
        saveAll: (call, type, items) => {
          onSave(type)
          return operations.saveAll(call, type, items)
        },
      },
      log: silent,
      sendMail: async () => {},
      keepDays: 90,
      ...{ words, secret, baseUrl, takeOverAfterMs },
      wake: (id) => void woken.push(id),
    })
  })

  /** Imports a file in several runs: each ends after a save of records of this type, but for the last one. */
  const inRuns = async (type: string, text: string, more: Partial<Upload>, recordType: string) => {
    woken = []
    const call = await house.by(admin)
    async function* bytes() {
      yield Buffer.from(text)
    }
    const { token } = await imports.submit(call, { type, fileName: 'file.csv', content: bytes(), ...more })
    const [id = 0] = woken
    let runs = 0
    for (let isDone = false; !isDone; runs += 1) {
      const controller = new AbortController()
      onSave = (saved) => {
        if (saved === recordType && runs < 3) controller.abort()
      }
      isDone = await imports.run(id, controller.signal)
    }
    onSave = () => {}
    const { items } = await imports.list(call, { page: 1, perPage: 1 })
    expect(items[0]?.token).to.equal(token)
    return { runs, entry: items[0] }
  }
  const count = async (table: string, where: object = {}) =>
    Number((await house.storage.knex(`itsm_${table}`).where(where).count({ n: '*' }))[0]?.['n'])
  const NOTHING = { created: 0, updated: 0, deleted: 0, unchanged: 0, failures: 0, errors: 0 }

  it('go on with a dry run, whose rows depend on those of the first worker', async () => {
    const before = await count('people')
    const manager = (n: number) => (n === 0 ? '' : `new${Math.floor(n / 2)}@acme.example`)
    const rows = Array.from({ length: ROWS }, (_, n) => `new${n}@acme.example,New ${n},${manager(n)}`)
    const text = ['Primary Email,Name,Manager', ...rows, 'new7@acme.example,New 7,new3@acme.example'].join('\n')
    const { entry, runs } = await inRuns('people', text, { dryRun: '1' }, 'person')
    expect(runs).to.be.above(1)
    expect(entry).to.deep.include({ state: 'done', results: { ...NOTHING, created: ROWS, unchanged: 1 } })
    expect(await count('people')).to.equal(before)
    for (const table of ['import_earlier_rows', 'import_ties', 'import_chunks']) expect(await count(table), table).to.equal(0)
  })

  it('disable each record once that a whole list does not have', async () => {
    const sites = (length: number) =>
      ['Source,Source ID,Name', ...Array.from({ length }, (_, n) => `Scan,${n},Site ${n}`)].join('\n')
    await inRuns('sites', sites(ROWS), {}, 'nothing')
    const whole = { absent: 'disable', absentLimit: '100' }
    const rehearsed = await inRuns('sites', sites(1), { ...whole, dryRun: 'true' }, 'site')
    expect(rehearsed.runs).to.be.above(1)
    expect(rehearsed.entry?.results).to.deep.equal({ ...NOTHING, updated: ROWS - 1, unchanged: 1 })
    expect(await count('sites', { disabled: 1 })).to.equal(0)
    const { entry, runs } = await inRuns('sites', sites(1), whole, 'site')
    expect(runs).to.be.above(2)
    expect(entry?.results).to.deep.equal({ ...NOTHING, updated: ROWS - 1, unchanged: 1 })
    expect(await count('sites', { disabled: 1 })).to.equal(ROWS - 1)
    const said = await house.storage.knex('itsm_import_log_lines').where({ import_id: entry?.id }).pluck('text')
    expect(new Set(said.filter((text: string) => text.includes('is not in the file'))).size).to.equal(ROWS - 1)
  })
})
