/** The table of permissions in `permissions.md`, built from the permissions that hosts get as data. */
import type { Role } from '../../plugin/core/call.js'
import type { FieldPermissions, Permission, RecordPermissions } from '../../plugin/index.js'
import type { Condition, Placeholder, Test, Tests } from '../../plugin/schema/language/conditions.js'
import type { Who } from '../../plugin/schema/language/who.js'

const HEADER = ['Records', 'See', 'Create', 'Change', 'Remove', 'Fields with rules of their own']
/** With more fields than this, only the omitted ones are listed. */
const MAX_FIELDS = 5
/** With more types than this, owners of sub-records are not listed. */
const MAX_OWNERS = 8
/** With more clauses than this, a condition is shown as a list. */
const MAX_CLAUSES = 2
const NEXT_LINE = '<br>• '

/** One row per record type, and a line that defines the staff. */
export function accessTable(permissions: readonly RecordPermissions[]): string {
  const staff = permissions.map(({ sees }) => sees.all ?? []).reduce((one, other) => (other.length > one.length ? other : one))
  const text = textsFor(staff)
  const rows = permissions.map((one) => [
    nameOf(one, permissions),
    seen(one, text),
    ...[one.create, one.update, one.remove].map((permitted) => (permitted === null ? '–' : permittedText(permitted, text))),
    fieldsText(one, text),
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

/** Sub-records are known by their path below their owners, and by these. */
function nameOf({ below, owners, path }: RecordPermissions, all: readonly RecordPermissions[]): string {
  if (owners.length === 0) return words(path)
  if (owners.length > all.length / 2) return `${words(below ?? path)} of any record`
  const paths = owners.map((owner) => words(all.find(({ type }) => type === owner)?.path ?? owner))
  return `${words(below ?? path)} of ${paths.length > MAX_OWNERS ? 'several records' : list(paths, 'and')}`
}

function words(name: string): string {
  return name.replaceAll('_', ' ')
}

function seen({ read, sees }: RecordPermissions, text: Texts): string {
  const { all, ofTrustedAccounts, otherwise, withOwner } = sees
  const only = rolesIn(read.map(({ who }) => who))
  const clauses = [
    ...(withOwner ? ['as their owner'] : []),
    ...(only.length > 0 ? [`${text.roles(only)} only`] : []),
    ...(all && otherwise ? [`${text.roles(all)} all, others where${conditionList(otherwise, text)}`] : []),
    ...(ofTrustedAccounts ? [`those of trusted accounts where${conditionList(ofTrustedAccounts, text)}`] : []),
  ]
  if (clauses.length === 0) return 'everybody'
  return clauses.join(clauses.some((clause) => clause.includes(NEXT_LINE)) ? '<br>' : '; ')
}

/** A condition as the end of "where": many clauses are on lines of their own. */
function conditionList(condition: Condition, text: Texts): string {
  const clauses = clausesOf(condition, text)
  return clauses.length > MAX_CLAUSES ? clauses.map((one) => `${NEXT_LINE}${one}`).join(', or') : ` ${clauses.join(', or ')}`
}

function rolesIn(people: readonly Who[]): readonly Role[] {
  return people.flatMap((who) => (typeof who === 'string' && who !== 'anyone' && who !== 'self' ? [who] : []))
}

function permittedText(permitted: readonly Permission[], text: Texts): string {
  if (permitted.length === 0) return 'nobody'
  return permitted
    .map(({ fields, who }) => {
      const people = whoText(who, text)
      return fields === null ? people : `${people} (only ${list(fields.map(code), 'and')})`
    })
    .join(', ')
}

function whoText(who: Who, text: Texts): string {
  if (who === 'anyone') return 'everybody'
  if (who === 'self') return 'oneself'
  if (typeof who === 'string') return text.roles([who])
  return 'person' in who ? `their ${code(who.person)}` : `members of their ${code(who.memberOf)}`
}

function fieldsText({ fields }: RecordPermissions, text: Texts): string {
  const groups = new Map<string, string[]>()
  for (const field of fields) {
    for (const rule of rulesOf(field, text)) groups.set(rule, [...(groups.get(rule) ?? []), field.name])
  }
  const open = fields.filter((field) => !field.readOnly).map(({ name }) => name)
  return [...groups]
    .map(([rule, names]) => {
      const others = open.filter((name) => !names.includes(name))
      return `${names.length > MAX_FIELDS ? `all but ${list(others.map(code), 'and')}` : list(names.map(code), 'and')}: ${rule}`
    })
    .join('; ')
}

function rulesOf({ create, guardedBy, read, readOnly }: FieldPermissions, text: Texts): readonly string[] {
  const people = (who: readonly Who[]) =>
    list(
      who.map((one) => whoText(one, text)),
      'and',
    )
  return [
    ...(read && read.length > 0 ? [`read by ${people(read)}`] : []),
    ...(create && !readOnly ? [create.length === 0 ? 'set by the system only' : `set by ${people(create)}`] : []),
    ...(guardedBy ? [`of ${text.roles([guardedBy])}, set by ${text.roles([guardedBy])} only`] : []),
  ]
}

/** A condition as a clause after "where they …": clauses about the same person or team are joined. */
export function conditionText(condition: Condition, text: Texts): string {
  return clausesOf(condition, text).join(', or ')
}

/** The clauses of which one has to hold. */
function clausesOf(condition: Condition, text: Texts): readonly string[] {
  const parts = alternatives(condition)
  const own = parts.flatMap((one) => soleTest(one, 'me'))
  const ofTeam = parts.flatMap((one) => soleTest(one, 'my_teams'))
  const others = parts.filter((one) => soleTest(one, 'me').length === 0 && soleTest(one, 'my_teams').length === 0)
  return [
    ...(own.length > 0 ? [`they are ${list(own.map(code), 'or')}`] : []),
    ...(ofTeam.length > 0 ? [`they belong to ${list(ofTeam.map(code), 'or')}`] : []),
    ...others.map((one) => allText(one, text)),
  ]
}

function alternatives(condition: Condition): readonly Condition[] {
  return 'anyOf' in condition ? (condition.anyOf as readonly Condition[]).flatMap(alternatives) : [condition]
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
