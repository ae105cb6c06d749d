import { expect } from 'chai'
import { recordLayout } from '../../../plugin/imports/columns/layouts.js'
import { identify, matchHeaders } from '../../../plugin/imports/columns/match-columns.js'
import { records } from '../../../plugin/records/records.js'
import { compileChecked } from '../../../plugin/schema/compile/compile.js'
import { importKinds } from '../../../plugin/schema/derive/import-kinds.js'
import { SHARED_LISTS } from '../../../plugin/words/shared-lists.js'
import { catalog } from '../catalog.js'

const crew = catalog.type('crew')
const squad = catalog.type('squad')

import { refusalOf } from '../english.js'

describe('matching column headers', () => {
  it('trims headers and ignores their case and quotation marks', () => {
    expect(matched([' "id" ', 'SOURCE', 'source id', 'primary email', ' Name '])).to.deep.equal([
      'id',
      'source',
      'sourceID',
      'primary_email',
      'name',
    ])
  })

  it('takes an old header that ends in ID for the ID, in first position only', () => {
    expect(matched(['Widgetdesk ID', 'Name'])).to.deep.equal(['id', 'name'])
    expect(matched(['Name', 'Widgetdesk ID'])).to.deep.equal(['name', null])
  })

  it('knows Source ID in first position', () => {
    expect(matched(['Source ID', 'Name'])).to.deep.equal(['sourceID', 'name'])
  })

  it('skips unknown headers and names them', () => {
    const columns = matchHeaders(recordLayout(catalog, crew), ['Name', 'Shoe Size', ''])
    expect(columns.columns[1]).to.equal(null)
    expect(columns.columns[2]).to.equal(null)
    expect(columns.unknown).to.deep.equal(['Shoe Size'])
  })

  it('skips read-only and ignored headers without a word', () => {
    const columns = matchHeaders(recordLayout(catalog, crew), [
      'Name',
      'Created By',
      'active things',
      'Updated At',
      'Permalink',
    ])
    expect(columns.columns.slice(1)).to.deep.equal([null, null, null, null])
    expect(columns.unknown).to.deep.equal([])
  })

  it('skips headers of later exports without a word, whatever their position', () => {
    const later = {
      people: [
        'Employee ID',
        'Authentication ID',
        'Auto Translation',
        'Do Not Translate Languages',
        'Work Hours',
        'UI Extension',
      ],
      organizations: ['Financial ID', 'UI Extension'],
      sites: ['UI Extension'],
      teams: ['Agile Board'],
    }
    const compiled = compileChecked(records, [], SHARED_LISTS)
    const kinds = importKinds(compiled)
    for (const [type, headers] of Object.entries(later)) {
      const kind = kinds.find((one) => one.type === type)
      if (!kind) throw new Error(`There is no import of ${type}`)
      const all = [...headers, 'Created At', 'Updated At', 'Name']
      const { columns, unknown } = matchHeaders(recordLayout(compiled, kind.record), all)
      expect([columns.filter((column) => column !== null).length, unknown], type).to.deep.equal([1, []])
    }
  })

  it('refuses a header that occurs twice', () => {
    expect(refusalOf(() => matchHeaders(recordLayout(catalog, crew), ['Name', 'Primary Email', ' NAME']))).to.equal(
      'Duplicate column header: NAME',
    )
    expect(refusalOf(() => matchHeaders(recordLayout(catalog, crew), ['Widgetdesk ID', 'ID']))).to.equal(
      'Duplicate column header: ID',
    )
    expect(refusalOf(() => matchHeaders(recordLayout(catalog, crew), ['Name', 'Hat', 'hat']))).to.equal(
      'Duplicate column header: hat',
    )
  })

  it('refuses a file without any known header', () => {
    expect(refusalOf(() => matchHeaders(recordLayout(catalog, crew), ['a', 'b']))).to.equal(
      'None of the column headers is known: line 1 begins with "a,b", but must have headers such as "Primary Email", "Name", or "Place", with commas, tabs or semicolons between',
    )
  })

  it('takes other blanks for a space, and nothing invisible', () => {
    const header = ['\ufeffPrimary\u00a0Email', 'Source\u202fID', '\u00a0Name\u200b', '"Created\u00a0 By"', 'VIP\r\n']
    const { columns, unknown } = matchHeaders(recordLayout(catalog, crew), header)
    expect(unknown).to.deep.equal([])
    expect(columns.map((column) => column?.name)).to.deep.equal(['primary_email', 'sourceID', 'name', undefined, 'vip'])
  })

  it('refuses headers that are too many or too long before looking at them', () => {
    const many = Array.from({ length: 1001 }, (_, index) => `h${index}`)
    expect(refusalOf(() => matchHeaders(recordLayout(catalog, crew), ['Name', ...many.slice(1)]))).to.equal(
      'The file has 1001 columns (maximum is 1000)',
    )
    expect(refusalOf(() => matchHeaders(recordLayout(catalog, crew), ['Name', '"'.repeat(1_900_000)]))).to.equal(
      'The header of column 2 is too long (maximum is 255 characters)',
    )
    expect(matchHeaders(recordLayout(catalog, crew), ['Name', ...many.slice(3), 'x'.repeat(255)]).unknown.length).to.equal(999)
  })

  it('gives link columns the link', () => {
    const [, column] = matchHeaders(recordLayout(catalog, squad), ['Name', 'Members']).columns
    expect(column).to.include({ kind: 'link', name: 'members' })
  })
})

describe('identifying the record of a row', () => {
  const header = ['ID', 'Source', 'Source ID', 'Primary Email', 'Name']

  it('takes the ID before everything else', () => {
    expect(identified(header, ['12', 'sap', 'x1', 'a@b.example'])).to.deep.equal({ by: 'id', id: '12' })
  })

  it('takes Source and Source ID when both have values', () => {
    expect(identified(header, ['', 'sap', ' x1 ', 'a@b.example'])).to.deep.equal({
      by: 'source',
      source: 'sap',
      sourceID: 'x1',
    })
  })

  it('takes the key column when only one of Source and Source ID has a value', () => {
    expect(identified(header, ['', 'sap', '', 'a@b.example'])).to.deep.equal({ by: 'key', value: 'a@b.example' })
    expect(identified(header, ['', '', 'x1', 'a@b.example'])).to.deep.equal({ by: 'key', value: 'a@b.example' })
  })

  it('finds nothing in a type without key column', () => {
    expect(identify(matchHeaders(recordLayout(catalog, squad), ['Name']), ['Night watch'])).to.deep.equal({ by: 'nothing' })
  })

  it('takes a missing cell for an empty one', () => {
    expect(identified(['Name', 'ID', 'Primary Email'], ['Ed'])).to.deep.equal({ by: 'nothing' })
  })
})

function matched(header: readonly string[]): (string | null)[] {
  return matchHeaders(recordLayout(catalog, crew), header).columns.map((column) =>
    column === null ? null : column.kind === 'field' ? column.field.name : column.kind,
  )
}

function identified(header: readonly string[], cells: readonly string[]) {
  return identify(matchHeaders(recordLayout(catalog, crew), header), cells)
}
