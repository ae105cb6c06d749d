import { expect } from 'chai'
import { createRules } from '../../plugin/rules/index.js'

describe('the book of rules', () => {
  const rules = createRules({ allowPrivateAddresses: false })

  it('holds only rules that do something', () => {
    for (const [name, rule] of Object.entries(rules))
      expect(rule.before ?? rule.after ?? rule.remove ?? rule.removeAll ?? rule.removed, name).to.be.a('function')
  })

  it('is made anew for every instance', () => {
    expect(createRules({ allowPrivateAddresses: true })).to.not.equal(rules)
    expect(createRules({ allowPrivateAddresses: true })['publicAddress']).to.not.equal(rules['publicAddress'])
  })
})
