import { expect } from 'chai'
import { canBeMember, defaultsOf, type Known, teamFor } from '../../plugin/event-submission/defaults.js'
import { EVENT_FIELD_LIST, EVENT_PARAMETERS } from '../../plugin/event-submission/event-parameters.js'
import { request } from '../../plugin/records/request.js'
import { SERVICE_CATEGORIES } from '../../plugin/schema/language/built-in-types.js'

describe('the defaults of events', () => {
  const none: Known = {
    ...{ category: null, impact: null, status: null, completion_reason: null },
    ...{ hasInstance: false, template: null },
  }
  const template = (values: object) => ({ template: { id: 1, ...values } })
  const cases: readonly (readonly [string, Partial<Known>, object])[] = [
    ['other without a service instance', {}, { category: 'other', concernsService: false }],
    ['incident with top impact with one', { hasInstance: true }, { category: 'incident', impact: 'top' }],
    ['the given category, without impact', { category: 'rfc', hasInstance: true }, { category: 'rfc', concernsService: true }],
    ['top impact for a given incident', { category: 'incident' }, { category: 'incident', impact: 'top' }],
    ['the given impact', { category: 'incident', impact: 'low' }, { category: 'incident' }],
    ['the category of the template', { hasInstance: true, ...template({ category: 'rfi' }) }, { category: 'rfi' }],
    [
      'the given category before that',
      { category: 'incident', ...template({ category: 'rfi' }) },
      { category: 'incident', impact: 'top' },
    ],
    ['the impact of the template', { ...template({ category: 'incident', impact: 'low' }) }, { category: 'incident' }],
    ['a template without values', { hasInstance: true, ...template({}) }, { category: 'incident', impact: 'top' }],
    ['a reason with its status', { status: 'completed', completion_reason: 'gone' }, { keepsReason: true }],
    [
      'a reason with the status of the template',
      { completion_reason: 'gone', ...template({ status: 'completed' }) },
      { keepsReason: true },
    ],
    ['no reason without the status', { completion_reason: 'gone' }, { keepsReason: false }],
    [
      'no reason with another status',
      { status: 'assigned', completion_reason: 'gone', ...template({ status: 'completed' }) },
      { keepsReason: false },
    ],
  ]
  for (const [name, known, expected] of cases) {
    it(`are ${name}`, () => {
      const found = defaultsOf({ ...none, ...known })
      expect(found).to.include(expected)
      if (!('impact' in expected)) expect(found).to.not.have.property('impact')
    })
  }

  it('know the categories with a service instance as requests do', () => {
    const rules = (request.rules ?? []).map((rule) => JSON.stringify(rule))
    const [empties] = rules.filter((rule) => rule.includes('emptyUnless') && rule.includes('service_instance'))
    expect(empties).to.include(JSON.stringify(SERVICE_CATEGORIES))
  })

  it('find a team for the member', () => {
    expect(teamFor(7, 3, [4])).to.equal(7)
    expect(teamFor(null, 3, [4, 3])).to.equal(3)
    expect(teamFor(null, 3, [4, 5])).to.equal(4)
    expect(teamFor(null, null, [])).to.equal(null)
    expect([canBeMember(7, [7]), canBeMember(7, [4]), canBeMember(null, [4]), canBeMember(null, [])]).to.deep.equal([
      ...[true, false, true, false],
    ])
  })

  it('are for parameters that are fields of requests', () => {
    const fields = Object.keys(request.fields)
    const others = EVENT_FIELD_LIST.map(([field]) => field).filter((field) => !fields.includes(field))
    // The pairs of custom_data, which every type with that field has.
    expect(others).to.deep.equal(['custom_fields'])
    expect(new Set(EVENT_PARAMETERS.map(({ name }) => name)).size).to.equal(EVENT_PARAMETERS.length)
  })
})
