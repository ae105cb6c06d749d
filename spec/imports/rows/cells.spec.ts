import { expect } from 'chai'
import { fieldValueOf, namingField, referenceOf, textsOf } from '../../../plugin/imports/columns/cells.js'
import { recordLayout } from '../../../plugin/imports/columns/layouts.js'
import { matchHeaders } from '../../../plugin/imports/columns/match-columns.js'
import { keyOf } from '../../../plugin/imports/rows/lookups.js'
import { bodyOf, prepareRow } from '../../../plugin/imports/rows/prepare.js'
import type { RecordField } from '../../../plugin/schema/catalog.js'
import type { Json } from '../../../plugin/schema/kinds/fields.js'
import { kindOf } from '../../../plugin/schema/kinds/kinds.js'
import { catalog, importCall } from '../catalog.js'

describe('the value of a cell', () => {
  const cases: readonly (readonly [field: string, cell: string, value: Json])[] = [
    ['disabled', '1', true],
    ['disabled', 'Yes', true],
    ['disabled', 't', true],
    ['disabled', 'ON', true],
    ['disabled', '0', false],
    ['disabled', 'nonsense', false],
    ['disabled', '', false],
    ['vip', '', null],
    ['rank', 'high', 'high'],
    ['rank', 'HIGH', 'HIGH'],
    ['rank', ' ', 'low'],
    ['born', ' 1990-02-03 ', '1990-02-03'],
    ['seen_at', '2016-03-14T03:14:17-06:00', '2016-03-14T03:14:17-06:00'],
    ['cost', '120.5', '120.5'],
    ['age', '42', 42],
    ['age', '42.5', 42.5],
    ['age', 'old', 'old'],
    ['age', '4:30', '4:30'],
    ['effort', '4:30', 270],
    ['effort', '270', 270],
    ['name', ' Ed Turner ', 'Ed Turner'],
    ['name', '\t=Ed', '=Ed'],
    ['name', '\t+31 20', '+31 20'],
    ['name', '', null],
    ['remarks', '\t@home\r\nall day\rlong', '@home\nall day\nlong'],
    ['remarks', '\tindented', '\tindented'],
    ['custom_data', '{"a":[1,true]}', { a: [1, true] }],
    ['custom_data', '{"a":', '{"a":'],
    ['custom_data', '', null],
    ['custom_fields', '[{"id":"a","value":1}]', [{ id: 'a', value: 1 }]],
    ['custom_fields', 'a=1', 'a=1'],
  ]
  for (const [field, cell, value] of cases) {
    it(`of ${field} is ${JSON.stringify(value)} for ${JSON.stringify(cell)}`, () => {
      expect(fieldValueOf(fieldOf(field), cell)).to.deep.equal(value)
    })
  }

  it('is refused with its row, not with the whole file, if its JSON is over the budget of bodies', () => {
    const names = JSON.stringify(Object.fromEntries(Array.from({ length: 1_001 }, (_, n) => [`name ${n}`, n])))
    for (const [field, cell] of [
      ['custom_data', names],
      ['custom_fields', `[${names}]`],
    ] as const) {
      const value = fieldValueOf(fieldOf(field), cell)
      expect(kindOf(fieldOf(field)).input?.read(value, 'UTC', fieldOf(field))).to.deep.equal({ refused: 'invalid' })
    }
  })

  it('is a list with one text on each line', () => {
    expect(textsOf('a@b.example\r\n\n \t-c \nd')).to.deep.equal(['a@b.example', '-c', 'd'])
  })
})

describe('the reference of a cell', () => {
  it('names people by e-mail, other records by their unique name, and the rest by id', () => {
    expect(namingField(catalog, 'crew')).to.equal('primary_email')
    expect(namingField(catalog, 'place')).to.equal('name')
    expect(namingField(catalog, 'squad')).to.equal('name')
    expect(namingField(catalog, 'job')).to.equal('id')
  })

  it('may name the account of the record', () => {
    const call = importCall()
    expect(referenceOf(call, catalog, 'squad', 'IT Support @partner')).to.deep.equal({
      type: 'squad',
      field: 'name',
      value: 'IT Support',
      accountId: 'partner',
    })
    expect(referenceOf(call, catalog, 'crew', 'ed@widgets.example @acme')).to.include({
      value: 'ed@widgets.example',
      accountId: null,
    })
  })

  it('takes an at sign with an account that is not trusted for a part of the name', () => {
    expect(referenceOf(importCall(), catalog, 'squad', 'Meet @noon')).to.include({ value: 'Meet @noon', accountId: null })
  })
})

describe('the body of a row', () => {
  const header = ['ID', 'Source', 'Source ID', 'Primary Email', 'Name', 'Place', 'Rank', 'VIP']

  it('has nothing for columns that are left out and cells that are missing', () => {
    expect(body(header, ['', '', '', 'a@b.example', 'Ed'], 3).body).to.deep.equal({
      source: null,
      sourceID: null,
      primary_email: 'a@b.example',
      name: 'Ed',
    })
  })

  it('clears fields of a known record for empty cells', () => {
    expect(body(['ID', 'Name', 'Place', 'Rank'], ['3', '', '', ''], 3).body).to.deep.equal({
      name: null,
      place_id: null,
      rank: 'low',
    })
  })

  it('has nothing for empty cells of a new record', () => {
    expect(body(header, ['', '', '', 'a@b.example', 'Ed', '', '', ''], null).body).to.deep.equal({
      primary_email: 'a@b.example',
      name: 'Ed',
    })
  })

  it('leaves the source alone when the ID decides and the source cells are empty', () => {
    expect(body(header, ['3', '', '', 'a@b.example'], 3).body).to.deep.equal({ primary_email: 'a@b.example' })
  })

  it('overwrites the source when the ID decides and the source cells have values', () => {
    expect(body(header, ['3', 'sap', 'x1'], 3).body).to.deep.equal({ source: 'sap', sourceID: 'x1' })
  })

  it('names what could not be found', () => {
    expect(body(['Primary Email', 'Place'], ['a@b.example', 'Houston'], 3).missing).to.deep.equal([
      { header: 'Place', field: 'place', value: 'Houston', name: null },
    ])
  })
})

function fieldOf(name: string): RecordField {
  const field = catalog.type('crew').fields.get(name)
  if (!field) throw new Error(name)
  return field
}

function body(header: readonly string[], cells: readonly string[], id: number | null) {
  const type = catalog.type('crew')
  const columns = matchHeaders(recordLayout(catalog, type), header)
  const row = prepareRow(importCall(), catalog, columns, { line: 2, cells })
  const oslo = keyOf({ type: 'place', field: 'name', value: 'Oslo', accountId: null })
  return bodyOf(row, columns, id, new Map([[oslo, 9]]))
}
