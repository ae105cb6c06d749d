import { expect } from 'chai'
import { boolean, parts, string } from '../../../plugin/schema/kinds/fields.js'
import { defineRecord } from '../../../plugin/schema/language/define-record.js'
import { CLOSED, id, mistakes, NONE } from './mistaken-thing.js'

describe('what can be wrong with a definition', () => {
  it('is an import column that fills nothing, or that is there twice', () => {
    const columns = [
      { header: 'Name', field: 'name' },
      { header: 'Shoe', field: 'shoe' },
      { header: 'NAME', field: 'name' },
    ]
    expect(mistakes({ import: { type: 'things', order: 1, namedBy: 'shoe', columns: [] } })).to.deep.equal([
      "thing.import.namedBy: there is no field 'shoe'",
    ])
    const also = [
      { header: 'Title', field: 'name', also: 'Name' },
      { header: 'Name', field: 'name' },
    ]
    expect(mistakes({ import: { type: 'things', order: 1, columns: also } })).to.deep.equal([
      "thing.import.columns: the header 'Name' occurs twice",
    ])
    const rows = { field: 'shoes', columns: [{ header: 'Size', field: 'size' }] }
    expect(mistakes({ import: { type: 'things', order: 1, columns: [], rows } })).to.deep.equal([
      "thing.import.rows: 'shoes' is not a field with sub-records that a body replaces",
    ])
    expect(mistakes({ import: { type: 'things', order: 1, key: 'id', columns } })).to.deep.equal([
      "thing.import.key: there is no column for 'id'",
      "thing.import.columns.Shoe: there is no field or link 'shoe'",
      "thing.import.columns: the header 'NAME' occurs twice",
    ])
  })

  it('is an import of sub-records that names what is not there, or a header twice', () => {
    const pocket = defineRecord('pocket', {
      path: 'pockets',
      title: null,
      partOf: ['thing'],
      fields: { id, label: string(10), fixed: boolean() },
      collection: NONE,
      access: CLOSED,
    })
    const file = {
      type: 'thing_pockets',
      order: 2,
      owner: { header: 'Thing', field: 'name' },
      parts: { pockets: { columns: [{ header: 'Label', field: 'label' }], key: ['label'] } },
      replaces: { header: 'Fixed', field: 'fixed' },
    }
    const fields = { id, name: string(10), pockets: parts('pocket') }
    const found = (more: object) => mistakes({ fields, parts: ['pocket'], partImports: [{ ...file, ...more }] }, [pocket])
    const at = 'thing.partImports.thing_pockets'
    expect(found({})).to.deep.equal([])
    expect(found({ owner: { header: 'Thing', field: 'shoe' } })).to.deep.equal([
      `${at}.owner: 'shoe' is not a stored field of thing`,
    ])
    expect(found({ owner: { header: 'LABEL', field: 'pockets' } })).to.deep.equal([
      `${at}.owner: 'pockets' is not a stored field of thing`,
      `${at}: the header 'Label' occurs twice`,
    ])
    expect(found({ parts: {} })).to.deep.equal([`${at}.parts: must not be empty`])
    expect(found({ parts: {}, link: { header: 'Thing', field: 'things' } })).to.deep.equal([
      `${at}.link: there is no link 'things'`,
      `${at}: the header 'Thing' occurs twice`,
    ])
    expect(found({ parts: { name: { columns: [], key: [] } } })).to.deep.equal([
      `${at}.parts.name: 'name' is not a field that shows sub-records, nor the path of some`,
    ])
    expect(found({ parts: { pockets: { columns: [{ header: 'Zip', field: 'zip' }], key: ['label'] } } })).to.deep.equal([
      `${at}.parts.pockets: there is no field 'zip' in pocket`,
      `${at}.parts.pockets.key: there is no column for 'label'`,
    ])
    expect(found({ constant: { header: 'fixed', value: 'yes' }, headerOrder: ['Label', 'Shoe'] })).to.deep.equal([
      `${at}: the header 'fixed' occurs twice`,
      `${at}.headerOrder: there is no header 'Shoe'`,
    ])
    expect(found({ replaces: { header: 'Fixed', field: 'label' } })).to.deep.equal([
      `${at}.replaces: 'label' is not a boolean field of pocket`,
    ])
    expect(
      found({ type: 'same', order: 1 }).concat(
        mistakes(
          {
            import: { type: 'same', order: 1, columns: [] },
            fields,
            parts: ['pocket'],
            partImports: [{ ...file, type: 'same' }],
          },
          [pocket],
        ),
      ),
    ).to.deep.equal(["thing: the import type 'same' is already that of thing"])
  })
})
