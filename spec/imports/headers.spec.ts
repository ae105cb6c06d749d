/**
 * The columns of all import types, compared with the headers of the interface (spec, Batch import; behaviour: Import columns).
 * `fixtures/imports/headers.json` has the headers by type, in the order of exported files; those in square brackets came later.
 */
import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { exportPlan } from '../../plugin/exports/plan.js'
import { FAILURE_HEADERS, headersOf, layoutOf } from '../../plugin/imports/columns/layouts.js'
import { records } from '../../plugin/records/records.js'
import { compileChecked } from '../../plugin/schema/compile/compile.js'
import { importKinds } from '../../plugin/schema/derive/import-kinds.js'
import { IMPLIED_COLUMNS } from '../../plugin/schema/language/import-files.js'
import { SHARED_LISTS } from '../../plugin/words/shared-lists.js'

/** Import types that are not built: what their rows need that files cannot have yet. */
const NOT_BUILT: Readonly<Record<string, string>> = {
  timesheet_settings: 'there is no such record',
}

/** Record types without an import in the interface, and the reason. */
const NEVER: Readonly<Record<string, string>> = {
  broadcast: 'the interface has no file for it',
  webhook: 'the interface has no file for it',
  view: 'belongs to who made it, and names filters of one version',
  audit_line: 'written by the service alone',
  attachment: 'uploaded, not imported',
  affected_sla: 'follows from agreements',
  address: 'comes with its person or organization',
  contact: 'comes with its person or organization',
  calendar_hour: 'comes with its calendar',
  recurrence: 'comes with its template',
  task_sequence: 'comes with its change template',
  project_phase: 'comes with its project',
  ui_extension_version: 'comes with its extension',
  child_service_instance: 'the interface has no file for it',
  parent_service_instance: 'the interface has no file for it',
}

/** Headers of files before there were brackets, for which our records have no field. */
const WITHOUT_FIELD: Readonly<Record<string, readonly string[]>> = {
  product_categories: ['UI Extension'],
  products: ['Active CIs'],
  cis: ['Has CI Relations'],
  ci_relations: ['Source'],
  requests: ['Permalink'],
  notes: ['Attachments'],
  time_entries: ['Source', 'Source ID'],
}

/** Columns that are not built: files with them get a warning, as for unknown columns. */
const COLUMNS_NOT_BUILT: Readonly<Record<string, readonly string[]>> = {}

/** Headers that exported files have although those of the interface do not list them, in lower case. */
const EXPORTED_ALSO: Readonly<Record<string, readonly string[]>> = {
  people_contact_details: ['id'],
  knowledge_articles: ['id'],
  problems: ['custom fields'],
  ui_extensions: ['source', 'source id'],
}

const EVERY_FILE = IMPLIED_COLUMNS.map(({ header }) => header)
/** Headers that our files have in addition, whatever the type. */
const EVERYWHERE = [...EVERY_FILE, 'Custom Fields', 'Created At', 'Updated At', 'Permalink', ...FAILURE_HEADERS]

const catalog = compileChecked(records, [], SHARED_LISTS)
const kinds = importKinds(catalog)
const documented = new Map(
  Object.entries(JSON.parse(readFileSync('fixtures/imports/headers.json', 'utf8')) as Record<string, string>).map(
    ([type, headers]): [string, readonly string[]] => [type, headers.split(', ')],
  ),
)
const bare = (header: string) => header.replace(/^\[|\]$/g, '')
const lower = (headers: readonly string[]) => headers.map((header) => bare(header).toLowerCase())

describe('the columns of import files', () => {
  for (const kind of kinds) {
    const headers = documented.get(kind.type) ?? []
    const { also, known, ignored } = layoutOf(catalog, kind)

    it(`of ${kind.type} are those of the interface`, () => {
      const unknown = lower(headers).filter((header) => !known.has(also.get(header) ?? header) && !ignored.has(header))
      expect(unknown).to.deep.equal(lower(COLUMNS_NOT_BUILT[kind.type] ?? []))
      const more = [...known.keys(), ...ignored].filter((header) => !lower([...headers, ...EVERYWHERE]).includes(header))
      expect(more).to.deep.equal([])
    })

    it(`of ${kind.type} fill a field or link, apart from later ones`, () => {
      const without = headers.filter((header) => !header.startsWith('[') && !known.has(header.toLowerCase()))
      const expected = [...(COLUMNS_NOT_BUILT[kind.type] ?? []), ...(WITHOUT_FIELD[kind.type] ?? [])]
      expect(without.sort()).to.deep.equal(expected.sort())
    })

    it(`of ${kind.type} stand in the order of the interface`, () => {
      const own = (kind.record.import?.type === kind.type ? kind.record.import.columns : []).map(({ header }) => header)
      // Custom Fields came later, and stand beside Custom Data for every type.
      const shared = lower(own).filter((header) => header !== 'custom fields' && lower(headers).includes(header))
      expect(lower(headers).filter((header) => shared.includes(header))).to.deep.equal(shared)
    })
  }

  for (const kind of kinds) {
    it(`of exported ${kind.type} are those of the interface, in its order`, () => {
      const headers = lower(documented.get(kind.type) ?? [])
      const exported = lower(exportPlan(catalog, kind).columns.map(({ header }) => header))
      expect(exported.filter((header) => !headers.includes(header))).to.deep.equal(EXPORTED_ALSO[kind.type] ?? [])
      const both = exported.filter((header) => headers.includes(header))
      expect(headers.filter((header) => exported.includes(header))).to.deep.equal(both)
    })
  }

  it('exist for every type of the interface that is built, in its order', () => {
    const types = kinds.map(({ type }) => type)
    expect([...documented.keys()].filter((type) => !types.includes(type))).to.deep.equal(Object.keys(NOT_BUILT))
    expect([...documented.keys()].filter((type) => types.includes(type))).to.deep.equal(types)
    expect(kinds.map(({ order }) => order)).to.deep.equal(types.map((type) => [...documented.keys()].indexOf(type) + 1))
  })

  it('are listed in behaviour.md, with those that only identify a record', () => {
    const [, table = ''] = readFileSync('plugin/docs/behaviour.md', 'utf8').split('\n| Type | Columns |\n|---|---|\n')
    const rows = kinds.map((kind) => {
      const own = headersOf(layoutOf(catalog, kind)).filter((header) => !EVERY_FILE.includes(header))
      return `| ${kind.type} | \`${own.join(', ')}\` |`
    })
    expect(table.split('\n\n')[0]?.split('\n')).to.deep.equal(rows)
  })

  it('exist for every record type, or there is a reason', () => {
    const imported = new Set([...kinds.flatMap(({ record, type }) => [record.path, type]), ...Object.keys(NOT_BUILT)])
    const others = [...catalog.types.values()].filter(({ name, path, table }) => {
      return !imported.has(path) && !imported.has(table) && !name.endsWith('_translation')
    })
    expect(others.map(({ name }) => name).sort()).to.deep.equal(Object.keys(NEVER).sort())
  })
})
