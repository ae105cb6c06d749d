import { expect } from 'chai'
import { InvalidDefinition } from '../../../plugin/core/errors.js'
import { ENDPOINT_PATHS } from '../../../plugin/http/endpoint-paths.js'
import { records } from '../../../plugin/records/records.js'
import { mistakesIn } from '../../../plugin/schema/check/check.js'
import { compile } from '../../../plugin/schema/compile/compile.js'
import type { Field } from '../../../plugin/schema/fields.js'
import {
  boolean,
  changes,
  eventName,
  integer,
  json,
  oneOf,
  oneOfList,
  owner,
  part,
  parts,
  ref,
  refs,
  string,
  strings,
  text,
} from '../../../plugin/schema/fields.js'
import { type Definition, defineRecord } from '../../../plugin/schema/language/define-record.js'
import { PHASES, rule } from '../../../plugin/schema/language/define-rule.js'
import type { Extension } from '../../../plugin/schema/language/extend-record.js'
import { SHARED_LISTS } from '../../../plugin/words/shared-lists.js'

const id = integer({ readOnly: true })
const NONE = { fields: 'id', sort: 'id', filterable: 'id' } as const
const CLOSED = { create: [], update: [] }
const person = defineRecord('person', {
  path: 'people',
  fields: { id, name: string(10), state: oneOf(['on', 'off']) },
  collection: NONE,
  access: CLOSED,
})
const known = rule('known', (field: string) => ({ fields: [field], fill: () => {} }))

/** The mistakes of a type `thing` that is right apart from what is given. */
function mistakes(more: object, others: readonly Definition[] = [], extensions: readonly Extension[] = []): string[] {
  const base = { path: 'things', fields: { id, name: string(10) }, collection: NONE, access: CLOSED }
  return mistakesIn([defineRecord('thing', { ...base, ...more }), person, ...others], extensions)
}
const field = (name: string, spec: Field, more: object = {}) =>
  mistakes({ fields: { id, name: string(10), [name]: spec }, ...more })
const bad = (spec: object) => spec as Field

describe('what can be wrong with a definition', () => {
  it('is nothing in ours, and nothing in one that is right', () => {
    // All that a plugin without types of a host starts with: it does not check them again.
    expect(mistakesIn(records, [], new Set(SHARED_LISTS.keys()), ENDPOINT_PATHS)).to.deep.equal([])
    expect(mistakes({})).to.deep.equal([])
  })

  it('is reported all at once, when the catalog is compiled', () => {
    const wrong = defineRecord('Thing', { path: 'the things', fields: {}, collection: NONE, access: CLOSED })
    expect(() => compile([wrong], []))
      .to.throw(InvalidDefinition)
      .with.property('mistakes')
      .that.deep.equals([
        'Thing: a name must be lower case letters, digits and underscores, and starts with a letter',
        "Thing.path: 'the things' is not lower case letters, digits and underscores",
        "Thing.table: 'the things' is not lower case letters, digits and underscores",
        "Thing.fields: every type needs the field id; start with '...identity' or '...common'",
        "Thing.collection.fields: there is no field 'id'",
        "Thing.collection.filterable: there is no field 'id'",
        "Thing.collection.sort: there is no field 'id'",
      ])
  })

  it('is a name that another component of the OpenAPI document has', () => {
    const text = 'the OpenAPI document already has a component of this name; choose another name'
    const named = (name: string) =>
      mistakes({}, [defineRecord(name, { path: 'others', fields: { id }, collection: NONE, access: CLOSED })])
    const forms = ['create', 'update', 'reference', 'listed', 'below', 'listed_below', 'response', 'inside', 'inside_person']
    for (const name of [...forms.map((form) => `thing_${form}`), 'ids', 'refused', 'in_page', 'by_name']) {
      expect(named(name), name).to.deep.equal([`${name}: ${text}`])
    }
    expect(named('other_create')).to.deep.equal([])
  })

  it('is an enumeration with the name of another one in the OpenAPI document', () => {
    const offer = defineRecord('offer', {
      path: 'offers',
      fields: { id, line_state: oneOf(['open', 'done']), lines: bad({ ...oneOf(['few']), enumeration: 'offer.line_state' }) },
      collection: NONE,
      access: CLOSED,
    })
    const line = { path: 'lines', fields: { id, state: oneOf(['new']) }, collection: NONE, access: CLOSED }
    expect(mistakes({}, [offer, defineRecord('offer_line', line)])).to.deep.equal([
      "offer_line.fields.state: 'offer_line.state' would have the name of 'offer.line_state' in the OpenAPI document; choose another name",
    ])
    expect(mistakes({}, [offer, defineRecord('offer_row', line)])).to.deep.equal([])
  })

  it('is that parts of it are missing or misspelt', () => {
    const bones = mistakesIn([{ name: 'thing' } as Definition, person], [])
    expect(bones).to.deep.equal([
      'thing.path: is missing',
      'thing.fields: is missing',
      'thing.collection: is missing',
      'thing.access: is missing',
    ])
    expect(mistakes({ list: {} })).to.deep.equal(["thing: there is no 'list' in a definition; did you mean 'lists'?"])
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
      "thing.table: 'imports' is a table of the plugin; choose another name",
    ])
  })

  it('is a difference to the fields of the list that is none, or that names what is not there', () => {
    const fields = { id, name: string(10), size: integer(), data: json() }
    const wrong = (sortable: object) =>
      mistakes({ fields, collection: { fields: 'id name', sort: 'id', sortable, filterable: sortable } })
    expect(wrong({ also: 'size', except: 'name' })).to.deep.equal([])
    expect(wrong({ also: 'size name', except: 'nam size' })).to.deep.equal([
      "thing.collection.sortable.except: the list has no field 'nam'; did you mean 'name'?",
      "thing.collection.sortable.except: the list has no field 'size'",
      "thing.collection.sortable.also: the list has the field 'name' already",
      "thing.collection.filterable.except: the list has no field 'nam'; did you mean 'name'?",
      "thing.collection.filterable.except: the list has no field 'size'",
      "thing.collection.filterable.also: the list has the field 'name' already",
    ])
    expect(wrong({ also: 'sise size size data' })).to.deep.equal([
      "thing.collection.sortable: there is no field 'sise'; did you mean 'size'?",
      "thing.collection.sortable: 'data' cannot be compared",
      "thing.collection.sortable: 'size' occurs twice",
      "thing.collection.filterable: there is no field 'sise'; did you mean 'size'?",
      "thing.collection.filterable: 'data' cannot be compared",
      "thing.collection.filterable: 'size' occurs twice",
    ])
    expect(wrong({ aslo: 'size' })).to.deep.equal([
      "thing.collection.sortable: there is no 'aslo' in differences to the fields of the list; did you mean 'also'?",
      "thing.collection.filterable: there is no 'aslo' in differences to the fields of the list; did you mean 'also'?",
    ])
    // Without fields, the list has all that are shown: the author says what cannot be compared.
    expect(mistakes({ fields, collection: { sort: 'id', sortable: 'id' } })).to.deep.equal([
      "thing.collection.filterable: 'data' cannot be compared; leave it out with { except: 'data' }",
    ])
  })

  it('is names in lists, or with commas', () => {
    const collection: object = { fields: ['id'], sort: 'name,-id', sortable: { also: ['name'] }, below: { sort: 7 } }
    const text = "must be names in one text, separated by spaces, 'id name', not"
    expect(mistakes({ collection })).to.deep.equal([
      `thing.collection.fields: ${text} a list`,
      `thing.collection.sort: ${text} 'name,-id'`,
      `thing.collection.sortable.also: ${text} a list`,
      `thing.collection.below.sort: ${text} 7`,
    ])
    const fields: unknown = ['id']
    expect(mistakesIn([], [{ extends: 'thing', collection: { fields: fields as string } }])).to.deep.equal([
      `extension of thing: collection.fields: ${text} a list`,
    ])
  })

  it('is a list that names fields which are not there, or that no column holds', () => {
    const collection = { fields: 'a', sort: '-b', sortable: 'c', filterable: 'zz constructor' }
    expect(mistakes({ collection, title: 'e', reference: ['f'], unique: [['g']] })).to.deep.equal([
      "thing.title: there is no field 'e'",
      "thing.reference: there is no field 'f'",
      "thing.collection.fields: there is no field 'a'",
      "thing.collection.sortable: there is no field 'c'",
      "thing.collection.filterable: there is no field 'zz'",
      "thing.collection.filterable: there is no field 'constructor'",
      "thing.collection.sort: there is no field 'b'",
      "thing.unique: there is no field 'g'",
    ])
    const fields = { id, json: json(), input: text({ writeOnly: true }) }
    expect(mistakes({ fields, collection: { ...NONE, sortable: 'json', filterable: 'input' } })).to.deep.equal([
      "thing.collection.sortable: 'json' cannot be compared",
      "thing.collection.filterable: 'input' cannot be compared",
    ])
    expect(mistakes({ fields: { id, page: integer() }, collection: { ...NONE, filterable: 'page' } })).to.deep.equal([
      "thing.collection.filterable: 'page' is a parameter of every list, so it cannot be a filter",
    ])
  })

  it('is a field that cannot be called so', () => {
    expect(field('2nd', string(5))).to.deep.equal(['thing.fields.2nd: a field name must be letters, digits and underscores'])
    expect(field('account', string(5))).to.deep.equal(['thing.fields.account: this name is reserved'])
    expect(field('constructor', string(5))).to.deep.equal(['thing.fields.constructor: this name is reserved'])
    expect(field('team_id', integer())).to.deep.equal([
      "thing.fields.team_id: must not end in '_id': callers write references as <field>_id",
    ])
    expect(field('team_id', integer({ derived: { from: 'name', as: 'value' } }))).to.deep.equal([])
    expect(field('NAME', string(5))).to.deep.equal([
      "thing.fields.name: 'name' and 'NAME' need the same column, because column names ignore case",
      "thing.fields.NAME: 'NAME' and 'name' need the same column, because column names ignore case",
    ])
    expect(mistakes({ fields: { id: string(5) } })).to.deep.equal(['thing.fields.id: the id must be a read-only integer'])
  })

  it('is a field that contradicts itself', () => {
    const of = (spec: object) => field('f', bad(spec)).map((text) => text.replace('thing.fields.f: ', ''))
    expect(of(integer({ required: true, readOnly: true }))).to.deep.equal(['a read-only field cannot be required of a caller'])
    expect(of({ kind: 'string' })).to.deep.equal(['a string needs its maximum length'])
    expect(of(string(0))).to.deep.equal(['a string needs its maximum length'])
    expect(of({ ...string(5), requierd: true })).to.deep.equal(["there is no 'requierd' in a field; did you mean 'required'?"])
    expect(of(oneOf([]))).to.deep.equal(['an enumeration needs values'])
    expect(of(string(5, { guardedBy: 'account_owner' }))).to.deep.equal([
      "only fields of the record type 'person' are guarded by a role",
    ])
    const guarded = (field: Field) => mistakes({}, [], [{ extends: 'person', fields: { badge: field } }])
    expect(guarded(string(5, { guardedBy: 'account_owner' }))).to.deep.equal([])
    expect(guarded(string(5, { guardedBy: 'king' as never })).join()).to.match(/there is no role 'king'$/)
    expect(guarded(string(5, { guardedBy: 'account_owner', derived: { from: 'name', as: 'value' } })).join()).to.match(
      /only a stored field can be guarded/,
    )
    expect(of(oneOf(['a', 'a']))).to.deep.equal(['a value occurs twice'])
    expect(of(oneOf(['a'], { default: 'b' }))).to.deep.equal(["the default 'b' is not among the values"])
    expect(of(oneOf(['a\\', 'b\n', 'x'.repeat(65)]))).to.have.length(3)
    // Values stand in the text of statements that sort by them.
    expect(of(oneOf(['sure?']))).to.deep.equal([
      'the value "sure?" is not a text of at most 64 characters without backslash and question mark',
    ])
    expect(of(boolean({ default: 'yes' }))).to.deep.equal(['the default "yes" is not a valid boolean'])
    expect(of(integer({ default: '1' }))).to.deep.equal(['the default "1" is not a valid integer'])
    expect(of(string(5, { default: 1 }))).to.deep.equal(['the default 1 is not a valid string'])
    expect(of(integer({ minimum: 2, maximum: 1 }))).to.deep.equal(['the minimum is greater than the maximum'])
    expect(of(string(5, { derived: { from: 'g', as: 'value' } }))).to.deep.equal(["there is no field 'g'"])
    expect(of(string(5, { derived: { from: 'g', as: 'translation' } }))).to.deep.equal(["there is no field 'g'"])
    expect(of(string(5, { keyedBy: 'name' }))).to.deep.equal([
      "'name' must be an enumeration field, because keyedBy uses its value as a name",
    ])
    expect(of(string(5, { derived: { from: 'owner_type', as: 'value' } }))).to.deep.equal(["there is no field 'owner_type'"])
    expect(of(strings(0))).to.deep.equal(['a string needs its maximum length'])
    expect(of(string(2.5))).to.deep.equal(['max must be a whole number of characters'])
    expect(of(string(70_000))).to.deep.equal(['a string has at most 16000 characters; use text()'])
    expect(of(text({ minimum: 2, keywords: ['now'] }))).to.deep.equal([
      "'minimum' is not for fields of the kind text, only for integer, float, decimal",
      "'keywords' is not for fields of the kind text, only for datetime",
    ])
    expect(of(string(5, { readOnly: true, writeOnly: true }))).to.deep.equal(['must not be both readOnly and writeOnly'])
    expect(field('note', text({ note: 'public' }), { parts: ['note'] })).to.include(
      'thing.fields.note: a field with note must be writeOnly, because its value becomes a record of its own',
    )
    expect(field('x'.repeat(61), integer())).to.deep.equal([
      `thing.fields.${'x'.repeat(61)}: a field name must have at most 60 characters`,
    ])
    expect(of(ref('persn'))).to.deep.equal([
      "there is no record type 'persn'; set whenPresent if it may be absent; did you mean 'person'?",
    ])
    expect(mistakes({ unique: [[]] })).to.deep.equal([
      'thing.unique: a group must have fields; without any it would allow only one record',
    ])
    expect(mistakes({ fields: { id, on: boolean() }, lists: { a: { on: 'yes' }, b: { on: [true, null] } } })).to.deep.equal([
      "thing.lists.a: 'on': 'yes' is not true or false",
    ])
    expect(of(integer({ translated: true }))).to.deep.equal([
      "'translated' is not for fields of the kind integer, only for string, text",
    ])
    expect(of(string(5, { plain: true }))).to.deep.equal(["'plain' is not for fields of the kind string, only for text"])
    expect(of(string(5, { namesAccount: true }))).to.deep.equal([
      "'namesAccount' is not for fields of the kind string, only for boolean",
    ])
    expect(of(string(5, { shownWith: 'g' }))).to.deep.equal(["there is no field 'g'"])
    expect(of(string(5, { shownWith: 'f' }))).to.deep.equal(['a field cannot be shown with itself'])
    expect(of(string(5, { inputAs: 'name' }))).to.deep.equal(["'name' is already a field, so it cannot be another name"])
    expect(of(string(5, { onlyWhenSet: true, shownWith: 'name', inputAs: 'g', translated: true }))).to.deep.equal([])
  })

  it('is a value for some that is shown to all under another name, or in references', () => {
    const read = ['auditor'] as const
    const fields = { id, name: string(10, { read }), twin: ref('thing') }
    const of = (more: object) => mistakes({ fields: { ...fields, ...more } }).filter((text) => !text.includes('.title'))
    for (const derived of [
      { from: 'name', as: 'value' },
      { from: 'name', as: 'translation' },
      { from: 'twin.name', as: 'value' },
    ] as const) {
      expect(of({ f: string(10, { derived }) })).to.deep.equal([
        `thing.fields.f: '${derived.from}' has restricted readers; set read here, too`,
      ])
      expect(of({ f: string(10, { read, derived }) })).to.deep.equal([])
    }
    expect(mistakes({ fields, title: 'name', reference: ['name'] })).to.deep.equal([
      "thing.title: 'name' must be readable by all callers",
      "thing.reference: 'name' must be readable by all callers",
    ])
  })

  it('is a value from elsewhere that is not there, or is something else there', () => {
    const fields = { id, name: string(10), keeper: ref('person'), lost: ref('ship', { whenPresent: true }) }
    const of = (spec: object) =>
      mistakes({ fields: { ...fields, twin: ref('thing'), f: bad(spec) } }).map((text) => text.replace('thing.fields.f: ', ''))
    expect(of(string(10, { derived: { from: 'keeper.name', as: 'value' } }))).to.deep.equal([])
    expect(of(oneOf(['on', 'off'], { derived: { from: 'keeper.state', as: 'value' } }))).to.deep.equal([])
    expect(of(ref('person', { derived: { from: 'twin.keeper', as: 'value' } }))).to.deep.equal([])
    expect(of(ref('person', { derived: { from: 'lost.captain', as: 'value' } }))).to.deep.equal([])
    expect(of(string(10, { derived: { from: 'name', as: 'value' } }))).to.deep.equal([])
    expect(of({ ...string(10, { derived: { from: 'keeper.name', as: 'value' } }), readOnly: undefined })).to.deep.equal([
      'a derived field must be readOnly',
    ])
    for (const as of ['value', 'translation', 'download'] as const) {
      expect(of(string(10, { derived: { from: 'f', as } })), as).to.deep.equal(["'f' is not stored"])
      expect(of(string(10, { derived: { from: 'shoe', as } })), as).to.deep.equal(["there is no field 'shoe'"])
    }
    expect(of(string(10, { derived: { from: 'keeper.name', as: 'translation' } }))).to.deep.equal([
      "there is no field 'keeper.name'",
    ])
    expect(of(string(10, { derived: { from: 'name', as: 'copy' as 'value' } }))).to.deep.equal([
      "thing.fields.f.derived.as: 'copy' is not one of value, translation, download",
    ])
    expect(of(string(10, { derived: { form: 'name', as: 'value' } as never }))[0]).to.contain('derived.from: is missing')
    expect(of(string(10, { derived: { from: 'keeper.shoe', as: 'value' } }))).to.deep.equal([
      "'keeper.shoe': person has no field 'shoe'",
    ])
    expect(of(string(10, { derived: { from: 'name.x', as: 'value' } }))).to.deep.equal(["'name.x': 'name' is not a reference"])
    expect(of(string(10, { derived: { from: 'twin.f', as: 'value' } }))).to.deep.equal(["'twin.f': 'f' is not stored"])
    expect(of(integer({ derived: { from: 'keeper.name', as: 'value' } }))).to.deep.equal([
      "'keeper.name' must be of the kind integer, not string",
    ])
    expect(of(ref('thing', { derived: { from: 'twin.twin', as: 'value' } }))).to.deep.equal([])
    expect(of(string(10, { derived: { from: 'twin.twin.shoe', as: 'value' } }))).to.deep.equal([
      "'twin.twin.shoe': thing has no field 'shoe'",
    ])
    expect(of(ref('thing', { derived: { from: 'twin.keeper', as: 'value' } }))).to.deep.equal([
      "'twin.keeper' must be of the kind ref of thing, not ref of person",
    ])
    expect(of(oneOf(['on'], { derived: { from: 'keeper.state', as: 'value' } }))).to.deep.equal([
      "'keeper.state' must have the same values",
    ])
    expect(
      mistakes({
        fields: { ...fields, f: string(10, { derived: { from: 'keeper.name', as: 'value' } }) },
        unique: [['f']],
      }),
    ).to.deep.equal(["thing.unique: 'f' cannot be compared"])
  })

  it('is a reference that is shown as a text which cannot stand for it', () => {
    const port = defineRecord('port', {
      path: 'ports',
      fields: { id, code: string(5), name: string(5), story: text(), number: integer() },
      collection: NONE,
      unique: [['code'], ['story'], ['number'], ['name', 'number']],
      access: CLOSED,
    })
    const of = (spec: Field) =>
      mistakes({ fields: { id, f: spec } }, [port]).map((text) => text.replace('thing.fields.f: ', ''))
    expect(of(ref('port', { shownAs: 'code' }))).to.deep.equal([])
    expect(of(ref('port', { shownAs: 'shoe' }))).to.deep.equal(["port has no field 'shoe'"])
    for (const shownAs of ['name', 'story', 'number']) {
      expect(of(ref('port', { shownAs }))).to.deep.equal([
        `'${shownAs}' of port is not a stored, unique string, so it cannot identify the record`,
      ])
    }
    expect(of(string(5, { shownAs: 'code' }))).to.deep.equal(["'shownAs' is not for fields of the kind string, only for ref"])
  })

  it('is a field that stands for a link which is not there, or leads elsewhere', () => {
    const links = {
      crew: { record: 'person', table: 'crews', from: 'a_id', to: 'b_id' },
      twins: { record: 'thing', table: 'twins', from: 'a_id', to: 'b_id' },
    }
    const of = (fields: object) => mistakes({ fields: { id, ...fields }, links })
    expect(of({ crew: refs('person'), first: ref('person', { firstOf: 'crew' }) })).to.deep.equal([])
    expect(of({ others: refs('person'), lost: refs('ship', { whenPresent: true }) })).to.deep.equal([
      "thing.fields.others: there is no link 'others'",
    ])
    expect(of({ twins: refs('person'), first: ref('person', { firstOf: 'twins' }) })).to.deep.equal([
      "thing.fields.twins: the link 'twins' leads to thing and not to person",
      "thing.fields.first: the link 'twins' leads to thing and not to person",
    ])
    expect(of({ first: ref('person', { firstOf: 'nothing' }), text: string(5, { firstOf: 'crew' }) })).to.deep.equal([
      "thing.fields.first: there is no link 'nothing'",
      "thing.fields.text: 'firstOf' is not for fields of the kind string, only for ref",
    ])
    expect(of({ crew: refs('ship') })).to.deep.equal([
      "thing.fields.crew: there is no record type 'ship'; set whenPresent if it may be absent",
    ])
  })

  it('is a field that leads nowhere', () => {
    expect(field('f', ref('ship'))).to.deep.equal([
      "thing.fields.f: there is no record type 'ship'; set whenPresent if it may be absent",
    ])
    expect(field('f', ref('ship', { whenPresent: true }))).to.deep.equal([])
    expect(field('f', part('person'))).to.deep.equal(['thing.fields.f: person must list thing in its partOf'])
    expect(field('f', part('ship'))).to.deep.equal([
      "thing.fields.f: there is no record type 'ship'; set whenPresent if it may be absent",
    ])
    expect(field('f', parts('person', { shows: ['shoe'] }))).to.deep.equal([
      'thing.fields.f: person must list thing in its partOf',
      "thing.fields.f: person has no field 'shoe'",
    ])
    expect(field('f', owner())).to.deep.equal(['thing.fields.f: only sub-records have an owner; set partOf'])
    expect(field('f', changes())).to.deep.equal(['thing.fields.f: only sub-records have an owner; set partOf'])
    expect(field('note', text({ writeOnly: true, note: 'public' }))).to.deep.equal([
      "thing.fields.note: a note needs the record type 'note' among the parts of thing",
    ])
  })

  it('is a permission for nobody that there is', () => {
    const access = {
      use: ['emperor'],
      see: { roles: ['king'], otherwise: { nothing: 1 } },
      fromTrusted: { nowhere: 1 },
      create: ['adminstrator', 'self', { person: 'name' }],
      update: [{ who: 'auditor', fields: ['shoe'] }, { person: 'keeper' }],
    }
    expect(mistakes({ access, fields: { id, name: string(10), keeper: ref('person') } })).to.deep.equal([
      "thing.access: there is no role 'emperor'",
      "thing.access: there is no role 'king'",
      "thing.access: see: 'nothing': thing has no field 'nothing'",
      "thing.access: fromTrusted: 'nowhere': thing has no field 'nowhere'",
      "thing.access: create: there is no role 'adminstrator'",
      "thing.access: create: 'self' is only for the record type 'person' and its sub-records",
      "thing.access: create: 'name' is not a reference to a person",
      "thing.access: update: there is no field 'shoe'",
    ])
    const fields = { id, name: string(10), keeper: ref('person') }
    const limited = { create: [{ who: { person: 'keeper' }, fields: ['name'] }], update: [] }
    expect(mistakes({ access: limited, fields })).to.deep.equal([
      "thing.access: create: the grant for 'keeper' must list 'keeper' in its fields; otherwise it is ignored on create",
    ])
    expect(mistakes({ access: { create: [], update: limited.create }, fields })).to.deep.equal([])
    expect(mistakes({ access: { create: [] } })).to.deep.equal(['thing.access.update: is missing'])
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
      'thing.lists.not a name: the name of a list must be lower case letters, digits and underscores',
      "thing.lists.a: 'keeper.shoe': person has no field 'shoe'",
      "thing.lists.b: 'name.x': 'name' is not a reference",
      "thing.lists.c: 'keeper.state': 'broken' is not among the values",
      "thing.lists.d: 'lost.x': there is no record type 'ship'",
    ])
    expect(mistakes({ lists: { e: { account: 'acme' } } })).to.deep.equal([])
    expect(mistakes({ existsWhile: { nothing: 1 } })).to.deep.equal([
      "thing.existsWhile: 'nothing': thing has no field 'nothing'",
    ])
  })

  it('is a condition on parts that the record does not have, or on parts as such', () => {
    const seal = defineRecord('seal', {
      path: 'seals',
      partOf: ['thing'],
      fields: { id, keeper: ref('person'), number: integer() },
      collection: NONE,
      access: CLOSED,
    })
    const of = (condition: object, fields: object = {}) =>
      mistakes({ fields: { id, ...fields }, lists: { a: condition } }, [seal])
    expect(of({ 'seals.number': 1, 'seals.keeper.state': 'on' })).to.deep.equal([])
    expect(of({ 'seals.number': 1 }, { seals: parts('seal') })).to.deep.equal([])
    expect(of({ 'marks.number': 1 })).to.deep.equal(["thing.lists.a: 'marks.number': thing has no field 'marks'"])
    expect(of({ 'seals.shoe': 1 })).to.deep.equal(["thing.lists.a: 'seals.shoe': seal has no field 'shoe'"])
    expect(of({ seals: 1 }, { seals: parts('seal') })).to.deep.equal(["thing.lists.a: 'seals': 'seals' is not stored"])
    expect(of({ 'seals.keeper.state': 'broken' })).to.deep.equal([
      "thing.lists.a: 'seals.keeper.state': 'broken' is not among the values",
    ])
  })

  it('is that removing sets what is no switch', () => {
    expect(mistakes({ fields: { id, gone: boolean() }, softDeleteField: 'gone' })).to.deep.equal([])
    for (const softDeleteField of ['id', 'shoe', 'seen']) {
      const fields = {
        id,
        keeper: ref('thing'),
        gone: boolean(),
        seen: boolean({ derived: { from: 'keeper.gone', as: 'value' } }),
      }
      expect(mistakes({ fields, softDeleteField })).to.deep.equal([
        `thing.softDeleteField: '${softDeleteField}' must be a stored boolean field`,
      ])
    }
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
      'thing.parts: person must be a sub-record; give it a partOf, which may be empty',
      "thing.partOf: there is no record type 'fleet'",
    ])
  })

  it('is a link that asks what cannot be answered', () => {
    const link = { record: 'person', table: 'crews', from: 'a_id', to: 'b_id' }
    const of = (more: object) =>
      mistakes({ links: { crew: { ...link, ...more } } }).map((text) => text.replace('thing.links.crew: ', ''))
    expect(of({ singular: 'man', within: { field: 'name', code: 'other_name' } })).to.deep.equal([])
    expect(of({ record: 'thing', acyclic: true, within: { field: 'name', code: 'other_name' } })).to.deep.equal([])
    expect(of({ singular: 'a man' })).to.deep.equal(["'a man' is not lower case letters, digits and underscores"])
    expect(of({ acyclic: true })).to.deep.equal(['acyclic needs a link between records of the same type; remove it'])
    expect(of({ within: { field: 'state' } })).to.deep.equal([
      "within: thing does not store a field 'state'",
      'within: must have a code for the violation',
    ])
    expect(of({ onlyWhile: { shoe: 'on' } })).to.deep.equal(["onlyWhile: 'shoe' must be a stored field"])
  })

  it('is a list of others that do not refer to it', () => {
    const ship = defineRecord('ship', {
      path: 'ships',
      fields: {
        id,
        cargo: ref('thing'),
        keeper: ref('person'),
        first: ref('thing', { derived: { from: 'sister.cargo', as: 'value' } }),
        sister: ref('ship'),
      },
      links: { holds: { record: 'thing', table: 'holds', from: 'ship_id', to: 'thing_id' } },
      collection: NONE,
      access: CLOSED,
    })
    const of = (child: object) =>
      mistakes({ children: { ships: { record: 'ship', ...child } } }, [ship]).map((text) =>
        text.replace('thing.children.ships: ', ''),
      )
    for (const by of ['cargo', 'sister.cargo', 'holds', 'sister.holds', 'first', ['cargo', 'first']]) {
      expect(of({ by }), String(by)).to.deep.equal([])
    }
    expect(of({ by: 'cargo', link: true })).to.deep.equal([])
    expect(of({ by: ['cargo', 'keeper'] })).to.deep.equal(["'keeper' of ship does not refer to thing"])
    expect(of({ by: 'id.cargo' })).to.deep.equal(["'id' is not a reference"])
    for (const by of ['sister.cargo', 'first', 'holds', ['cargo']]) {
      expect(of({ by, link: true }), String(by)).to.deep.equal(['link needs a stored reference of the child itself'])
    }
  })

  it('is a coverage of what is no person, or of what is not there', () => {
    const covered = { where: { name: 'x' } }
    expect(mistakes({ coverages: { things: { record: 'thing', ...covered } } })).to.deep.equal([
      "thing.coverages.things: only records of the type 'person' can be covered",
    ])
    const thing = defineRecord('thing', { path: 'things', fields: { id }, collection: NONE, access: CLOSED })
    const coverages = {
      things: { record: 'thing', ...covered },
      Odd: { record: 'thing', where: { id: 1 } },
      ships: { record: 'ship', ...covered },
    }
    // A type that is absent covers nobody.
    expect(mistakesIn([thing, defineRecord('person', { ...person, coverages })], [])).to.deep.equal([
      "person.coverages.things: 'name': thing has no field 'name'",
      'person.coverages.Odd: the name of a list must be lower case letters, digits and underscores',
    ])
  })

  it('is one name for two things below a record', () => {
    const seal = defineRecord('seal', { path: 'marks', partOf: ['thing'], fields: { id }, collection: NONE, access: CLOSED })
    const link = { record: 'person', table: 'crews', from: 'a_id', to: 'b_id' }
    const children = { people: { record: 'thing', by: 'twin' }, marks: { record: 'thing', by: 'twin' } }
    expect(mistakes({ fields: { id, twin: ref('thing') }, links: { people: link }, children }, [seal])).to.deep.equal([
      "thing.children.marks: 'marks' is used twice below a record, also for the sub-records seal",
      "thing.children.people: 'people' is used twice below a record, also for links.people",
    ])
  })

  it('is a translation of what is not there', () => {
    const translation = (more: object) =>
      defineRecord('thing_translation', {
        path: 'translations',
        table: 'thing_translations',
        partOf: ['thing'],
        translates: true,
        fields: { id, locale: string(5), name: string(10), owner: owner() },
        collection: NONE,
        unique: [['locale']],
        access: CLOSED,
        ...more,
      })
    const of = (more: object, thing: object = {}) =>
      mistakes(thing, [translation(more)]).map((text) => text.replace('thing_translation.translates: ', ''))
    expect(of({})).to.deep.equal([])
    expect(of({ partOf: [] }, { parts: ['thing_translation'] })).to.deep.equal([])
    expect(of({ partOf: ['thing', 'person'] })).to.deep.equal(['a translation must be a sub-record of exactly one record type'])
    expect(of({ unique: [] })).to.deep.equal(["must have unique: [['locale']], for one translation per language"])
    expect(of({ fields: { id, locale: string(5), shoe: string(5), state: integer() } }, {})).to.deep.equal([
      "'shoe' must be a stored text of thing",
      "'state' must be a stored text of thing",
    ])
    expect(of({ fields: { id, name: string(5) }, unique: [] })).to.include("must have a field 'locale' with the language")
  })

  it('is an operation or an event that does not exist, or a rule about a field that does not', () => {
    expect(mistakes({ operations: ['fly'], events: ['crash'], rules: [known('shoe')] })).to.deep.equal([
      "thing.operations[0]: 'fly' is not one of list, single, create, update, remove",
      "thing.events[0]: 'crash' is not one of create, update, note-added, status-changed, manager-changed, team-changed, member-changed",
      "thing.rules.known: there is no field 'shoe'",
    ])
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
    expect(found({ parts: { name: { columns: [], key: [] } } })).to.deep.equal([
      `${at}.parts.name: 'name' is not a field that shows sub-records`,
    ])
    expect(found({ parts: { pockets: { columns: [{ header: 'Zip', field: 'zip' }], key: ['label'] } } })).to.deep.equal([
      `${at}.parts.pockets: there is no field 'zip' in pocket`,
      `${at}.parts.pockets.key: there is no column for 'label'`,
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

describe('what a definition cannot have', () => {
  const ENDPOINTS = [
    '/',
    '/me',
    '/import',
    '/import/:token',
    '/people/me',
    '/people/:id/permissions',
    '/things/:id/sold',
    '/photos/:a/:b/:c',
  ]
  const at = (definition: object, extensions: readonly object[] = []) => {
    const base = {
      path: 'things',
      fields: { id, twin: ref('thing'), status: oneOf(['a']), team: string(5) },
      collection: NONE,
      access: CLOSED,
    }
    const thing = defineRecord('thing', { ...base, ...definition } as never)
    const seal = defineRecord('seal', { ...base, path: 'sold', fields: { id }, partOf: [] })
    const note = defineRecord('note', { ...base, path: 'notes', fields: { id }, partOf: [] })
    return mistakesIn([thing, person, seal, note], extensions as never, new Set(), ENDPOINTS)
  }

  it('is the address of something else', () => {
    const taken = (path: string, endpoint: string) =>
      `thing.path: '/${path}' is already the path of the endpoint ${endpoint}; choose another path`
    expect(at({ path: 'me' })).to.deep.equal([taken('me', '/me')])
    expect(at({ path: 'import' })).to.deep.equal([taken('import', '/import')])
    expect(at({ path: 'me', operations: [] })).to.deep.equal([])
    const children = { sold: { record: 'thing', by: 'twin' }, permissions: { record: 'thing', by: 'twin' } }
    expect(at({ children, lists: { new: {}, me: {} } })).to.deep.equal([
      "thing.lists.new: '/things/new' is already the path of the defaults of a new record; choose another name",
      "thing.children.sold: '/things/:id/sold' is already the path of /things/:id/sold; choose another name",
    ])
    expect(at({ parts: ['seal'] })).to.deep.equal([
      "thing.parts: '/things/:id/sold' is already the path of /things/:id/sold; choose another name",
    ])
    const path = 'photos'
    expect(at({ path, children: { b: { record: 'thing', by: 'twin' } } })).to.deep.equal([
      "thing.children.b: '/photos/:id/b' is already the path of /photos/:a/:b/:c; choose another name",
    ])
    const me = {
      extends: 'person',
      lists: { me: {}, permissions: {} },
      children: { permissions: { record: 'person', by: 'boss' } },
      fields: { boss: ref('person') },
    }
    expect(at({}, [me])).to.deep.equal([
      "extension of person: lists.me: '/people/me' is already the path of /people/me; choose another name",
      "extension of person: children.permissions: '/people/:id/permissions' is already the path of /people/:id/permissions; choose another name",
    ])
  })

  it('is an event that can never happen to it', () => {
    expect(at({ events: ['create', 'update', 'status-changed'] })).to.deep.equal([])
    expect(at({ events: ['team-changed', 'member-changed', 'note-added'] })).to.deep.equal([
      "thing.events: 'team-changed' never happens: it needs the field 'team', which is of another kind or not stored",
      "thing.events: 'member-changed' never happens: it needs the field 'member', which does not exist",
      "thing.events: 'note-added' never happens: records have no notes; add 'note' to parts",
    ])
    expect(at({}, [{ extends: 'person', events: ['manager-changed'] }])).to.deep.equal([
      "extension of person: events: 'manager-changed' never happens: it needs the field 'manager', which does not exist",
    ])
  })

  it('is an operation that is for nobody, or for others only', () => {
    expect(
      at({ operations: ['list', 'remove'], nested: ['list'], pathBelow: 'below', collection: { ...NONE, below: {} } }),
    ).to.deep.equal([
      'thing.nested: only sub-records can have it; set partOf',
      'thing.pathBelow: only sub-records can have it; set partOf',
      'thing.collection.below: only sub-records can have it; set partOf',
      'thing.operations: remove needs grants in access.remove',
    ])
    expect(at({ operations: ['remove'], access: { ...CLOSED, remove: [] } })).to.deep.equal([])
  })

  it('is a rule that does nothing, or something at another time than there is', () => {
    const phases = PHASES.join(', ')
    const using = (behavior: unknown) => mistakes({ rules: [rule('odd', () => behavior as object)()] })
    expect(using({ fill: () => {} })).to.deep.equal([])
    expect(using({ written: async () => {}, fields: [], fills: undefined })).to.deep.equal([])
    expect(using({})).to.deep.equal([`thing.rules.odd: must have one of the phases ${phases}`])
    expect(using({ fields: [] })).to.deep.equal([`thing.rules.odd: must have one of the phases ${phases}`])
    const moves = [{ to: 'done', when: 'it is done' }]
    expect(using({ fill: () => {}, moves })).to.deep.equal([])
    for (const wrong of [{}, 'done', [{ to: 'done' }], [null]]) {
      expect(using({ fill: () => {}, moves: wrong })).to.deep.equal([
        "thing.rules.odd.moves: must be a list of moves, each with 'when'",
      ])
    }
    expect(using({ fil: () => {} })).to.deep.equal(["thing.rules.odd.fil: is not a phase; did you mean 'fill'?"])
    expect(using({ fill: 5 })).to.deep.equal(['thing.rules.odd.fill: must be a function'])
    for (const [behavior, shown] of [
      [undefined, 'undefined'],
      [() => {}, 'a function'],
      [[], 'an empty list'],
    ])
      expect(using(behavior)).to.deep.equal([
        `thing.rules.odd: must return an object with one of the phases ${phases}, not ${shown}`,
      ])
  })

  it('is a rule whose settings it cannot read, or that names no fields', () => {
    const choosy = rule('choosy', ({ of }: { of: readonly string[] }) => ({ fields: of.map((name) => name), fill: () => {} }))
    expect(mistakes({ rules: [choosy(undefined as never)] })[0]).to.match(
      /^thing\.rules\.choosy: the rule cannot read its settings: /,
    )
    expect(mistakes({ rules: [choosy({ of: ['shoe'] })] })).to.deep.equal(["thing.rules.choosy: there is no field 'shoe'"])
    expect(mistakes({ rules: [choosy({ of: ['name', 5 as never] })] })).to.deep.equal([
      'thing.rules.choosy.fields: must name fields, not 5',
    ])
    const lone = rule('lone', (field: string) => ({ fields: field as never, fills: ['shoe'], fill: () => {} }))
    expect(mistakes({ rules: [lone('name')] })).to.deep.equal([
      "thing.rules.lone.fields: must be a list of fields, not 'name'",
      "thing.rules.lone: there is no field 'shoe'",
    ])
  })

  it('is something else than a rule, or settings that cannot be written down', () => {
    const notRule = "must be a rule with its settings, stamp('field', …), written with rule(), not"
    expect(at({ rules: [{ rule: 'known', fill: () => {} }, 'known', known, { ...known('name') }] })).to.deep.equal([
      `thing.rules[0]: ${notRule} an object`,
      `thing.rules[1]: ${notRule} 'known'`,
      `thing.rules[2]: ${notRule} a function`,
      `thing.rules[3]: ${notRule} an object`,
    ])
    const any = rule('any', (..._settings: unknown[]) => ({ fill: () => {} }))
    const endless: { again?: object } = {}
    endless.again = endless
    expect(at({ rules: [any('a', { b: [null, 1.5] }, undefined), any(() => {}), any({ deep: [endless] })] })).to.deep.equal([
      'thing.rules[1].settings[0]: must be data that JSON can represent, without a function',
      'thing.rules[2].settings[0]: must be data that JSON can represent, without an object that contains itself',
    ])
  })

  it('is a list of fields that nobody ever sees, or that has one twice', () => {
    const fields = { id, a: text({ writeOnly: true }), b: string(5, { hidden: true }), c: json() }
    const collection = { fields: 'id a b c c', sort: 'id', filterable: 'id id' }
    expect(at({ fields, collection })).to.deep.equal([
      "thing.collection.fields: 'a' is never shown",
      "thing.collection.fields: 'b' is never shown",
      "thing.collection.fields: 'c' occurs twice",
      "thing.collection.sortable: 'a' cannot be compared; leave it out with { except: 'a' }",
      "thing.collection.sortable: 'c' cannot be compared; leave it out with { except: 'c' }",
      "thing.collection.filterable: 'id' occurs twice",
    ])
  })
})

describe('what can be wrong with an extension', () => {
  const extend = (more: object, ...earlier: object[]) =>
    mistakes({}, [], [...earlier.map((one) => ({ extends: 'thing', ...one })), { extends: 'thing', ...more }])
  const at = 'extension of thing: '
  const at2 = 'extension of thing (extend[1]): '

  it('is nothing when it only adds', () => {
    expect(
      extend({ fields: { colour: string(5) }, lists: { red: { colour: 'red' } }, rules: [known('colour')] }),
    ).to.deep.equal([])
  })

  it('is nothing when it relies on other extensions, before it or after it, or on a definition on it', () => {
    const colour = { fields: { colour: string(5), owner_of: ref('ship'), state: oneOf(['a'], { required: true }) } }
    const red = {
      lists: { red: { colour: 'red', 'owner_of.flag': 'nl' } },
      rules: [known('colour')],
      relax: ['state'],
    }
    const flag = { extends: 'ship', fields: { flag: string(2) } }
    const children = { things: { record: 'thing', by: 'owner_of' } }
    const ship = defineRecord('ship', { path: 'ships', fields: { id }, children, collection: NONE, access: CLOSED })
    const [one, two] = [colour, red].map((more) => ({ extends: 'thing', ...more }))
    for (const extensions of [
      [one, two, flag],
      [flag, two, one],
    ]) {
      expect(mistakes({}, [ship], extensions as Extension[])).to.deep.equal([])
    }
    expect(mistakes({}, [ship], [two, flag] as Extension[])).to.deep.equal([
      "extension of thing: relax: 'state' is not a required field",
      "extension of thing: lists.red: 'colour': thing has no field 'colour'",
      "extension of thing: lists.red: 'owner_of.flag': thing has no field 'owner_of'",
      "extension of thing: rules.known: there is no field 'colour'",
      "ship.children.things: thing has no field 'owner_of'",
    ])
  })

  it('is an import column over a field of another extension that is not there', () => {
    const imported = { import: { type: 'things', order: 1, columns: [] } }
    const column = { extends: 'thing', importColumns: [{ header: 'Colour', field: 'colour' }] }
    expect(mistakes(imported, [], [column, { extends: 'thing', fields: { colour: string(5) } }])).to.deep.equal([])
    expect(mistakes(imported, [], [column])).to.deep.equal([`${at}importColumns.Colour: there is no field or link 'colour'`])
  })

  it('is a type that is not there', () => {
    expect(mistakes({}, [], [{ extends: 'ship' }])).to.deep.equal([
      'extension of ship: there is no such record type; known are thing, person',
    ])
  })

  it('is that it replaces, and whose it replaces', () => {
    expect(extend({ fields: { name: string(5) } })).to.deep.equal([
      `${at}fields.name exists already, from thing; extensions cannot replace anything`,
    ])
    expect(extend({ fields: { colour: string(5) } }, { fields: { colour: string(6) } })).to.deep.equal([
      `${at2}fields.colour exists already, from extension of thing (extend[0]); extensions cannot replace anything`,
    ])
    expect(extend({ events: ['update'] }, { events: ['update'] })).to.deep.equal([
      `${at2}events: 'update' exists already, from extension of thing (extend[0]); extensions cannot replace anything`,
    ])
  })

  it('is everything that can be wrong with fields, lists, rules, events and columns', () => {
    const wrong = {
      fields: { f_id: string(5) },
      lists: { Red: { shoe: 1 } },
      rules: [known('shoe')],
      events: ['crash'],
      relax: ['name', 'shoe'],
      importColumns: [{ header: 'Shoe', field: 'shoe' }],
      field: {},
    }
    expect(extend(wrong)).to.deep.equal([
      `${at}events[0]: 'crash' is not one of create, update, note-added, status-changed, manager-changed, team-changed, member-changed`,
      `${at}there is no 'field' in an extension; did you mean 'fields'?`,
      `${at}importColumns: the type has no import`,
      `${at}relax: 'name' is not a required field`,
      `${at}relax: 'shoe' is not a required field`,
      `${at}fields.f_id: must not end in '_id': callers write references as <field>_id`,
      `${at}lists.Red: the name of a list must be lower case letters, digits and underscores`,
      `${at}lists.Red: 'shoe': thing has no field 'shoe'`,
      `${at}rules.known: there is no field 'shoe'`,
    ])
  })

  it('is everything that can be wrong with what it adds to lists, relations, values and permissions', () => {
    const link = { record: 'person', table: 'thing_people', from: 'thing_id', to: 'person_id' }
    const found = extend({
      collection: { fields: 'shoe id', sortable: 'shoe id', filterable: 'shoe id' },
      links: { crew: { ...link, record: 'ship' } },
      children: { crew: { record: 'person', by: 'thing' }, Odd: { record: 'thing', by: 'id' } },
      coverages: { things: { record: 'thing', where: {} } },
      parts: ['ship'],
      unique: [['shoe']],
      values: { name: ['x'], shoe: ['y'] },
      partImports: [{ type: 'pockets', order: 1, owner: { header: 'Thing', field: 'shoe' }, parts: {} }],
      access: {
        use: ['auditor'],
        see: { roles: ['auditor'] },
        create: ['king', { person: 'name' }],
        remove: [{ who: 'auditor', fields: ['shoe'] }],
      },
    })
    expect(found).to.deep.equal([
      `${at}collection.fields: 'id' exists already, from thing; extensions cannot replace anything`,
      `${at}collection.sortable: 'id' exists already, from thing; extensions cannot replace anything`,
      `${at}collection.filterable: 'id' exists already, from thing; extensions cannot replace anything`,
      `${at}access.see: all callers see all records already`,
      `${at}access.use: the type is open to all callers already`,
      `${at}values.name: 'name' is not an enumeration`,
      `${at}values.shoe: there is no field 'shoe'`,
      `${at}collection.fields: there is no field 'shoe'`,
      `${at}collection.sortable: there is no field 'shoe'`,
      `${at}collection.filterable: there is no field 'shoe'`,
      `${at}unique: there is no field 'shoe'`,
      `${at}access: create: there is no role 'king'`,
      `${at}access: create: 'name' is not a reference to a person`,
      `${at}access: remove: there is no field 'shoe'`,
      `${at}links.crew: there is no record type 'ship'`,
      `${at}children.crew: person has no field 'thing'`,
      `${at}children.Odd: the name of a list must be lower case letters, digits and underscores`,
      `${at}children.Odd: 'id' of thing does not refer to thing`,
      `${at}coverages.things: only records of the type 'person' can be covered`,
      `${at}parts: there is no record type 'ship'`,
      `${at}children.crew: 'crew' is used twice below a record, also for links.crew`,
      `${at}access.remove: no record can be removed; add 'remove' to operations`,
      `${at}partImports.pockets.owner: 'shoe' is not a stored field of thing`,
      `${at}partImports.pockets.parts: must not be empty`,
    ])
  })

  it('is what another extension adds as well, whatever it is', () => {
    const twice = {
      links: { crew: { record: 'person', table: 'thing_people', from: 'thing_id', to: 'person_id' } },
      children: { twins: { record: 'thing', by: 'twin' } },
      lists: { all: {} },
      unique: [['name', 'twin']],
      access: { create: ['auditor', { person: 'keeper' }] },
    }
    const taken = (what: string) =>
      `${at2}${what} exists already, from extension of thing (extend[0]); extensions cannot replace anything`
    const first = { ...twice, fields: { twin: ref('thing'), keeper: ref('person') } }
    expect(extend(twice, first)).to.deep.equal([
      taken('lists.all'),
      taken('links.crew'),
      taken('children.twins'),
      taken("unique: 'name,twin'"),
      taken("access.create: 'auditor'"),
      taken("access.create: 'their keeper'"),
    ])
  })

  it('is a value of an enumeration that is there, that is no text, or that belongs to others', () => {
    const fields = {
      id,
      state: oneOf(['on', 'off']),
      event: eventName(),
      zone: oneOfList('zones', ['a', 'b']),
      keeper: ref('person'),
      mood: oneOf(['on', 'off'], { derived: { from: 'keeper.state', as: 'value' } }),
    }
    const of = (values: object, ...more: object[]) =>
      mistakesIn(
        [defineRecord('thing', { path: 'things', fields, collection: NONE, access: CLOSED }), person],
        [{ values }, ...more].map((one) => ({ extends: 'thing', ...one })),
        new Set(['zones']),
      )
    expect(of({ state: ['idle'] })).to.deep.equal([])
    expect(of({ state: ['on', 'a\\b', 'idle', 'idle'], event: ['x'], zone: ['c'], mood: ['idle'] })).to.deep.equal([
      `${at}values.state: 'on' exists already, from thing; extensions cannot replace anything`,
      `${at}values.state: the value "a\\\\b" is not a text of at most 64 characters without backslash and question mark`,
      `${at}values.state: 'idle' exists already, from extension of thing; extensions cannot replace anything`,
      `${at}values.event: its values are the events of all record types`,
      `${at}values.zone: its values are the list 'zones', which several types share`,
      `${at}values.mood: its values are those of 'keeper.state'; add them there`,
    ])
    expect(of({ state: ['idle'] }, { values: { state: ['idle'] } })).to.deep.equal([
      `${at2}values.state: 'idle' exists already, from extension of thing (extend[0]); extensions cannot replace anything`,
    ])
    // What others show of it grows with it.
    const grown = mistakesIn(
      [defineRecord('thing', { path: 'things', fields, collection: NONE, access: CLOSED }), person],
      [{ extends: 'person', values: { state: ['idle'] } }],
    )
    expect(grown).to.deep.equal([])
  })

  it('is an import column that is there already, also from another extension', () => {
    const imported = { import: { type: 'things', order: 1, columns: [{ header: 'Name', field: 'name' }] } }
    const column = (header: string) => ({ extends: 'thing', importColumns: [{ header, field: 'name' }] })
    expect(mistakes(imported, [], [column('NAME')])).to.deep.equal([
      `${at}importColumns: 'NAME' exists already, from thing; extensions cannot replace anything`,
    ])
    expect(mistakes(imported, [], [column('Other'), column('other')])).to.deep.equal([
      `${at2}importColumns: 'other' exists already, from extension of thing (extend[0]); extensions cannot replace anything`,
    ])
  })
})
