import { expect } from 'chai'
import { records } from '../../../plugin/records/records.js'
import { compile, parseSort } from '../../../plugin/schema/compile/compile.js'
import { common, identity } from '../../../plugin/schema/kinds/common-fields.js'
import {
  boolean,
  datetime,
  eventName,
  integer,
  json,
  oneOf,
  oneOfList,
  parts,
  ref,
  string,
  text,
} from '../../../plugin/schema/kinds/fields.js'
import { ANYTHING } from '../../../plugin/schema/language/conditions.js'
import { type Definition, defineRecord, type RowOf } from '../../../plugin/schema/language/define-record.js'
import { type Extension, extendRecord } from '../../../plugin/schema/language/extend-record.js'

const NONE = { fields: 'id', sort: 'id', filterable: 'id' } as const
const CLOSED = { create: [], update: [] }

const crate = defineRecord('crate', {
  path: 'crates',
  fields: {
    ...common,
    name: string(40, { required: true }),
    size: oneOf(['small', 'big'], { default: 'small' }),
    colour: oneOfList('colours', ['red', 'blue']),
    ship: ref('ship', { whenPresent: true }),
    inside: ref('crate'),
    label: string(40, { derived: { from: 'name', as: 'translation' } }),
    note: text({ writeOnly: true }),
    seals: parts('seal', { shows: ['number'] }),
  },
  collection: { fields: 'id name', sort: '-size name', filterable: 'id ship' },
  lists: { small: { size: 'small' } },
  access: CLOSED,
  events: ['create'],
  unique: [['name', 'inside']],
  parts: ['seal'],
})
const seal = defineRecord('seal', {
  path: 'seals',
  partOf: ['crate'],
  fields: { id: integer({ readOnly: true }), number: integer() },
  collection: NONE,
  access: CLOSED,
})
const stamp = defineRecord('stamp', {
  path: 'stamps',
  pathBelow: 'marks',
  partOf: '*',
  fields: { id: integer({ readOnly: true }) },
  collection: NONE,
  access: CLOSED,
})

describe('a definition', () => {
  it('is data: it survives being written as JSON', () => {
    for (const definition of records) {
      expect(JSON.parse(JSON.stringify(definition)), definition.name).to.deep.equal(definition)
    }
  })

  it('compiles to the same catalog after that, apart from what rules and settlings do', () => {
    const copies = records.map((definition) => {
      const { rules: _, settle: __, ...copy } = JSON.parse(JSON.stringify(definition)) as Definition
      return copy
    })
    const [one, two] = [compile(records, []), compile(copies, [])]
    expect(two.events).to.deep.equal(one.events)
    for (const [name, type] of one.types)
      expect(two.type(name), name).to.deep.equal({ ...type, rules: [], rulesIn: new Map(), settle: [] })
  })

  it('is frozen, and so are its fields', () => {
    expect(Object.isFrozen(crate)).to.equal(true)
    for (const field of Object.values(crate.fields)) expect(Object.isFrozen(field)).to.equal(true)
  })

  it('tells TypeScript what its rows hold', () => {
    const row: RowOf<typeof crate> = {
      id: 1,
      source: null,
      sourceID: null,
      created_at: null,
      updated_at: null,
      name: 'a',
      size: 'big',
      colour: null,
      ship_id: null,
      inside_id: 4,
      label: null,
      note: null,
      seals: null,
    }
    // @ts-expect-error a value that is none of the enumeration
    const wrong: RowOf<typeof crate>['size'] = 'huge'
    expect([row.size, wrong]).to.deep.equal(['big', 'huge'])
  })
})

describe('the catalog', () => {
  const catalog = compile([crate, seal, stamp], [], new Map([['language', ['en', 'nl']]]))
  const type = catalog.type('crate')

  it('knows which column holds a field, if one does', () => {
    expect([...type.columns.keys()]).to.deep.equal([
      'id',
      'source',
      'sourceID',
      'created_at',
      'updated_at',
      'name',
      'size',
      'colour',
      'inside_id',
    ])
    for (const name of ['ship', 'label', 'note', 'seals']) expect(type.fields.get(name)?.column, name).to.equal(null)
  })

  it('fills in what a definition leaves out', () => {
    expect(type).to.include({
      table: 'crates',
      title: 'name',
      audit: true,
      withDirectory: false,
      holdsRoles: false,
      import: null,
      existsWhile: ANYTHING,
      fromTrusted: null,
      softDeleteField: null,
      translations: null,
    })
    expect([...type.operations]).to.deep.equal(['list', 'single', 'create', 'update'])
    expect(type.unique).to.deep.equal([
      ['name', 'inside_id'],
      ['source', 'sourceID'],
    ])
    expect(type.collection.sort).to.deep.equal([
      { field: 'size', descending: true },
      { field: 'name', descending: false },
    ])
    // Updated_at sorts every list whose records have it (behaviour: Sorting).
    expect([...type.collection.sortable]).to.deep.equal(['id', 'updated_at', 'name'])
    expect(catalog.type('seal')).to.include({ title: null, audit: false })
  })

  it('lists all fields that are shown, and sorts and filters by those of the list, where a definition leaves that out', () => {
    const fields = { ...identity, name: string(10), size: integer(), input: text({ writeOnly: true }) }
    const crates = (collection: Partial<Definition['collection']>, more: readonly Extension[] = []) => {
      const crate = defineRecord('crate', {
        path: 'crates',
        fields,
        collection: { sort: '-size name', ...collection },
        access: CLOSED,
      })
      const made = compile([crate], more).type('crate').collection
      return [made.fields, [...made.sortable], [...made.filterable]].map((names) => names.join(' '))
    }
    expect(crates({})).to.deep.equal(['id name size', 'id name size', 'id name size'])
    expect(crates({ fields: 'name id' })).to.deep.equal(['name id', 'id name', 'id name'])
    expect(crates({ fields: ' name\n  id ', sortable: 'size', filterable: '' })).to.deep.equal(['name id', 'size', ''])
    const differences = { fields: 'id name', sortable: { also: 'size' }, filterable: { also: 'size', except: 'name' } }
    expect(crates(differences)).to.deep.equal(['id name', 'id name size', 'id size'])
    // What extensions add is added to what the definition means by itself.
    const shade = extendRecord('crate', { fields: { shade: string(5) } })
    const shown = extendRecord('crate', { collection: { fields: 'shade', filterable: 'shade' } })
    expect(crates({}, [shade])).to.deep.equal(['id name size', 'id name size', 'id name size'])
    expect(crates({}, [shade, shown])).to.deep.equal(['id name size shade', 'id name size', 'id name size shade'])
    expect(crates(differences, [shade, shown])).to.deep.equal(['id name shade', 'id name size', 'id size shade'])
  })

  it('has the names by which lists are sorted and filtered in the order of the fields, however the definition puts them', () => {
    const fields = { ...common, name: string(10), size: integer() }
    const collection = { ...NONE, sortable: 'size name id', filterable: 'updated_at size id' }
    const { types } = compile([defineRecord('crate', { path: 'crates', fields, collection, access: CLOSED })], [])
    expect([...(types.get('crate')?.collection.sortable ?? [])]).to.deep.equal(['id', 'updated_at', 'name', 'size'])
    expect([...(types.get('crate')?.collection.filterable ?? [])]).to.deep.equal(['id', 'updated_at', 'size'])
  })

  it('puts parts below their owners, and offers them nowhere else unless they say so', () => {
    expect([...type.parts]).to.deep.equal([
      ['seals', 'seal'],
      ['marks', 'stamp'],
    ])
    expect(catalog.type('seal').partOf).to.deep.equal(['crate'])
    expect(catalog.type('stamp').partOf).to.deep.equal(['crate'])
    expect([...catalog.type('seal').operations]).to.deep.equal([])
    expect([...catalog.type('seal').nested]).to.deep.equal(['list', 'single', 'create', 'update', 'remove'])
    expect([...catalog.byPath.keys()]).to.deep.equal(['crates'])
  })

  it('makes parts of types that only their owners name, each once', () => {
    const sticker = defineRecord('sticker', { ...seal, path: 'stickers', partOf: [] })
    const both = defineRecord('both', { ...seal, path: 'both', partOf: ['crate'] })
    const owner = defineRecord('box', {
      path: 'boxes',
      fields: { ...common },
      collection: NONE,
      parts: ['sticker'],
      access: CLOSED,
    })
    const all = compile([{ ...crate, parts: ['seal', 'sticker', 'both'] }, owner, seal, sticker, both], [])
    expect(all.type('sticker').partOf).to.deep.equal(['crate', 'box'])
    expect(all.type('both').partOf).to.deep.equal(['crate'])
    expect([...all.type('crate').parts.keys()]).to.deep.equal(['seals', 'stickers', 'both'])
    expect([...all.type('box').parts.keys()]).to.deep.equal(['stickers'])
  })

  it('tells with which reference records are made, and linked, below the one that they refer to', () => {
    const fields = {
      ...common,
      must: ref('crate', { required: true }),
      may: ref('crate'),
      was: ref('crate', { readOnly: true }),
    }
    const label = defineRecord('label', { path: 'labels', fields, operations: ['list'], collection: NONE, access: CLOSED })
    const tag = defineRecord('tag', { path: 'tags', fields, collection: NONE, access: CLOSED })
    const children = {
      must: { record: 'label', by: 'must' },
      listed: { record: 'label', by: ['must', 'may.inside'] },
      may: { record: 'label', by: 'may', link: true },
      was: { record: 'label', by: 'was' },
      tags: { record: 'tag', by: 'must' },
    } as const
    const all = compile([{ ...crate, children }, seal, label, tag], [])
    expect([...all.type('crate').children.values()]).to.deep.equal([
      { record: 'label', by: [['must']], linkedWith: null, createdWith: 'must' },
      { record: 'label', by: [['must'], ['may', 'inside']], linkedWith: null, createdWith: null },
      { record: 'label', by: [['may']], linkedWith: 'may', createdWith: null },
      { record: 'label', by: [['was']], linkedWith: null, createdWith: null },
      // Those are made at their own address.
      { record: 'tag', by: [['must']], linkedWith: null, createdWith: null },
    ])
  })

  it('leaves types without audit lines out of those that everything has', () => {
    const silent = defineRecord('silent', { ...crate, path: 'silents', parts: [], fields: { ...common }, audit: false })
    const all = compile([crate, seal, stamp, { ...silent, unique: [], lists: {}, collection: NONE }], [])
    expect(all.type('stamp').partOf).to.deep.equal(['crate'])
    expect([...all.type('silent').parts]).to.deep.equal([])
  })

  it('tells where values from elsewhere stand, and that those of absent types stand nowhere', () => {
    const fields = {
      ...common,
      outer: ref('crate', { derived: { from: 'inside.inside', as: 'value' } }),
      port: ref('port', { whenPresent: true, derived: { from: 'ship.port', as: 'value' } }),
      ship: ref('ship', { whenPresent: true }),
      inside: ref('crate'),
    }
    const made = compile([defineRecord('crate', { path: 'crates', fields, collection: NONE, access: CLOSED })], [])
    const of = (name: string) => made.type('crate').fields.get(name)
    expect(of('outer')).to.deep.include({ column: null, via: ['inside', 'inside'] })
    expect(of('port')).to.deep.include({ column: null, via: null })
    expect(of('inside')).to.deep.include({ column: 'inside_id', via: null })
  })

  it('knows which parts translate which fields', () => {
    const translation = defineRecord('crate_translation', {
      path: 'translations',
      partOf: ['crate'],
      translates: true,
      fields: { id: integer({ readOnly: true }), locale: string(5), name: string(40) },
      collection: NONE,
      unique: [['locale']],
      access: CLOSED,
    })
    const all = compile([crate, seal, translation], [])
    expect(all.type('crate').translations).to.deep.equal({ record: 'crate_translation', fields: new Set(['name']) })
    expect(all.type('seal').translations).to.equal(null)
  })

  it('lists enumerations by key, and events by name', () => {
    expect([...catalog.enumerations]).to.deep.equal([
      ['colours', ['red', 'blue']],
      ['crate.size', ['small', 'big']],
      ['language', ['en', 'nl']],
    ])
    expect(catalog.events).to.deep.equal(['crate.create', 'import.completed'])
  })

  it('gives fields of events the names of all events', () => {
    const hook = defineRecord('hook', {
      path: 'hooks',
      fields: { id: integer({ readOnly: true }), event: eventName() },
      collection: NONE,
      access: CLOSED,
    })
    const all = compile([crate, seal, hook], [extendRecord('crate', { events: ['update'] })])
    expect(all.type('hook').fields.get('event')?.values).to.deep.equal(['crate.create', 'crate.update', 'import.completed'])
  })

  it('stumbles over a type that is not there, which is a mistake of ours', () => {
    expect(() => catalog.type('ship')).to.throw("There is no record type 'ship'")
  })

  it('holds references to types that are there now', () => {
    const ship = defineRecord('ship', { path: 'ships', fields: { ...common }, collection: NONE, access: CLOSED })
    expect(compile([crate, seal, ship], []).type('crate').fields.get('ship')?.column).to.equal('ship_id')
  })
})

describe('extensions', () => {
  const extension = extendRecord('crate', {
    fields: { insured: boolean({ default: false }), papers: json(), lost_at: datetime() },
    lists: { insured: { insured: true } },
    events: ['update'],
    relax: ['name'],
  })
  const type = compile([crate, seal], [extension, extendRecord('crate', { lists: { uninsured: { insured: false } } })]).type(
    'crate',
  )

  it('add fields, lists and events behind those that are there', () => {
    expect([...type.fields.keys()].slice(-3)).to.deep.equal(['insured', 'papers', 'lost_at'])
    expect([...type.lists.keys()]).to.deep.equal(['small', 'insured', 'uninsured'])
    expect([...type.events]).to.deep.equal(['create', 'update'])
  })

  it('add columns, orders and filters of lists, links, unique groups and permissions, in whatever order they come', () => {
    const more = [
      extendRecord('crate', {
        collection: { fields: 'weight papers', sortable: 'weight', filterable: 'weight' },
        values: { size: ['huge'] },
        unique: [['weight']],
        links: { packers: { record: 'crate', table: 'packers', from: 'crate_id', to: 'packer_id' } },
        access: { create: ['auditor'], remove: ['account_administrator'] },
        relax: ['weight'],
      }),
      extendRecord('crate', { fields: { weight: integer({ required: true }) } }),
      extension,
    ]
    for (const extensions of [more, more.toReversed()]) {
      const removable = { ...crate, operations: ['list', 'single', 'create', 'update', 'remove'] } as const
      const all = compile([removable, seal], extensions)
      const made = all.type('crate')
      expect(made.collection.fields).to.deep.equal(['id', 'name', 'weight', 'papers'])
      // Not what cannot be compared: papers.
      expect([...made.collection.sortable]).to.deep.equal(['id', 'updated_at', 'name', 'weight'])
      expect([...made.collection.filterable]).to.deep.equal(['id', 'ship', 'weight'])
      expect(all.enumerations.get('crate.size')).to.deep.equal(['small', 'big', 'huge'])
      expect(made.unique).to.deep.include(['weight'])
      expect([...made.links.keys()]).to.deep.equal(['packers'])
      expect(made.access).to.deep.equal({ create: ['auditor'], update: [], remove: ['account_administrator'] })
      expect(made.fields.get('weight')).not.to.have.property('required')
    }
  })

  it('let more people see records, and more records be seen', () => {
    const see = { roles: ['auditor'], otherwise: { size: 'small' } } as const
    const secret = { ...crate, access: { ...CLOSED, use: ['auditor'], see } } as Definition
    const wider = extendRecord('crate', {
      access: { use: ['specialist'], see: { roles: ['specialist'], otherwise: { name: 'x' } } },
    })
    const made = compile([secret, seal], [wider]).type('crate')
    expect(made.access.use).to.deep.equal(['auditor', 'specialist'])
    expect(made.access.see?.roles).to.deep.equal(['auditor', 'specialist'])
    expect(made.access.see?.otherwise).to.deep.equal({ anyOf: [{ size: 'small' }, { name: 'x' }] })
    expect('any' in made.seenByOthers && made.seenByOthers.any).to.have.length(2)
  })

  it('relax what is required', () => {
    expect(type.fields.get('name')).to.not.have.property('required')
    expect(crate.fields.name).to.have.property('required', true)
  })
})

describe('a sort', () => {
  it('is names with a minus sign for descending', () => {
    expect(parseSort('-a, b,,-c')).to.deep.equal([
      { field: 'a', descending: true },
      { field: 'b', descending: false },
      { field: 'c', descending: true },
    ])
    expect(parseSort('')).to.deep.equal([])
  })
})
