import { expect } from 'chai'
import { compile } from '../../../plugin/schema/compile/compile.js'
import { fullShape, listShape } from '../../../plugin/schema/derive/shape.js'
import { common } from '../../../plugin/schema/kinds/common-fields.js'
import { integer, parts, ref, string } from '../../../plugin/schema/kinds/fields.js'
import { criterionOf } from '../../../plugin/schema/language/conditions.js'
import { defineRecord } from '../../../plugin/schema/language/define-record.js'
import { Statement } from '../../../plugin/storage/records/statement.js'
import { withDatabase } from '../../support/database.js'

const NONE = { fields: 'id', sort: 'id', filterable: 'id' } as const
const CLOSED = { create: [], update: [] }
const port = defineRecord('port', {
  path: 'ports',
  reference: ['localized_name', 'main'],
  fields: {
    ...common,
    name: string(40),
    localized_name: string(40, { derived: { from: 'name', as: 'translation' } }),
    main: ref('port'),
  },
  collection: NONE,
  parts: ['port_translation'],
  access: CLOSED,
})
const translation = defineRecord('port_translation', {
  path: 'translations',
  partOf: ['port'],
  translates: true,
  fields: { id: integer({ readOnly: true }), locale: string(5), name: string(40) },
  collection: NONE,
  unique: [['locale']],
  access: CLOSED,
})
const ship = defineRecord('ship', {
  path: 'ships',
  fields: {
    ...common,
    name: string(40),
    home: ref('port'),
    haven: ref('port', { derived: { from: 'home.main', as: 'value' } }),
    haven_name: string(40, { derived: { from: 'home.name', as: 'value' } }),
    cabins: parts('cabin'),
  },
  collection: NONE,
  parts: ['cabin'],
  access: CLOSED,
})
const cabin = defineRecord('cabin', {
  path: 'cabins',
  partOf: ['ship'],
  fields: { id: integer({ readOnly: true }), number: integer(), way_out: ref('port') },
  collection: NONE,
  parts: ['lock'],
  access: CLOSED,
})
const lock = defineRecord('lock', {
  path: 'locks',
  partOf: ['cabin'],
  fields: { id: integer({ readOnly: true }), code: string(5) },
  collection: NONE,
  access: CLOSED,
})
const catalog = compile([port, translation, ship, cabin, lock], [])

describe('the tables of a statement', () => {
  const database = withDatabase({ migrated: false })
  const statement = (name: string, languages: readonly string[] = []) =>
    new Statement(database.storage, catalog, catalog.type(name), languages)
  const joined = (made: Statement) => made.from().match(/JOIN `\w+` \w+/g) ?? []

  it('are only those that are asked for, each reference once', () => {
    const ships = statement('ship', ['nl'])
    for (const path of listShape(catalog.type('ship'), catalog, ['name']).slots) ships.value(path)
    expect(joined(ships)).to.deep.equal([])
    expect([ships.column(['home', 'name']), ships.column(['home', 'name']), ships.column(['home'])]).to.deep.equal([
      't0.`name`',
      't0.`name`',
      't.`home_id`',
    ])
    expect(joined(ships)).to.deep.equal(['JOIN `itsm_ports` t0'])
  })

  it('are shared by fields and by values from elsewhere that go the same way', () => {
    const ships = statement('ship')
    expect([ships.column(['home', 'main', 'name']), ships.column(['haven', 'name']), ships.column(['haven'])]).to.deep.equal([
      't1.`name`',
      't1.`name`',
      't0.`main_id`',
    ])
    expect(joined(ships)).to.have.length(2)
  })

  it('have translations only for texts that are shown, in the languages that are wanted', () => {
    const ports = statement('port', ['fr-CA', 'fr'])
    expect(ports.value(['localized_name'])).to.equal('COALESCE(t0.`name`, t1.`name`, t.`name`)')
    expect(ports.value(['name'])).to.equal('t.`name`')
    expect(ports.column(['localized_name'])).to.equal('t.`name`')
    expect(joined(ports)).to.deep.equal(['JOIN `itsm_translations` t0', 'JOIN `itsm_translations` t1'])
    expect(ports.bindings).to.deep.equal(['port', 'fr-CA', 'port', 'fr'])
    expect(statement('port').value(['localized_name'])).to.equal('t.`name`')
  })

  it('are few enough for every database, whatever is shown', () => {
    const ships = statement('ship', ['fr-CA', 'fr'])
    for (const path of fullShape(catalog.type('ship'), catalog).slots) ships.value(path)
    // home, its two translations, its main port with two, and the main port of the haven with two.
    expect(joined(ships)).to.have.length(9)
  })

  it('have names of their own where parts are asked about, within each other too', () => {
    const ships = statement('ship')
    const sql = ships.condition(criterionOf({ 'cabins.locks.code': 'x', 'cabins.way_out.name': 'y' }))
    expect(ships.bindings.filter((value) => value !== 'x' && value !== 'y')).to.deep.equal(['ship', 'cabin', 'ship'])
    expect(sql.match(/FROM `\w+` \w+( LEFT JOIN `\w+` \w+)?/g)).to.deep.equal([
      'FROM `itsm_cabins` t_part',
      'FROM `itsm_locks` t_part_part',
      'FROM `itsm_cabins` t_part LEFT JOIN `itsm_ports` t_part0',
    ])
  })

  it('cannot be found where a path is none', () => {
    expect(() => statement('ship').column(['name', 'x'])).to.throw("'name': ship has no reference 'name'")
  })
})
