import { expect } from 'chai'
import { BadRequest } from '../../../plugin/core/errors.js'
import { TIME_ZONES } from '../../../plugin/core/time/time-zones.js'
import { compile } from '../../../plugin/schema/compile/compile.js'
import { readListParameters } from '../../../plugin/schema/derive/filters.js'
import { common } from '../../../plugin/schema/kinds/common-fields.js'
import {
  boolean,
  date,
  datetime,
  decimal,
  float,
  integer,
  localDatetime,
  oneOf,
  oneOfList,
  ref,
  string,
  text,
  timeOfDay,
} from '../../../plugin/schema/kinds/fields.js'
import { defineRecord } from '../../../plugin/schema/language/define-record.js'

const FIELDS = [
  'id',
  'name',
  'story',
  'count',
  'ratio',
  'price',
  'flag',
  'colour',
  'zone',
  'day',
  'at',
  'local',
  'from',
  'keeper',
  'kind',
  'keeper_colour',
  'updated_at',
]
const thing = defineRecord('thing', {
  path: 'things',
  fields: {
    ...common,
    name: string(40, { ignoreCase: true }),
    story: text(),
    count: integer(),
    ratio: float(),
    price: decimal(),
    flag: boolean(),
    colour: oneOf(['red', 'blue', 'a,b']),
    zone: oneOfList('time_zone', TIME_ZONES),
    day: date(),
    at: datetime({ keywords: ['never'] }),
    local: localDatetime(),
    from: timeOfDay(),
    keeper: ref('thing'),
    kind: ref('thing', { shownAs: 'name' }),
    keeper_colour: oneOf(['red', 'blue', 'a,b'], { derived: { from: 'keeper.colour', as: 'value' } }),
    times_applied: integer(),
  },
  collection: { fields: 'id name', sort: '-id', sortable: 'id name', filterable: FIELDS.join(' ') },
  unique: [['name']],
  access: { create: [], update: [] },
})
const type = compile([thing], []).type('thing')

const read = (query: string, mayRead: (name: string) => boolean = () => true) =>
  readListParameters(type, [...new URLSearchParams(query)], (field) => mayRead(field.name), 'UTC')
const where = (query: string) => read(query).where
const is = (path: string, ...values: unknown[]) => [{ path: [path], op: 'in', values, text: 'exact' }]
const isNot = (path: string, ...values: unknown[]) => [{ path: [path], op: 'not in', values, text: 'exact' }]
const refused = (query: string, mayRead?: (name: string) => boolean): string => {
  try {
    read(query, mayRead)
  } catch (error) {
    if (error instanceof BadRequest) return error.message
    throw error
  }
  return 'accepted'
}

describe('query parameters of lists', () => {
  it('have defaults', () => {
    expect(read('')).to.deep.equal({
      page: 1,
      perPage: 20,
      fields: null,
      sort: [{ field: 'id', descending: true }],
      where: [],
      list: null,
    })
  })

  it('page: whole numbers from one on', () => {
    expect(read('page=3&per_page=100')).to.include({ page: 3, perPage: 100 })
    expect(read('page= 3 &page=4')).to.include({ page: 4 })
    for (const value of ['0', '-1', 'x', '', '1.5', '1e2', '0x1', '١']) {
      expect(refused(`per_page=${value}`), value).to.equal("Parameter 'per_page' cannot be less than 1")
      expect(refused(`page=${value}`), value).to.equal("Parameter 'page' cannot be less than 1")
    }
    expect(refused('per_page=101')).to.equal("Parameter 'per_page' cannot be greater than 100")
  })

  it('choose fields, trimmed', () => {
    expect(read('fields= id, name ,,strange').fields).to.deep.equal(['id', 'name', 'strange'])
    expect(read('fields=').fields).to.deep.equal([])
  })

  it('sort by several fields, either way; updated_at always', () => {
    expect(read('sort=-name, updated_at').sort).to.deep.equal([
      { field: 'name', descending: true },
      { field: 'updated_at', descending: false },
    ])
    expect(read('sort=').sort).to.deep.equal([{ field: 'id', descending: true }])
    expect(refused('sort=name,colour,nothing,-toString')).to.equal('Sorting not allowed on fields: colour, nothing, toString')
    expect(read('sort=-name,id,name,-id').sort).to.deep.equal([
      { field: 'name', descending: true },
      { field: 'id', descending: false },
    ])
    expect(refused('sort=--id')).to.equal('Sorting not allowed on fields: -id')
    for (const nothing of ['-', ',', '-,name', 'name,-', ' , '])
      expect(refused(`sort=${nothing}`)).to.equal(`Invalid value '${nothing}' for parameter 'sort'`)
    expect(read('sort=').sort).to.deep.equal(read('').sort)
    expect(read('sort=name,').sort).to.deep.equal(read('sort=name').sort)
    expect(refused('sort=name', (name) => name !== 'name')).to.equal('Sorting not allowed on fields: name')
  })

  it('sort by id instead of updated_at where records have no such time', () => {
    const timeless = { ...type, collection: { ...type.collection, sortable: new Set(['name']) } }
    const sorted = (sort: string) => readListParameters(timeless, [['sort', sort]], () => true, 'UTC').sort
    expect(sorted('updated_at')).to.deep.equal([{ field: 'id', descending: false }])
    expect(sorted('name,-updated_at,updated_at')).to.deep.equal([
      { field: 'name', descending: false },
      { field: 'id', descending: true },
    ])
    expect(() => sorted('updated_at,id')).to.throw('Sorting not allowed on fields: id')
  })

  it('name a predefined filter', () => {
    expect(read('state=open').list).to.equal('open')
  })

  it('that belong to every call are no filters', () => {
    expect(
      where('callback=f&api_token=t&locale=nl&_=123&format=json&attachment_upload_token=true&state=x&fields=id'),
    ).to.deep.equal([])
  })
})

describe('filters', () => {
  it('on references that are shown as a text take that text, or an id under the name for ids', () => {
    const kind = (op: string, ...values: unknown[]) => [{ path: ['kind', 'name'], op, values, text: 'exact' }]
    expect(where('kind=large')).to.deep.equal(kind('in', 'large'))
    expect(where('kind=4')).to.deep.equal(kind('in', '4'))
    expect(where('kind!=large,very\\, very large')).to.deep.equal(kind('not in', 'large', 'very, very large'))
    expect(where('kind_id=4,5')).to.deep.equal(is('kind', 4, 5))
    expect(where('kind=')).to.deep.equal([{ path: ['kind'], op: 'in', values: [null] }])
    expect(refused('kind_id=large')).to.equal("Invalid value 'large' for field 'kind'")
    expect(refused('kind=>large')).to.equal("Field 'kind' does not support the '=>' operator")
    expect(where('kind=\\>large')).to.deep.equal(kind('in', '>large'))
  })

  it('on values from elsewhere are those of their kind', () => {
    expect(where('keeper_colour=red,blue')).to.deep.equal(is('keeper_colour', 'red', 'blue'))
    expect(refused('keeper_colour=green')).to.equal("Invalid value 'green' for field 'keeper_colour'")
  })

  it('compare with one value', () => {
    expect(where('count=5')).to.deep.equal(is('count', 5))
    expect(where('keeper=4')).to.deep.equal(is('keeper', 4))
    expect(where('keeper_id=4')).to.deep.equal(is('keeper', 4))
    expect(where('flag=YES')).to.deep.equal(is('flag', true))
    expect(where('price=120.50')).to.deep.equal(is('price', 120.5))
    expect(where('colour=red')).to.deep.equal(is('colour', 'red'))
    expect(where('zone=Europe/Amsterdam')).to.deep.equal(is('zone', 'Amsterdam'))
    expect(where('day=2020-02-29')).to.deep.equal(is('day', '2020-02-29'))
    expect(where('name=Ann')).to.deep.equal([{ path: ['name'], op: 'in', values: ['Ann'], text: 'ignoreCase' }])
  })

  it('negate, in either spelling', () => {
    expect(where('count!=5')).to.deep.equal(isNot('count', 5))
    expect(where('count=!5')).to.deep.equal(isNot('count', 5))
    expect(where('count%21=5')).to.deep.equal(isNot('count', 5))
    expect(where('colour!=red,blue')).to.deep.equal(isNot('colour', 'red', 'blue'))
  })

  it('ask for emptiness, and for the opposite', () => {
    for (const name of ['count', 'name', 'flag', 'at', 'colour', 'keeper']) {
      expect(where(`${name}=`), name).to.deep.equal([{ path: [name], op: 'in', values: [null] }])
      expect(where(`${name}!=`), name).to.deep.equal([{ path: [name], op: 'not in', values: [null] }])
      expect(where(`${name}=!`), name).to.deep.equal([{ path: [name], op: 'not in', values: [null] }])
    }
  })

  it('take sets of ids, numbers, references and enumerations', () => {
    expect(where('ids=1,2,3')).to.deep.equal(is('id', 1, 2, 3))
    expect(where('ids!=1,2')).to.deep.equal(isNot('id', 1, 2))
    expect(where('count=1, 2')).to.deep.equal(is('count', 1, 2))
    expect(where('colour=red,blue')).to.deep.equal(is('colour', 'red', 'blue'))
    expect(where('colour=a\\,b')).to.deep.equal(is('colour', 'a,b'))
    expect(where('name=Drill\\, big')).to.deep.equal([{ path: ['name'], op: 'in', values: ['Drill, big'], text: 'ignoreCase' }])
  })

  it('compare by order, from one side or both', () => {
    const test = (path: string, op: string, value: unknown) => ({ path: [path], op, values: [value] })
    expect(where('count=>5')).to.deep.equal([test('count', '>', 5)])
    expect(where('count=>=5')).to.deep.equal([test('count', '>=', 5)])
    expect(where('count>=5')).to.deep.equal([test('count', '>=', 5)])
    expect(where('count<=5')).to.deep.equal([test('count', '<=', 5)])
    expect(where('count=<5')).to.deep.equal([test('count', '<', 5)])
    expect(where('count=>1<=5')).to.deep.equal([{ all: [test('count', '>', 1), test('count', '<=', 5)] }])
    expect(where('at=>=2020-01-01<2021-01-01T00:00:00Z')).to.deep.equal([
      { all: [test('at', '>=', '2020-01-01T00:00:00Z'), test('at', '<', '2021-01-01T00:00:00Z')] },
    ])
    expect(where('at=%3E2020-01-01T00:00:00%2B02:00')).to.deep.equal([test('at', '>', '2019-12-31T22:00:00Z')])
    // The plus of an offset that was not encoded.
    expect(where('at=>2020-01-01T00:00:00+02:00')).to.deep.equal([test('at', '>', '2019-12-31T22:00:00Z')])
    expect(where('local=>2020-01-01')).to.deep.equal([test('local', '>', '2020-01-01T00:00')])
    expect(where('from=<08:30')).to.deep.equal([test('from', '<', '08:30')])
    expect(where('count=>1&count=<5')).to.deep.equal([test('count', '>', 1), test('count', '<', 5)])
  })

  it('compare no texts by order; a backslash before the sign makes it a part of the text', () => {
    for (const [query, operator] of [
      ['name=>a', '=>'],
      ['name=<=a', '=<='],
      ['story=>=a<b', '=>='],
      ['name>=a', '=>='],
      ['name=!<a', '=<'],
      ['name=>a>b>c', '=>'],
      ['name=<', '=<'],
    ] as const) {
      const field = query.startsWith('story') ? 'story' : 'name'
      expect(refused(query), query).to.equal(`Field '${field}' does not support the '${operator}' operator`)
    }
    const text = (op: string, value: string) => [{ path: ['name'], op, values: [value], text: 'ignoreCase' }]
    expect(where('name=\\>a')).to.deep.equal(text('in', '>a'))
    expect(where('name=!\\<a\\,b')).to.deep.equal(text('not in', '<a,b'))
    expect(where('name=\\!')).to.deep.equal(text('in', '!'))
    expect(where('name=a\\>b')).to.deep.equal(text('in', 'a\\>b'))
    expect(where('name=a>b')).to.deep.equal(text('in', 'a>b'))
  })

  it('take words where a field has them, but not in an order', () => {
    expect(where('at=never')).to.deep.equal(is('at', 'never'))
    expect(refused('at=>never')).to.equal("Invalid value 'never' for field 'at'")
    expect(refused('updated_at=never')).to.equal("Invalid value 'never' for field 'updated_at'")
  })

  it('refuse values that the field cannot have', () => {
    const wrong = {
      count: '1.5',
      ids: '1,x',
      ratio: 'x',
      price: '1e5',
      colour: 'pink',
      zone: 'Mars',
      day: '2020-02-30',
      at: 'now',
      local: '1',
      from: '25:00',
      keeper: 'me',
    }
    for (const [name, value] of Object.entries(wrong)) {
      const field = name === 'ids' ? 'id' : name
      expect(refused(`${name}=${value}`), name).to.equal(`Invalid value '${value.split(',').at(-1)}' for field '${field}'`)
    }
    expect(refused('count=9007199254740993')).to.equal("Invalid value '9007199254740993' for field 'count'")
    expect(refused(`count=${'9'.repeat(500)}`)).to.have.length.lessThan(150)
    expect(refused('count=>')).to.equal("Invalid value '' for field 'count'")
  })

  it('refuse comparisons and sets that the field does not have', () => {
    expect(refused('flag=>true')).to.equal("Field 'flag' does not support the '=>' operator")
    expect(refused('colour=<=red')).to.equal("Field 'colour' does not support the '=<=' operator")
    expect(refused('keeper=>1')).to.equal("Field 'keeper' does not support the '=>' operator")
    expect(refused('count!=>1')).to.equal("Field 'count' does not support the '=>' operator")
    expect(refused('flag=true,false')).to.equal("Cannot filter on a set of values for field 'flag'")
    expect(refused('name=a,b')).to.equal("Cannot apply the '=' operator to a set of values for field 'name'")
    expect(refused('name!=a,b')).to.equal("Cannot apply the '!=' operator to a set of values for field 'name'")
    expect(refused('day=2020-01-01,2020-01-02')).to.equal("Cannot apply the '=' operator to a set of values for field 'day'")
  })

  it('are a hundred at most: databases do not take any number of conditions', () => {
    expect(where('id=1&'.repeat(100))).to.have.length(100)
    expect(refused('id=1&'.repeat(101))).to.equal('At most 100 filters can be given')
  })

  it('refuse names, all of them at once', () => {
    expect(refused('strange=1&name=a&odd!=2&strange=3')).to.equal('Unknown fields: strange, odd')
    expect(refused('constructor=1')).to.equal('Unknown fields: constructor')
    expect(refused('id[]=1')).to.equal('Unknown fields: id[]')
    expect(refused('name_id=1')).to.equal('Unknown fields: name_id')
    expect(refused('=1')).to.equal("A parameter has no name: '=1'")
    expect(refused('!=1&strange=2')).to.equal("A parameter has no name: '!=1'")
    expect(refused('name=a&+=x')).to.equal("A parameter has no name: ' =x'")
    expect(refused('times_applied=1&created_at=2020-01-01')).to.equal(
      'Filtering not allowed on fields: times_applied, created_at',
    )
    expect(refused('name=a&count=1', (name) => name !== 'count')).to.equal('Filtering not allowed on fields: count')
  })
})
