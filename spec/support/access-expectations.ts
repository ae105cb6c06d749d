/** Expected permissions of a visitor, by the access part of a definition, computed independently of the plugin. */
import type { Role } from '../../plugin/core/call.js'
import type { Permission } from '../../plugin/index.js'
import type { RecordType } from '../../plugin/schema/catalog.js'
import type { Condition, Placeholder, Test, Tests } from '../../plugin/schema/language/conditions.js'
import type { Grant, Who } from '../../plugin/schema/language/who.js'
import type { Made } from './contract-place.js'

/** A grant of a definition, or a permission as a host reads it. */
type Grantlike = Grant | Permission

/** A person whom no record names. */
export interface Visitor {
  readonly name: string
  readonly id: number
  readonly headers: Record<string, string>
  readonly roles: ReadonlySet<Role>
  readonly organization: number
  /** Ids of the agreements that cover the visitor through the organization, and of what they provide. */
  readonly agreements: readonly number[]
  readonly services: readonly number[]
  readonly serviceInstances: readonly number[]
}

/** True if the visitor has any access to the type. */
export function mayCome({ access }: RecordType, visitor: Visitor): boolean {
  return !access.use || hasAny(visitor, access.use)
}

/** True if the visitor sees the record, as far as its own type decides; null if only the plugin can tell. */
export function sees({ access }: RecordType, record: Made, visitor: Visitor): boolean | null {
  if (!access.see || hasAny(visitor, access.see.roles)) return true
  return holds(access.see.otherwise, record, visitor)
}

/** True if a grant names a role of the visitor, or all people. */
export function isGranted(grants: readonly Grantlike[] | null, visitor: Visitor): boolean {
  return (grants ?? []).map(whoOf).some((who) => {
    return who === 'anyone' || (typeof who === 'string' && who !== 'self' && visitor.roles.has(who))
  })
}

/** True if a grant names the person, or the members of the team, in the field. */
export function isGrantedTo(grants: readonly Grantlike[], field: string): boolean {
  return grants.map(whoOf).some((who) => who === 'anyone' || fieldIn(who) === field)
}

/** Fields and links of the record itself whose people, or teams, may see or change it. */
export function namedBy(type: RecordType): readonly string[] {
  const { see, update } = type.access
  const granted = update.map((grant) => fieldIn(whoOf(grant)))
  const names = new Set([...granted, ...(see ? pathsOfOwn(see.otherwise) : [])].filter((name) => name !== null))
  return [...names].filter((name) => {
    const field = type.fields.get(name)
    return type.links.has(name) || (field !== undefined && !field.readOnly && field.kind === 'ref')
  })
}

/** Paths that, alone, allow the acting person or the own teams to see the record. */
export function pathsOfOwn(condition: Condition): readonly string[] {
  const parts = 'anyOf' in condition ? (condition.anyOf as readonly Condition[]) : [condition]
  return parts.flatMap((one) => {
    const [only, ...more] = Object.entries(one as Tests)
    const isOwn = isPlaceholder(only?.[1]) && ['me', 'my_teams'].includes(only[1].placeholder)
    return only && isOwn && more.length === 0 ? [only[0]] : []
  })
}

function whoOf(grant: Grantlike): Who {
  return typeof grant === 'object' && 'who' in grant ? grant.who : grant
}

function fieldIn(who: Who): string | null {
  return typeof who === 'string' ? null : 'person' in who ? who.person : who.memberOf
}

function hasAny(visitor: Visitor, roles: readonly Role[]): boolean {
  return roles.some((role) => visitor.roles.has(role))
}

function holds(condition: Condition, record: Made, visitor: Visitor): boolean | null {
  if ('anyOf' in condition) return either((condition.anyOf as readonly Condition[]).map((one) => holds(one, record, visitor)))
  if ('allOf' in condition) return all((condition.allOf as readonly Condition[]).map((one) => holds(one, record, visitor)))
  return all(Object.entries(condition as Tests).map(([path, test]) => meets(path, test, record, visitor)))
}

function all(answers: readonly (boolean | null)[]): boolean | null {
  if (answers.includes(false)) return false
  return answers.includes(null) ? null : true
}

function either(answers: readonly (boolean | null)[]): boolean | null {
  if (answers.includes(true)) return true
  return answers.includes(null) ? null : false
}

function meets(path: string, test: Test, record: Made, visitor: Visitor): boolean | null {
  if (isPlaceholder(test)) return meetsPlaceholder(path, test, record, visitor)
  const values = Array.isArray(test) ? test : [test]
  const value = valueAt(path, record)
  if (typeof test === 'object' && test !== null && 'not' in test) {
    const others = test.not.filter((one) => !isPlaceholder(one))
    return value === undefined || others.length < test.not.length ? null : !others.includes(value as never)
  }
  if (value === undefined || (typeof test === 'object' && test !== null && 'compare' in test)) return null
  return values.includes(value)
}

function meetsPlaceholder(path: string, test: Placeholder, record: Made, visitor: Visitor): boolean | null {
  switch (test.placeholder) {
    case 'me':
    case 'my_teams':
      return false
    case 'my_organization':
      return isAt(path, record, visitor.organization)
    case 'my_role_accounts':
      return hasAny(visitor, test.roles ?? [])
    case 'my_covered_services':
      return coveredAt(path, record, visitor.services)
    case 'my_covered_service_instances':
      return coveredAt(path, record, visitor.serviceInstances)
    case 'my_covering_accounts':
      return visitor.agreements.length > 0
    default:
      return null
  }
}

function coveredAt(path: string, record: Made, covered: readonly number[]): boolean | null {
  const value = valueAt(path, record)
  return covered.length === 0 ? false : value === undefined ? null : covered.includes(Number(value))
}

function isAt(path: string, record: Made, id: number): boolean | null {
  const value = valueAt(path, record)
  return value === undefined ? null : value === id
}

/** The value of a field of the record itself, references by their id; undefined for what the response does not show. */
function valueAt(path: string, record: Made): unknown {
  const value = record[path]
  return typeof value === 'object' && value !== null && 'id' in value ? value.id : value
}

function isPlaceholder(value: unknown): value is Placeholder {
  return typeof value === 'object' && value !== null && 'placeholder' in value
}
