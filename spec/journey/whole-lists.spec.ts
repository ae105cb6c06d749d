/** Imports that disable what their file does not have (behaviour: Whole lists). */
import { expect } from 'chai'
import { before, describe, it } from 'mocha'
import { imported, upload } from '../support/file-clients.js'
import { withMounted } from '../support/mounted.js'

const ADMIN = '@owen'

describe('Whole lists', () => {
  const place = withMounted('bare')
  before(() => place.itsm.start())

  const file = (source: string, ids: readonly number[], more: readonly string[] = []) =>
    ['Source,Source ID,Name', ...ids.map((id) => `${source},S-${id},${source} site ${id}`), ...more].join('\n')
  const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index)
  const disabled = async (source: string) => {
    const rows = await place.database.knex('itsm_sites').where({ source }).orderBy('id').select('sourceID', 'disabled')
    return rows.filter((row) => Number(row.disabled) === 1).map((row) => row.sourceID)
  }
  const whole = (text: string, more: Record<string, string> = {}, type = 'sites') =>
    imported(place, ADMIN, type, text, { absent: 'disable', ...more })

  it('disable the records of the source that the file does not have, each once', async () => {
    await whole(file('Scan', range(0, 230)))
    await imported(place, ADMIN, 'sites', file('Other', range(0, 20)))
    const { log, results, state } = await whole(file('Scan', range(0, 210)))
    expect({ state, results }, log).to.deep.include({ state: 'done' })
    expect(results).to.deep.include({ updated: 20, created: 0, failures: 0 })
    expect(await disabled('Scan')).to.deep.equal(range(210, 230).map((id) => `S-${id}`))
    expect(await disabled('Other')).to.deep.equal([])
    expect(log).to.match(/INFORMATION line 211: Source ID "S-229" is not in the file: disabled/)
    expect((await whole(file('Scan', range(0, 210)))).results).to.deep.include({ updated: 0, unchanged: 210 })
  })

  it('disable nothing when more are missing than the limit', async () => {
    const before = await disabled('Scan')
    const { message, results, state } = await whole(file('Scan', range(0, 180)))
    expect({ state, message }).to.deep.equal({
      state: 'error',
      message: 'The file lacks 30 of 210 records of its source, more than 10 %: none was disabled',
    })
    expect(results).to.deep.include({ unchanged: 180, updated: 0 })
    expect(await disabled('Scan')).to.deep.equal(before)
    expect((await whole(file('Scan', range(0, 180)), { absent_limit: '14' })).state).to.equal('error')
    expect((await whole(file('Scan', range(0, 180)), { absent_limit: '15' })).results).to.deep.include({ updated: 30 })
  })

  it('tell in a dry run what they would disable', async () => {
    const before = await disabled('Scan')
    const { results } = await whole(file('Scan', range(0, 170)), { dry_run: '1' })
    expect(results).to.deep.include({ unchanged: 170, updated: 10 })
    expect(await disabled('Scan')).to.deep.equal(before)
  })

  it('do not miss a record whose row was refused', async () => {
    const rows = [...range(2, 180).map((id) => `Scan,S-${id},Scan site ${id}`), 'Scan,S-0,', 'Scan,S-1,Scan site 2']
    const { results } = await whole(['Source,Source ID,Name', ...rows].join('\n'))
    expect(results).to.deep.include({ failures: 2 })
    expect(await disabled('Scan')).to.not.include.members(['S-0'])
    expect(await disabled('Scan')).to.not.include.members(['S-1'])
  })

  it('need one source, and a source ID in each row, before anything is saved', async () => {
    const count = async () => Number((await place.database.knex('itsm_sites').count({ n: '*' }))[0]?.['n'])
    const before = await count()
    for (const more of ['Other,S-1,Another source', ',S-2,No source', 'Scan,,No source ID', 'Scan']) {
      const { state, results } = await whole(file('New', range(0, 3), [more]))
      expect({ state, results: results['created'] }, more).to.deep.equal({ state: 'error', results: 0 })
    }
    expect((await whole('Source,Source ID,Name\n')).state).to.equal('error')
    expect((await whole('Name\nWithout columns\n')).state).to.equal('error')
    expect(await count()).to.equal(before)
  })

  it('disable nothing if the file could not be read to its end', async () => {
    const before = await disabled('Scan')
    const { state } = await whole(`${file('Scan', range(0, 170))}\nScan,S-171,"never ends`)
    expect(state).to.equal('error')
    expect(await disabled('Scan')).to.deep.equal(before)
  })

  it('are refused for types that cannot be disabled, and with other values', async () => {
    const errors = async (parts: Record<string, string>) => {
      const { json, status } = await upload(place, ADMIN, { type: 'sites', file: file('Scan', [1]), ...parts })
      return [status, ...((json as { errors?: [string, string][] }).errors ?? []).map(([field]) => field)]
    }
    for (const type of ['requests', 'slas', 'notes', 'people_contact_details', 'organizations_time_allocations'])
      expect(await errors({ type, absent: 'disable' }), type).to.deep.equal([422, 'absent'])
    expect(await errors({ absent: 'remove' })).to.deep.equal([422, 'absent'])
    for (const absent_limit of ['-1', '101', '5.5', 'all', '1e1'])
      expect(await errors({ absent: 'disable', absent_limit }), absent_limit).to.deep.equal([422, 'absent_limit'])
  })
})
