/** Names and conditions in the lookups of rules. */
import { suggestion } from '../../core/nearest.js'
import type { RecordType } from '../../schema/compile/compile.js'
import type { Condition } from '../../schema/conditions.js'
import { kindOf } from '../../schema/kinds/index.js'

/** Conditions are equal if their texts are. A test without a value would be missing there. */
export function keyOfCondition(condition: Condition | undefined): string {
  if (condition === undefined) return ''
  return JSON.stringify(condition, (name, value) => {
    if (value === undefined) throw new TypeError(`A condition of a rule has no value for '${name}'; null means empty`)
    return value
  })
}

/** The column in which a rule looks for values. @throws for a name that is neither a stored field nor a link */
export function placeOf(type: RecordType, name: string): { readonly column: string; readonly isText: boolean } {
  const field = type.fields.get(name) ?? type.columns.get(name)
  if (field?.column) return { column: field.column, isText: kindOf(field).isText === true }
  const others = ['owner_id', 'owner_type', 'account_id']
  if (others.includes(name) || type.links.has(name)) return { column: name, isText: name === 'account_id' }
  const known = [...type.columns.keys(), ...type.fields.keys(), ...type.links.keys()]
  throw new TypeError(`${type.name} has no stored field or link '${name}' to find records by${suggestion(name, known)}`)
}
