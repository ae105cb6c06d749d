/** Reports mistakes in paths over references, and in conditions with them. */
import { suggestion } from '../../core/text/nearest.js'
import { isElsewhere } from '../kinds/kinds.js'
import { type Condition, criterionOf, testsIn } from '../language/conditions.js'
import type { Definition } from '../language/define-record.js'
import type { Field } from '../language/field.js'
import { mistakeInTest } from './check-tests.js'

export type Definitions = ReadonlyMap<string, Definition>

/** True if the definition has the field itself: every object also has a `constructor`. */
export function hasField(definition: { readonly fields: Definition['fields'] } | undefined, name: string): boolean {
  return definition !== undefined && Object.hasOwn(definition.fields, name)
}

/** The field of that name, or undefined. */
export function fieldOf(definition: Definition | undefined, name: string): Field | undefined {
  return hasField(definition, name) ? definition?.fields[name] : undefined
}

/** The field that a reference shows in addition to id; null if there is none. */
export function titleOf(definition: Definition): string | null {
  const { title } = definition
  return title === undefined && hasField(definition, 'name') ? 'name' : (title ?? null)
}

/**
 * True if records of the one type are sub-records of the other, by either definition.
 *
 * @param named the result of `partsNamedBy` for the owner, from callers that ask for all of its sub-records
 */
export function isPartOf(part: Definition | undefined, owner: Definition, named?: ReadonlySet<string>): boolean {
  if (!part?.partOf) return false
  if (part.partOf === '*') return owner.partOf === undefined && owner.audit !== false
  return part.partOf.includes(owner.name) || (named ?? partsNamedBy(owner)).has(part.name)
}

/** The types of sub-records that an owner lists: in `parts`, or in fields that show them. */
export function partsNamedBy({ parts = [], fields }: Definition): ReadonlySet<string> {
  const shown = Object.values(fields).filter(({ kind }) => kind === 'parts' || kind === 'part')
  return new Set([...parts, ...shown.flatMap(({ record }) => record ?? [])])
}

/** True if the field has a column in the record's own table. */
export function hasColumn(field: Field): boolean {
  return !field.writeOnly && !field.derived && !isElsewhere(field)
}

/**
 * Mistakes in a condition: each step of a path must be a reference or the name of sub-records, the last one a field or a link;
 * values of an enumeration must be among its values.
 */
export function mistakesOfCondition(condition: Condition, definition: Definition, all: Definitions): string[] {
  return testsIn(criterionOf(condition)).flatMap(({ path, values }) => {
    const at = ownerOfLast(path, definition, all)
    if (typeof at === 'string') return [`'${path.join('.')}': ${at}`]
    const last = path[path.length - 1] ?? ''
    if (last === 'account' || Object.hasOwn(at.links ?? {}, last)) return []
    const field = fieldOf(at, last)
    if (!field) return [`'${path.join('.')}': ${at.name} has no field '${last}'${suggestion(last, Object.keys(at.fields))}`]
    if (field.writeOnly || isElsewhere(field)) return [`'${path.join('.')}': '${last}' is not stored`]
    if (values.length === 0) return [`'${path.join('.')}': no record has one of no values`]
    return mistakesInTested(path, values, field)
  })
}

/** The definition that the last step of a path belongs to, or a mistake in the steps before. */
function ownerOfLast(path: readonly string[], definition: Definition, all: Definitions): Definition | string {
  let at = definition
  for (const step of path.slice(0, -1)) {
    const field = fieldOf(at, step)
    const part = field?.kind === 'ref' ? undefined : partBelow(at, step, all)
    if (!field && !part) return `${at.name} has no field '${step}'`
    if (field?.kind !== 'ref' && !part) return `'${step}' is not a reference`
    const next = part ?? all.get(field?.record ?? '')
    if (!next) return `there is no record type '${field?.record}'`
    at = next
  }
  return at
}

function partBelow(owner: Definition, name: string, all: Definitions): Definition | undefined {
  return [...all.values()].find((part) => (part.pathBelow ?? part.path) === name && isPartOf(part, owner))
}

function mistakesInTested(path: readonly string[], values: readonly unknown[], field: Field): string[] {
  // Placeholders, such as `me`, are objects.
  const plain = values.filter((value) => typeof value !== 'object')
  return plain.flatMap((value) => {
    const mistake = mistakeInTest(value, field)
    return mistake === null ? [] : [`'${path.join('.')}': ${mistake}`]
  })
}

/** The mistake in a path over references, or a link, that has to end at the definition; null if there is none. */
export function mistakeInPath(path: string, from: Definition, to: Definition, all: Definitions): string | null {
  const steps = path.split('.')
  const at = ownerOfLast(steps, from, all)
  if (typeof at === 'string') return at
  const last = steps[steps.length - 1] ?? ''
  const link = Object.hasOwn(at.links ?? {}, last) ? at.links?.[last] : undefined
  const field = fieldOf(at, last)
  if (!link && !field) return `${at.name} has no field '${last}'`
  return (link ?? field)?.record === to.name ? null : `'${path}' of ${from.name} does not refer to ${to.name}`
}
