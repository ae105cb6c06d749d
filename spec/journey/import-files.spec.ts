/**
 * Every file of fixtures/imports goes through the whole service: upload, job, records, log, progress. Then each type is exported, and
 * its file imported again.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { expect } from 'chai'
import { before, describe, it } from 'mocha'
import { csvLine } from '../../plugin/core/text/csv.js'
import { records } from '../../plugin/records/records.js'
import { compileChecked } from '../../plugin/schema/compile/compile.js'
import { importKinds } from '../../plugin/schema/derive/import-kinds.js'
import { SHARED_LISTS } from '../../plugin/words/shared-lists.js'
import { rowsOfCsv } from '../support/csv.js'
import { exportedFile, imported, undone } from '../support/file-clients.js'
import { withMounted } from '../support/mounted.js'
import { type Dump, differencesBetween, dumpRecords } from '../support/record-dump.js'

interface Case {
  readonly name: string
  readonly type: string
  /** True if new records come with their past. */
  readonly history?: true
  readonly progress: { readonly state: string; readonly message?: string; readonly results: object }
  /** Lines without the time; those at the start and the end of every log are left out. */
  readonly log: readonly string[]
  /** Some fields of records that must be there; references by name. */
  readonly records: readonly Readonly<Record<string, unknown>>[]
}

const FOLDER = 'fixtures/imports'
const ADMIN = '@owen'
const kinds = importKinds(compileChecked(records, [], SHARED_LISTS))
const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.json') && file.includes('/'))
  .map((file) => `${FOLDER}/${file}`)
  .sort()

describe('Files', () => {
  const place = withMounted('bare', { imports: { history: true }, rateLimit: { burst: false, perHour: 1_000_000 } })
  let was: Dump = new Map()
  before('starts, and remembers all records', async () => {
    await place.itsm.start()
    was = await dumpRecords(place)
  })

  const get = async (path: string) => (await place.ask(ADMIN, 'GET', path)).json as Record<string, unknown>

  /** Replaces `{{patch-servers}}` by the id of that record of the world: some types are named by their ids. */
  const withIds = (bytes: Buffer) =>
    bytes.includes('{{')
      ? Buffer.from(bytes.toString().replace(/\{\{(.+?)\}\}/g, (_, name: string) => String(place.world.id(name))))
      : bytes

  /** The record with the values of a case, as a client sees it, with its links. */
  const find = async (type: string, expected: Readonly<Record<string, unknown>>) => {
    const record = importKinds(place.itsm.catalog).find((kind) => kind.type === type)?.record
    const key = expected[record?.import?.key ?? ''] === undefined ? (record?.title ?? 'name') : String(record?.import?.key)
    const list = await get(`/${record?.path}?${key}=${encodeURIComponent(String(expected[key]))}`)
    const [found] = list as unknown as { id: number }[]
    expect(found, `${type} with ${key} ${expected[key]}`).to.be.an('object')
    const full = await get(`/${record?.path}/${found?.id}`)
    for (const link of [...(record?.links.keys() ?? []), ...(record?.children.keys() ?? []), ...(record?.parts.keys() ?? [])]) {
      if (link in expected && !(link in full)) full[link] = await get(`/${record?.path}/${found?.id}/${link}`)
    }
    return full
  }

  for (const path of files) {
    const expected = JSON.parse(readFileSync(path, 'utf8')) as Case
    it(`${path}: ${expected.name}`, async () => {
      const file = withIds(readFileSync(path.replace(/json$/, 'csv')))
      const {
        log,
        logfile: _,
        ...progress
      } = await imported(place, ADMIN, expected.type, file, expected.history ? { history: 'true' } : {})
      expect(progress, log).to.deep.equal(expected.progress)
      const lines = log.trimEnd().split('\n')
      const said = lines.map((line) => line.replace(/^\S+ /, '')).filter((line) => !line.startsWith('INFORMATION'))
      expect(said).to.deep.equal(expected.log)

      const { results, state } = progress
      const [entry] = (await get('/imports?per_page=1')) as unknown as { id: number }[]
      expect(entry).to.deep.include({ type: expected.type, state, results })
      const failures = await place.ask(ADMIN, 'GET', `/imports/${entry?.id}/failures`)
      const [, ...failed] = await rowsOfCsv(failures.text)
      const failedLines = failed.flatMap((cells) => (cells.at(-1) === '' ? [] : [cells.at(-3)]))
      const errors = said.flatMap((line) => /^ERROR line (\d+):/.exec(line)?.[1] ?? [])
      expect(failedLines).to.include.members(errors)
      expect(failedLines).to.have.lengthOf(Number(results['failures']) + Number(results['errors']))
      for (const values of expected.records) {
        const found = await find(expected.type, values)
        for (const [field, value] of Object.entries(values)) expect(named(found[field]), field).to.deep.equal(value)
      }
    })
  }

  it('of imports are named by their numbers in audit lines, and never by the token that opens the progress', async () => {
    const { knex } = place.database
    const causes: string[] = await knex('itsm_audit_lines').where({ origin: 'import' }).distinct('cause').pluck('cause')
    const ids: number[] = await knex('itsm_imports').pluck('id')
    const ofImports = causes.filter((cause) => cause.startsWith('import'))
    expect(ofImports).to.not.deep.equal([])
    const named = ids.flatMap((id) => [`import ${id}`, `import ${id}, history`])
    for (const cause of ofImports) expect(named).to.include(cause)
  })

  /** All that was imported before is exported, and the exported file is imported. */
  for (const { ofParts, record, type } of kinds) {
    const lastAuditLine = async () => Number((await place.database.knex('itsm_audit_lines').max({ id: 'id' }))[0]?.['id'])
    const unchanged = { created: 0, updated: 0, deleted: 0, unchanged: 0, failures: 0, errors: 0 }

    it(`of exported ${type} change nothing when they are imported, and one field where one cell is edited`, async () => {
      const text = await exportedFile(place, ADMIN, type)
      const [headers = [], ...rows] = await rowsOfCsv(text)
      expect(rows).to.not.deep.equal([])
      const before = await lastAuditLine()
      const { log, results, state } = await imported(place, ADMIN, type, text)
      expect({ state, results }, log).to.deep.equal({ state: 'done', results: { ...unchanged, unchanged: rows.length } })
      expect(log.trimEnd().split('\n'), log).to.have.lengthOf(2)
      expect(await lastAuditLine()).to.equal(before)

      const title = record.fields.get(record.title ?? '')
      const column = record.import?.columns.findIndex(({ field }) => field === title?.name) ?? -1
      if (ofParts || record.import?.rows || !title || title.readOnly || title.write || column < 0) return
      const at = headers.indexOf(record.import?.columns[column]?.header ?? '')
      const [first = []] = rows
      const edited = first.with(at, `${first[at]} again`)
      const again = await imported(place, ADMIN, type, [headers, edited, ...rows.slice(1)].map(csvLine).join(''))
      expect(again.results, again.log).to.deep.equal({ ...unchanged, updated: 1, unchanged: rows.length - 1 })
      const lines = await place.database.knex('itsm_audit_lines').where('id', '>', before).select('owner_type', 'changes')
      const own = lines.filter((line) => line.owner_type === record.name).map(({ changes }) => Object.keys(JSON.parse(changes)))
      // What the service derives of it changes as well, also in other records: those of the past are settled only then.
      const byHand = own.map((names) => names.filter((name) => !record.fields.get(name)?.readOnly))
      expect(byHand.filter((names) => names.length > 0)).to.deep.equal([[title.name]])
    }).timeout(20_000)
  }

  it('of all imports are undone, the last one first, and all records are as they were', async () => {
    const ids: number[] = await place.database.knex('itsm_imports').orderBy('id', 'desc').pluck('id')
    for (const id of ids) {
      const { log, results, state } = await undone(place, ADMIN, id)
      expect({ state, errors: results['errors'], failures: results['failures'] }, log).to.deep.equal({
        state: 'done',
        errors: 0,
        failures: 0,
      })
    }
    expect(differencesBetween(place, was, await dumpRecords(place))).to.deep.equal([])
  }).timeout(120_000)
})

/** How references show their records, apart from the id. */
const TITLES = ['name', 'subject', 'label', 'reference']

/** A reference by its name, links as names in order, sub-records without their ids, pairs of references by both names. */
function named(value: unknown): unknown {
  if (Array.isArray(value) && value.every((one) => one?.integration !== undefined))
    return value.map(({ id: _, ...part }) => part)
  if (Array.isArray(value)) return value.map(named).sort()
  const { predecessor, successor } = Object(value) as { readonly predecessor?: unknown; readonly successor?: unknown }
  if (predecessor && successor) return `${named(predecessor)} => ${named(successor)}`
  const title = TITLES.find((name) => typeof value === 'object' && value !== null && 'id' in value && name in value)
  return title === undefined ? value : (value as Record<string, unknown>)[title]
}
