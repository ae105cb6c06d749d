import { expect } from 'chai'
import { compile } from '../../../plugin/schema/compile/compile.js'
import { fullShape, listShape, referenceShape, type Shape } from '../../../plugin/schema/derive/shape.js'
import { common } from '../../../plugin/schema/kinds/common-fields.js'
import {
  boolean,
  datetime,
  decimal,
  integer,
  json,
  oneOf,
  owner,
  part,
  parts,
  ref,
  refs,
  string,
  text,
} from '../../../plugin/schema/kinds/fields.js'
import type { WriteContext } from '../../../plugin/schema/kinds/writers.js'
import { defineRecord } from '../../../plugin/schema/language/define-record.js'

const id = integer({ readOnly: true })
const NONE = { fields: 'id', sort: 'id', filterable: 'id' } as const
const CLOSED = { create: [], update: [] }
const person = defineRecord('person', {
  path: 'people',
  fields: { ...common, name: string(40), disabled: boolean() },
  collection: NONE,
  access: { publicTitle: true, ...CLOSED },
})
const ship = defineRecord('ship', {
  path: 'ships',
  title: 'label',
  reference: ['flag', 'captain'],
  fields: { ...common, label: string(40), flag: string(2), captain: ref('person'), sister: ref('ship') },
  collection: NONE,
  access: CLOSED,
})
const crate = defineRecord('crate', {
  path: 'crates',
  title: null,
  fields: {
    ...common,
    subject: string(40),
    label: string(40, { derived: { from: 'subject', as: 'translation' } }),
    copy: string(40, { derived: { from: 'subject', as: 'value' } }),
    ship: ref('ship'),
    absent: ref('port', { whenPresent: true }),
    papers: parts('paper', { shows: ['kind'] }),
    stamps: parts('stamp', { whenPresent: true }),
    due_at: datetime({ keywords: ['never'] }),
    price: decimal({ read: ['auditor', { person: 'owner' }] }),
    owner: ref('person'),
    sealed: boolean(),
    disabled: boolean(),
    data: json(),
    secret: string(9, { hidden: true }),
    skipper: ref('person', { derived: { from: 'ship.captain', as: 'value' } }),
    flag: string(2, { derived: { from: 'ship.flag', as: 'value' } }),
    insured: boolean({ read: [{ person: 'skipper' }] }),
    remark: string(9, { onlyWhenSet: true }),
    tip: string(9, { onlyWhenSet: true, read: [{ person: 'owner' }] }),
    weight: integer(),
    unit: string(9, { shownWith: 'weight' }),
    handlers: refs('person'),
    seal: part('seal'),
    note: text({ writeOnly: true }),
  },
  collection: { ...NONE, fields: 'id subject' },
  parts: ['paper', 'seal'],
  links: { handlers: { record: 'person', table: 'crate_handlers', from: 'crate_id', to: 'person_id' } },
  access: CLOSED,
})
const paper = defineRecord('paper', {
  path: 'papers',
  title: null,
  partOf: ['crate'],
  fields: {
    id,
    kind: oneOf(['bill', 'letter']),
    uri: string(9, { keyedBy: 'kind' }),
    about: string(64, { derived: { from: 'owner_type', as: 'value' } }),
    owner: owner(),
  },
  collection: NONE,
  access: CLOSED,
})
const seal = defineRecord('seal', {
  path: 'seals',
  title: null,
  partOf: ['crate'],
  fields: { id, number: integer(), colour: string(9), owner: owner() },
  collection: NONE,
  access: CLOSED,
})
const catalog = compile([person, ship, crate, paper, seal], [])

const context: WriteContext = {
  homeAccountId: 'acme',
  accountName: (account) => account.toUpperCase(),
  formatInstant: (moment) => (moment.endsWith('Z') ? `<${moment}>` : `<${moment.replace(' ', 'T')}Z>`),
  downloadAddress: (key) => `https://files.example/${key}?signed`,
  pictureAddress: (value) => `https://pictures.example/${value}`,
  seesParts: () => true,
  mayRead: (who, row) => typeof who === 'object' && 'person' in who && Number(row(`${who.person}_id`)) === 7,
  related: (field, ownerId) => [`${field.record} of ${ownerId}: ${field.shows?.join()}`],
  sees: () => true,
  reference: (type, ownerId) => ({ id: ownerId, of: type }),
}
/** Writes a row of which only some cells are given, by their path. */
const write = (shape: Shape, given: Record<string, unknown>) =>
  shape.write(
    shape.slots.map((path) => given[path.join('.')] ?? null),
    context,
  )
const home = { id: 5, account_id: 'acme' }

describe('the shape of an answer', () => {
  it('has every field that is returned, in the order of the definition, empty ones as null', () => {
    const output = write(fullShape(catalog.type('crate'), catalog), home)
    expect(Object.keys(output)).to.deep.equal([
      ...[
        'id',
        'source',
        'sourceID',
        'created_at',
        'updated_at',
        'subject',
        'label',
        'copy',
        'ship',
        'absent',
        'papers',
        'stamps',
      ],
      ...['due_at', 'price', 'owner', 'sealed', 'disabled', 'data', 'skipper', 'flag', 'insured', 'weight', 'unit'],
      ...['handlers', 'seal'],
    ])
    expect(output).to.deep.include({ id: 5, subject: null, ship: null, absent: null, stamps: [], data: null })
  })

  it('writes values in their form', () => {
    const row = {
      ...home,
      subject: 's',
      due_at: '2026-11-21 09:30:00',
      sealed: 0,
      data: '{"a":1}',
      updated_at: '2026-01-01 00:00:00',
    }
    expect(write(fullShape(catalog.type('crate'), catalog), row)).to.deep.include({
      subject: 's',
      label: 's',
      copy: 's',
      due_at: '<2026-11-21T09:30:00Z>',
      updated_at: '<2026-01-01T00:00:00Z>',
      sealed: false,
      data: { a: 1 },
      papers: ['paper of 5: kind'],
    })
    expect(write(fullShape(catalog.type('crate'), catalog), { ...home, due_at: 'never' })['due_at']).to.equal('never')
  })

  it('shows references with their title, what the type adds, and what is worth saying', () => {
    const shape = listShape(catalog.type('crate'), catalog, ['ship'])
    const row = { ...home, 'ship.id': 3, 'ship.label': 'Aurora', 'ship.account_id': 'acme' }
    expect(write(shape, row)['ship']).to.deep.equal({ id: 3, label: 'Aurora', flag: null, captain: null })
    const more = {
      ...row,
      'ship.sourceID': 'x',
      'ship.account_id': 'globex',
      'ship.flag': 'NL',
      'ship.captain.id': 9,
      'ship.captain.name': 'Ada',
      'ship.captain.disabled': 1,
      'ship.captain.account_id': 'acme',
    }
    expect(write(shape, more)['ship']).to.deep.equal({
      id: 3,
      label: 'Aurora',
      flag: 'NL',
      captain: { id: 9, name: 'Ada', disabled: true },
      sourceID: 'x',
      account: { id: 'globex', name: 'GLOBEX' },
    })
  })

  it('shows little of records that the caller does not see', () => {
    const shape = listShape(catalog.type('crate'), catalog, ['ship', 'skipper'])
    expect(shape.references.map(({ type }) => type)).to.deep.equal(['person', 'ship', 'person'])
    const row = { ...home, 'ship.id': 3, 'ship.label': 'Aurora', 'ship.account_id': 'globex', 'ship.sourceID': 'x' }
    const unseen = (of: Shape, given: Record<string, unknown>) =>
      of.write(
        of.slots.map((path) => given[path.join('.')] ?? null),
        { ...context, sees: () => false },
      )
    const person = { 'skipper.id': 9, 'skipper.name': 'Ada', 'skipper.disabled': 1, 'skipper.account_id': 'globex' }
    const account = { id: 'globex', name: 'GLOBEX' }
    expect(unseen(shape, { ...row, ...person })).to.deep.equal({
      id: 5,
      ship: { id: 3 },
      skipper: { id: 9, name: 'Ada', account },
    })
    const alone = { ...home, label: 'Aurora', sourceID: 'x', account_id: 'globex', disabled: 1 }
    expect(unseen(referenceShape(catalog.type('ship'), catalog), alone)).to.deep.equal({ id: 5 })
    const named = { ...home, name: 'Ada', account_id: 'globex', disabled: 1 }
    expect(unseen(referenceShape(catalog.type('person'), catalog), named)).to.deep.equal({ id: 5, name: 'Ada', account })
  })

  it('of a list has the fields of the collection or the chosen ones, always the id', () => {
    const type = catalog.type('crate')
    expect(write(listShape(type, catalog, null), { ...home, subject: 's' })).to.deep.equal({ id: 5, subject: 's' })
    expect(
      Object.keys(write(listShape(type, catalog, ['sealed', 'note', 'secret', 'nothing', 'id', 'sealed']), home)),
    ).to.deep.equal(['id', 'sealed'])
    expect(listShape(type, catalog, ['sealed']).slots).to.deep.equal([['id'], ['account_id'], ['sealed'], ['disabled']])
  })

  it('of a list says disabled only where it is, and the account only of another one', () => {
    const shape = listShape(catalog.type('crate'), catalog, [])
    expect(write(shape, { ...home, disabled: 0 })).to.deep.equal({ id: 5 })
    expect(write(shape, { id: 5, account_id: 'globex', disabled: 1 })).to.deep.equal({
      id: 5,
      account: { id: 'globex', name: 'GLOBEX' },
      disabled: true,
    })
  })

  it('keeps guarded values from those who may not read them', () => {
    const shape = listShape(catalog.type('crate'), catalog, ['price'])
    expect(write(shape, { ...home, price: '5.00', owner_id: 7 })['price']).to.equal('5.0')
    expect(write(shape, { ...home, price: '5.00', owner_id: 8 })['price']).to.equal(null)
    expect(write(shape, { ...home, price: '5.00' })['price']).to.equal(null)
  })

  it('reads values from elsewhere by their own names, so that a path is written in one place', () => {
    const shape = listShape(catalog.type('crate'), catalog, ['skipper', 'flag', 'insured'])
    expect(shape.slots.map((path) => path.join('.'))).to.include.members(['skipper.id', 'skipper.name', 'flag', 'skipper'])
    const row = { ...home, 'skipper.id': 9, 'skipper.name': 'Ada', flag: 'NL', insured: 1 }
    expect(write(shape, { ...row, 'skipper.account_id': 'acme', skipper: 7 })).to.deep.equal({
      id: 5,
      skipper: { id: 9, name: 'Ada' },
      flag: 'NL',
      insured: true,
    })
    expect(write(shape, { ...row, skipper: 8 })['insured']).to.equal(null)
  })

  it('leaves out what is empty, where the field says so, and what may not be read', () => {
    const shape = listShape(catalog.type('crate'), catalog, ['remark', 'tip'])
    expect(write(shape, { ...home, remark: 'r', tip: 't', owner_id: 7 })).to.deep.equal({ id: 5, remark: 'r', tip: 't' })
    expect(write(shape, { ...home, tip: 't', owner_id: 8 })).to.deep.equal({ id: 5 })
  })

  it('of a list takes along what comes with a field, and nobody can choose that', () => {
    const type = catalog.type('crate')
    const names = (wanted: readonly string[]) => Object.keys(write(listShape(type, catalog, wanted), home))
    expect(names(['weight', 'unit', 'subject'])).to.deep.equal(['id', 'weight', 'unit', 'subject'])
    expect(names(['unit'])).to.deep.equal(['id'])
  })

  it('loads linked records and parts for the whole page', () => {
    const shape = listShape(catalog.type('crate'), catalog, ['papers', 'handlers', 'seal', 'stamps'])
    expect(shape.related.map(({ field, link }) => [field.name, link?.table ?? null])).to.deep.equal([
      ['papers', null],
      ['handlers', 'crate_handlers'],
      ['seal', null],
    ])
    expect(write(shape, home)).to.deep.equal({
      id: 5,
      papers: ['paper of 5: kind'],
      handlers: ['person of 5: undefined'],
      seal: 'seal of 5: undefined',
      stamps: [],
    })
    const [papers, handlers, seal] = shape.related.map((related) => related.shape())
    expect(papers && write(papers, { ...home, kind: 'bill' })).to.deep.equal({ kind: 'bill' })
    expect(handlers && write(handlers, { ...home, name: 'Ada' })).to.deep.equal({ id: 5, name: 'Ada' })
    expect(seal && write(seal, { ...home, number: 3, colour: 'red' })).to.deep.equal({ id: 5, number: 3, colour: 'red' })
  })

  it('of a part names the value after its kind, and tells whose it is where the path does not', () => {
    const type = catalog.type('paper')
    const row = { ...home, kind: 'bill', uri: '12', owner_type: 'crate', owner_id: 4 }
    expect(write(fullShape(type, catalog), row)).to.deep.equal({
      id: 5,
      kind: 'bill',
      bill: '12',
      about: 'crate',
      crate: { id: 4, of: 'crate' },
    })
    expect(write(fullShape(type, catalog, true), row)).to.deep.equal({ id: 5, kind: 'bill', bill: '12' })
    expect(fullShape(type, catalog).mentions).to.have.length(1)
    expect(fullShape(type, catalog, true).mentions).to.have.length(0)
  })

  it('of a reference alone is what references show', () => {
    expect(Object.keys(write(referenceShape(catalog.type('ship'), catalog), home))).to.deep.equal([
      'id',
      'label',
      'flag',
      'captain',
    ])
    expect(Object.keys(write(referenceShape(catalog.type('crate'), catalog), home))).to.deep.equal(['id'])
  })
})
