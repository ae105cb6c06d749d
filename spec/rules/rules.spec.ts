import { expect } from 'chai'
import { records } from '../../plugin/records/records.js'
import { PHASES, rule } from '../../plugin/schema/language/define-rule.js'
import { ourRules } from '../support/our-rules.js'

describe('rules', () => {
  it('of ours have names of their own', () => {
    const names = ourRules.map((one) => one().rule)
    expect(names).to.have.length.above(50)
    expect(new Set(names).size).to.equal(names.length)
  })

  it('of ours each stand in a definition', () => {
    const used = new Set(records.flatMap(({ rules = [] }) => rules.map((one) => one.rule)))
    expect(ourRules.map((one) => one().rule).filter((name) => !used.has(name))).to.deep.equal([])
  })

  it('are written as JSON with their name and settings, and with nothing of what they do', () => {
    const due = rule('due', (field: string, { within }: { within: readonly number[] }) => ({
      fields: [field],
      fill: () => void within,
    }))
    const one = due('start_at', { within: [1, 2] })
    expect(JSON.stringify({ rules: [one] })).to.equal('{"rules":[{"rule":"due","settings":["start_at",{"within":[1,2]}]}]}')
    expect(Object.keys(one)).to.deep.equal(['rule', 'settings'])
    expect(Object.keys(one.does())).to.include.members(['fields', 'fill'])
  })

  it('keep their settings, whatever becomes of those that they were given', () => {
    const settings = { values: ['a'] }
    const keep = rule('keep', (given: { values: string[] }) => ({ fills: given.values, fill: () => {} }))
    const one = keep(settings)
    settings.values.push('b')
    expect(one.does().fills).to.deep.equal(['a'])
    expect(() => (one.settings as unknown[]).push(1)).to.throw(TypeError)
    expect(() => (one.settings as [{ values: string[] }])[0].values.push('c')).to.throw(TypeError)
  })

  it('need a name and a function', () => {
    expect(() => rule('', () => ({}))).to.throw(TypeError, "rule(): the name must be a text, not ''")
    expect(() => rule('odd', {} as never)).to.throw(TypeError, "rule('odd'): must have a function, not an object")
  })

  it('of every definition survive being printed', () => {
    for (const { name, rules = [] } of records) {
      const printed = JSON.parse(JSON.stringify(rules))
      expect(printed, name).to.deep.equal(
        rules.map((one) => JSON.parse(JSON.stringify({ rule: one.rule, settings: one.settings }))),
      )
      for (const one of rules)
        expect(
          PHASES.some((phase) => typeof one.does()[phase] === 'function'),
          one.rule,
        ).to.equal(true)
    }
  })
})
