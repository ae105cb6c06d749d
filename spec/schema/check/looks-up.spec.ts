import { expect } from 'chai'
import { InvalidDefinition } from '../../../plugin/core/errors.js'
import { compile } from '../../../plugin/schema/compile/compile.js'
import { identity } from '../../../plugin/schema/kinds/common-fields.js'
import { integer, ref } from '../../../plugin/schema/kinds/fields.js'
import { type Definition, defineRecord } from '../../../plugin/schema/language/define-record.js'
import { rule } from '../../../plugin/schema/language/define-rule.js'
import type { LookUp } from '../../../plugin/schema/language/look-up.js'

const common = { title: null, collection: { sort: 'id' }, access: { create: [], update: [] } } as const
const team: Definition = defineRecord('crew', {
  ...common,
  path: 'crews',
  fields: { ...identity, captain: ref('sailor') },
  links: { members: { record: 'sailor', table: 'crew_members', from: 'crew_id', to: 'sailor_id' } },
})
const sailor = defineRecord('sailor', { ...common, path: 'sailors', fields: { ...identity, age: integer() } })
const voyage: Definition = defineRecord('voyage', {
  ...common,
  path: 'voyages',
  fields: { ...identity, crew: ref('crew'), sailor: ref('sailor'), miles: integer() },
})

describe('what rules say that they look up', () => {
  const mistakes = (looksUp: unknown) => {
    const looking = rule('looking', () => ({ looksUp: looksUp as readonly LookUp[], check() {} }))()
    try {
      compile([{ ...voyage, rules: [looking] }, team, sailor], [])
      return []
    } catch (error) {
      if (error instanceof InvalidDefinition) return error.mistakes
      throw error
    }
  }
  const at = (text: string) => `voyage.rules.looking.looksUp: ${text}`

  it('are references and links behind references of the record', () => {
    const good = [{ path: 'crew.captain' }, { path: 'crew.members', to: 'sailor' }, { path: 'sailor.age' }]
    expect(mistakes(good)).to.deep.equal([])
    expect(mistakes([])).to.deep.equal([])
  })

  it('are checked: a misspelled name is a mistake', () => {
    expect(mistakes([{ path: 'crw.captain' }, { path: 'crew.captan' }, { path: 'crew.members', to: 'sailr' }])).to.deep.equal([
      at("'crw' is no reference of voyage"),
      at("'crew.captan': crew has no field or link 'captan'"),
      at("'sailr' is no reference of voyage"),
    ])
    expect(mistakes([{ path: 'miles.age' }, { path: 'crew' }, { path: 'crew.captain.age' }])).to.deep.equal([
      at("'miles' is no reference of voyage"),
      at("'crew' must be a reference, and a field or a link behind it"),
      at("'crew.captain.age' must be a reference, and a field or a link behind it"),
    ])
    for (const wrong of [
      'crew.captain',
      ['crew.captain'],
      [null],
      [{ path: 1 }],
      [{ path: 'crew.members', to: ['sailor'] }],
      7,
    ])
      expect(mistakes(wrong).join()).to.match(/looksUp: must be a list of \{ path \} or \{ path, to \}, not /)
  })
})
