import { expect } from 'chai'
import { InvalidDefinition } from '../../../plugin/core/errors.js'
import { ENDPOINT_PATHS } from '../../../plugin/http/endpoint-paths.js'
import { records } from '../../../plugin/records/records.js'
import { mistakesIn } from '../../../plugin/schema/check/check.js'
import { compile } from '../../../plugin/schema/compile/compile.js'
import { boolean, integer, json, oneOf, parts, ref, string, text } from '../../../plugin/schema/kinds/fields.js'
import { type Definition, defineRecord } from '../../../plugin/schema/language/define-record.js'
import { PHASES, rule } from '../../../plugin/schema/language/define-rule.js'
import { SHARED_LISTS } from '../../../plugin/words/shared-lists.js'
import { bad, CLOSED, field, id, known, mistakes, NONE, person } from './mistaken-thing.js'

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

  it('is an operation or an event that does not exist, or a rule about a field that does not', () => {
    expect(mistakes({ operations: ['fly'], events: ['crash'], rules: [known('shoe')] })).to.deep.equal([
      "thing.operations[0]: 'fly' is not one of list, single, create, update, remove",
      "thing.events[0]: 'crash' is not one of create, update, note-added, status-changed, manager-changed, team-changed, member-changed, waiting-ended, target-warning, target-missed, disabled, delete",
      "thing.rules.known: there is no field 'shoe'",
    ])
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
    expect(at({ events: ['team-changed', 'member-changed', 'note-added', 'delete'] })).to.deep.equal([
      "thing.events: 'team-changed' never happens: it needs the field 'team', which is of another kind or not stored",
      "thing.events: 'member-changed' never happens: it needs the field 'member', which does not exist",
      "thing.events: 'note-added' never happens: records have no notes; add 'note' to parts",
      "thing.events: 'delete' never happens: no record can be removed; add 'remove' to operations",
    ])
    expect(at({ emits: ['towed', 'power-lost2'] })).to.deep.equal([])
    expect(at({ emits: ['towed', 'towed', 'create', 'Towed', 'a--b', 'x'.repeat(128)] })).to.deep.equal([
      "thing.emits: 'towed' occurs twice",
      "thing.emits: 'create' is an event of the plugin; add it to events",
      "thing.emits: 'Towed' must be lower-case letters, digits and single hyphens, at most 128 with the type",
      "thing.emits: 'a--b' must be lower-case letters, digits and single hyphens, at most 128 with the type",
      `thing.emits: '${'x'.repeat(128)}' must be lower-case letters, digits and single hyphens, at most 128 with the type`,
    ])
    expect(at({ events: ['waiting-ended'] })).to.deep.equal([
      "thing.events: 'waiting-ended' never happens: no timer raises it; add raises: 'waiting-ended' to one",
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
    expect(using({ begins: 'yes', written: () => {} })).to.deep.equal([
      "thing.rules.odd.begins: must be true, or be left out, not 'yes'",
    ])
    expect(using({ begins: true, written: () => {} })).to.deep.equal([])
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

  it('is counted by a field with too many values, by one that is no filter, or by none of its fields', () => {
    const collection = { fields: 'id a', sort: 'id', filterable: 'id', countable: 'id a b b c' }
    expect(at({ fields: { id, a: oneOf(['x']), b: string(5) }, collection })).to.deep.equal([
      "thing.collection.countable: there is no field 'c'",
      "thing.collection.countable: 'b' occurs twice",
      "thing.collection.countable: 'id' is no enumeration, reference, boolean or time of the table",
      "thing.collection.countable: 'a' must be a filter, too",
      "thing.collection.countable: 'b' is no enumeration, reference, boolean or time of the table",
    ])
    expect(at({ fields: { id }, lists: { counts: { id: 1 } } })).to.deep.equal([
      "thing.lists.counts: '/things/counts' is already the path of the counts of the list; choose another name",
    ])
  })
})
