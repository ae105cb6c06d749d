import { expect } from 'chai'
import { InvalidDefinition } from '../../plugin/core/errors.js'
import { records } from '../../plugin/records/index.js'
import { createRules } from '../../plugin/rules/index.js'
import { mistakesIn } from '../../plugin/schema/check.js'
import { compile } from '../../plugin/schema/compile.js'
import { type Definition, defineRecord, type Extension } from '../../plugin/schema/define-record.js'
import type { Field } from '../../plugin/schema/fields.js'
import { boolean, hash, integer, oneOf, owner, parts, ref, string, text } from '../../plugin/schema/fields.js'

const id = integer({ readOnly: true })
const NONE = { fields: ['id'], sort: 'id', sortable: 'same', filterable: ['id'] } as const
const CLOSED = { create: [], update: [] }
const person = defineRecord('person', {
  path: 'people',
  fields: { id, name: string(10), state: oneOf(['on', 'off']) },
  collection: NONE,
  access: CLOSED,
})
const RULES = { known: { fields: (use: object) => [String((use as { field?: string }).field)] } }

/** The mistakes of a type `thing` that is right apart from what is given. */
function mistakes(more: object, others: readonly Definition[] = [], extensions: readonly Extension[] = []): string[] {
  const base = { path: 'things', fields: { id, name: string(10) }, collection: NONE, access: CLOSED }
  return mistakesIn([defineRecord('thing', { ...base, ...more }), person, ...others], extensions, RULES)
}
const field = (name: string, spec: Field, more: object = {}) =>
  mistakes({ fields: { id, name: string(10), [name]: spec }, ...more })
const bad = (spec: object) => spec as Field

describe('what can be wrong with a definition', () => {
  it('is nothing in ours, and nothing in one that is right', () => {
    expect(mistakesIn(records, [], createRules({ allowPrivateAddresses: false }))).to.deep.equal([])
    expect(mistakes({})).to.deep.equal([])
  })

  it('is reported all at once, when the catalog is compiled', () => {
    const wrong = defineRecord('Thing', { path: 'the things', fields: {}, collection: NONE, access: CLOSED })
    expect(() => compile([wrong], [], {}))
      .to.throw(InvalidDefinition)
      .with.property('mistakes')
      .that.deep.equals([
        'Thing: a name is lower case letters, digits and underscores, and starts with a letter',
        "Thing.path: 'the things' is not lower case letters, digits and underscores",
        "Thing.table: 'the things' is not lower case letters, digits and underscores",
        "Thing.fields: every type needs the field id; start with '...identity' or '...common'",
        "Thing.collection.fields: there is no field 'id'",
        "Thing.collection.filterable: there is no field 'id'",
        "Thing.collection.sort: there is no field 'id'",
      ])
  })

  it('is that parts of it are missing or misspelt', () => {
    const bones = mistakesIn([{ name: 'thing' } as Definition, person], [], {})
    expect(bones).to.deep.equal([
      'thing.fields: is missing; every record type has it',
      'thing.collection: is missing; every record type has it',
      'thing.access: is missing; every record type has it',
    ])
    expect(mistakes({ list: {} })).to.deep.equal(["thing: there is no 'list' in a definition"])
  })

  it('is a name, path, table or import type that another one has', () => {
    const twin = defineRecord('thing', { path: 'things', fields: { id }, collection: NONE, access: CLOSED })
    expect(mistakes({}, [twin])).to.deep.equal([
      "thing: the name 'thing' is already that of thing",
      "thing: the path 'things' is already that of thing",
      "thing: the table 'things' is already that of thing",
    ])
    const other = (more: object) =>
      defineRecord('other', { path: 'others', fields: { id }, collection: NONE, access: CLOSED, ...more })
    expect(mistakes({}, [other({ table: 'things' })])).to.deep.equal(["other: the table 'things' is already that of thing"])
    const imported = { import: { type: 'x', order: 1, columns: [] } }
    expect(mistakes(imported, [other(imported)])).to.deep.equal(["other: the import type 'x' is already that of thing"])
    expect(mistakes({ table: 'imports' })).to.deep.equal([
      "thing.table: 'imports' is one of our own tables; choose another name",
    ])
  })

  it('is a list that names fields which are not there, or that no column holds', () => {
    const collection = { fields: ['a'], sort: '-b', sortable: ['c'], filterable: ['d', 'constructor'] }
    expect(mistakes({ collection, title: 'e', reference: ['f'], unique: [['g']] })).to.deep.equal([
      "thing.title: there is no field 'e'",
      "thing.reference: there is no field 'f'",
      "thing.collection.fields: there is no field 'a'",
      "thing.collection.sortable: there is no field 'c'",
      "thing.collection.filterable: there is no field 'd'",
      "thing.collection.filterable: there is no field 'constructor'",
      "thing.collection.sort: there is no field 'b'",
      "thing.unique: there is no field 'g'",
    ])
    const fields = { id, json: hash(), input: text({ writeOnly: true }) }
    expect(mistakes({ fields, collection: { ...NONE, sortable: ['json'], filterable: ['input'] } })).to.deep.equal([
      "thing.collection.sortable: 'json' cannot be compared",
      "thing.collection.filterable: 'input' cannot be compared",
    ])
    expect(mistakes({ fields: { id, page: integer() }, collection: { ...NONE, filterable: ['page'] } })).to.deep.equal([
      "thing.collection.filterable: 'page' is a parameter of every list, so it cannot be a filter",
    ])
  })

  it('is a field that cannot be called so', () => {
    expect(field('2nd', string(5))).to.deep.equal(['thing.fields.2nd: a field name is letters, digits and underscores'])
    expect(field('account', string(5))).to.deep.equal(['thing.fields.account: this name is reserved'])
    expect(field('constructor', string(5))).to.deep.equal(['thing.fields.constructor: this name is reserved'])
    expect(field('team_id', integer())).to.deep.equal([
      "thing.fields.team_id: leave '_id' away: references are written as <field>_id by callers",
    ])
    expect(field('NAME', string(5))).to.deep.equal([
      "thing.fields.name: 'NAME' differs only in case, which columns do not",
      "thing.fields.NAME: 'name' differs only in case, which columns do not",
    ])
    expect(mistakes({ fields: { id: string(5) } })).to.deep.equal(['thing.fields.id: the id is a read-only integer'])
  })

  it('is a field that contradicts itself', () => {
    const of = (spec: object) => field('f', bad(spec)).map((text) => text.replace('thing.fields.f: ', ''))
    expect(of(integer({ required: true, readOnly: true }))).to.deep.equal(['a read-only field cannot be required of a caller'])
    expect(of({ kind: 'string' })).to.deep.equal(['a string needs its maximum length'])
    expect(of(string(0))).to.deep.equal(['a string needs its maximum length'])
    expect(of({ ...string(5), requierd: true })).to.deep.equal(["there is no option 'requierd'"])
    expect(of(oneOf([]))).to.deep.equal(['an enumeration needs values'])
    expect(of(oneOf(['a', 'a']))).to.deep.equal(['a value stands there twice'])
    expect(of(oneOf(['a'], { default: 'b' }))).to.deep.equal(["the default 'b' is not among the values"])
    expect(of(oneOf(['a\\', 'b\n', 'x'.repeat(65)]))).to.have.length(3)
    expect(of(boolean({ default: 'yes' }))).to.deep.equal(['the default "yes" is no boolean'])
    expect(of(integer({ default: '1' }))).to.deep.equal(['the default "1" is no integer'])
    expect(of(string(5, { default: 1 }))).to.deep.equal(['the default 1 is no string'])
    expect(of(integer({ minimum: 2, maximum: 1 }))).to.deep.equal(['the minimum is greater than the maximum'])
    expect(of(string(5, { sameAs: 'g' }))).to.deep.equal(["there is no field 'g'"])
    expect(of(string(5, { localizes: 'g' }))).to.deep.equal(["there is no field 'g'"])
    expect(of(string(5, { keyedBy: 'name' }))).to.deep.equal(["'name' is no enumeration, so it cannot name the value"])
    expect(of(string(5, { sameAs: 'owner_type' }))).to.deep.equal(["there is no field 'owner_type'"])
  })

  it('is a field that leads nowhere', () => {
    expect(field('f', ref('ship'))).to.deep.equal([
      "thing.fields.f: there is no record type 'ship'; say whenPresent if it may be absent",
    ])
    expect(field('f', ref('ship', { whenPresent: true }))).to.deep.equal([])
    expect(field('f', parts('person', { shows: ['shoe'] }))).to.deep.equal([
      'thing.fields.f: person does not name thing in its partOf',
      "thing.fields.f: person has no field 'shoe'",
    ])
    expect(field('f', owner())).to.deep.equal(['thing.fields.f: only parts have an owner; say partOf'])
    expect(field('note', text({ writeOnly: true, note: 'public' }))).to.deep.equal([
      "thing.fields.note: a note needs the record type 'note', with thing in its partOf",
    ])
  })

  it('is a permission for nobody that there is', () => {
    const access = {
      use: ['emperor'],
      see: { roles: ['king'], otherwise: { nothing: 1 } },
      create: ['adminstrator', 'self', { person: 'name' }],
      update: [{ who: 'auditor', fields: ['shoe'] }, { person: 'keeper' }],
    }
    expect(mistakes({ access, fields: { id, name: string(10), keeper: ref('person') } })).to.deep.equal([
      "thing.access: there is no role 'emperor'",
      "thing.access: there is no role 'king'",
      "thing.access: see: 'nothing': thing has no field 'nothing'",
      "thing.access: create: there is no role 'adminstrator'",
      "thing.access: create: 'self' is only for the record type 'person' and its parts",
      "thing.access: create: 'name' is not a reference to a person",
      "thing.access: update: there is no field 'shoe'",
    ])
    expect(mistakes({ access: { create: [] } })).to.deep.equal(['thing.access: update: must be a list of grants'])
    expect(field('f', string(5, { read: ['emperor' as 'auditor'], write: [{ person: 'f' }] }))).to.deep.equal([
      "thing.fields.f: there is no role 'emperor'",
      "thing.fields.f: 'f' is not a reference to a person",
    ])
  })

  it('is a condition on what is not there, or on values that there are not', () => {
    const lists = {
      'not a name': { name: 'x' },
      a: { 'keeper.shoe': 1 },
      b: { 'name.x': 1 },
      c: { 'keeper.state': 'broken' },
      d: { 'lost.x': 1 },
    }
    const fields = { id, name: string(10), keeper: ref('person'), lost: ref('ship', { whenPresent: true }) }
    expect(mistakes({ fields, lists })).to.deep.equal([
      'thing.lists.not a name: the name of a list is lower case letters, digits and underscores',
      "thing.lists.a: 'keeper.shoe': person has no field 'shoe'",
      "thing.lists.b: 'name.x': 'name' is not a reference",
      "thing.lists.c: 'keeper.state': 'broken' is not among the values",
      "thing.lists.d: 'lost.x': there is no record type 'ship'",
    ])
    expect(mistakes({ lists: { e: { account: 'acme' } } })).to.deep.equal([])
  })

  it('is a relation to what is not there', () => {
    const links = { crew: { record: 'ship', table: 'a b', from: 'x_id', to: 'x_id' } }
    const children = { a: { record: 'ship', by: 'x' }, b: { record: 'person', by: 'x' }, c: { record: 'person', by: 'name' } }
    expect(mistakes({ links, children, parts: ['ship', 'person'], partOf: ['fleet'] })).to.deep.equal([
      "thing.links.crew: there is no record type 'ship'",
      "thing.links.crew: 'a b' is not lower case letters, digits and underscores",
      'thing.links.crew: from and to are the same column',
      "thing.children.a: there is no record type 'ship'",
      "thing.children.b: person has no field 'x'",
      "thing.children.c: 'name' of person does not refer to thing",
      "thing.parts: there is no record type 'ship'",
      'thing.parts: person does not name thing in its partOf',
      "thing.partOf: there is no record type 'fleet'",
    ])
  })

  it('is an operation, an event or a rule that does not exist', () => {
    expect(
      mistakes({ operations: ['fly'], events: ['crash'], rules: [{ rule: 'unknown' }, { rule: 'known', field: 'shoe' }] }),
    ).to.deep.equal([
      "thing.operations: 'fly' is not one of list, single, create, update, remove",
      "thing.events: 'crash' is not one of create, update, note-added, status-changed, manager-changed, team-changed, member-changed",
      "thing.rules: there is no rule 'unknown'",
      "thing.rules.known: there is no field 'shoe'",
    ])
    expect(mistakes({ rules: [{ rule: 'toString' }] })).to.deep.equal(["thing.rules: there is no rule 'toString'"])
  })

  it('is an import column that fills nothing, or that is there twice', () => {
    const columns = [
      { header: 'Name', field: 'name' },
      { header: 'Shoe', field: 'shoe' },
      { header: 'NAME', field: 'name' },
    ]
    expect(mistakes({ import: { type: 'things', order: 1, key: 'id', columns } })).to.deep.equal([
      "thing.import.key: there is no column for 'id'",
      "thing.import.columns.Shoe: there is no field or link 'shoe'",
      "thing.import.columns: the header 'NAME' stands there twice",
    ])
  })
})

describe('what can be wrong with an extension', () => {
  const extend = (more: object, ...earlier: object[]) =>
    mistakes({}, [], [...earlier.map((one) => ({ extends: 'thing', ...one })), { extends: 'thing', ...more }])
  const at = 'extension of thing: '

  it('is nothing when it only adds', () => {
    expect(
      extend({ fields: { colour: string(5) }, lists: { red: { colour: 'red' } }, rules: [{ rule: 'known', field: 'colour' }] }),
    ).to.deep.equal([])
    expect(extend({ lists: { red: { colour: 'red' } } }, { fields: { colour: string(5) } })).to.deep.equal([])
  })

  it('is a type that is not there', () => {
    expect(mistakes({}, [], [{ extends: 'ship' }])).to.deep.equal([
      'extension of ship: there is no such record type; known are thing, person',
    ])
  })

  it('is that it replaces, and whose it replaces', () => {
    expect(extend({ fields: { name: string(5) } })).to.deep.equal([
      `${at}fields.name is already there, from thing; an extension never replaces`,
    ])
    expect(extend({ fields: { colour: string(5) } }, { fields: { colour: string(6) } })).to.deep.equal([
      `${at}fields.colour is already there, from another extension; an extension never replaces`,
    ])
  })

  it('is everything that can be wrong with fields, lists, rules, events and columns', () => {
    const wrong = {
      fields: { f_id: string(5) },
      lists: { Red: { shoe: 1 } },
      rules: [{ rule: 'unknown' }, { rule: 'known', field: 'shoe' }],
      events: ['crash'],
      relax: ['name', 'shoe'],
      importColumns: [{ header: 'Shoe', field: 'shoe' }],
      field: {},
    }
    expect(extend(wrong)).to.deep.equal([
      `${at}there is no 'field' in an extension`,
      `${at}fields.f_id: leave '_id' away: references are written as <field>_id by callers`,
      `${at}lists.Red: the name of a list is lower case letters, digits and underscores`,
      `${at}lists.Red: 'shoe': thing has no field 'shoe'`,
      `${at}relax: 'name' is not a required field`,
      `${at}relax: 'shoe' is not a required field`,
      `${at}there is no rule 'unknown'`,
      `${at}rules.known: there is no field 'shoe'`,
      `${at}the type has no import, so it takes no import columns`,
      `${at}import column 'Shoe': there is no field 'shoe'`,
      `${at}'crash' is not one of create, update, note-added, status-changed, manager-changed, team-changed, member-changed`,
    ])
  })

  it('is an import column that is there already, also from another extension', () => {
    const imported = { import: { type: 'things', order: 1, columns: [{ header: 'Name', field: 'name' }] } }
    const column = (header: string) => ({ extends: 'thing', importColumns: [{ header, field: 'name' }] })
    expect(mistakes(imported, [], [column('NAME')])).to.deep.equal([`${at}the import column 'NAME' is already there`])
    expect(mistakes(imported, [], [column('Other'), column('other')])).to.deep.equal([
      `${at}the import column 'other' is already there`,
    ])
  })
})
