import { expect } from 'chai'
import { mistakesIn } from '../../../plugin/schema/check/check.js'
import { integer, owner, ref, string } from '../../../plugin/schema/kinds/fields.js'
import { defineRecord } from '../../../plugin/schema/language/define-record.js'
import { CLOSED, id, mistakes, NONE, person } from './mistaken-thing.js'

describe('what can be wrong with a definition', () => {
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
    const order = (one: string) =>
      defineRecord('order', {
        path: 'orders',
        title: null,
        partOf: ['thing'],
        fields: { id, first: ref('person'), second: ref(one) },
        collection: NONE,
        access: CLOSED,
      })
    const ordered = (more: object, one = 'person') =>
      mistakes({ links: { crew: { ...link, ...more } }, parts: ['order'] }, [order(one)])
    expect(ordered({ orderedBy: 'order' })).to.deep.equal([])
    expect(ordered({ orderedBy: 'order' }, 'thing')).to.deep.equal([
      'thing.links.crew: orderedBy: order must have two stored references to a person',
    ])
    expect(of({ orderedBy: 'shoe' })).to.deep.equal(["orderedBy: records of 'shoe' are not sub-records of thing"])
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
})
