import { expect } from 'chai'
import {
  AS_CALLER,
  asHost,
  asPlugin,
  type Call,
  followingCall,
  hasRole,
  linksCall,
  noteCall,
  partsCall,
  removalCall,
  ruleCall,
  singlePartCall,
} from '../../plugin/core/call.js'
import { historyCall, importedPartsCall } from '../../plugin/core/import-calls.js'
import { importCall } from '../imports/catalog.js'

/** The facts in short: who acts, `past` or `asks` permissions, `all` fields or those that are `open` to callers; the reason. */
function factsOf({ acts, bypassesPermissions, setsReadOnly, reason }: Call): readonly unknown[] {
  return [acts, bypassesPermissions ? 'past' : 'asks', setsReadOnly ? 'all' : 'open', reason]
}

describe('the facts of a call', () => {
  const person: Call = { ...importCall(), ...AS_CALLER }
  const host: Call = { ...person, actor: null, ...asHost('nightly tidy') }
  const service: Call = { ...person, actor: null, ...asPlugin('timers of trip') }

  it('are those of who acts, to begin with', () => {
    expect([person, host, service].map(factsOf)).to.deep.equal([
      ['caller', 'asks', 'open', null],
      ['host', 'past', 'open', 'nightly tidy'],
      ['plugin', 'past', 'all', 'timers of trip'],
    ])
  })

  const derived: readonly (readonly [name: string, of: (call: Call) => Call, facts: readonly unknown[]])[] = [
    ['rules', (call) => ruleCall(call, 'trip', 'ends', null), ['past', 'all', 'rule ends of trip']],
    ['removals', (call) => removalCall(call, 'trip'), ['past', 'all', 'removal of trip']],
    ['what follows otherwise', (call) => followingCall(call, 'rating of trip'), ['past', 'all', 'rating of trip']],
    ['notes', (call) => noteCall(call, 'trip'), ['past', 'open', 'note of trip']],
    ['links', (call) => linksCall(call, { type: 'trip', id: 1 }), ['past', 'open', 'links of trip']],
    ['sub-records', (call) => partsCall(call, 'trip'), ['past', 'open', 'parts of trip']],
  ]
  for (const [name, of, facts] of derived) {
    it(`are set for ${name}, whatever they were before; the same party acts`, () => {
      for (const call of [person, host, service, ruleCall(person, 'port', 'opens', null), noteCall(host, 'port')]) {
        const made = of(call)
        expect(factsOf(made)).to.deep.equal([call.acts, ...facts])
        expect(made.actor).to.equal(call.actor)
      }
    })
  }

  it('of single and of imported sub-records are the own ones, but for read-only fields', () => {
    expect(
      [person, ruleCall(person, 'port', 'opens', null), host, service].map((call) => factsOf(singlePartCall(call))),
    ).to.deep.equal([
      ['caller', 'asks', 'open', null],
      ['caller', 'past', 'open', 'rule opens of port'],
      ['host', 'past', 'open', 'nightly tidy'],
      ['plugin', 'past', 'open', 'timers of trip'],
    ])
    expect(factsOf(importedPartsCall(person))).to.deep.equal(['caller', 'asks', 'all', null])
  })

  it('are of the past for what a record of the past brings along, and not for what follows from it elsewhere', () => {
    const past = historyCall({ ...person, cause: 'import 7' })
    expect([past.isHistory, past.cause]).to.deep.equal([true, 'import 7, history'])
    for (const call of [ruleCall(past, 'trip', 'ends', null), noteCall(past, 'trip'), partsCall(past, 'trip')])
      expect(call.isHistory).to.equal(true)
    expect(followingCall(past, 'settling of trip').isHistory).to.equal(false)
    expect(ruleCall(person, 'trip', 'ends', null).isHistory).to.equal(false)
  })

  it('count as every role only past the permissions', () => {
    const plain: Call = { ...person, roles: new Set() }
    expect(
      [plain, importedPartsCall(plain), { ...plain, acts: 'plugin' as const }].map((call) => hasRole(call, 'auditor')),
    ).to.deep.equal([false, false, false])
    expect([ruleCall(plain, 'trip', 'ends', null), host, service].map((call) => hasRole(call, 'auditor'))).to.deep.equal([
      true,
      true,
      true,
    ])
  })
})
