import { expect } from 'chai'
import {
  boolean,
  changes,
  type Field,
  integer,
  oneOf,
  owner,
  part,
  parts,
  ref,
  refs,
  string,
  strings,
  text,
} from '../../../plugin/schema/kinds/fields.js'
import { defineRecord } from '../../../plugin/schema/language/define-record.js'
import { bad, CLOSED, field, id, mistakes, NONE } from './mistaken-thing.js'

describe('what can be wrong with a definition', () => {
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
    expect(of({ text: string(5, { onRequest: true }) })).to.deep.equal([
      "thing.fields.text: 'onRequest' is not for fields of the kind string, only for refs",
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
})
