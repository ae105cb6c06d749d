import { expect } from 'chai'
import { recordTable } from '../../../migrations/tools.js'
import { ADMINISTRATORS, common } from '../../../plugin/schema/kinds/common-fields.js'
import { boolean, datetime, decimal, json, oneOf, ref, string } from '../../../plugin/schema/kinds/fields.js'
import { me } from '../../../plugin/schema/language/conditions.js'
import { defineRecord } from '../../../plugin/schema/language/define-record.js'
import { errorOf, withHouse } from '../../support/house.js'

const tool = defineRecord('tool', {
  path: 'tools',
  fields: {
    ...common,
    name: string(40, { required: true }),
    code: string(40, { ignoreCase: true }),
    grade: oneOf(['fine', 'coarse', 'blunt']),
    keeper: ref('person'),
    spare: ref('tool'),
    absent: ref('workshop', { whenPresent: true }),
    due_at: datetime({ keywords: ['never', 'soon'] }),
    price: decimal({ read: ['account_administrator', { person: 'keeper' }] }),
    rented: boolean({ default: false }),
    custom_data: json(),
  },
  collection: {
    fields: 'id name grade keeper',
    sort: 'name',
    sortable: 'id name code grade keeper due_at price absent',
    filterable: 'id name code grade keeper absent due_at price rented updated_at',
  },
  lists: { mine: { keeper: me }, of_my_spares: { 'spare.keeper': me } },
  access: { create: ADMINISTRATORS, update: ADMINISTRATORS },
})

describe('reading records', () => {
  const house = withHouse({
    records: [tool],
    migrations: [
      {
        name: 'host_0001_tools',
        up: (schema) =>
          recordTable(schema, 'tools', (table) => {
            table.string('source', 30)
            table.string('sourceID', 128)
            table.string('name', 40)
            table.string('code', 40)
            table.enum('grade')
            table.ref('keeper_id')
            table.ref('spare_id')
            table.datetimeOrWord('due_at')
            table.decimal('price')
            table.boolean('rented')
            table.json('custom_data')
            table.datetime('created_at')
            table.datetime('updated_at')
            table.unique('account_id', 'source', 'sourceID')
          }),
        down: async () => {},
      },
    ],
  })
  let admin = 0
  let user = 0
  const tools = new Map<string, number>()

  before(async () => {
    admin = await house.addPerson('Ada Admin', ['account_administrator'])
    user = await house.addPerson('Bea User')
    const add = async (name: string, body: object) => tools.set(name, await house.add('tool', { name, ...body }))
    await add('axe', { grade: 'coarse', keeper_id: user, code: 'X1', due_at: '2026-01-01T00:00:00Z', price: 10 })
    await add('Bow', { grade: 'fine', code: 'x2', due_at: '1969-07-20T20:17:40Z', price: 9.5 })
    await add('chisel', {
      grade: 'blunt',
      keeper_id: admin,
      spare_id: tools.get('axe'),
      due_at: '9999-12-31T23:59:59Z',
      price: 100,
    })
    await add('Drill, big', { keeper_id: user, rented: true, code: 'é ' })
    await add('edge', { grade: 'fine', code: 'e' })
    // Words stand there by rules, never by callers.
    await house.storage.knex(house.storage.table('tools')).where({ name: 'edge' }).update({ due_at: 'never' })
  })

  const list = async (query: string, by = admin, options: object = {}) =>
    house.operations.list(await house.by(by), 'tool', { parameters: [...new URLSearchParams(query)], ...options })
  const names = async (query: string, by = admin, options: object = {}) =>
    (await list(query, by, options)).items.map((one) => one['name'])
  const refused = async (query: string, by = admin) => (await errorOf(list(query, by))).message

  describe('in order', () => {
    it('by default: of the definition, without regard to case', async () => {
      expect(await names('')).to.deep.equal(['axe', 'Bow', 'chisel', 'Drill, big', 'edge'])
    })

    it('of the list of values, and not of the alphabet; empty ones first', async () => {
      expect(await names('sort=grade')).to.deep.equal(['Drill, big', 'Bow', 'edge', 'axe', 'chisel'])
      expect(await names('sort=-grade,name')).to.deep.equal(['chisel', 'axe', 'Bow', 'edge', 'Drill, big'])
    })

    it('of the names of referenced records, then of their ids; empty ones first', async () => {
      expect(await names('sort=keeper')).to.deep.equal(['Bow', 'edge', 'chisel', 'axe', 'Drill, big'])
      expect(await names('sort=-keeper')).to.deep.equal(['Drill, big', 'axe', 'chisel', 'edge', 'Bow'])
    })

    it('of numbers as numbers and times as times, from before 1970 to the year 9999', async () => {
      expect(await names('sort=price&price!=')).to.deep.equal(['Bow', 'axe', 'chisel'])
      expect(await names('sort=due_at&due_at=<9999-12-31T23:59:59Z')).to.deep.equal(['Bow', 'axe'])
    })

    it('by any field with an order, paged without overlap', async () => {
      for (const sort of ['keeper', '-grade', 'absent', 'due_at', '-price', 'updated_at']) {
        const all = await names(`sort=${sort}`)
        const paged: unknown[] = []
        for (let page = 1; page <= 5; page++) paged.push(...(await names(`sort=${sort}&per_page=1&page=${page}`)))
        expect(paged, sort).to.deep.equal(all)
        expect([
          ...(await names(`sort=${sort}&per_page=2&page=1`)),
          ...(await names(`sort=${sort}&per_page=2&page=2`)),
        ]).to.deep.equal(all.slice(0, 4))
      }
    })

    it('is not by what is no sort field, or what the caller may not read', async () => {
      expect(await refused('sort=rented,name,-nothing')).to.equal('Sorting not allowed on fields: rented, nothing')
      expect(await refused('sort=price', user)).to.equal('Sorting not allowed on fields: price')
    })
  })

  describe('a page at a time', () => {
    it('tells how many there are', async () => {
      const page = await list('per_page=2&page=2&sort=id')
      expect(page).to.include({ page: 2, perPage: 2, totalEntries: 5, totalPages: 3, throttled: false })
    })

    it('ends after the last one', async () => {
      expect((await list('page=9007199254740991')).items).to.deep.equal([])
      expect(await list('name=nothing')).to.include({ totalEntries: 0, totalPages: 0 })
    })

    it('ends at 100,000 records, and says so', async () => {
      const table = house.storage.table('tools')
      const call = await house.system('umbrella')
      await house.add('tool', { name: 'one of many' }, { account: 'umbrella' })
      const page = (query: string) => house.operations.list(call, 'tool', { parameters: [...new URLSearchParams(query)] })
      for (let doubled = 0; doubled < 17; doubled++) {
        await house.storage.knex.raw(
          `insert into ${table} (account_id, name) select account_id, name from ${table} where account_id = 'umbrella'`,
        )
      }
      const last = await page('per_page=30&page=3334&sort=id')
      expect(last).to.include({ totalEntries: 100_000, totalPages: 3_334, throttled: true })
      expect(last.items).to.have.length(10)
      expect((await page('per_page=30&page=3335&sort=id')).items).to.deep.equal([])
      await house.storage.knex(table).where({ account_id: 'umbrella' }).delete()
    }).timeout(120_000)

    it('refuses what is no page', async () => {
      expect(await refused('per_page=0')).to.equal("Parameter 'per_page' cannot be less than 1")
      expect(await refused('per_page=101')).to.equal("Parameter 'per_page' cannot be greater than 100")
      expect(await refused('page=-1')).to.equal("Parameter 'page' cannot be less than 1")
      expect(await refused('page=two')).to.equal("Parameter 'page' cannot be less than 1")
    })
  })

  describe('by filters', () => {
    it('compares texts exactly, unless the field says otherwise', async () => {
      expect(await names('name=axe')).to.deep.equal(['axe'])
      expect(await names('name=Axe')).to.deep.equal([])
      expect(await names('name=axe ')).to.deep.equal([])
      expect(await names('name=bow')).to.deep.equal([])
      expect(await names('code=x1')).to.deep.equal(['axe'])
    })

    it('tells accents and blanks apart, whatever the collation of the database says', async () => {
      const ids = [await house.add('tool', { name: 'Émile' }), await house.add('tool', { name: 'Emile' })]
      // From before blanks around texts were removed.
      await house.storage.knex(house.storage.table('tools')).where({ id: ids[1] }).update({ name: 'Emile ' })
      for (const [name, found] of [
        ['Émile', ['Émile']],
        ['Emile ', ['Emile ']],
        ['Emile', []],
        ['émile', []],
      ] as const) {
        expect(await names(new URLSearchParams({ name }).toString()), name).to.deep.equal(found)
      }
      expect(await names('name!=Emile&grade=&keeper=')).to.have.members(['Émile', 'Emile '])
      await house.storage.knex(house.storage.table('tools')).whereIn('id', ids).delete()
    })

    it('takes a comma in a text when it is escaped', async () => {
      expect(await names('name=Drill\\, big')).to.deep.equal(['Drill, big'])
      expect(await refused('name=axe,Bow')).to.equal("Cannot apply the '=' operator to a set of values for field 'name'")
    })

    it('knows negation, sets and emptiness; an empty field differs from every value', async () => {
      expect(await names('grade=fine,blunt')).to.deep.equal(['Bow', 'chisel', 'edge'])
      expect(await names('grade!=fine,blunt')).to.deep.equal(['axe', 'Drill, big'])
      expect(await names('grade=')).to.deep.equal(['Drill, big'])
      expect(await names('grade!=')).to.deep.equal(['axe', 'Bow', 'chisel', 'edge'])
      expect(await names('name=!axe')).to.deep.equal(['Bow', 'chisel', 'Drill, big', 'edge'])
      expect(await names(`ids=${tools.get('axe')},${tools.get('edge')}`)).to.deep.equal(['axe', 'edge'])
      expect(await names(`keeper_id!=${user}`)).to.deep.equal(['Bow', 'chisel', 'edge'])
      expect(await names('rented=yes')).to.deep.equal(['Drill, big'])
    })

    it('compares numbers and times; words in the place of a time are only equal to themselves', async () => {
      expect(await names('price=>9.5')).to.deep.equal(['axe', 'chisel'])
      expect(await names('price=>=9.5<=10')).to.deep.equal(['axe', 'Bow'])
      expect(await names('due_at=>2000-01-01')).to.deep.equal(['axe', 'chisel'])
      expect(await names('due_at=<1970-01-01T01:00:00+01:00')).to.deep.equal(['Bow'])
      expect(await names('due_at=never')).to.deep.equal(['edge'])
      expect(await refused('due_at=>never')).to.equal("Invalid value 'never' for field 'due_at'")
    })

    it('finds what refers to an absent type never, or always where emptiness is asked for', async () => {
      expect(await names('absent=5')).to.deep.equal([])
      expect(await names('absent=')).to.have.length(5)
      expect(await names('absent!=5')).to.have.length(5)
    })

    it('refuses values that the field cannot have', async () => {
      expect(await refused('grade=sharp')).to.equal("Invalid value 'sharp' for field 'grade'")
      expect(await refused('keeper=me')).to.equal("Invalid value 'me' for field 'keeper'")
      expect(await refused('price=cheap')).to.equal("Invalid value 'cheap' for field 'price'")
      expect(await refused('updated_at=yesterday')).to.equal("Invalid value 'yesterday' for field 'updated_at'")
      expect(await refused('id=99999999999999999999')).to.equal("Invalid value '99999999999999999999' for field 'id'")
    })

    it('refuses what is no field, no filter, or not for the caller to read', async () => {
      expect(await refused('colour=red&name=axe&size=5')).to.equal('Unknown fields: colour, size')
      expect(await refused('spare=1')).to.equal('Filtering not allowed on fields: spare')
      expect(await refused('price=10', user)).to.equal('Filtering not allowed on fields: price')
      expect(await refused('rented=>true')).to.equal("Field 'rented' does not support the '=>' operator")
      expect(await refused('rented=true,false')).to.equal("Cannot filter on a set of values for field 'rented'")
    })

    it('cannot be made to run SQL', async () => {
      for (const value of ["' OR 1=1 --", '" OR ""="', '\\', "x'; DROP TABLE itsm_tools; --", '%', '_', '\u0000', '\ud800']) {
        expect(await names(new URLSearchParams({ name: value }).toString()), value).to.deep.equal([])
      }
    })
  })

  describe('by predefined lists', () => {
    it('that follow from conditions, also over references', async () => {
      expect(await names('', user, { list: 'mine' })).to.deep.equal(['axe', 'Drill, big'])
      expect(await names('', user, { list: 'of_my_spares' })).to.deep.equal(['chisel'])
      expect(await names('state=mine&name=axe', user)).to.deep.equal(['axe'])
      expect(await names('', user, { list: 'mine', also: { path: ['name'], op: 'in', values: ['axe'] } })).to.deep.equal([
        'axe',
      ])
    })

    it('refuses unknown ones', async () => {
      expect((await errorOf(list('', user, { list: 'yours' }))).name).to.equal('NotFound')
      expect(await refused('state=yours')).to.equal("Invalid value 'yours' for parameter 'state'")
    })
  })

  describe('with chosen fields', () => {
    it('shows id and what is asked for, each once; unknown names are ignored', async () => {
      const page = await list('fields=name, grade,name,strange,&name=axe')
      expect(page.items).to.deep.equal([{ id: tools.get('axe'), name: 'axe', grade: 'coarse' }])
      expect((await list('fields=&name=axe')).items).to.deep.equal([{ id: tools.get('axe') }])
    })

    it('keeps guarded values from those who may not read them', async () => {
      const price = async (by: number, name: string) => (await list(`fields=price&name=${name}`, by)).items[0]?.['price']
      expect(await price(admin, 'axe')).to.equal('10.0')
      expect(await price(user, 'axe')).to.equal('10.0')
      expect(await price(user, 'Bow')).to.equal(null)
    })

    it('serves more choices than it remembers', async () => {
      const fields = ['name', 'code', 'grade', 'keeper', 'spare', 'due_at', 'rented', 'source', 'sourceID', 'created_at']
      const wrong: string[] = []
      for (let choice = 1; choice < 2 ** fields.length; choice += 2) {
        const chosen = fields.filter((_, index) => (choice >> index) & 1)
        const [one] = (await list(`fields=${chosen.join()}&name=axe`)).items
        if (Object.keys(one ?? {}).join() !== ['id', ...chosen].join()) wrong.push(chosen.join())
      }
      expect(wrong).to.deep.equal([])
    }).timeout(60_000)
  })

  it('writes datetimes in the zone of the caller, from before 1970 to the year 9999', async () => {
    const read = async (name: string) =>
      (await house.operations.read(await house.by(admin), 'tool', tools.get(name) ?? 0))['due_at']
    expect(await read('Bow')).to.equal('1969-07-20T21:17:40+01:00')
    expect(await read('chisel')).to.equal('9999-12-31T23:59:59+00:00')
    expect(await read('edge')).to.equal('never')
  })

  it('shows references with what they are worth, and the account of those from others', async () => {
    const foreign = await house.add(
      'person',
      { name: 'Gus', primary_email: 'gus@globex.example', sourceID: '7' },
      { account: 'globex' },
    )
    const id = await house.add('tool', { name: 'file', keeper_id: foreign })
    await house.operations.save(await house.system('globex'), 'person', foreign, { disabled: true })
    const record = await house.operations.read(await house.by(admin), 'tool', id)
    expect(record['keeper']).to.deep.equal({
      id: foreign,
      name: 'Gus',
      sourceID: '7',
      disabled: true,
      account: { id: 'globex', name: 'GLOBEX' },
    })
    expect(record['absent']).to.equal(null)
    await house.storage.knex(house.storage.table('tools')).where({ id }).delete()
  })

  it('takes nothing for references to a type that is not installed, and shows nothing', async () => {
    const id = await house.add('tool', { name: 'odd', absent_id: 5, absent: { id: 5 } })
    expect(await house.row('tool', id)).to.not.have.any.keys('absent', 'absent_id')
    expect((await house.operations.read(await house.by(admin), 'tool', id))['absent']).to.equal(null)
    await house.storage.knex(house.storage.table('tools')).where({ id }).delete()
  })

  it('keeps custom data as it came', async () => {
    const custom_data = { 'a.b': [1, 2.5, null, true, { deep: { er: '€ 😀' } }], __proto__x: 1, empty: {} }
    const id = await house.add('tool', { name: 'odd', custom_data })
    expect((await house.operations.read(await house.by(admin), 'tool', id))['custom_data']).to.deep.equal(custom_data)
    await house.storage.knex(house.storage.table('tools')).where({ id }).delete()
  })

  it('does not find records of other accounts, nor ids that no record can have', async () => {
    const id = await house.add('tool', { name: 'foreign' }, { account: 'globex' })
    const call = await house.by(admin)
    for (const wrong of [id, 0, -1, Number.MAX_SAFE_INTEGER]) {
      expect((await errorOf(house.operations.read(call, 'tool', wrong))).name, String(wrong)).to.equal('NotFound')
    }
  })
})

describe('reading records with the say of the host', () => {
  const asked: unknown[] = []
  const house = withHouse({
    authorize({ action, type, row }, decide) {
      if (action === 'read') asked.push([type, row?.['name'] ?? null])
      return row?.['name'] === 'Secret' ? false : decide()
    },
  })

  it('asks about the record, and about lists without one', async () => {
    const [open, secret] = [await house.add('site', { name: 'Open' }), await house.add('site', { name: 'Secret' })]
    const call = await house.by(await house.addPerson('Ulla User'))
    asked.length = 0
    expect(await house.operations.read(call, 'site', open)).to.include({ name: 'Open' })
    expect((await errorOf(house.operations.read(call, 'site', secret))).name).to.equal('Forbidden')
    expect((await errorOf(house.operations.read(call, 'site', 99_999))).name).to.equal('NotFound')
    expect((await house.operations.list(call, 'site', { parameters: [] })).totalEntries).to.equal(2)
    expect(asked).to.deep.equal([
      ['site', 'Open'],
      ['site', 'Secret'],
      ['site', null],
    ])
  })
})
