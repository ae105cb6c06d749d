/** The table of permissions in the README, built from the access parts of the definitions. */
import type { Role } from '../../plugin/core/call.js'
import type { Catalog, RecordField, RecordType } from '../../plugin/schema/compile/compile.js'
import type { Condition, Placeholder, Test, Tests } from '../../plugin/schema/conditions.js'
import type { Operation } from '../../plugin/schema/define-record.js'
import type { Grant, Who } from '../../plugin/schema/who.js'

const HEADER = ['Records', 'See', 'Create', 'Change', 'Remove', 'Fields with rules of their own']
/** With more fields than this, only the omitted ones are listed. */
const MAX_FIELDS = 5
/** With more types than this, owners of sub-records are not listed. */
const MAX_OWNERS = 8

/** One row per record type, in catalog order, and a line that defines the staff. */
export function accessTable(catalog: Catalog): string {
  const types = [...catalog.types.values()]
  const staff = types
    .map((type) => type.access.see?.roles ?? [])
    .reduce((one, other) => (other.length > one.length ? other : one))
  const text = textsFor(staff)
  const rows = types.map((type) => [
    nameOf(type, catalog),
    seen(type, text),
    isOffered('create', type, catalog) ? grantsText(type.access.create, text) : '–',
    isOffered('update', type, catalog) ? grantsText(type.access.update, text) : '–',
    isOffered('remove', type, catalog) ? grantsText(type.access.remove ?? [], text) : '–',
    fieldsText(type, text),
  ])
  const lines = [HEADER, HEADER.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)
  return `${lines.join('\n')}\n\nStaff are ${list(staff.map(plural), 'and')}.`
}

interface Texts {
  roles(roles: readonly Role[]): string
}

function textsFor(staff: readonly Role[]): Texts {
  const isStaff = (roles: readonly Role[]) => roles.length === staff.length && roles.every((role) => staff.includes(role))
  return { roles: (roles) => (isStaff(roles) ? 'staff' : list(roles.map(plural), 'and')) }
}

function plural(role: Role): string {
  return role === 'account_administrator' ? 'administrators' : `${words(role)}s`
}

/** Sub-records are known by their name below their owners, and by these. */
function nameOf({ name, path, partOf }: RecordType, catalog: Catalog): string {
  const owners = partOf.map((one) => catalog.type(one))
  const [below = path] = owners.flatMap((owner) => [...owner.parts].flatMap(([at, part]) => (part === name ? [at] : [])))
  if (owners.length === 0) return words(path)
  if (owners.length > catalog.types.size / 2) return `${words(below)} of any record`
  const paths = owners.map((owner) => words(owner.path))
  return `${words(below)} of ${paths.length > MAX_OWNERS ? 'several records' : list(paths, 'and')}`
}

function words(name: string): string {
  return name.replaceAll('_', ' ')
}

function isOffered(operation: Operation, type: RecordType, catalog: Catalog): boolean {
  if (type.operations.has(operation) || type.nested.has(operation)) return true
  const children = [...catalog.types.values()].flatMap((owner) => [...owner.children.values()])
  return operation === 'create' && children.some(({ record, createdWith }) => record === type.name && createdWith !== null)
}

function seen({ access, partOf }: RecordType, text: Texts): string {
  const { use, see, fromTrusted } = access
  const clauses = [
    ...(partOf.length > 0 ? ['as their owner'] : []),
    ...(use ? [`${text.roles(use)} only`] : []),
    ...(see ? [`${text.roles(see.roles)} all, others where ${conditionText(see.otherwise, text)}`] : []),
    ...(fromTrusted ? [`those of trusted accounts where ${conditionText(fromTrusted, text)}`] : []),
  ]
  return clauses.length === 0 ? 'everybody' : clauses.join('; ')
}

function grantsText(grants: readonly Grant[], text: Texts): string {
  if (grants.length === 0) return 'nobody'
  return grants
    .map((grant) => {
      if (typeof grant === 'string' || !('who' in grant)) return whoText(grant, text)
      return `${whoText(grant.who, text)} (only ${list(grant.fields.map(code), 'and')})`
    })
    .join(', ')
}

function whoText(who: Who, text: Texts): string {
  if (who === 'anyone') return 'everybody'
  if (who === 'self') return 'oneself'
  if (typeof who === 'string') return text.roles([who])
  return 'person' in who ? `their ${code(who.person)}` : `members of their ${code(who.memberOf)}`
}

function fieldsText(type: RecordType, text: Texts): string {
  const groups = new Map<string, string[]>()
  for (const field of type.fields.values()) {
    for (const rule of rulesOf(field, text)) groups.set(rule, [...(groups.get(rule) ?? []), field.name])
  }
  const open = [...type.fields.values()].filter((field) => !field.readOnly).map(({ name }) => name)
  return [...groups]
    .map(([rule, names]) => {
      const others = open.filter((name) => !names.includes(name))
      return `${names.length > MAX_FIELDS ? `all but ${list(others.map(code), 'and')}` : list(names.map(code), 'and')}: ${rule}`
    })
    .join('; ')
}

function rulesOf({ guardedBy, read, write }: RecordField, text: Texts): readonly string[] {
  const people = (who: readonly Who[]) =>
    list(
      who.map((one) => whoText(one, text)),
      'and',
    )
  return [
    ...(read ? [`read by ${people(read)}`] : []),
    ...(write ? [write.length === 0 ? 'set by the system only' : `set by ${people(write)}`] : []),
    ...(guardedBy ? [`of ${text.roles([guardedBy])}, set by ${text.roles([guardedBy])} only`] : []),
  ]
}

/** A condition as a clause after "where they …": clauses about the same person or team are joined. */
export function conditionText(condition: Condition, text: Texts): string {
  const parts = 'anyOf' in condition ? (condition.anyOf as readonly Condition[]) : [condition]
  const own = parts.flatMap((one) => soleTest(one, 'me'))
  const ofTeam = parts.flatMap((one) => soleTest(one, 'my_teams'))
  const others = parts.filter((one) => soleTest(one, 'me').length === 0 && soleTest(one, 'my_teams').length === 0)
  const clauses = [
    ...(own.length > 0 ? [`they are ${list(own.map(code), 'or')}`] : []),
    ...(ofTeam.length > 0 ? [`they belong to ${list(ofTeam.map(code), 'or')}`] : []),
    ...others.map((one) => allText(one, text)),
  ]
  return clauses.join(', or ')
}

/** The path of a condition on this placeholder alone. */
function soleTest(condition: Condition, placeholder: Placeholder['placeholder']): readonly string[] {
  const [only, ...more] = Object.entries(condition as Tests)
  const isSole = only !== undefined && more.length === 0 && isPlaceholder(only[1]) && only[1].placeholder === placeholder
  return isSole ? [only[0]] : []
}

function allText(condition: Condition, text: Texts): string {
  if ('allOf' in condition || 'anyOf' in condition) {
    const inner = Object.values(condition).flat() as readonly Condition[]
    return `(${inner.map((one) => conditionText(one, text)).join('allOf' in condition ? ' and ' : ' or ')})`
  }
  return Object.entries(condition as Tests)
    .map(([path, test]) => testText(path, test, text))
    .join(' and ')
}

function testText(path: string, test: Test, text: Texts): string {
  if (isPlaceholder(test)) return placeholderText(path, test, text)
  if (Array.isArray(test)) return `${code(path)} is ${list(test.map(valueText), 'or')}`
  if (typeof test === 'object' && test !== null) {
    if ('not' in test) return `${code(path)} is not ${list(test.not.map(valueText), 'or')}`
    if ('compare' in test) return `${code(path)} ${test.compare} ${valueText(test.to)}`
  }
  return `${code(path)} is ${valueText(test)}`
}

function placeholderText(path: string, { placeholder, roles = [] }: Placeholder, text: Texts): string {
  switch (placeholder) {
    case 'me':
      return `they are ${code(path)}`
    case 'my_teams':
      return `they belong to ${code(path)}`
    case 'my_organization':
      return `${code(path)} is theirs`
    case 'my_covered_services':
    case 'my_covered_service_instances':
      return `an agreement covers them for ${code(path)}`
    case 'my_services_with_knowledge':
      return `an agreement that shows the knowledge of the provider covers them for ${code(path)}`
    case 'my_covering_accounts':
      return 'an agreement of the account covers them'
    case 'my_role_accounts':
      return `they belong to the ${text.roles(roles)} of the account`
    default:
      return `${code(path)} is ${placeholder.replaceAll('_', ' ')}`
  }
}

function valueText(value: unknown): string {
  if (value === null) return 'empty'
  if (isPlaceholder(value)) return value.placeholder.replaceAll('_', ' ')
  return typeof value === 'string' ? code(value) : String(value)
}

function isPlaceholder(value: unknown): value is Placeholder {
  return typeof value === 'object' && value !== null && 'placeholder' in value
}

function code(name: string): string {
  return `\`${name}\``
}

function list(names: readonly string[], last: 'and' | 'or'): string {
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} ${last} ${names.at(-1)}`
}
