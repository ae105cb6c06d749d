import { expect } from 'chai'
import type { RecordField } from '../../../plugin/schema/catalog.js'
import { compile } from '../../../plugin/schema/compile/compile.js'
import { type InputContext, inputReaderOf } from '../../../plugin/schema/derive/input.js'
import { inputNameOf, referenceIn } from '../../../plugin/schema/derive/input-names.js'
import { readPartChanges } from '../../../plugin/schema/derive/part-changes.js'
import { compileValidators } from '../../../plugin/schema/derive/validator.js'
import { boolean, integer, part, parts, ref, refs, string, strings } from '../../../plugin/schema/kinds/fields.js'
import { defineRecord } from '../../../plugin/schema/language/define-record.js'

const id = integer({ readOnly: true })
const NONE = { fields: 'id', sort: 'id', filterable: 'id' } as const
const nobody = { create: [], update: [] } as const
const ship = defineRecord('ship', {
  path: 'ships',
  fields: {
    id,
    name: string(10),
    tags: strings(5),
    kind: ref('kind', { shownAs: 'code', inputAs: 'sort' }),
    captain: ref('sailor', { firstOf: 'sailors' }),
    sailors: refs('sailor', { readOnly: true }),
    guests: refs('sailor', { only: 'create' }),
    nation: string(10, { derived: { from: 'kind.code', as: 'value' } }),
    alias: string(10, { derived: { from: 'name', as: 'value' } }),
    afloat: boolean({ readOnly: true, default: false }),
    minutes: integer({ writeOnly: true }),
    log: part('log'),
    cabins: parts('cabin', { readOnly: true }),
    decks: parts('deck', { readOnly: true }),
  },
  collection: NONE,
  links: {
    sailors: { record: 'sailor', table: 'ship_sailors', from: 'ship_id', to: 'sailor_id' },
    guests: { record: 'sailor', table: 'ship_guests', from: 'ship_id', to: 'sailor_id' },
    people: { record: 'sailor', table: 'ship_people', from: 'ship_id', to: 'sailor_id', singular: 'person' },
  },
  parts: ['log', 'cabin', 'deck'],
  access: nobody,
})
const kind = defineRecord('kind', {
  path: 'kinds',
  fields: { id, code: string(10) },
  collection: NONE,
  access: nobody,
  unique: [['code']],
})
const sailor = defineRecord('sailor', { path: 'sailors', fields: { id }, collection: NONE, access: nobody })
const partOf = { partOf: ['ship'], fields: { id }, collection: NONE, access: nobody, title: null } as const
const log = defineRecord('log', { ...partOf, path: 'log', nested: [] })
const cabin = defineRecord('cabin', { ...partOf, path: 'cabins' })
const deck = defineRecord('deck', { ...partOf, path: 'decks', nested: ['list', 'single'] })
const catalog = compile([ship, kind, sailor, log, cabin, deck], [])
const type = catalog.type('ship')
const read = inputReaderOf(type, catalog)
const open: InputContext = { zone: 'UTC', creating: true, may: () => true, mayLink: () => true }

describe('what stands in a body', () => {
  it('is sorted by what has to be done with it', () => {
    const input = read(
      { name: 'Ark', minutes: 4, kind: 'boat', log: { a: 1 }, guest_ids: [1], person_ids: [2], cabins_attributes: [{ b: 2 }] },
      open,
    )
    expect(input.values).to.deep.equal({ name: 'Ark' })
    expect([...input.unstored]).to.deep.equal([['minutes', 4]])
    expect([...input.texts]).to.deep.equal([['kind', 'boat']])
    expect([...input.part]).to.deep.equal([['log', { a: 1 }]])
    expect([...input.links]).to.deep.equal([
      ['guests', [1]],
      ['people', [2]],
    ])
    expect([...input.partChanges]).to.deep.equal([['cabins', [{ id: null, remove: false, body: { b: 2 } }]]])
    expect([...input.given]).to.deep.equal(['name', 'kind', 'minutes', 'log'])
    expect(input.violations).to.deep.equal([])
  })

  it('is ignored where it says what is not for callers to say', () => {
    const input = read(
      {
        id: 9,
        nation: 'NL',
        nation_id: 4,
        alias: 'x',
        afloat: true,
        sailors: [{ id: 1 }],
        sailor_ids: [1],
        cabins: [{}],
        decks_attributes: [{}],
      },
      open,
    )
    expect([input.values, [...input.given], [...input.links], [...input.partChanges]]).to.deep.equal([{}, [], [], []])
    expect(input.ignored.join()).to.equal('id,nation,nation_id,alias,afloat,sailors,sailor_ids,cabins,decks_attributes')
  })

  it('is taken from the service itself even where callers may not say it, but never the id', () => {
    const input = read({ id: 9, afloat: true, nation: 'NL', sailor_ids: [1], alias: 'x' }, { ...open, setsReadOnly: true })
    expect([input.values, [...input.links]]).to.deep.equal([{ afloat: true }, [['sailors', [1]]]])
    const validator = compileValidators(catalog).get('ship')
    expect(validator?.({ name: 'x'.repeat(11) }, { ...open, setsReadOnly: true }).violations).to.deep.equal([
      ['name', 'too_long', { max: 10 }],
    ])
  })

  it('names what it ignores under the name that was sent, but nothing that is used or refused', () => {
    const ignored = (body: object, context: Partial<InputContext> = {}) => read(body, { ...open, ...context }).ignored.join()
    const used = { name: 'Ark', captain_id: 4, sort: 'boat', person_ids: 'x', cabins_attributes: [{ b: 2 }], log: 4 }
    expect(ignored(used)).to.equal('')
    expect(ignored({ ...used, captain: { id: 5 }, kind: { id: 4 } })).to.equal('sort,captain')
    expect(ignored({ name: 'Ark', nane: 'Ark', __proto__: { a: 1 }, constructor: 1 })).to.equal('nane,constructor')
    const none = { may: () => false, mayLink: () => false }
    expect(ignored(used, none)).to.equal('name,captain_id,sort,person_ids,cabins_attributes,log')
    expect(ignored({ guest_ids: [1], name: 'Ark' }, { creating: false })).to.equal('guest_ids')
  })

  it('goes by the field that shows the links when only some fields may be set', () => {
    const linked = (context: Partial<InputContext>) =>
      [...read({ guest_ids: [1], person_ids: [2] }, { ...open, ...context }).links.keys()].join()
    expect(linked({ creating: false })).to.equal('people')
    expect(linked({ may: (field) => field.name !== 'guests' })).to.equal('people')
    expect(linked({ mayLink: (name) => name === 'guests' })).to.equal('guests')
  })

  it('names a record under either name of its field, the first one winning', () => {
    const field = type.fields.get('kind') as never
    expect(referenceIn({ kind_id: 4, sort_id: 5 }, field)).to.equal(4)
    expect(referenceIn({ sort_id: '5' }, field)).to.equal(5)
    expect(referenceIn({ sort: { id: 6 } }, field)).to.equal(6)
    expect(referenceIn({ captain: '7' }, type.fields.get('captain') as RecordField)).to.equal(7)
    for (const body of [{}, { kind: 'boat' }, { kind: '7' }, { kind_id: null }, { kind_id: 'x' }, { kind: {} }]) {
      expect(referenceIn(body, field), JSON.stringify(body)).to.equal(null)
    }
  })

  it('names links by their singular', () => {
    expect(['sailors', 'guests', 'people'].map((name) => inputNameOf(type, name))).to.deep.equal([
      'sailor_ids',
      'guest_ids',
      'person_ids',
    ])
  })

  it('links ten thousand records at most under one name', () => {
    const ids = Array.from({ length: 10_000 }, (_, index) => index + 1)
    expect(read({ person_ids: ids }, open).links.get('people')).to.have.length(10_000)
    const { links, violations } = read({ person_ids: [...ids, 10_001] }, open)
    expect(links.size).to.equal(0)
    expect(violations).to.deep.equal([['people', 'too_many', { max: 10_000 }]])
  })

  it('tells parts to remove by any spelling of true', () => {
    for (const _destroy of [true, 1, '1', 't', 'YES', 'on']) {
      expect(readPartChanges([{ id: 4, _destroy }]), String(_destroy)).to.deep.equal({
        changes: [{ id: 4, remove: true, body: {} }],
      })
    }
    expect(readPartChanges([{ id: 4, _destroy: 'no', a: 1 }])).to.deep.equal({
      changes: [{ id: 4, remove: false, body: { a: 1 } }],
    })
  })
})
