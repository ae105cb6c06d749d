/** Names and conditions in the lookups of rules. */
import { suggestion } from '../../core/text/nearest.js'
import type { Catalog, RecordType } from '../../schema/catalog.js'
import { mistakesInCriterion } from '../../schema/check/check-criteria.js'
import { kindOf } from '../../schema/kinds/kinds.js'
import type { Condition, Criterion } from '../../schema/language/conditions.js'

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

/** @throws TypeError for names in conditions that the type does not have. Values may come from callers, and match nothing. */
export function mustHaveNames(catalog: Catalog, type: RecordType, criteria: readonly Criterion[]): void {
  const [mistake] = mistakesInCriterion(catalog, type, { all: criteria.map(withoutValues) })
  if (mistake !== undefined) throw new TypeError(`a condition on records of ${type.name}: ${mistake}`)
}

function withoutValues(criterion: Criterion): Criterion {
  if ('all' in criterion) return { all: criterion.all.map(withoutValues) }
  if ('any' in criterion) return { any: criterion.any.map(withoutValues) }
  if ('where' in criterion) return { ...criterion, where: withoutValues(criterion.where) }
  return 'path' in criterion ? { path: criterion.path, op: 'in', values: [] } : criterion
}
