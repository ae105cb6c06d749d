import { expect } from 'chai'
import {
  ANYTHING,
  anyOf,
  compared,
  criterionOf,
  me,
  myTeams,
  NOTHING,
  not,
  now,
} from '../../../plugin/schema/language/conditions.js'

describe('a condition', () => {
  it('is tests of fields, which must all hold', () => {
    expect(criterionOf({ status: 'open', member: me })).to.deep.equal({
      all: [
        { path: ['status'], op: 'in', values: ['open'] },
        { path: ['member'], op: 'in', values: [{ placeholder: 'me' }] },
      ],
    })
  })

  it('follows references', () => {
    expect(criterionOf({ 'change.manager': me })).to.deep.equal({ path: ['change', 'manager'], op: 'in', values: [me] })
  })

  it('tests for one of several values, for emptiness, for other values, and for order', () => {
    expect(criterionOf({ a: [1, 2] })).to.deep.equal({ path: ['a'], op: 'in', values: [1, 2] })
    expect(criterionOf({ a: null })).to.deep.equal({ path: ['a'], op: 'in', values: [null] })
    expect(criterionOf({ a: not('x', null) })).to.deep.equal({ path: ['a'], op: 'not in', values: ['x', null] })
    expect(criterionOf({ a: compared('>=', now) })).to.deep.equal({ path: ['a'], op: '>=', values: [now] })
    expect(criterionOf({ a: false })).to.deep.equal({ path: ['a'], op: 'in', values: [false] })
  })

  it('can be one of several, within each other', () => {
    expect(criterionOf(anyOf({ a: 1 }, { allOf: [{ b: 2 }, { team: myTeams }] }))).to.deep.equal({
      any: [
        { path: ['a'], op: 'in', values: [1] },
        {
          all: [
            { path: ['b'], op: 'in', values: [2] },
            { path: ['team'], op: 'in', values: [myTeams] },
          ],
        },
      ],
    })
  })

  it('without tests always holds; one of none never does', () => {
    expect(criterionOf({})).to.deep.equal(ANYTHING)
    expect(criterionOf(anyOf())).to.deep.equal(NOTHING)
  })
})
