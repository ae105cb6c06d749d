import { expect } from 'chai'
import { type Columns, linkTable, partTable, recordTable } from '../../../migrations/tools.js'
import { ADMINISTRATORS, common } from '../../../plugin/schema/kinds/common-fields.js'
import {
  boolean,
  datetime,
  integer,
  oneOf,
  part,
  parts,
  ref,
  refs,
  string,
  strings,
  text,
} from '../../../plugin/schema/kinds/fields.js'
import { me, not } from '../../../plugin/schema/language/conditions.js'
import { defineRecord } from '../../../plugin/schema/language/define-record.js'
import { countStatements } from '../../support/count-statements.js'
import { errorOf, withHouse } from '../../support/house.js'

const LASTING = { create: ADMINISTRATORS, update: ADMINISTRATORS }
const OPEN = { ...LASTING, remove: ADMINISTRATORS }
const GRADES = ['small', 'large'] as const

const fleet = defineRecord('fleet', {
  path: 'fleets',
  fields: {
    ...common,
    name: string(40, { required: true }),
    code: string(20),
    grade: oneOf(GRADES),
    admiral: ref('person'),
    founded_at: datetime(),
  },
  collection: { fields: 'id name', sort: 'name', filterable: 'id name' },
  unique: [['code']],
  access: LASTING,
})

const ship = defineRecord('ship', {
  path: 'ships',
  reference: ['localized_name', 'squadron'],
  fields: {
    ...common,
    name: string(40, { required: true }),
    localized_name: string(40, { derived: { from: 'name', as: 'translation' } }),
    motto: text({ translated: true }),
    home: ref('fleet'),
    squadron: ref('fleet', { shownAs: 'code' }),
    admiral: ref('person', { derived: { from: 'home.admiral', as: 'value' } }),
    home_name: string(40, { derived: { from: 'home.name', as: 'value' } }),
    home_grade: oneOf(GRADES, { derived: { from: 'home.grade', as: 'value' } }),
    home_since: datetime({ derived: { from: 'home.founded_at', as: 'value' } }),
    lost: ref('person', { derived: { from: 'owner_of.captain', as: 'value' }, whenPresent: true }),
    owner_of: ref('shipyard', { whenPresent: true }),
    price: integer({ read: ['auditor', { person: 'admiral' }] }),
    crew: refs('person'),
    consorts: refs('ship'),
    guests: refs('guest', { whenPresent: true }),
    cabins: parts('cabin', { shows: ['number'] }),
    engine: part('engine', { onlyWhenSet: true }),
    flags: strings(10),
    remark: string(20, { onlyWhenSet: true }),
    wreck: boolean({ shownWith: 'home' }),
    wreck_site: string(20, { shownWith: 'home', onlyWhenSet: true }),
    tender_of: ref('ship'),
  },
  collection: {
    fields: 'id name',
    sort: 'name',
    sortable: 'id name squadron admiral home_name home_grade home_since lost',
    filterable: 'id name squadron admiral home_name home_grade home_since price lost',
  },
  lists: {
    mine: { admiral: me },
    with_my_cabin: { 'cabins.guest': me },
    of_my_guests: { 'tender_of.cabins.guest.manager': me },
    of_others: { admiral: not(me) },
    large: { home_grade: 'large' },
    without_crew: { crew: null },
    with_crew: { crew: not(null) },
  },
  links: {
    crew: { record: 'person', table: 'ship_crews', from: 'ship_id', to: 'person_id' },
    consorts: { record: 'ship', table: 'ship_consorts', from: 'one_id', to: 'other_id' },
  },
  parts: ['cabin', 'engine', 'ship_translation', 'note'],
  access: LASTING,
})

const cabin = defineRecord('cabin', {
  path: 'cabins',
  title: null,
  partOf: ['ship'],
  fields: { id: integer({ readOnly: true }), number: integer(), guest: ref('person') },
  collection: { fields: 'id number guest', sort: 'number', filterable: 'id' },
  access: OPEN,
})
const engine = defineRecord('engine', {
  path: 'engines',
  title: null,
  partOf: ['ship'],
  fields: { id: integer({ readOnly: true }), power: integer(), engineer: ref('person'), started_at: datetime() },
  collection: { fields: 'id', sort: 'id', filterable: 'id' },
  access: OPEN,
})
const translation = defineRecord('ship_translation', {
  path: 'translations',
  table: 'ship_translations',
  title: 'locale',
  partOf: [],
  translates: true,
  fields: { id: integer({ readOnly: true }), locale: string(5, { required: true }), name: string(40), motto: text() },
  collection: { fields: 'id locale', sort: 'locale', filterable: 'id' },
  unique: [['locale']],
  access: OPEN,
})

describe('reading fields that are not simply columns of the record', () => {
  const house = withHouse({
    records: [fleet, ship, cabin, engine, translation],
    migrations: [
      {
        name: 'host_0001_ships',
        async up(schema) {
          const provenance = (table: Columns) => {
            table.string('source', 30)
            table.string('sourceID', 128)
            table.datetime('created_at')
            table.datetime('updated_at')
            table.unique('account_id', 'source', 'sourceID')
          }
          await recordTable(schema, 'fleets', (table) => {
            provenance(table)
            table.string('name', 40)
            table.string('code', 20)
            table.enum('grade')
            table.ref('admiral_id')
            table.datetime('founded_at')
            table.unique('account_id', 'code')
          })
          await recordTable(schema, 'ships', (table) => {
            provenance(table)
            table.string('name', 40)
            table.text('motto')
            for (const name of ['home_id', 'squadron_id', 'tender_of_id']) table.ref(name)
            table.integer('price')
            table.strings('flags')
            table.string('remark', 20)
            table.boolean('wreck')
            table.string('wreck_site', 20)
          })
          await linkTable(schema, 'ship_crews', 'ship_id', 'person_id')
          await linkTable(schema, 'ship_consorts', 'one_id', 'other_id')
          await partTable(schema, 'cabins', (table) => {
            table.integer('number')
            table.ref('guest_id')
          })
          await partTable(schema, 'engines', (table) => {
            table.integer('power')
            table.ref('engineer_id')
            table.datetime('started_at')
          })
          await partTable(schema, 'ship_translations', (table) => {
            table.string('locale', 5)
            table.string('name', 40)
            table.text('motto')
            table.unique('owner_type', 'owner_id', 'locale')
          })
        },
        down: async () => {},
      },
    ],
  })
  let admin = 0
  let ada = 0
  let bob = 0
  let foreign = 0
  const fleets = new Map<string, number>()
  const ships = new Map<string, number>()
  const idOf = (name: string) => ships.get(name) ?? 0
  /** Rows that no operation makes are put where reading finds them. */
  const insert = (table: string, ...rows: object[]) => house.storage.knex(house.storage.table(table)).insert(rows)

  before(async () => {
    admin = await house.addPerson('Zoe Admin', ['account_administrator'])
    ada = await house.addPerson('Ada Admiral', [], { manager_id: admin })
    bob = await house.addPerson('Bob Boatswain')
    const gus = { name: 'Gus Guest', primary_email: 'gus@globex.example' }
    foreign = await house.add('person', gus, { account: 'globex' })
    const addFleet = async (name: string, body: object) => fleets.set(name, await house.add('fleet', { name, ...body }))
    await addFleet('Home', { code: 'home_fleet', grade: 'large', admiral_id: ada, founded_at: '2001-01-01T00:00:00Z' })
    await addFleet('Far', { code: 'far, far', grade: 'small', admiral_id: bob, founded_at: '1999-01-01T00:00:00Z' })
    const account_id = 'acme'
    const row = (name: string, more: object) => ({ account_id, name, ...more })
    const at = (name: string) => fleets.get(name) ?? null
    const rows = [
      row('Aurora', { motto: 'Onward', home_id: at('Home'), squadron_id: at('Far'), price: 5, flags: '["red","red, too"]' }),
      row('Beagle', { home_id: at('Far'), squadron_id: at('Home'), remark: 'old', wreck: 1, wreck_site: 'reef' }),
      row('Cutty', {}),
    ]
    for (const one of rows) {
      await insert('ships', one)
      const [found] = await house.storage.knex(house.storage.table('ships')).where({ name: one.name })
      ships.set(one.name, Number(found.id))
    }
    const tender = { tender_of_id: idOf('Aurora') }
    await house.storage.knex(house.storage.table('ships')).where({ name: 'Cutty' }).update(tender)
    const crew = (name: string, ...people: number[]) => people.map((person_id) => ({ ship_id: idOf(name), person_id }))
    await insert('ship_crews', ...crew('Aurora', foreign, bob, ada), ...crew('Beagle', bob))
    await insert('ship_consorts', { one_id: idOf('Beagle'), other_id: idOf('Aurora') })
    const owned = (owner: string, more: object) => ({ account_id, owner_type: 'ship', owner_id: idOf(owner), ...more })
    await insert(
      'cabins',
      owned('Aurora', { number: 2, guest_id: bob }),
      owned('Aurora', { number: 1, guest_id: ada }),
      owned('Beagle', { number: 1, guest_id: null }),
    )
    await insert('engines', owned('Aurora', { power: 90, engineer_id: bob, started_at: '2020-01-01 00:00:00' }))
    await insert(
      'ship_translations',
      owned('Aurora', { locale: 'fr', name: 'Aurore', motto: null }),
      owned('Aurora', { locale: 'fr-CA', name: null, motto: 'En avant' }),
      owned('Aurora', { locale: 'nl', name: 'Dageraad', motto: 'Voorwaarts' }),
      owned('Beagle', { locale: 'nl', name: 'Brak', motto: null }),
    )
  })

  const list = async (query: string, by = admin, options: object = {}, language = 'en-US') =>
    house.operations.list(await house.by(by, { language }), 'ship', { parameters: [...new URLSearchParams(query)], ...options })
  const names = async (query: string, by = admin, options: object = {}) =>
    (await list(query, by, options)).items.map((one) => one['name'])
  const shown = async (name: string, fields: string, by = admin, language?: string) => {
    const [one = {}] = (await list(`name=${name}&fields=${fields}`, by, {}, language)).items
    const { id: _, ...rest } = one
    return rest
  }
  const refused = async (query: string, by = admin) => (await errorOf(list(query, by))).message
  const read = async (name: string, language = 'en-US') =>
    house.operations.read(await house.by(admin, { language }), 'ship', idOf(name))

  describe('values at the end of a path', () => {
    it('are shown as they are there now, in lists and single records', async () => {
      expect(await shown('Aurora', 'admiral,home_name,home_grade,home_since')).to.deep.equal({
        admiral: { id: ada, name: 'Ada Admiral' },
        home_name: 'Home',
        home_grade: 'large',
        home_since: '2001-01-01T01:00:00+01:00',
      })
      const nothing = { admiral: null, home_name: null, home_grade: null, home_since: null, lost: null }
      expect(await shown('Cutty', 'admiral,home_name,home_grade,home_since,lost')).to.deep.equal(nothing)
      expect(await read('Cutty')).to.include(nothing)
    })

    it('order lists as fields of their kind do', async () => {
      expect(await names('sort=admiral')).to.deep.equal(['Cutty', 'Aurora', 'Beagle'])
      expect(await names('sort=-home_name')).to.deep.equal(['Aurora', 'Beagle', 'Cutty'])
      expect(await names('sort=home_grade')).to.deep.equal(['Cutty', 'Beagle', 'Aurora'])
      expect(await names('sort=home_since')).to.deep.equal(['Cutty', 'Beagle', 'Aurora'])
      expect(await names('sort=lost')).to.deep.equal(['Aurora', 'Beagle', 'Cutty'])
    })

    it('filter lists, and stand in conditions', async () => {
      expect(await names(`admiral=${ada}`)).to.deep.equal(['Aurora'])
      expect(await names(`admiral_id!=${ada}`)).to.deep.equal(['Beagle', 'Cutty'])
      expect(await names('admiral=')).to.deep.equal(['Cutty'])
      expect(await names('home_name=Home')).to.deep.equal(['Aurora'])
      expect(await names('home_grade=small,large')).to.deep.equal(['Aurora', 'Beagle'])
      expect(await refused('home_grade=medium')).to.equal("Invalid value 'medium' for field 'home_grade'")
      expect(await names('home_since=<2000-01-01')).to.deep.equal(['Beagle'])
      expect(await names('lost=5')).to.deep.equal([])
      expect(await names('lost=')).to.have.length(3)
      expect(await names('', ada, { list: 'mine' })).to.deep.equal(['Aurora'])
      expect(await names('', ada, { list: 'of_others' })).to.deep.equal(['Beagle', 'Cutty'])
      expect(await names('state=large')).to.deep.equal(['Aurora'])
    })

    it('may name those who read a value', async () => {
      expect(await shown('Aurora', 'price', ada)).to.deep.equal({ price: 5 })
      expect(await shown('Aurora', 'price', bob)).to.deep.equal({ price: null })
      expect(await refused('price=5', ada)).to.equal('Filtering not allowed on fields: price')
    })
  })

  describe('references that are shown as a text', () => {
    it('are that text everywhere', async () => {
      expect(await shown('Aurora', 'squadron')).to.deep.equal({ squadron: 'far, far' })
      expect(await shown('Cutty', 'squadron,tender_of')).to.deep.equal({
        squadron: null,
        tender_of: { id: idOf('Aurora'), name: 'Aurora', localized_name: 'Aurora', squadron: 'far, far' },
      })
    })

    it('order and filter by it, or filter by the id', async () => {
      expect(await names('sort=squadron')).to.deep.equal(['Cutty', 'Aurora', 'Beagle'])
      expect(await names('squadron=home_fleet')).to.deep.equal(['Beagle'])
      expect(await names('squadron=far\\, far,home_fleet')).to.deep.equal(['Aurora', 'Beagle'])
      expect(await names('squadron!=home_fleet')).to.deep.equal(['Aurora', 'Cutty'])
      expect(await names('squadron=nothing')).to.deep.equal([])
      expect(await names('squadron=')).to.deep.equal(['Cutty'])
      expect(await names('squadron!=')).to.deep.equal(['Aurora', 'Beagle'])
      expect(await names(`squadron_id=${fleets.get('Home')}`)).to.deep.equal(['Beagle'])
      expect(await names(`squadron_id!=${fleets.get('Home')},${fleets.get('Far')}`)).to.deep.equal(['Cutty'])
      expect(await refused('squadron=>home_fleet')).to.equal("Field 'squadron' does not support the '=>' operator")
      expect(await refused('squadron_id=home_fleet')).to.equal("Invalid value 'home_fleet' for field 'squadron'")
    })
  })

  describe('references to linked records', () => {
    it('are shown in the order of their titles, with the account of foreign ones', async () => {
      expect(await shown('Aurora', 'crew,guests')).to.deep.equal({
        crew: [
          { id: ada, name: 'Ada Admiral' },
          { id: bob, name: 'Bob Boatswain' },
          { id: foreign, name: 'Gus Guest', account: { id: 'globex', name: 'GLOBEX' } },
        ],
        guests: [],
      })
      expect(await shown('Beagle', 'consorts')).to.deep.equal({
        consorts: [{ id: idOf('Aurora'), name: 'Aurora', localized_name: 'Aurora', squadron: 'far, far' }],
      })
      expect((await read('Cutty'))['crew']).to.deep.equal([])
    })

    it('can be asked for, also for there being none', async () => {
      expect(await names('state=without_crew')).to.deep.equal(['Cutty'])
      expect(await names('state=with_crew')).to.deep.equal(['Aurora', 'Beagle'])
    })
  })

  describe('parts', () => {
    it('are one object where there can be only one, and left out or null where there is none', async () => {
      expect(await shown('Aurora', 'engine,cabins')).to.deep.equal({
        engine: {
          id: 1,
          power: 90,
          engineer: { id: bob, name: 'Bob Boatswain' },
          started_at: '2020-01-01T01:00:00+01:00',
        },
        cabins: [{ number: 1 }, { number: 2 }],
      })
      expect(await shown('Beagle', 'engine,cabins')).to.deep.equal({ cabins: [{ number: 1 }] })
    })

    it('stand in conditions: one of them has to meet them', async () => {
      expect(await names('state=with_my_cabin', bob)).to.deep.equal(['Aurora'])
      expect(await names('state=with_my_cabin', admin)).to.deep.equal([])
      expect(await names('state=of_my_guests', admin)).to.deep.equal(['Cutty'])
      expect(await names('state=of_my_guests&name=Cutty', ada)).to.deep.equal([])
    })
  })

  describe('what is not always shown', () => {
    it('is left out while it is empty', async () => {
      expect(await shown('Aurora', 'remark,name')).to.deep.equal({ name: 'Aurora' })
      expect(await shown('Beagle', 'remark,name')).to.deep.equal({ remark: 'old', name: 'Beagle' })
      expect(await read('Aurora')).to.not.have.any.keys('remark', 'wreck_site')
      expect(await read('Aurora')).to.include({ wreck: null })
    })

    it('comes along with another field, and cannot be chosen by itself', async () => {
      expect(await shown('Beagle', 'wreck,wreck_site,name')).to.deep.equal({ name: 'Beagle' })
      expect(Object.keys(await shown('Beagle', 'home,name'))).to.deep.equal(['home', 'wreck', 'wreck_site', 'name'])
      expect(Object.keys(await shown('Aurora', 'name,home'))).to.deep.equal(['name', 'home', 'wreck'])
    })
  })

  it('reads lists of texts as they are', async () => {
    expect(await shown('Aurora', 'flags')).to.deep.equal({ flags: ['red', 'red, too'] })
    expect(await shown('Beagle', 'flags')).to.deep.equal({ flags: null })
  })

  describe('translations', () => {
    const texts = async (name: string, language: string) => shown(name, 'name,localized_name,motto', admin, language)

    it('are shown in the language of the caller', async () => {
      expect(await texts('Aurora', 'nl')).to.deep.equal({ name: 'Aurora', localized_name: 'Dageraad', motto: 'Voorwaarts' })
      expect(await read('Aurora', 'nl')).to.include({ name: 'Aurora', localized_name: 'Dageraad', motto: 'Voorwaarts' })
    })

    it('fall back field by field: to the language that it is a variety of, then to the text itself', async () => {
      expect(await texts('Aurora', 'fr-CA')).to.deep.equal({ name: 'Aurora', localized_name: 'Aurore', motto: 'En avant' })
      expect(await texts('Aurora', 'fr')).to.deep.equal({ name: 'Aurora', localized_name: 'Aurore', motto: 'Onward' })
      expect(await texts('Aurora', 'de')).to.deep.equal({ name: 'Aurora', localized_name: 'Aurora', motto: 'Onward' })
      expect(await texts('Beagle', 'nl')).to.deep.equal({ name: 'Beagle', localized_name: 'Brak', motto: null })
    })

    it('show in references, too', async () => {
      const { tender_of } = await shown('Cutty', 'tender_of', admin, 'nl')
      expect(tender_of).to.include({ name: 'Aurora', localized_name: 'Dageraad' })
      const { consorts } = await shown('Beagle', 'consorts', admin, 'fr-CA')
      expect(consorts).to.have.nested.property('[0].localized_name', 'Aurore')
    })

    it('change neither order nor filters', async () => {
      expect((await list('sort=name&name=Aurora', admin, {}, 'nl')).items.map((one) => one['id'])).to.deep.equal([
        idOf('Aurora'),
      ])
      expect((await list('name=Dageraad', admin, {}, 'nl')).items).to.deep.equal([])
      expect((await list('sort=name', admin, {}, 'nl')).items.map((one) => one['name'])).to.deep.equal([
        'Aurora',
        'Beagle',
        'Cutty',
      ])
    })
  })

  it('gives host types notes, because they name them among their parts', async () => {
    const owner = { type: 'ship', id: idOf('Aurora') }
    await house.operations.save(await house.by(admin), 'note', null, { text: 'all well' }, owner)
    const call = await house.by(admin)
    const within = { ...owner, path: 'notes' }
    const below = await house.operations.list(call, 'note', { parameters: [], within })
    expect(below.items.map((one) => one['text'])).to.deep.equal(['all well'])
    const everywhere = await house.operations.list(call, 'note', { parameters: [] })
    expect(everywhere.items.map((one) => one['ship'])).to.deep.include({
      id: idOf('Aurora'),
      name: 'Aurora',
      localized_name: 'Aurora',
      squadron: 'far, far',
    })
  })

  it('costs one statement for the rows, which tell their number, and one for each field of other tables that has anything', async () => {
    const counter = countStatements(house.storage.knex)
    const call = await house.by(admin, { language: 'fr-CA' })
    const cost = (fields: string) =>
      counter.during(() => house.operations.list(call, 'ship', { parameters: [['fields', fields]] }))
    expect(await cost('name,localized_name,motto,squadron,admiral,home_name,tender_of')).to.equal(1)
    expect(await cost('name,cabins')).to.equal(2)
    expect(await cost('engine,cabins,consorts')).to.equal(4)
    // One more for the names of foreign accounts.
    expect(await cost('crew')).to.equal(3)
    const id = await house.add('ship', { name: 'Bare hull' })
    const costOfBare = (fields: string) =>
      counter.during(async () => {
        const parameters = [
          ['fields', fields],
          ['id', `${id}`],
        ] as [string, string][]
        const { items } = await house.operations.list(call, 'ship', { parameters })
        expect(items).to.have.length(1)
      })
    expect(await costOfBare('engine,cabins,consorts,crew')).to.equal(1)
    expect(await counter.during(() => house.operations.read(call, 'ship', id))).to.equal(1)
    await house.storage.knex(house.storage.table('ships')).where({ id }).delete()
  })
})
