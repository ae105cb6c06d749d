import { expect } from 'chai'
import { mistakesIn } from '../../../plugin/schema/check/check.js'
import { compile } from '../../../plugin/schema/compile/compile.js'
import { tablesOf } from '../../../plugin/schema/derive/expected-tables.js'
import { identity } from '../../../plugin/schema/kinds/common-fields.js'
import { boolean, datetime, integer, json, oneOf, ref, string, strings, text } from '../../../plugin/schema/kinds/fields.js'
import { compared, criterionOf, me, not } from '../../../plugin/schema/language/conditions.js'
import { defineRecord } from '../../../plugin/schema/language/define-record.js'
import { canMeet, due, renewal, type Timer } from '../../../plugin/schema/language/define-timer.js'
import { type Extension, extendRecord } from '../../../plugin/schema/language/extend-record.js'

function pass(timers: readonly unknown[]) {
  return defineRecord('pass', {
    path: 'passes',
    fields: {
      ...identity,
      status: oneOf(['valid', 'expired', 'lost'], { default: 'valid' }),
      expires_at: datetime(),
      shown_at: datetime({ keywords: ['never'] }),
      expires_on: string(10),
      keeper: ref('pass'),
      ship: ref('ship', { whenPresent: true }),
      gate: integer(),
      urgent: boolean(),
      remarks: text(),
      code: string(5),
      owner: string(9, { required: true }),
      data: json(),
      words: strings(9),
      far: oneOf(['valid', 'expired', 'lost'], { derived: { from: 'keeper.status', as: 'value' } }),
      note: text({ writeOnly: true }),
    },
    collection: { fields: 'id', sort: 'id', filterable: 'id' },
    links: { guests: { record: 'pass', table: 'pass_guests', from: 'a_id', to: 'b_id' } },
    access: { create: [], update: [] },
    timers: timers as readonly Timer[],
  })
}
const whileValid = { status: 'valid' } as const
const expire = due('expires_at', { while: whileValid, set: { status: 'expired' } })

describe('a timer', () => {
  const mistakes = (timers: readonly unknown[], extensions: readonly Extension[] = []) =>
    mistakesIn([pass(timers)], extensions).map((text) => text.replace(/^pass\.timers(: '[a-z_]+')?: /, ''))
  const of = (timer: object) => mistakes([{ ...expire, ...timer }])

  it('is plain data', () => {
    expect(JSON.parse(JSON.stringify(expire))).to.deep.equal({
      due: 'expires_at',
      while: { status: 'valid' },
      set: { status: 'expired' },
    })
    expect(Object.isFrozen(expire)).to.equal(true)
  })

  it('is compiled to what it saves, and to the index that finds what is due', () => {
    const timers = [
      expire,
      due('expires_at', {
        while: { status: ['lost'], urgent: true, gate: compared('>', 3) },
        set: { status: 'expired', keeper: null },
      }),
      due('expires_at', { while: {}, set: { expires_at: null } }),
    ]
    const type = compile([pass(timers)], []).type('pass')
    expect(type.timers.map(({ body, index }) => [index.join(), body])).to.deep.equal([
      ['status,expires_at', { status: 'expired' }],
      ['status,urgent,expires_at', { status: 'expired', keeper_id: null }],
      ['expires_at', { expires_at: null }],
    ])
  })

  it('demands no column of a reference to a type that is absent', () => {
    const onShore = due('expires_at', { while: { ship: null, status: 'valid' }, set: { status: 'expired' } })
    expect(compile([pass([onShore])], []).type('pass').timers[0]?.index).to.deep.equal(['status', 'expires_at'])
  })

  it('demands its index of the table, shared by timers with the same', () => {
    const twin = due('expires_at', { while: { status: 'valid', gate: not(4) }, set: { status: 'lost' } })
    const [table] = tablesOf(compile([pass([expire, twin])], []))
    expect(table?.indexes).to.deep.equal([['status', 'expires_at']])
  })

  it('may come from an extension, once', () => {
    const more = due('expires_at', { while: { status: 'lost' }, set: { status: 'expired' } })
    const catalog = compile([pass([expire])], [extendRecord('pass', { timers: [more] })])
    expect(catalog.type('pass').timers).to.have.length(2)
    expect(mistakes([expire], [extendRecord('pass', { timers: [expire] })])).to.deep.equal([
      "extension of pass: timers: 'expires_at while status in valid' exists already, from pass; extensions cannot replace anything",
    ])
    const wrong = extendRecord('pass', { timers: [due('expired_at', { while: whileValid, set: { status: 'lost' } })] })
    expect(mistakes([], [wrong])).to.deep.equal([
      "extension of pass: timers: 'expired_at': there is no field 'expired_at'; did you mean 'expires_at'?",
    ])
    expect(mistakes([expire, { ...expire, set: { status: 'lost' } }])).to.deep.equal(['the same timer occurs twice'])
  })

  it('raises events that its type has, and that only timers cause', () => {
    const raises = 'waiting-ended' as const
    const raising = due('expires_at', { while: whileValid, set: { status: 'expired' }, raises })
    expect(raising).to.include({ raises })
    expect(mistakes([raising])).to.deep.equal(["raises: add 'waiting-ended' to the events of the type"])
    expect(mistakes([raising], [extendRecord('pass', { events: [raises] })])).to.deep.equal([])
    expect(of({ raises: 'update' })).to.deep.equal([
      "pass.timers[0].raises: 'update' is not one of waiting-ended, target-warning, target-missed",
    ])
  })

  it('needs a field with moments', () => {
    expect(of({})).to.deep.equal([])
    expect(of({ due: 'expires' })).to.deep.equal(["there is no field 'expires'"])
    for (const due of ['expires_on', 'note', 'gate']) {
      expect(of({ due }), due).to.deep.equal(['a timer needs a stored datetime field'])
    }
    expect(of({ due: 'shown_at' })).to.deep.equal(['the field must not have keywords in place of a time'])
  })

  it('needs a condition on fields of the record itself, without a caller', () => {
    expect(of({ while: { state: 'valid' } })).to.deep.equal([
      "while: 'state': pass has no field 'state'; did you mean 'status'?",
    ])
    expect(of({ while: { status: 'valit' } })).to.deep.equal([
      "while: 'status': 'valit' is not among the values; did you mean 'valid'?",
    ])
    for (const name of ['keeper.status', 'guests', 'far', 'account']) {
      expect(of({ while: { ...whileValid, [name]: 'valid' } }).join(), name).to.match(/is not a stored field of pass itself/)
    }
    expect(of({ while: { ...whileValid, keeper: me } })).to.deep.equal([
      "while: 'keeper': placeholders such as me and now depend on a call, and timers have none",
    ])
  })

  it('that renews has nothing but a mark to clear, and knows what counts in the zone of the account', () => {
    const renewed = renewal('expires_at', { while: whileValid, inAccountZone: { keeper: null } })
    expect(JSON.parse(JSON.stringify(renewed))).to.deep.equal({
      ...{ due: 'expires_at', while: { status: 'valid' }, set: { expires_at: null } },
      renews: { inAccountZone: { keeper: null } },
    })
    expect(mistakes([renewed])).to.deep.equal([])
    expect(renewal('expires_at', { while: whileValid }).renews).to.deep.equal({})
    expect(
      mistakes([renewal('expires_at', { while: whileValid, inAccountZone: { 'keeper.status': 'valid' } })]).join(),
    ).to.match(/inAccountZone: 'keeper.status' is not a stored field of pass itself/)
  })

  it('sets values that its fields can have', () => {
    const set = (values: object) => of({ set: { status: 'expired', ...values } })
    expect(
      set({ gate: 4, urgent: false, code: 'abc', keeper: null, remarks: 'x', expires_at: '2030-01-01T00:00:00Z' }),
    ).to.deep.equal([])
    expect(of({ set: {} })).to.deep.equal(['set: must have at least one field'])
    expect(set({ stats: 1 })).to.deep.equal(["set: there is no field 'stats'; did you mean 'status'?"])
    for (const name of ['id', 'far', 'note'])
      expect(set({ [name]: null }), name).to.deep.equal([`set: '${name}' cannot be set`])
    expect(set({ status: 'gone' })).to.deep.equal(["set: 'status': 'gone' is not among the values"])
    expect(set({ status: null, owner: null })).to.deep.equal([
      "set: 'status': the field cannot be empty",
      "set: 'owner': the field cannot be empty",
    ])
    expect(set({ keeper: 7 })).to.deep.equal(["set: 'keeper': a reference can only be cleared, with null"])
    expect(set({ gate: 'x' }).join()).to.contain('is not a number')
    expect(set({ urgent: 'yes' }).join()).to.contain('is not true or false')
    expect(set({ expires_at: 'tomorrow' }).join()).to.contain('is not a time in UTC')
    expect(set({ code: 'abcdef' })).to.deep.equal(["set: 'code': longer than 5 characters"])
    expect(set({ data: 'x', words: 'x' })).to.deep.equal([
      "set: 'data': the field must accept a single value",
      "set: 'words': the field must accept a single value",
    ])
    expect(set({ words: ['x'] }).join()).to.contain('must be a text, a number, true, false or null')
  })

  it('ends what it waits for, otherwise it would fire for ever', () => {
    const stillDue = /the records would still be due/
    expect(of({ set: { gate: 1 } }).join()).to.match(stillDue)
    expect(of({ while: { status: ['valid', 'expired'] } }).join()).to.match(stillDue)
    expect(of({ while: { anyOf: [whileValid, { gate: 4 }] } }).join()).to.match(stillDue)
    expect(of({ while: { status: 'valid', gate: 4 }, set: { gate: 5 } })).to.deep.equal([])
    expect(of({ while: { ...whileValid, gate: compared('<', 5) }, set: { gate: 5 } })).to.deep.equal([])
    expect(of({ set: { expires_at: null } })).to.deep.equal([])
  })

  it('names a value of the records that wait, so that those of the past are not read again and again', () => {
    const past = /all past records are read each time/
    expect(of({ while: { status: not('expired') } }).join()).to.match(past)
    expect(of({ while: { remarks: 'x' }, set: { remarks: 'y' } }).join()).to.match(past)
    expect(of({ while: { status: not('expired') }, set: { status: 'expired', expires_at: null } })).to.deep.equal([])
  })

  it('of another shape is refused, and nothing else breaks', () => {
    for (const timer of [
      null,
      'expires_at',
      {},
      { ...expire, set: null },
      { ...expire, while: 'valid' },
      { ...expire, until: 1 },
      { ...expire, due: 7 },
    ]) {
      expect(mistakesIn([pass([timer])], []), JSON.stringify(timer)).to.not.deep.equal([])
    }
    expect(mistakesIn([{ ...pass([]), timers: 'x' as never }], [])).to.deep.equal(["pass.timers: must be a list, not 'x'"])
  })

  it('knows when values that are not named can be any', () => {
    const can = (condition: Parameters<typeof criterionOf>[0], values: Record<string, string | number | null>) =>
      canMeet(criterionOf(condition), (name) => values[name])
    expect(can({ a: 'x', b: 'y' }, { b: 'Y' })).to.equal(true)
    expect(can({ a: 'x', b: 'y' }, { b: 'z' })).to.equal(false)
    expect(can({ a: not('x', null) }, { a: null })).to.equal(false)
    expect(can({ a: [null, 'x'] }, { a: null })).to.equal(true)
    expect(can({ a: compared('>', 9) }, { a: 10 })).to.equal(true)
    expect(can({ a: compared('>=', '2030') }, { a: null })).to.equal(false)
    expect(can({ a: compared('<=', 'b') }, { a: 'a' })).to.equal(true)
    expect(can({ a: 5 }, { a: '5.00' })).to.equal(true)
    expect(can({ a: not(5) }, { a: '5.00' })).to.equal(false)
  })

  it('takes texts for the same that any database takes for the same, and for different ones that any takes for different', () => {
    const can = (condition: Parameters<typeof criterionOf>[0], a: string) => canMeet(criterionOf(condition), () => a)
    for (const [one, other] of [
      ['open', 'OPEN'],
      ['cafe', 'café'],
      ['strasse', 'straße'],
      ['x', 'x  '],
    ] as const) {
      expect(can({ a: one }, other), other).to.equal(true)
      expect(can({ a: not(one) }, other), other).to.equal(true)
      expect(can({ a: not(one) }, one), one).to.equal(false)
    }
    expect(can({ a: 'open' }, 'opened')).to.equal(false)
  })
})
