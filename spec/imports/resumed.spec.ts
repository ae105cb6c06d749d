/** Imports that another worker goes on with: dry runs, and the end of whole lists (behaviour: Dry runs, Whole lists). */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { withHouse } from '../support/house.js'
import { withInterruptedImports } from './interrupted.js'

/** More than a chunk of rows. */
const ROWS = 620

describe('imports that are interrupted', () => {
  const house = withHouse()
  const { inRuns } = withInterruptedImports(house, { interruptions: 3 })
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
