/** Reports every mistake that definitions can contain, as sentences that name the place and what to do. */
import { mistakesOfExtension } from './check-extensions.js'
import { type Definitions, hasField, isPartOf, mistakesOfAccess, mistakesOfCondition, mistakesOfField } from './check-fields.js'
import { type Collection, type Definition, type Extension, OPERATIONS, VERBS } from './define-record.js'
import type { RuleBook } from './define-rule.js'
import { SYSTEM_TABLES } from './derive/tables.js'
import type { Field } from './fields.js'

const NAME = /^[a-z][a-z0-9_]*$/
/** Query parameters that are never filters (gaps 1.5). */
export const RESERVED_PARAMETERS = new Set([
  'page',
  'per_page',
  'sort',
  'fields',
  'callback',
  'api_token',
  'state',
  'locale',
  '_',
  'attachment_upload_token',
  'format',
])
const PARTS: { readonly [name in keyof Required<Definition>]: true } = {
  name: true,
  path: true,
  table: true,
  fields: true,
  title: true,
  reference: true,
  collection: true,
  lists: true,
  links: true,
  children: true,
  partOf: true,
  parts: true,
  operations: true,
  nested: true,
  pathBelow: true,
  access: true,
  rules: true,
  events: true,
  unique: true,
  import: true,
  audit: true,
  holdsRoles: true,
  withDirectory: true,
  present: true,
  removalSets: true,
  translates: true,
}

/** Says what is wrong, and where in the definition. */
type Say = (where: string, text: string) => void

/** All mistakes; an empty list means that the definitions can be compiled. */
export function mistakesIn(definitions: readonly Definition[], extensions: readonly Extension[], rules: RuleBook): string[] {
  // Without its bones a definition cannot be looked into, and neither can what refers to it.
  const incomplete = definitions.flatMap(missingIn)
  if (incomplete.length > 0) return incomplete
  const byName = new Map(definitions.map((definition) => [definition.name, definition]))
  return [
    ...duplicates(definitions),
    ...definitions.flatMap((definition) => mistakesOf(definition, byName, rules)),
    ...extensions.flatMap((extension) => mistakesOfExtension(extension, extensions, byName, rules)),
  ]
}

function missingIn(definition: Definition): string[] {
  const name = String(definition?.name)
  const given = (value: unknown) => typeof value === 'object' && value !== null
  return (['fields', 'collection', 'access'] as const).flatMap((part) =>
    given(definition?.[part]) ? [] : [`${name}.${part}: is missing; every record type has it`],
  )
}

function duplicates(definitions: readonly Definition[]): string[] {
  const mistakes: string[] = []
  const each = (what: string, keyOf: (definition: Definition) => string | undefined) => {
    const seen = new Map<string, Definition>()
    for (const definition of definitions) {
      const key = keyOf(definition)
      if (key === undefined) continue
      const other = seen.get(key)
      if (other) mistakes.push(`${definition.name}: the ${what} '${key}' is already that of ${other.name}`)
      seen.set(key, definition)
    }
  }
  each('name', ({ name }) => name)
  // Parts stand below their owners.
  each('path', ({ path, partOf }) => (partOf ? undefined : path))
  each('table', tableOf)
  each('import type', (definition) => definition.import?.type)
  return mistakes
}

function tableOf(definition: Definition): string {
  return definition.table ?? definition.path
}

function mistakesOf(definition: Definition, all: Definitions, rules: RuleBook): string[] {
  const { name, fields } = definition
  const mistakes: string[] = []
  const say: Say = (where, text) => mistakes.push(`${name}${where}: ${text}`)

  for (const part of Object.keys(definition)) {
    if (!Object.hasOwn(PARTS, part)) say('', `there is no '${part}' in a definition`)
  }
  if (!NAME.test(name)) say('', 'a name is lower case letters, digits and underscores, and starts with a letter')
  if (!NAME.test(definition.path)) say('.path', `'${definition.path}' is not lower case letters, digits and underscores`)
  checkTable(definition, say)
  const { id } = fields
  if (!hasField(definition, 'id')) say('.fields', "every type needs the field id; start with '...identity' or '...common'")
  else if (id?.kind !== 'integer' || !id.readOnly) say('.fields.id', 'the id is a read-only integer')
  for (const [field, spec] of Object.entries(fields)) {
    for (const text of mistakesOfField(field, spec, definition, all)) say(`.fields.${field}`, text)
  }
  mustBeFields(say, definition, '.title', definition.title ? [definition.title] : [])
  mustBeFields(say, definition, '.reference', definition.reference ?? [])
  checkCollection(definition, definition.collection, say)
  for (const group of definition.unique ?? []) mustBeStored(say, definition, '.unique', group)
  for (const [list, condition] of Object.entries(definition.lists ?? {})) {
    if (!NAME.test(list)) say(`.lists.${list}`, 'the name of a list is lower case letters, digits and underscores')
    for (const text of mistakesOfCondition(condition, definition, all)) say(`.lists.${list}`, text)
  }
  for (const text of mistakesOfAccess(definition.access, definition, all)) say('.access', text)
  checkRelations(definition, all, say)
  for (const operation of [...(definition.operations ?? []), ...(definition.nested ?? [])]) {
    if (!OPERATIONS.includes(operation)) say('.operations', `'${operation}' is not one of ${OPERATIONS.join(', ')}`)
  }
  for (const verb of definition.events ?? []) {
    if (!VERBS.includes(verb)) say('.events', `'${verb}' is not one of ${VERBS.join(', ')}`)
  }
  for (const use of definition.rules ?? []) {
    const rule = Object.hasOwn(rules, use.rule) ? rules[use.rule] : undefined
    if (!rule) say('.rules', `there is no rule '${use.rule}'`)
    else mustBeFields(say, definition, `.rules.${use.rule}`, rule.fields?.(use) ?? [])
  }
  checkImport(definition, say)
  return mistakes
}

function mustBeFields(say: Say, definition: Definition, where: string, names: readonly string[]): void {
  for (const name of names) if (!hasField(definition, name)) say(where, `there is no field '${name}'`)
}

/** The same for fields that the database compares: those that a column holds. */
function mustBeStored(say: Say, definition: Definition, where: string, names: readonly string[]): void {
  mustBeFields(say, definition, where, names)
  for (const name of names) {
    const field = hasField(definition, name) ? definition.fields[name] : undefined
    const hasColumn = !field?.writeOnly && !['parts', 'owner', 'hash'].includes(field?.kind ?? '')
    if (field && !hasColumn) say(where, `'${name}' cannot be compared`)
  }
}

function checkTable(definition: Definition, say: Say): void {
  const table = tableOf(definition)
  if (!NAME.test(table)) say('.table', `'${table}' is not lower case letters, digits and underscores`)
  if (SYSTEM_TABLES.some((known) => known === table)) say('.table', `'${table}' is one of our own tables; choose another name`)
}

function checkCollection(definition: Definition, collection: Collection, say: Say): void {
  const keysOf = (sort: string) => sort.split(',').flatMap((key) => (key === '' ? [] : [key.replace(/^-/, '')]))
  mustBeFields(say, definition, '.collection.fields', collection.fields)
  mustBeFields(say, definition, '.collection.below.fields', collection.below?.fields ?? [])
  mustBeStored(say, definition, '.collection.sortable', collection.sortable === 'same' ? [] : collection.sortable)
  mustBeStored(say, definition, '.collection.filterable', collection.filterable)
  for (const field of collection.filterable) {
    if (RESERVED_PARAMETERS.has(field))
      say('.collection.filterable', `'${field}' is a parameter of every list, so it cannot be a filter`)
  }
  mustBeStored(say, definition, '.collection.sort', keysOf(collection.sort))
  mustBeStored(say, definition, '.collection.below.sort', keysOf(collection.below?.sort ?? ''))
}

function checkRelations(definition: Definition, all: Definitions, say: Say): void {
  for (const [path, link] of Object.entries(definition.links ?? {})) {
    if (!NAME.test(path)) say(`.links.${path}`, 'the name of a link is lower case letters, digits and underscores')
    if (!all.has(link.record)) say(`.links.${path}`, `there is no record type '${link.record}'`)
    for (const name of [link.table, link.from, link.to]) {
      if (!NAME.test(String(name))) say(`.links.${path}`, `'${name}' is not lower case letters, digits and underscores`)
    }
    if (link.from === link.to) say(`.links.${path}`, 'from and to are the same column')
  }
  for (const [path, child] of Object.entries(definition.children ?? {})) {
    const other = all.get(child.record)
    if (!other) say(`.children.${path}`, `there is no record type '${child.record}'`)
    for (const by of other ? [child.by].flat() : []) {
      const mistake = mistakeInPath(by, other, definition, all)
      if (mistake) say(`.children.${path}`, mistake)
    }
  }
  for (const part of definition.parts ?? []) {
    const other = all.get(part)
    if (!other) say('.parts', `there is no record type '${part}'`)
    else if (!isPartOf(other, definition)) say('.parts', `${part} does not name ${definition.name} in its partOf`)
  }
  for (const owner of definition.partOf === '*' ? [] : (definition.partOf ?? [])) {
    if (!all.has(owner)) say('.partOf', `there is no record type '${owner}'`)
  }
}

/** What is wrong with a path over references that has to end at the definition; null when nothing is. */
function mistakeInPath(path: string, from: Definition | undefined, to: Definition, all: Definitions): string | null {
  let [current, field] = [from, undefined as Field | undefined]
  for (const step of path.split('.')) {
    if (!current || !hasField(current, step)) return `${current?.name ?? from?.name} has no field '${step}'`
    field = current.fields[step]
    current = all.get(field?.record ?? '')
  }
  return field?.record === to.name ? null : `'${path}' of ${from?.name} does not refer to ${to.name}`
}

function checkImport(definition: Definition, say: Say): void {
  const columns = definition.import?.columns ?? []
  const key = definition.import?.key
  if (key !== undefined && !columns.some((column) => column.field === key)) {
    say('.import.key', `there is no column for '${key}'`)
  }
  for (const [index, column] of columns.entries()) {
    if (!hasField(definition, column.field) && !Object.hasOwn(definition.links ?? {}, column.field)) {
      say(`.import.columns.${column.header}`, `there is no field or link '${column.field}'`)
    }
    if (columns.slice(0, index).some((other) => other.header.toLowerCase() === column.header.toLowerCase())) {
      say('.import.columns', `the header '${column.header}' stands there twice`)
    }
  }
}
