import { expect } from 'chai'
import { BadRequest } from '../../../plugin/core/errors.js'
import { TIME_ZONES } from '../../../plugin/core/time/time-zones.js'
import { compile } from '../../../plugin/schema/compile/compile.js'
import type { Input, InputContext } from '../../../plugin/schema/derive/input.js'
import { compileValidators } from '../../../plugin/schema/derive/validator.js'
import {
  boolean,
  date,
  datetime,
  decimal,
  float,
  integer,
  json,
  localDatetime,
  oneOf,
  oneOfList,
  parts,
  ref,
  string,
  text,
  timeOfDay,
} from '../../../plugin/schema/kinds/fields.js'
import { defineRecord } from '../../../plugin/schema/language/define-record.js'

const id = integer({ readOnly: true })
const NONE = { fields: 'id', sort: 'id', filterable: 'id' } as const
const thing = defineRecord('thing', {
  path: 'things',
  fields: {
    id,
    name: string(5),
    email: string(128, { format: 'email' }),
    emails: string(100, { format: 'emails' }),
    address: string(200, { format: 'webhook_uri' }),
    language: string(5, { format: 'locale' }),
    story: text(),
    short: text({ max: 4 }),
    count: integer(),
    few: integer({ minimum: 1, maximum: 9 }),
    minutes: integer({ unit: 'minutes' }),
    ratio: float(),
    price: decimal(),
    cost: decimal({ minimum: 0, maximum: 100 }),
    flag: boolean({ default: false }),
    open: boolean({ default: true }),
    colour: oneOf(['red', 'Blue']),
    zone: oneOfList('time_zone', TIME_ZONES),
    day: date(),
    at: datetime(),
    due: datetime({ keywords: ['never'] }),
    local: localDatetime(),
    until: localDatetime({ end: true }),
    from: timeOfDay(),
    to: timeOfDay({ end: true }),
    data: json(),
    other: ref('thing'),
    bits: parts('bit', { shows: ['uri'], replaceable: true }),
    note: text({ writeOnly: true }),
    once: string(5, { only: 'create' }),
    fixed: string(5, { readOnly: true }),
  },
  collection: NONE,
  parts: ['bit'],
  links: { friends: { record: 'thing', table: 'friends', from: 'a_id', to: 'b_id' } },
  access: { create: [], update: [] },
})
const bit = defineRecord('bit', {
  path: 'bits',
  partOf: ['thing'],
  fields: { id, protocol: oneOf(['telephone', 'email'], { hidden: true }), uri: string(20, { keyedBy: 'protocol' }) },
  collection: NONE,
  access: { create: [], update: [] },
})
const catalog = compile([thing, bit], [])
const validators = compileValidators(catalog)

const OPEN: InputContext = { zone: 'Europe/Amsterdam', creating: true, may: () => true, mayLink: () => true }
const read = (body: object, context: Partial<InputContext> = {}, type = 'thing'): Input => {
  const validate = validators.get(type)
  if (!validate) throw new Error(type)
  return validate(body, { ...OPEN, ...context })
}
/** What a value becomes; a refusal is told by its code. */
const become = (field: string, value: unknown) => {
  const { values, violations } = read({ [field]: value })
  return violations.length > 0
    ? violations.map(([name, code]) => (name === field ? code : `${name} ${code}`)).join()
    : values[field]
}

describe('values in bodies', () => {
  it('that are booleans have many spellings of true; everything else is false', () => {
    for (const value of [true, 1, '1', 't', 'T', 'y', 'Y', 'true', 'TRUE', 'yes', 'Yes', 'on', 'ON', ' on ']) {
      expect(become('flag', value), String(value)).to.equal(true)
    }
    for (const value of [false, 0, '0', 'no', 'off', 'false', 'wahr', 2]) {
      expect(become('flag', value), String(value)).to.equal(false)
    }
    for (const value of [{}, [], [true], [1], { value: true }])
      expect(become('flag', value), JSON.stringify(value)).to.equal('invalid')
    expect([become('flag', null), become('flag', ''), become('open', null)]).to.deep.equal([false, false, true])
  })

  it('that are texts of one line get a blank for each line break', () => {
    for (const end of ['\n', '\r', '\r\n', '\v', '\f', '\u0085', '\u2028', '\u2029'])
      expect(become('name', `a${end}b`), JSON.stringify(end)).to.equal('a b')
    expect(become('name', '\r\na\n\n\tb\r\n')).to.equal('a  \tb')
    // Its length is that of what is stored.
    expect([become('name', 'a\r\nb\r\nc'), become('name', 'a\r\nb\r\ncd')]).to.deep.equal(['a b c', 'too_long'])
    expect([become('emails', 'a@b.example,\r\nc@d.example'), become('email', 'a@b\nc')]).to.deep.equal([
      'a@b.example, c@d.example',
      'invalid',
    ])
    expect([become('address', 'https://a.example/\nb'), become('colour', 're\nd')]).to.deep.equal(['invalid', 'inclusion'])
    expect([become('story', 'a\r\nb'), become('name', 'x'.repeat(2_000_000))]).to.deep.equal(['a\nb', 'too_long'])
  })

  it('that are texts of one line lose the blanks around them, before anything else is asked', () => {
    const blanks = ' \t\r\n\u00a0\u0085\u1680\u180e\u2003\u200b\u2028\u2029\u202f\u205f\u2060\u3000\ufeff'
    expect(become('name', `${blanks}a b${blanks}`)).to.equal('a b')
    expect(become('name', `${blanks}abcde${blanks}`)).to.equal('abcde')
    expect([become('name', 'a\u00a0b'), become('name', '\u200d')]).to.deep.equal(['a\u00a0b', null])
    expect([become('name', blanks), become('story', blanks)]).to.deep.equal([null, null])
    expect(become('name', `${' '.repeat(1_000_000)}\u200b a`)).to.equal('a')
    const hostile = `a${' '.repeat(500_000)}b`
    const started = performance.now()
    expect(become('name', hostile)).to.equal('too_long')
    expect(performance.now() - started).to.be.lessThan(500)
  })

  it('that are numbers may be texts of digits', () => {
    for (const [value, number] of [
      [7, 7],
      ['7', 7],
      [' -7 ', -7],
      ['+7', 7],
      ['1e3', 1000],
      [7.0, 7],
      [-0, 0],
    ] as const) {
      expect(become('count', value), String(value)).to.equal(number)
    }
    for (const value of [
      'seven',
      '0x10',
      '1,5',
      '7 8',
      'Infinity',
      'NaN',
      Number.NaN,
      Number.POSITIVE_INFINITY,
      true,
      [7],
      {},
    ]) {
      expect(become('count', value), String(value)).to.equal('not_a_number')
    }
    expect([become('count', 1.5), become('count', '1.5')]).to.deep.equal(['not_an_integer', 'not_an_integer'])
    expect([become('count', 2_147_483_648), become('count', -2_147_483_649), become('count', 1e300)]).to.deep.equal([
      'greater_than',
      'less_than',
      'greater_than',
    ])
    expect([become('few', 0), become('few', 10), become('few', 9)]).to.deep.equal(['less_than', 'greater_than', 9])
    expect([become('ratio', '0.1'), become('ratio', -1.5e-7), become('ratio', '.5')]).to.deep.equal([0.1, -1.5e-7, 0.5])
  })

  it('that are durations may be hours and minutes', () => {
    expect([
      become('minutes', '4:30'),
      become('minutes', '0:05'),
      become('minutes', 90),
      become('minutes', '100:00'),
    ]).to.deep.equal([270, 5, 90, 6000])
    expect([become('minutes', '4:60'), become('minutes', '4:3'), become('count', '4:30')]).to.deep.equal([
      'not_a_number',
      'not_a_number',
      'not_a_number',
    ])
  })

  it('that are decimals are kept exactly, rounded to the cent', () => {
    for (const [value, decimal_] of [
      [120.5, '120.5'],
      ['120.50', '120.5'],
      [7, '7.0'],
      ['007', '7.0'],
      ['-0', '0.0'],
      ['1.005', '1.01'],
      [1.005, '1.01'],
      ['0.994', '0.99'],
      ['0.995', '1.0'],
      ['99.999', '100.0'],
      ['-1.005', '-1.01'],
      ['999999999999.99', '999999999999.99'],
      ['0.00000001', '0.0'],
      ['-0.001', '0.0'],
    ] as const) {
      expect(become('price', value), String(value)).to.equal(decimal_)
    }
    for (const value of ['1,5', '1e3', 'x', '.5', '5.', true, {}, 1e21, '1000000000000', '999999999999.995', Number.NaN]) {
      expect(become('price', value), String(value)).to.equal('not_a_number')
    }
    // Not even millions of zeros take any time.
    expect(become('price', `${'0'.repeat(98)}1`)).to.equal('1.0')
    expect(become('price', `${'0'.repeat(2_000_000)}1.999`)).to.equal('not_a_number')
    expect(read({ cost: -0.01 }).violations).to.deep.equal([['cost', 'less_than', { min: 0 }]])
    expect(read({ cost: '100.01' }).violations).to.deep.equal([['cost', 'greater_than', { max: 100 }]])
  })

  it('that are texts keep what they hold, up to their length in characters or bytes', () => {
    expect(become('story', ' a b \n')).to.equal(' a b \n')
    expect([become('name', 5), become('name', true)]).to.deep.equal(['5', 'true'])
    expect([become('name', '😀😀😀😀😀'), become('name', '😀😀😀😀😀😀')]).to.deep.equal(['😀😀😀😀😀', 'too_long'])
    expect(become('story', 'a\r\nb\rc\n')).to.equal('a\nb\nc\n')
    expect(become('story', 'x'.repeat(65_536))).to.have.length(65_536)
    expect(become('story', `${'€'.repeat(21_845)}x`)).to.have.length(21_846)
    expect([become('story', 'x'.repeat(65_537)), become('story', `${'€'.repeat(21_845)}xx`)]).to.deep.equal([
      'too_big_text',
      'too_big_text',
    ])
    expect([become('short', 'four'), become('short', 'fifth')]).to.deep.equal(['four', 'too_long'])
    expect([become('name', {}), become('name', ['a'])]).to.deep.equal(['invalid', 'invalid'])
  })

  it('that no database keeps are refused or made storable', () => {
    expect(become('name', 'a\ud800b')).to.equal('a\ufffdb')
    expect([become('name', 'a\0'), become('story', '\0')]).to.deep.equal(['invalid', 'invalid'])
  })

  it('that are blank clear the field', () => {
    for (const field of ['name', 'story', 'count', 'price', 'colour', 'day', 'at', 'from', 'data', 'zone']) {
      for (const value of [null, '', '  ', undefined]) expect(become(field, value), field).to.equal(null)
    }
  })

  it('that are addresses are checked for their form', () => {
    expect(become('email', ' Ines@ACME.example ')).to.equal('ines@acme.example')
    for (const value of ['ines', 'a@b@c', 'a b@c', '@b', 'a@', 'a,b@c', '"a"@b', 'a\u0007@b'])
      expect(become('email', value), value).to.equal('invalid')
    expect([become('emails', 'a@b, c@d'), become('emails', 'a@b,'), become('emails', 'a@b;c@d')]).to.deep.equal([
      'a@b, c@d',
      'invalid',
      'invalid',
    ])
    expect(become('address', 'https://u:p@hooks.example:8443/x?secret=1')).to.equal('https://u:p@hooks.example:8443/x?secret=1')
    for (const value of ['hooks.example', 'ftp://a.example', 'javascript:alert(1)', 'http://', 'http://a b', 'https://<a>']) {
      expect(become('address', value), value).to.equal('invalid')
    }
    expect([become('language', 'fr-CA'), become('language', 'xx')]).to.deep.equal(['fr-CA', 'inclusion'])
  })

  it('that are enumerations are exact; time zones may be IANA names', () => {
    expect([become('colour', 'red'), become('colour', 'Blue')]).to.deep.equal(['red', 'Blue'])
    for (const value of ['blue', 'RED', ' red', 1, true, {}, ['red'], 'toString'])
      expect(become('colour', value), String(value)).to.equal('inclusion')
    expect([become('zone', 'Mumbai'), become('zone', 'America/Chicago'), become('zone', 'Mars/Base')]).to.deep.equal([
      'Mumbai',
      'Central Time (US & Canada)',
      'inclusion',
    ])
  })

  it('that are times are brought into one form', () => {
    expect([become('day', '2011-06-24'), become('day', '2012-02-29')]).to.deep.equal(['2011-06-24', '2012-02-29'])
    for (const value of ['2011-02-29', '24-06-2011', '2011-6-24', '2011-06-24T00:00', 20110624, {}])
      expect(become('day', value)).to.equal('invalid_date')
    for (const [value, moment] of [
      ['2016-03-14T03:14:17-06:00', '2016-03-14T09:14:17Z'],
      ['2016-03-14T03:14:17Z', '2016-03-14T03:14:17Z'],
      ['2016-03-14 03:14', '2016-03-14T02:14:00Z'],
      ['2016-07-14T03:14', '2016-07-14T01:14:00Z'],
      ['2016-03-14', '2016-03-13T23:00:00Z'],
      ['1969-12-31T23:59:59.999Z', '1969-12-31T23:59:59Z'],
      ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59Z'],
    ] as const) {
      expect(become('at', value), value).to.equal(moment)
    }
    for (const value of ['now', '2016-13-01T00:00Z', '0999-12-31T00:00Z', '9999-12-31T23:59:59-01:00', 1457924057, {}, []]) {
      expect(become('at', value), String(value)).to.equal('invalid_datetime')
    }
    expect([become('due', 'never'), become('due', '2016-03-14T03:14:17Z'), become('due', 'soon')]).to.deep.equal([
      'never',
      '2016-03-14T03:14:17Z',
      'invalid_datetime',
    ])
    expect([become('local', '2010-12-30T23:00:59'), become('until', '2010-12-30T24:00')]).to.deep.equal([
      '2010-12-30T23:00',
      '2010-12-31T00:00',
    ])
    expect([become('local', '2010-12-30T24:00'), become('local', '2010-12-30T23:00Z')]).to.deep.equal([
      'invalid_datetime',
      'invalid_datetime',
    ])
    expect([become('from', '8:30'), become('from', '00:00'), become('to', '00:00'), become('to', '24:00')]).to.deep.equal([
      '08:30',
      '00:00',
      '24:00',
      '24:00',
    ])
    for (const value of ['24:00', '25:00', '8', '08:60', 830]) expect(become('from', value)).to.equal('invalid_time')
  })

  it('that are JSON objects may be texts, of a size and depth that can be kept', () => {
    expect(become('data', { a: [1, { b: null }] })).to.deep.equal({ a: [1, { b: null }] })
    expect(become('data', '{"a":1}')).to.deep.equal({ a: 1 })
    for (const value of ['[1]', '"a"', '1', '{a:1}', 'true', [1], 5, true])
      expect(become('data', value), String(value)).to.equal('invalid')
    const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
    expect(become('data', nested(32))).to.deep.equal(JSON.parse(nested(32)))
    expect(become('data', { a: JSON.parse(nested(32)) })).to.equal('invalid')
    for (const levels of [33, 100_000]) expect(() => become('data', nested(levels))).to.throw(BadRequest, '32 levels')
    expect([become('data', { a: 'x'.repeat(65_528) }), become('data', { a: 'x'.repeat(65_529) })]).to.deep.equal([
      { a: 'x'.repeat(65_528) },
      'too_big_text',
    ])
    const circle: Record<string, unknown> = {}
    circle['self'] = circle
    expect(become('data', circle)).to.equal('invalid')
    expect(become('data', { at: new Date(0), none: undefined })).to.deep.equal({ at: '1970-01-01T00:00:00.000Z' })
  })

  it('that are lists of parts are lists of objects, and not endless', () => {
    expect(read({ bits: [{ a: 1 }] }).parts.get('bits')).to.deep.equal([{ a: 1 }])
    expect(read({ bits: null }).parts.get('bits')).to.deep.equal([])
    for (const value of [{}, 'x', [1], [null], Array(1_001).fill({})]) expect(become('bits', value)).to.equal('invalid')
  })

  it('do no harm to prototypes', () => {
    const body = JSON.parse(
      '{"__proto__": {"name": "evil"}, "constructor": {"prototype": {"x": 1}}, "name": "ok", "data": "{\\"__proto__\\": {\\"x\\": 1}}"}',
    )
    const { values, violations } = read(body)
    expect(violations).to.deep.equal([['data', 'reserved_name', { name: '__proto__' }]])
    expect(values['name']).to.equal('ok')
    expect(({} as Record<string, unknown>)['x']).to.equal(undefined)
    expect(Object.getPrototypeOf(values)).to.equal(Object.prototype)
  })
})

describe('bodies', () => {
  it('say which fields were given, by name', () => {
    const { given, values } = read({ name: 'a', other_id: 3, fixed: 'x', id: 9, unknown: 1, note: 'n' })
    expect([...given]).to.deep.equal(['name', 'other', 'note'])
    expect(values).to.deep.equal({ name: 'a', other_id: 3 })
  })

  it('leave out what the caller may not set', () => {
    const { given, values } = read({ name: 'abcdef', count: 1 }, { may: (field) => field.name !== 'name' })
    expect([...given]).to.deep.equal(['count'])
    expect(values).to.deep.equal({ count: 1 })
  })

  it('take create-only fields while creating', () => {
    expect(read({ once: 'a' }).values).to.deep.equal({ once: 'a' })
    expect(read({ once: 'a' }, { creating: false }).values).to.deep.equal({})
  })

  it('may name a value after the value of another field', () => {
    expect(read({ telephone: '123' }, {}, 'bit').values).to.deep.equal({ protocol: 'telephone', uri: '123' })
    expect(read({ protocol: 'email', uri: 'a@b' }, {}, 'bit').values).to.deep.equal({ protocol: 'email', uri: 'a@b' })
    expect(read({ protocol: 'email', telephone: '123' }, {}, 'bit').values).to.deep.equal({ protocol: 'telephone', uri: '123' })
  })

  it('name links by their singular', () => {
    expect(read({ friend_ids: [1, '2', { id: 3 }, 2] }).links.get('friends')).to.deep.equal([1, 2, 3])
    expect(read({ friend_ids: null }).links.get('friends')).to.deep.equal([])
    expect(read({ friend_ids: [1, 'x'] }).violations).to.deep.equal([['friends', 'cannot_be_found']])
    expect(read({ friend_ids: '4' }).links.get('friends')).to.deep.equal([4])
    for (const wrong of ['x', '4,5', true, {}, { 0: 4 }, 1.5, [[4]]])
      expect(read({ friend_ids: wrong }).violations, JSON.stringify(wrong)).to.deep.equal([['friends', 'cannot_be_found']])
    expect(read({ friend_ids: [1] }, { mayLink: () => false }).links.size).to.equal(0)
  })

  it('report every violation, in the order of the fields', () => {
    const body = { data: 5, name: 'too long', count: 'x', colour: 'pink', story: 'x'.repeat(70_000), friend_ids: 'x' }
    expect(read(body).violations).to.deep.equal([
      ['name', 'too_long', { max: 5 }],
      ['story', 'too_big_text'],
      ['count', 'not_a_number'],
      ['colour', 'inclusion'],
      ['data', 'invalid'],
      ['friends', 'cannot_be_found'],
    ])
  })

  it('take any JSON without falling over', () => {
    const junk = [
      null,
      true,
      0,
      -1,
      1e308,
      '',
      'x',
      [],
      [[]],
      {},
      { id: 1 },
      { id: null },
      '\ud800',
      '\0',
      [null],
      { a: { b: 1 } },
    ]
    for (const value of junk) {
      for (const name of thing ? Object.keys(thing.fields) : []) {
        const { violations } = read({ [name]: value })
        for (const [field, code] of violations) expect([field, typeof code]).to.deep.equal([name, 'string'])
      }
    }
  })
})
