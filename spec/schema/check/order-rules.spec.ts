import { expect } from 'chai'
import { mistakesIn } from '../../../plugin/schema/check/check.js'
import { orderRules } from '../../../plugin/schema/check/order-rules.js'
import { compile } from '../../../plugin/schema/compile/compile.js'
import { ADMINISTRATORS, identity } from '../../../plugin/schema/kinds/common-fields.js'
import { defineRecord } from '../../../plugin/schema/language/define-record.js'
import { placed, type Rule, rule } from '../../../plugin/schema/language/define-rule.js'
import { extendRecord } from '../../../plugin/schema/language/extend-record.js'

describe('the order of rules', () => {
  const one = (name: string, setting = '') => rule(name, (_: string) => ({ fill: () => {} }))(setting)
  const behind = (name: string, anchor: string) => placed(one(name), { after: anchor })
  const inFront = (name: string, anchor: string) => placed(one(name), { before: anchor })
  const order = (...rules: readonly Rule[]) => orderRules(rules).rules.map((next) => next.rule)
  const mistakes = (...rules: readonly Rule[]) => orderRules(rules).mistakes
  const thing = (rules: readonly Rule[]) =>
    defineRecord('thing', {
      path: 'things',
      fields: identity,
      collection: { fields: 'id', sort: 'id', filterable: '' },
      access: { create: ADMINISTRATORS, update: ADMINISTRATORS },
      rules,
    })

  it('is that of the list', () => {
    expect(order(one('a'), one('b'), one('a'))).to.deep.equal(['a', 'b', 'a'])
    expect(order()).to.deep.equal([])
  })

  it('has placed rules next to those that they name: behind the last one, or before the first one', () => {
    expect(order(one('a'), one('b'), one('a'), one('c'), behind('x', 'a'))).to.deep.equal(['a', 'b', 'a', 'x', 'c'])
    expect(order(one('a'), one('b'), one('a'), inFront('x', 'a'))).to.deep.equal(['x', 'a', 'b', 'a'])
    expect(order(behind('x', 'b'), one('a'), one('b'), one('c'))).to.deep.equal(['a', 'b', 'x', 'c'])
  })

  it('has rules at the same place as the list has them', () => {
    expect(order(one('a'), one('z'), behind('x', 'a'), behind('y', 'a'))).to.deep.equal(['a', 'x', 'y', 'z'])
    expect(order(one('a'), inFront('x', 'a'), inFront('y', 'a'))).to.deep.equal(['x', 'y', 'a'])
    expect(order(one('a'), behind('x', 'a'), behind('x', 'a'), one('b'))).to.deep.equal(['a', 'x', 'x', 'b'])
  })

  it('has rules next to such that are placed themselves, in whatever order they come', () => {
    expect(order(behind('y', 'x'), behind('x', 'a'), one('a'), one('b'))).to.deep.equal(['a', 'x', 'y', 'b'])
    expect(order(one('x'), behind('y', 'x'), inFront('x', 'b'), one('a'), one('b'))).to.deep.equal(['x', 'a', 'x', 'y', 'b'])
    expect(order(inFront('w', 'x'), behind('x', 'a'), one('a'))).to.deep.equal(['a', 'w', 'x'])
  })

  it('cannot be told for names that no rule has, and for rules that wait for each other', () => {
    expect(mistakes(one('stamp'), behind('x', 'stmp'))).to.deep.equal([
      [1, "it is placed next to 'stmp', but the type has no such rule; did you mean 'stamp'?"],
    ])
    const circle = 'its place depends on itself: x, y wait for each other'
    expect(mistakes(one('a'), behind('x', 'y'), inFront('y', 'x'))).to.deep.equal([
      [1, circle],
      [2, circle],
    ])
    expect(mistakes(behind('x', 'x'))).to.deep.equal([[0, 'its place depends on itself: x wait for each other']])
    expect(mistakes(one('a'), behind('x', 'a'), inFront('y', 'x'))).to.deep.equal([])
  })

  it('is chosen by extensions as well, and their mistakes are told with their name', () => {
    const compiled = compile([thing([one('a'), one('b')])], [extendRecord('thing', { rules: [behind('x', 'a'), one('y')] })])
    expect(compiled.type('thing').rules.map(({ name }) => name)).to.deep.equal(['a', 'x', 'b', 'y'])
    expect(mistakesIn([thing([one('a')])], [extendRecord('thing', { rules: [behind('x', 'c')] })])).to.deep.equal([
      "extension of thing: rules.x: it is placed next to 'c', but the type has no such rule",
    ])
  })

  it('is printed with the definition, and reported where it is no place', () => {
    expect(JSON.stringify(behind('x', 'a'))).to.equal('{"rule":"x","settings":[""],"after":"a"}')
    expect(Object.isFrozen(behind('x', 'a'))).to.equal(true)
    const odd = (place: object) => mistakesIn([thing([one('a'), placed(one('x'), place as never)])], [])
    expect(odd({ after: 5 })).to.deep.equal(['thing.rules[1].after: must be a text, not 5'])
    expect(odd({ after: 'a', before: 'a' })).to.deep.equal(["thing.rules[1]: must have either 'after' or 'before', not both"])
    expect(odd({})).to.deep.equal([])
  })
})
