/** Reports every mistake that definitions can contain, as sentences that name the place and what to do. */
import { mistakesOfAccess } from './check-access.js'
import { mistakesOfField } from './check-fields.js'
import { checkImports, duplicateImports } from './check-imports.js'
import { NAME, type Say } from './check-names.js'
import { type Definitions, fieldOf, hasColumn, hasField, mistakesOfCondition, titleOf } from './check-paths.js'
import { checkRelations } from './check-relations.js'
import type { Collection, Definition, RuleUse } from './define-record.js'
import type { Rule, RuleBook } from './define-rule.js'
import { DEFINITION, EXTENSION } from './definition-shapes.js'
import { SYSTEM_TABLES } from './derive/tables.js'
import type { Extension } from './extend-record.js'
import type { Field } from './fields.js'
import { isElsewhere } from './kinds.js'
import { labelOf, type Merged, merge } from './merge.js'
import { checkShape, type SayAt } from './shapes.js'

/** Query parameters that are no filters (gaps 1.5), apart from `locale` where a list is filtered by it (gaps 6.13). */
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
/**
 * All mistakes; an empty list means that the definitions can be compiled.
 *
 * @param lists keys of the enumerations that belong to no type
 */
export function mistakesIn(
  definitions: readonly Definition[],
  extensions: readonly Extension[],
  rules: RuleBook,
  lists: ReadonlySet<string> = new Set(),
): string[] {
  const shapes = mistakesInShapes(definitions, extensions)
  // What has another shape cannot be looked into, and neither can what refers to it.
  if (!shapes.harmless) return [...shapes.mistakes]
  const merged = merge(definitions, extensions, lists)
  const byName = new Map(merged.definitions.map((definition) => [definition.name, definition]))
  return [
    ...shapes.mistakes,
    ...duplicates(merged.definitions),
    ...merged.mistakes,
    ...merged.definitions.flatMap((definition) => mistakesOf(definition, byName, rules, merged.addedBy)),
  ]
}

/** What is not of the shape that definitions and extensions have. */
function mistakesInShapes(definitions: readonly Definition[], extensions: readonly Extension[]) {
  const mistakes: string[] = []
  let harmless = true
  const sayOf =
    (label: string, separator: string): SayAt =>
    (path, text, isHarmless = false) => {
      harmless &&= isHarmless
      mistakes.push(`${label}${path === '' ? '' : separator}${path}: ${text}`)
    }
  for (const [index, definition] of definitions.entries()) {
    const name: unknown = definition?.name
    checkShape(definition, DEFINITION, '', sayOf(typeof name === 'string' ? name : `definitions[${index}]`, '.'))
  }
  for (const [index, extension] of extensions.entries()) {
    checkShape(extension, EXTENSION, '', sayOf(labelOf(extensions, index), ': '))
  }
  return { mistakes, harmless }
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
  return [...mistakes, ...duplicateImports(definitions)]
}

function tableOf(definition: Definition): string {
  return definition.table ?? definition.path
}

function mistakesOf(definition: Definition, all: Definitions, rules: RuleBook, addedBy: Merged['addedBy']): string[] {
  const { name, fields } = definition
  const mistakes: string[] = []
  const say: Say = (where, text, part = where.slice(1)) => {
    const label = addedBy(name, part)
    const place = label === null ? `${name}${where}` : `${label}: ${where.slice(1).replace('import.columns', 'importColumns')}`
    mistakes.push(`${place}: ${text}`)
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
  const title = titleOf(definition)
  mustBeOpen(say, definition, '.title', title ? [title] : [])
  mustBeOpen(say, definition, '.reference', definition.reference ?? [])
  checkCollection(definition, definition.collection, say)
  for (const group of definition.unique ?? []) {
    mustBeStored((where, text) => say(where, text, `unique=${group}`), definition, '.unique', group)
  }
  checkPresence(definition, all, say)
  for (const [list, condition] of Object.entries(definition.lists ?? {})) {
    if (!NAME.test(list)) say(`.lists.${list}`, 'the name of a list is lower case letters, digits and underscores')
    for (const text of mistakesOfCondition(condition, definition, all)) say(`.lists.${list}`, text)
  }
  for (const { text, part } of mistakesOfAccess(definition.access, definition, all)) say('.access', text, part)
  checkRelations(definition, all, say)
  for (const [index, use] of (definition.rules ?? []).entries()) {
    const sayHere = (where: string, text: string) => say(where, text, `rules=${index}`)
    const rule = Object.hasOwn(rules, use.rule) ? rules[use.rule] : undefined
    if (!rule) sayHere('.rules', `there is no rule '${use.rule}'`)
    else mustBeFields(sayHere, definition, `.rules.${use.rule}`, fieldsNamed(rule, use, sayHere))
  }
  checkImports(definition, all, say)
  return mistakes
}

/** The fields that a rule names in its settings; settings of another shape than it expects may let it fail. */
function fieldsNamed(rule: Rule, use: RuleUse, say: Say): readonly string[] {
  try {
    return (rule.fields?.(use) ?? []).map(String)
  } catch (error) {
    say(`.rules.${use.rule}`, `the rule cannot read its settings: ${error instanceof Error ? error.message : String(error)}`)
    return []
  }
}

function mustBeFields(say: Say, definition: Definition, where: string, names: readonly string[]): void {
  for (const name of names) if (!hasField(definition, name)) say(where, `there is no field '${name}'`, partOf(where, name))
}

/** One of a list of a definition, as `merge.ts` calls what an extension has added to it. */
function partOf(where: string, name: string): string {
  return `${where.slice(1)}=${name}`
}

/** The same for fields that references show: whoever sees the reference sees them. */
function mustBeOpen(say: Say, definition: Definition, where: string, names: readonly string[]): void {
  mustBeFields(say, definition, where, names)
  for (const name of names) if (fieldOf(definition, name)?.read) say(where, `not everybody may read '${name}'`)
}

/** The same for fields that a column of the record's own table holds. */
function mustBeStored(say: Say, definition: Definition, where: string, names: readonly string[]): void {
  mustBeFields(say, definition, where, names)
  for (const name of names) {
    const field = fieldOf(definition, name)
    if (field && (!hasColumn(field) || !isComparable(field))) say(where, `'${name}' cannot be compared`, partOf(where, name))
  }
}

/** The same for fields that the database can compare, wherever they stand. */
function mustBeComparable(say: Say, definition: Definition, where: string, names: readonly string[]): void {
  mustBeFields(say, definition, where, names)
  for (const name of names) {
    const field = fieldOf(definition, name)
    if (field && !isComparable(field)) say(where, `'${name}' cannot be compared`, partOf(where, name))
  }
}

function isComparable(field: Field): boolean {
  return !field.writeOnly && !isElsewhere(field.kind) && field.kind !== 'hash' && field.kind !== 'strings'
}

/** Which records are there, and how they go away. */
function checkPresence(definition: Definition, all: Definitions, say: Say): void {
  if (definition.present) {
    for (const text of mistakesOfCondition(definition.present, definition, all)) say('.present', text)
  }
  const { removalSets } = definition
  if (removalSets === undefined) return
  const field = fieldOf(definition, removalSets)
  if (field?.kind !== 'boolean' || !hasColumn(field)) say('.removalSets', `'${removalSets}' is no boolean that is stored`)
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
  mustBeComparable(say, definition, '.collection.sortable', collection.sortable === 'same' ? [] : collection.sortable)
  mustBeComparable(say, definition, '.collection.filterable', collection.filterable)
  for (const field of collection.filterable) {
    if (RESERVED_PARAMETERS.has(field) && field !== 'locale')
      say(
        '.collection.filterable',
        `'${field}' is a parameter of every list, so it cannot be a filter`,
        partOf('.collection.filterable', field),
      )
  }
  mustBeComparable(say, definition, '.collection.sort', keysOf(collection.sort))
  mustBeComparable(say, definition, '.collection.below.sort', keysOf(collection.below?.sort ?? ''))
}
