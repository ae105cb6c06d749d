/** Reports what can be wrong with a field, with a condition, and with who may do what. */
import { ROLES } from '../core/call.js'
import { type Condition, type Criterion, criterionOf } from './conditions.js'
import type { Access, Definition } from './define-record.js'
import type { Field, FieldKind, FieldOptions, Grant, Who } from './fields.js'
import { NOTE, PERSON, TEAM } from './foundation.js'

export type Definitions = ReadonlyMap<string, Definition>

/** Columns that every table has beside the fields. */
const RESERVED = new Set(['account', 'account_id', 'owner_type', 'owner_id'])
/** Values of enumerations are kept in columns of this length. */
const LONGEST_VALUE = 64
const OPTIONS: { readonly [name in keyof Required<Field & FieldOptions>]: true } = {
  kind: true,
  values: true,
  enumeration: true,
  record: true,
  value: true,
  required: true,
  readOnly: true,
  writeOnly: true,
  only: true,
  default: true,
  ignoreCase: true,
  lowerCase: true,
  minimum: true,
  maximum: true,
  unit: true,
  read: true,
  write: true,
  note: true,
  keywords: true,
  end: true,
  localizes: true,
  keyedBy: true,
  hidden: true,
  masked: true,
  events: true,
  shows: true,
  replaceable: true,
  sameAs: true,
  max: true,
  format: true,
  whenPresent: true,
  allowDisabled: true,
  via: true,
  shownAs: true,
  firstOf: true,
  inputAs: true,
  onlyWhenSet: true,
  shownWith: true,
  translated: true,
  description: true,
}
/** JavaScript types of the defaults that a field of the kind can have. */
const DEFAULTS: Partial<Record<FieldKind, string>> = { integer: 'number', float: 'number', boolean: 'boolean' }

/** True when the definition has the field itself: every object also has a `constructor`. */
export function hasField(definition: { readonly fields: Definition['fields'] } | undefined, name: string): boolean {
  return definition !== undefined && Object.hasOwn(definition.fields, name)
}

/** What is wrong with one field of a definition (extensions included). */
export function mistakesOfField(name: string, field: Field, definition: Definition, all: Definitions): string[] {
  const mistakes = mistakesInName(name, definition)
  const { kind } = field
  for (const option of Object.keys(field)) {
    if (!Object.hasOwn(OPTIONS, option)) mistakes.push(`there is no option '${option}'`)
  }
  if (field.required && field.readOnly && field.default === undefined && kind !== 'ref') {
    mistakes.push('a read-only field cannot be required of a caller')
  }
  if (kind === 'string' && !(field.max && field.max > 0)) mistakes.push('a string needs its maximum length')
  if (kind === 'enum' && !field.events) mistakes.push(...mistakesInValues(field))
  else if (field.default !== undefined && typeof field.default !== (DEFAULTS[kind] ?? 'string')) {
    mistakes.push(`the default ${JSON.stringify(field.default)} is no ${kind}`)
  }
  if (field.minimum !== undefined && field.maximum !== undefined && field.minimum > field.maximum) {
    mistakes.push('the minimum is greater than the maximum')
  }
  mistakes.push(...mistakesInRelation(field, definition, all))
  for (const other of [field.sameAs, field.localizes, field.keyedBy]) {
    const isOfPart = other === 'owner_type' && definition.partOf !== undefined
    if (other !== undefined && !isOfPart && !hasField(definition, other)) mistakes.push(`there is no field '${other}'`)
  }
  if (field.keyedBy && definition.fields[field.keyedBy]?.kind !== 'enum') {
    mistakes.push(`'${field.keyedBy}' is no enumeration, so it cannot name the value`)
  }
  for (const who of [...(field.read ?? []), ...(field.write ?? [])]) mistakes.push(...mistakesInWho(who, definition))
  return mistakes
}

function mistakesInName(name: string, definition: Definition): string[] {
  const mistakes: string[] = []
  if (!/^[A-Za-z][A-Za-z0-9_]*$/.test(name)) mistakes.push('a field name is letters, digits and underscores')
  if (RESERVED.has(name) || name in Object.prototype) mistakes.push('this name is reserved')
  if (name.endsWith('_id') || name.endsWith('_ids')) {
    mistakes.push("leave '_id' away: references are written as <field>_id by callers")
  }
  const twin = Object.keys(definition.fields).find((other) => other !== name && other.toLowerCase() === name.toLowerCase())
  if (twin !== undefined) mistakes.push(`'${twin}' differs only in case, which columns do not`)
  return mistakes
}

function mistakesInValues(field: Field): string[] {
  const values = field.values ?? []
  if (values.length === 0) return ['an enumeration needs values']
  const mistakes: string[] = []
  if (new Set(values).size < values.length) mistakes.push('a value stands there twice')
  for (const value of values) {
    if (typeof value !== 'string' || !/^[^\\\p{Cc}]+$/u.test(value) || value.length > LONGEST_VALUE) {
      mistakes.push(`the value ${JSON.stringify(value)} is not a text of at most ${LONGEST_VALUE} characters without backslash`)
    }
  }
  if (field.default !== undefined && !values.includes(String(field.default))) {
    mistakes.push(`the default '${field.default}' is not among the values`)
  }
  return mistakes
}

/** References, parts, owners and notes: what they lead to must be there, and must know of it. */
function mistakesInRelation(field: Field, definition: Definition, all: Definitions): string[] {
  const other = all.get(field.record ?? '')
  if (field.kind === 'ref' || field.kind === 'parts') {
    if (!other)
      return field.whenPresent ? [] : [`there is no record type '${field.record}'; say whenPresent if it may be absent`]
  }
  const mistakes: string[] = []
  if (field.kind === 'parts' && other) {
    if (!isPartOf(other, definition)) mistakes.push(`${other.name} does not name ${definition.name} in its partOf`)
    for (const shown of field.shows ?? []) {
      if (!hasField(other, shown)) mistakes.push(`${other.name} has no field '${shown}'`)
    }
  }
  if (field.kind === 'owner' && !definition.partOf) mistakes.push('only parts have an owner; say partOf')
  if (field.note && !isPartOf(all.get(NOTE), definition)) {
    mistakes.push(`a note needs the record type '${NOTE}', with ${definition.name} in its partOf`)
  }
  return mistakes
}

/** True when records of the one type are parts of the other. */
export function isPartOf(part: Definition | undefined, owner: Definition): boolean {
  return part?.partOf === '*' ? owner.partOf === undefined : (part?.partOf?.includes(owner.name) ?? false)
}

/**
 * What is wrong with a condition: each step of a path must be a reference, the last one a field or a link; values of an
 * enumeration must be among its values.
 */
export function mistakesOfCondition(condition: Condition, definition: Definition, all: Definitions): string[] {
  return testsIn(criterionOf(condition)).flatMap(({ path, values }) => {
    let at: Definition | undefined = definition
    for (const [index, step] of path.entries()) {
      const isLast = index === path.length - 1
      if (isLast && (step === 'account' || Object.hasOwn(at?.links ?? {}, step))) return []
      if (!hasField(at, step)) return [`'${path.join('.')}': ${at?.name} has no field '${step}'`]
      const field: Field | undefined = at?.fields[step]
      if (isLast && (field?.writeOnly || field?.kind === 'parts')) return [`'${path.join('.')}': '${step}' is not stored`]
      if (isLast) return mistakesInTested(path, values, field)
      if (field?.kind !== 'ref') return [`'${path.join('.')}': '${step}' is not a reference`]
      at = all.get(field.record ?? '')
      if (!at) return [`'${path.join('.')}': there is no record type '${field.record}'`]
    }
    return []
  })
}

function testsIn(criterion: Criterion): readonly { path: readonly string[]; values: readonly unknown[] }[] {
  if ('all' in criterion) return criterion.all.flatMap(testsIn)
  if ('any' in criterion) return criterion.any.flatMap(testsIn)
  return 'path' in criterion ? [criterion] : []
}

function mistakesInTested(path: readonly string[], values: readonly unknown[], field: Field | undefined): string[] {
  if (field?.kind !== 'enum' || field.events) return []
  const unknown = values.filter((value) => typeof value === 'string' && !field.values?.includes(value))
  return unknown.map((value) => `'${path.join('.')}': '${value}' is not among the values`)
}

/** What is wrong with the access part of a definition. */
export function mistakesOfAccess(access: Access, definition: Definition, all: Definitions): string[] {
  const mistakes: string[] = []
  for (const role of [...(access.use ?? []), ...(access.see?.roles ?? [])]) mistakes.push(...mistakesInRole(role))
  if (access.see) {
    for (const text of mistakesOfCondition(access.see.otherwise, definition, all)) mistakes.push(`see: ${text}`)
  }
  for (const action of ['create', 'update', 'remove'] as const) {
    const grants: readonly Grant[] | undefined = access[action]
    if (grants !== undefined ? !Array.isArray(grants) : action !== 'remove')
      mistakes.push(`${action}: must be a list of grants`)
    for (const grant of Array.isArray(grants) ? (grants as readonly Grant[]) : []) {
      const isLimited = typeof grant === 'object' && 'who' in grant
      for (const text of mistakesInWho(isLimited ? grant.who : grant, definition)) mistakes.push(`${action}: ${text}`)
      for (const field of isLimited ? grant.fields : []) {
        if (!hasField(definition, field)) mistakes.push(`${action}: there is no field '${field}'`)
      }
    }
  }
  return mistakes
}

function mistakesInWho(who: Who, definition: Definition): string[] {
  if (typeof who === 'object') {
    const [name, record] = 'person' in who ? [who.person, PERSON] : [who.memberOf, TEAM]
    const field = hasField(definition, name) ? definition.fields[name] : undefined
    return field?.kind === 'ref' && field.record === record ? [] : [`'${name}' is not a reference to a ${record}`]
  }
  if (who === 'anyone') return []
  if (who !== 'self') return mistakesInRole(who)
  const isOfPerson = definition.name === PERSON || definition.partOf === '*' || definition.partOf?.includes(PERSON)
  return isOfPerson ? [] : [`'self' is only for the record type '${PERSON}' and its parts`]
}

function mistakesInRole(role: string): string[] {
  return ROLES.some((known) => known === role) ? [] : [`there is no role '${role}'`]
}
