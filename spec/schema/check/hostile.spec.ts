/** Whatever stands in a definition or an extension, mistakes come out as sentences, and never as errors from inside. */
import { expect } from 'chai'
import { InvalidDefinition } from '../../../plugin/core/errors.js'
import { compile } from '../../../plugin/schema/compile/compile.js'
import { common } from '../../../plugin/schema/kinds/common-fields.js'
import { ref, string, text } from '../../../plugin/schema/kinds/fields.js'
import { not } from '../../../plugin/schema/language/conditions.js'
import { type Definition, defineRecord } from '../../../plugin/schema/language/define-record.js'
import { due } from '../../../plugin/schema/language/define-timer.js'
import type { Extension } from '../../../plugin/schema/language/extend-record.js'
import { festival } from '../../support/festival.js'
import { fleet, fleetRecords } from '../../support/fleet.js'
import { ourRules } from '../../support/our-rules.js'
import { vehicle } from '../../support/vehicle.js'

const JUNK: readonly unknown[] = [
  undefined,
  null,
  5,
  Number.NaN,
  '',
  'constructor',
  '__proto__',
  'a.b',
  true,
  [],
  [null],
  [['x']],
  new Array(2),
  {},
  { a: null },
  JSON.parse('{"__proto__":{"kind":"string"}}'),
  { kind: 'string' },
  { rule: 'stamp' },
  () => 1,
  Symbol('odd'),
  10n,
]
const collection = { fields: 'id', sort: 'id', filterable: 'id' } as const
/** What the host's types refer to, as small as it can be: all of ours would take minutes. */
const foundation = ['person', 'site', 'team', 'note', 'task'].map((name) =>
  defineRecord(name, {
    path: `${name}s`,
    fields: { ...common, name: string(9), text: text(), tag: ref('person') },
    ...(name === 'note' ? { partOf: [] } : {}),
    collection,
    access: { create: [], update: [] },
  }),
)

/** Calls back with a copy for each place in the data, and each thing that does not belong there. */
function spoil(data: unknown, visit: (spoiled: unknown, path: string) => void, path = ''): void {
  if (typeof data !== 'object' || data === null) return
  const entries = Object.entries(data)
  for (const [name, value] of entries) {
    const put = (other: unknown) => {
      if (Array.isArray(data)) return data.map((one, index) => (String(index) === name ? other : one))
      return Object.fromEntries(entries.map(([key, one]) => [key, key === name ? other : one]))
    }
    for (const junk of JUNK)
      visit(put(junk), `${path}.${name} = ${typeof junk === 'object' ? JSON.stringify(junk) : String(junk)}`)
    spoil(value, (spoiled, at) => visit(put(spoiled), at), `${path}.${name}`)
  }
  if (!Array.isArray(data)) for (const junk of JUNK) visit({ ...data, oddity: junk }, `${path}.oddity`)
}

function outcome(definitions: readonly unknown[], extensions: readonly unknown[]): unknown {
  try {
    compile(definitions as Definition[], extensions as Extension[])
    return null
  } catch (error) {
    return error instanceof InvalidDefinition ? null : error
  }
}

describe('a definition that is wrong somewhere', () => {
  const all = [...foundation, vehicle, ...fleetRecords, ...festival]

  it('is right to begin with', () => {
    expect(compile(all, fleet).types.has('vehicle')).to.equal(true)
  })

  for (const definition of [...festival.filter(({ name }) => name === 'act' || name === 'stage'), vehicle]) {
    it(`never breaks the checks: ${definition.name}`, () => {
      const broken: string[] = []
      spoil(definition, (spoiled, path) => {
        const found = outcome([...all.filter((one) => one !== definition), spoiled], fleet)
        if (found) broken.push(`${path}: ${found}`)
      })
      expect(broken).to.deep.equal([])
    }).timeout(60_000)
  }

  it('never breaks the checks: rules without their settings', () => {
    const settings: unknown[][] = [[], [5, 5], [{}], ['name', {}], [null, null], ['name', { field: 5, fields: 5, of: 5 }]]
    const made = ourRules.flatMap((rule) => settings.map((some) => rule(...some)))
    for (const one of made) {
      const found = outcome([...foundation, { ...vehicle, rules: [one] }, ...fleetRecords, ...festival], fleet)
      expect(found, JSON.stringify(one)).to.equal(null)
    }
  })

  it('never breaks the checks: timers', () => {
    const timers = [
      due('updated_at', { while: { status: 'in_use', seats: [1, 2] }, set: { status: 'sold', garage: null } }),
      due('updated_at', { while: { anyOf: [{ status: not('sold') }] }, set: { updated_at: null, remarks: 'x' } }),
    ]
    const broken: string[] = []
    spoil(timers, (spoiled, path) => {
      const found = outcome([...foundation, { ...vehicle, timers: spoiled }, ...fleetRecords, ...festival], fleet)
      if (found) broken.push(`${path}: ${found}`)
    })
    expect(broken).to.deep.equal([])
  }).timeout(60_000)

  it('never breaks the checks: extensions', () => {
    const broken: string[] = []
    spoil(fleet, (spoiled, path) => {
      const found = outcome(all, spoiled as unknown[])
      if (found) broken.push(`${path}: ${found}`)
    })
    expect(broken).to.deep.equal([])
  }).timeout(60_000)
})
