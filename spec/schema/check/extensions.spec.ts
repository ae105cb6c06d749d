import { expect } from 'chai'
import { mistakesIn } from '../../../plugin/schema/check/check.js'
import { eventName, oneOf, oneOfList, ref, string } from '../../../plugin/schema/kinds/fields.js'
import { defineRecord } from '../../../plugin/schema/language/define-record.js'
import type { Extension } from '../../../plugin/schema/language/extend-record.js'
import { CLOSED, id, known, mistakes, NONE, person } from './mistaken-thing.js'

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
      `${at}events[0]: 'crash' is not one of create, update, note-added, status-changed, manager-changed, team-changed, member-changed, waiting-ended, target-warning, target-missed, disabled, delete`,
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
