/** `import: 'all'`: files with a column for each field and link of a type of the host. */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { compile } from '../../plugin/schema/compile/compile.js'
import { identity, provenance, times } from '../../plugin/schema/kinds/common-fields.js'
import { boolean, integer, parts, ref, string, strings, text } from '../../plugin/schema/kinds/fields.js'
import type { Definition } from '../../plugin/schema/language/define-record.js'
import { defineRecord } from '../../plugin/schema/language/define-record.js'
import { type Extension, extendRecord } from '../../plugin/schema/language/extend-record.js'

const access = { create: ['account_administrator'], update: ['account_administrator'] } as const
const plain = { fields: 'id', sort: 'id', filterable: 'id' } as const

const wheel = defineRecord('wheel', {
  path: 'wheels',
  fields: { ...identity, name: string(20), ...times },
  collection: plain,
  access,
})
const bolt = defineRecord('bolt', {
  path: 'bolts',
  partOf: ['trailer'],
  fields: { ...identity, name: string(20) },
  collection: plain,
  access,
})
const trailer = defineRecord('trailer', {
  path: 'trailers',
  fields: {
    ...identity,
    ...provenance,
    name: string(80, { required: true }),
    supportID: string(20),
    tags: strings(20),
    is_rented: boolean({ default: false }),
    spare_wheel: ref('wheel'),
    remarks: text(),
    mileage: integer({ readOnly: true }),
    label: string(80, { derived: { from: 'name', as: 'value' } }),
    bolts: parts('bolt'),
    ...times,
  },
  collection: plain,
  links: {
    wheels: { record: 'wheel', table: 'trailer_wheels', from: 'trailer_id', to: 'wheel_id' },
    shown_wheels: { record: 'wheel', table: 'trailer_wheels', from: 'trailer_id', to: 'wheel_id', write: 'none' },
  },
  parts: ['bolt'],
  access,
  import: 'all',
})

const importIn = (extensions: readonly Extension[], type: Definition = trailer) =>
  compile([wheel, bolt, type], extensions).type('trailer').import
const headersIn = (extensions: readonly Extension[], type?: Definition) =>
  importIn(extensions, type)?.columns.map(({ header, field }) => `${header}: ${field}`)

const OWN = ['Name: name', 'Support ID: supportID', 'Is Rented: is_rented', 'Spare Wheel: spare_wheel', 'Remarks: remarks']
const color = { fields: { paint_color: string(20) } } as const

describe("import: 'all'", () => {
  it('has the path as its type, and a column for each field and link that callers set', () => {
    expect(importIn([])).to.deep.include({ type: 'trailers', order: 1000 })
    expect(headersIn([])).to.deep.equal([...OWN, 'Wheels: wheels'])
  })

  it('has the fields of extensions, too, whatever these say of columns', () => {
    const expected = [...OWN, 'Paint Color: paint_color', 'Wheels: wheels']
    expect(headersIn([extendRecord('trailer', color)])).to.deep.equal(expected)
    expect(headersIn([extendRecord('trailer', { ...color, importColumns: 'all' })])).to.deep.equal(expected)
    const named = extendRecord('trailer', { ...color, importColumns: [{ header: 'Colour', field: 'paint_color' }] })
    expect(headersIn([named])).to.deep.equal([...OWN, 'Wheels: wheels', 'Colour: paint_color'])
  })

  it('of an extension adds its fields and links to the columns of the type', () => {
    const few = { ...trailer, import: { type: 'carts', order: 7, columns: ['Name', 'Is Rented'] } }
    const added = extendRecord('trailer', { ...color, importColumns: 'all' })
    expect(headersIn([extendRecord('trailer', color)], few)).to.deep.equal(['Name: name', 'Is Rented: is_rented'])
    expect(headersIn([added], few)).to.deep.equal(['Name: name', 'Is Rented: is_rented', 'Paint Color: paint_color'])
    expect(importIn([added], few)).to.deep.include({ type: 'carts', order: 7 })
  })

  it('is for records, not for sub-records', () => {
    const parts = { ...bolt, import: 'all' } as const
    expect(() => compile([wheel, parts, trailer], [])).to.throw('bolt.import: files of sub-records are `partImports`')
  })

  it('is the only word that a definition may have there', () => {
    const wrong = (part: object) => () => importIn([], { ...trailer, ...part } as Definition)
    expect(wrong({ import: 'every' })).to.throw('trailer.import')
    expect(wrong({ import: { type: 'carts', order: 1, columns: [7] } })).to.throw('trailer.import.columns')
    expect(wrong({ import: { type: 'carts', order: 1, columns: ['Paint Color'] } })).to.throw(
      "trailer.import.columns.Paint Color: there is no field or link 'paint_color'",
    )
  })
})
