/** What rules and hooks set is checked like what callers send, but as their own mistake, and the same on all databases. */
import { expect } from 'chai'
import { type Migration, recordTable } from '../../../migrations/tools.js'
import { HookFailed } from '../../../plugin/core/errors.js'
import { identity } from '../../../plugin/schema/kinds/common-fields.js'
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
  ref,
  string,
  strings,
  text,
  timeOfDay,
} from '../../../plugin/schema/kinds/fields.js'
import { defineRecord } from '../../../plugin/schema/language/define-record.js'
import { type FillContext, type RuleContext, rule } from '../../../plugin/schema/language/define-rule.js'
import { errorOf, refusalOf, withHouse } from '../../support/house.js'
import { CLOSED_FOR_ALL, NO_LISTS } from '../../support/small-types.js'

type Sets = (next: { [column: string]: unknown }) => unknown

/** Sets one column. */
const sets =
  (column: string, value: unknown): Sets =>
  (next) => {
    next[column] = value
  }

/** What the rules and the hooks of the next save do. */
const doing: { [who: string]: Sets | undefined } = {}
const does = (who: string) => (context: FillContext) => doing[who]?.(context.next) as undefined
const first = rule('first', () => ({ fill: does('first') }))
const second = rule('second', () => ({ fillAll: (contexts) => contexts.forEach((one) => void does('second')(one)) }))
const late = rule('late', () => ({ fillWithId: does('late') }))

const looking: { check?: ((context: RuleContext) => unknown) | undefined } = {}
const looks = rule('looking', () => ({ check: (context) => looking.check?.(context) as undefined }))

const crate = defineRecord('crate', {
  path: 'crates',
  title: 'name',
  fields: {
    ...identity,
    name: string(10, { required: true }),
    phase: oneOf(['draft', 'ready', 'gone'], { default: 'draft' }),
    heavy: boolean(),
    seats: integer({ minimum: 1, maximum: 60 }),
    weight: float({ maximum: 9.5 }),
    price: decimal({ minimum: 0 }),
    packed_on: date(),
    sent_at: datetime({ keywords: ['never'] }),
    opens_at: localDatetime(),
    opens: timeOfDay(),
    marks: strings(5),
    data: json(),
    remarks: text({ max: 20 }),
    packer: ref('person'),
    mail: string(40, { format: 'email' }),
  },
  ...NO_LISTS,
  ...CLOSED_FOR_ALL,
  rules: [first(), second(), late(), looks()],
})
const createCrates: Migration = {
  name: 'host_0001_create_crates',
  up: (schema) =>
    recordTable(schema, 'crates', (table) => {
      table.string('name', 10)
      table.enum('phase')
      table.boolean('heavy')
      table.integer('seats')
      table.float('weight')
      table.decimal('price')
      table.date('packed_on')
      table.datetimeOrWord('sent_at')
      table.localDatetime('opens_at')
      table.timeOfDay('opens')
      table.strings('marks')
      table.json('data')
      table.text('remarks')
      table.ref('packer_id')
      table.string('mail', 40)
    }),
  down: async () => {},
}

/** A list within itself, deeper than any database reads. */
const deep = () => {
  let value: object = {}
  for (let level = 0; level < 40; level += 1) value = { value }
  return value
}
const itself: { me?: object } = {}
itself.me = itself

/** Values that no column keeps as they are, and the end of the message. */
const WRONG: readonly (readonly [column: string, value: unknown, says: string])[] = [
  ['phase', 'zzz', "to 'zzz': 'phase' is not included in the list"],
  ['phase', 'gnoe', "is not included in the list; did you mean 'gone'?"],
  ['phase', 5, "to 5: 'phase' is not included in the list"],
  ['phase', undefined, 'to undefined: '],
  ['heavy', 'yes', "to 'yes': 'heavy' is invalid"],
  ['heavy', 1, "to 1: 'heavy' is invalid"],
  ['seats', 'many', "to 'many': 'seats' is not a number"],
  ['seats', '5', "to '5': 'seats' is not a number"],
  ['seats', Number.NaN, "to NaN: 'seats' is not a number"],
  ['seats', Number.POSITIVE_INFINITY, "to Infinity: 'seats' is not a number"],
  ['seats', 61, "to 61: 'seats' cannot be greater than 60"],
  ['seats', 0, "to 0: 'seats' cannot be less than 1"],
  ['seats', 1.5, "to 1.5: 'seats' is not an integer"],
  ['seats', 5n, "to 5n: 'seats' is not a number"],
  ['seats', Symbol('x'), "to Symbol(x): 'seats' is not a number"],
  ['seats', new Date(0), "to a Date: 'seats' is not a number"],
  ['weight', 10, "to 10: 'weight' cannot be greater than 9.5"],
  ['weight', '1', "to '1': 'weight' is not a number"],
  ['price', 12.5, "to 12.5: 'price' is invalid"],
  ['price', '12.50', "to '12.50': 'price' is invalid"],
  ['price', '-1.0', "to '-1.0': 'price' cannot be less than 0"],
  ['packed_on', '2026-02-30', "'packed_on' is not a valid date"],
  ['packed_on', new Date(0), "to a Date: 'packed_on' is not a valid date"],
  ['sent_at', 'soon', "to 'soon': 'sent_at' is not a valid date and time"],
  ['sent_at', '2026-02-30T10:00:00Z', "'sent_at' is not a valid date and time"],
  ['sent_at', '2026-02-20T10:00:00+01:00', "'sent_at' is not a valid date and time"],
  ['sent_at', new Date(0), "to a Date: 'sent_at' is not a valid date and time"],
  ['opens_at', '2026-02-20 10:00', "'opens_at' is not a valid date and time"],
  ['opens', '8:30', "'opens' is not a valid time of day"],
  ['opens', '24:00', "'opens' is not a valid time of day"],
  ['marks', 'one', "to 'one': 'marks' is invalid"],
  ['marks', [5], "to a list: 'marks' is invalid"],
  ['marks', ['too long'], "'marks' is too long (maximum is 5 characters)"],
  ['data', [1], "to a list: 'data' is invalid"],
  ['data', { at: new Date(0) }, "to an object: 'data' is invalid"],
  ['data', { seats: Number.NaN }, "to an object: 'data' is invalid"],
  ['data', { call: () => {} }, "to an object: 'data' is invalid"],
  ['data', new Map(), "to an object: 'data' is invalid"],
  ['data', deep(), "to an object: 'data' is invalid"],
  ['data', itself, "to an object: 'data' is invalid"],
  ['data', { text: 'x'.repeat(70_000) }, "'data' is too long"],
  ['name', 'x'.repeat(11), "'name' is too long (maximum is 10 characters)"],
  ['name', 'x'.repeat(1_000_000), `'${'x'.repeat(100)}': 'name' is too long`],
  ['name', {}, "to an object: 'name' is invalid"],
  ['name', Promise.resolve('x'), "to a promise: 'name' is invalid"],
  ['name', 7, "to 7: 'name' is invalid"],
  ['name', 'a\0b', "'name' is invalid"],
  ['name', 'a\ud800b', "'name' is invalid"],
  ['remarks', 'x'.repeat(21), "'remarks' is too long (maximum is 20 characters)"],
  ['remarks', () => 'x', "to a function: 'remarks' is invalid"],
  ['mail', 'nobody', "to 'nobody': 'mail' is invalid"],
  ['packer_id', '1', "to '1': 'packer_id' cannot be found"],
  ['packer_id', -1, "to -1: 'packer_id' cannot be found"],
  ['packer_id', 1.5, "to 1.5: 'packer_id' cannot be found"],
  ['packer_id', { id: 1 }, "to an object: 'packer_id' cannot be found"],
]
/** Values that are right, and what is stored. */
const RIGHT: { readonly [column: string]: unknown } = {
  ...{ phase: 'gone', heavy: true, seats: 60, weight: 9.5, price: '12.5', packed_on: '2026-02-28', opens: '08:30' },
  ...{ sent_at: '2026-02-20T10:00:00Z', opens_at: '2026-02-20T10:00', marks: ['one'], data: { deep: [1, null] } },
  ...{ remarks: 'Line\nby line', mail: 'ann@acme.example' },
}

describe('what rules and hooks set', () => {
  const house = withHouse({
    records: [crate],
    migrations: [createCrates],
    before: { 'crate.save': [does('hook'), does('last')] },
  })
  let id = 0
  let packer = 0
  before(async () => {
    packer = await house.addPerson('Pia Packer')
    id = await house.add('crate', { name: 'Old' })
  })
  afterEach(() => {
    for (const who of Object.keys(doing)) delete doing[who]
    delete looking.check
  })
  const add = (body: object = {}) => house.add('crate', { name: 'New', ...body })
  const update = async (body: object) => house.operations.save(await house.system(), 'crate', id, body)
  const failure = async (work: Promise<unknown>) => {
    const error = await errorOf(work)
    expect(error, String(error)).to.be.instanceOf(HookFailed)
    return error.message
  }

  for (const [column, value, says] of WRONG) {
    const shown = typeof value === 'string' ? JSON.stringify(value.slice(0, 20)) : Object.prototype.toString.call(value)
    it(`is a mistake of theirs: ${shown} in ${column}`, async () => {
      const set = sets(column, value)
      doing['hook'] = set
      const place = "The host's before hook 1 of 2 of crate.save failed: it sets"
      const said = await failure(add())
      expect(said).to.contain(`${place} '${column}' of crate to`).and.contain(says)
      expect(said.length).to.be.lessThan(400)
      expect(await failure(update({}))).to.equal(said)
      delete doing['hook']
      doing['second'] = set
      expect(await failure(add())).to.equal(
        said.replace("The host's before hook 1 of 2 of crate.save", 'The rule second of crate'),
      )
      expect(await house.table('crates')).to.have.length(1)
    })
  }

  it('is stored when it is right, in the form of rows', async () => {
    doing['first'] = (next) => void Object.assign(next, RIGHT, { packer_id: packer })
    expect(await house.row('crate', await add())).to.deep.include({ ...RIGHT, packer_id: packer })
    doing['first'] = (next) => void Object.assign(next, { sent_at: 'never', seats: null, data: null })
    expect(await house.row('crate', await add({ seats: 5 }))).to.include({ sent_at: 'never', seats: null, data: null })
  })

  it('is checked after the last of them, who may put it right', async () => {
    doing['first'] = sets('phase', 'zzz')
    doing['last'] = sets('phase', 'ready')
    expect(await house.row('crate', await add())).to.include({ phase: 'ready' })
  })

  it('is blamed on the one who set it last', async () => {
    doing['first'] = sets('phase', 'zzz')
    expect(await failure(add())).to.contain('The rule first of crate failed: it sets')
    doing['second'] = sets('phase', 'yyy')
    expect(await failure(add())).to.contain('The rule second of crate failed: it sets')
    doing['last'] = sets('phase', 'xxx')
    expect(await failure(add())).to.contain('before hook 2 of 2 of crate.save failed: it sets')
  })

  describe('in place, within an object or a list', () => {
    const inPlace: Sets = (next) => {
      const { data, marks } = next as { data: { seen?: unknown }; marks: string[] }
      data.seen = { by: 'us' }
      marks.push('two')
    }
    const stored = { data: { given: 1, seen: { by: 'us' } }, marks: ['one', 'two'] }
    let old = 0
    beforeEach(async () => {
      old = await add({ data: { given: 1 }, marks: ['one'] })
    })

    for (const who of ['first', 'hook', 'late']) {
      it(`is stored: by ${who}`, async () => {
        doing[who] = inPlace
        expect(await house.row('crate', await add({ data: { given: 1 }, marks: ['one'] }))).to.deep.include(stored)
        const saved = await house.operations.save(await house.system(), 'crate', old, {})
        expect(await house.row('crate', old)).to.deep.include(stored)
        expect(saved).to.deep.include(stored)
      })

      it(`is checked: by ${who}`, async () => {
        doing[who] = ({ data }) => void Object.assign(data as object, { seen: Number.NaN })
        const place = who === 'hook' ? 'before hook 1 of 2 of crate.save' : `rule ${who} of crate`
        const work = [
          () => add({ data: { given: 1 } }),
          async () => house.operations.save(await house.system(), 'crate', old, {}),
        ]
        for (const one of work)
          expect((await failure(one())).slice(0, 90)).to.contain(`${place} failed: it sets 'data' of crate`)
        expect(await house.row('crate', old)).to.deep.include({ data: { given: 1 } })
      })
    }

    it('is a mistake where nothing can be set', async () => {
      looking['check'] = ({ next }) => Object.assign(next['data'] as object, { seen: true })
      expect(await failure(add({ data: { given: 1 } }))).to.match(/^The rule looking of crate failed: Cannot add property seen/)
      looking['check'] = ({ before }) => Object.assign(before?.['data'] as object, { seen: true })
      const work = house.operations.save(await house.system(), 'crate', old, { name: 'Seen' })
      expect(await failure(work)).to.match(/^The rule looking of crate failed: Cannot add property seen/)
    })
  })

  it('is checked when the id is known, too', async () => {
    doing['late'] = sets('seats', 'many')
    expect(await failure(add())).to.contain("The rule late of crate failed: it sets 'seats' of crate to 'many'")
    expect((await house.table('crates')).filter(({ seats }) => seats === null || Number.isNaN(seats)).length).to.be.lessThan(5)
    doing['late'] = (next) => sets('seats', Number(next['id']) > 0 ? 7 : 8)(next)
    expect(await house.row('crate', await add())).to.include({ seats: 7 })
  })

  it('cannot move a record to another account, another owner or another id', async () => {
    for (const [column, value] of [
      ['account_id', 'globex'],
      ['owner_type', 'person'],
      ['owner_id', packer],
      ['id', 4711],
    ] as const) {
      doing['hook'] = sets(column, value)
      expect(await failure(add())).to.contain(`it sets '${column}' of crate to`)
      expect(await failure(update({}))).to.contain(`it sets '${column}' of crate to`)
    }
  })

  it('leaves what nobody has changed alone, however it came there', async () => {
    const { knex, table } = house.storage
    await knex(table('crates')).where({ id }).update({ phase: 'ancient', seats: 99 })
    await update({ remarks: 'Changed' })
    expect(await house.row('crate', id)).to.include({ phase: 'ancient', seats: 99, remarks: 'Changed' })
  })

  it('is the default when a field with a default is cleared', async () => {
    doing['hook'] = sets('phase', null)
    expect(await house.row('crate', await add({ phase: 'gone' }))).to.include({ phase: 'draft' })
  })

  it('does not hide what the caller has sent wrong, however it follows from that', async () => {
    doing['first'] = (next) => sets('remarks', `${next['name']} ${next['name']}`)(next)
    expect(await refusalOf(add({ name: 'x'.repeat(15) }))).to.deep.equal([['name', 'too_long', { max: 10 }]])
    doing['first'] = sets('packer_id', 'none')
    expect(await refusalOf(add({ seats: 'many' }))).to.deep.equal([['seats', 'not_a_number']])
  })

  it('is not what a hook returns', async () => {
    doing['hook'] = () => ({ phase: 'ready' })
    expect(await failure(add())).to.contain("it must return nothing, not an object; set columns of 'next' instead")
    doing['hook'] = async () => 'ready'
    expect(await failure(add())).to.contain("it must return nothing, not 'ready'")
  })

  it('names the rule in whatever it throws', async () => {
    doing['first'] = () => {
      throw new TypeError('x is not a function')
    }
    expect(await failure(add())).to.equal('The rule first of crate failed: x is not a function')
  })
})
