/** Reports every mistake that definitions can contain, as messages with the place and the fix. */
import type { Definition } from '../language/define-record.js'
import type { Extension } from '../language/extend-record.js'
import { checkShape, type ReportAt } from '../language/shapes.js'
import { mistakesOfAccess } from './check-access.js'
import { checkAddresses, type EndpointAt, endpointsAt } from './check-addresses.js'
import { checkBehavior } from './check-behavior.js'
import {
  checkCollection,
  mistakesInDifferences,
  mustBeComparable,
  mustBeOpen,
  mustBeStored,
  mustNotBeTwice,
} from './check-collection.js'
import { mistakesOfField } from './check-fields.js'
import { checkImports, duplicateImports } from './check-imports.js'
import { mistakesInMoves } from './check-move-tables.js'
import { NAME, type Report } from './check-names.js'
import { checkComponentName, sameEnumerations } from './check-openapi-names.js'
import { type Definitions, fieldOf, hasColumn, hasField, mistakesOfCondition, titleOf } from './check-paths.js'
import { checkNamed, checkRelations } from './check-relations.js'
import { checkSettling } from './check-settling.js'
import { checkTimers } from './check-timers.js'
import { DEFINITION, EXTENSION } from './definition-shapes.js'
import { labelOf, type Merged, merge } from './merge.js'
import { SYSTEM_TABLES } from './system-tables.js'

/**
 * All mistakes; an empty list means that the definitions can be compiled.
 *
 * @param lists keys of the enumerations that do not belong to a type
 * @param endpoints the URL paths of all endpoints
 */
export function mistakesIn(
  definitions: readonly Definition[],
  extensions: readonly Extension[],
  lists: ReadonlySet<string> = new Set(),
  endpoints: readonly string[] = [],
): string[] {
  const shapes = mistakesInShapes(definitions, extensions)
  // A definition without fields, collection or access cannot be checked, nor can those that refer to it.
  if (!shapes.harmless) return [...shapes.mistakes]
  const merged = merge(definitions, extensions, lists)
  const endpointAt = endpointsAt(endpoints)
  const byName = new Map(merged.definitions.map((definition) => [definition.name, definition]))
  return [
    ...shapes.mistakes,
    ...duplicates(merged.definitions),
    ...definitions.flatMap(mistakesInDifferences),
    ...merged.mistakes,
    ...merged.definitions.flatMap((definition) => mistakesOf(definition, byName, { endpointAt, addedBy: merged.addedBy })),
  ]
}

/** Differences from the shape of definitions and extensions. */
function mistakesInShapes(definitions: readonly Definition[], extensions: readonly Extension[]) {
  const mistakes: string[] = []
  let harmless = true
  const reportOf =
    (label: string, separator: string): ReportAt =>
    (path, text, isHarmless = false) => {
      harmless &&= isHarmless
      mistakes.push(`${label}${path === '' ? '' : separator}${path}: ${text}`)
    }
  for (const [index, definition] of definitions.entries()) {
    const name: unknown = definition?.name
    checkShape(definition, DEFINITION, '', reportOf(typeof name === 'string' ? name : `definitions[${index}]`, '.'))
  }
  for (const [index, extension] of extensions.entries()) {
    checkShape(extension, EXTENSION, '', reportOf(labelOf(extensions, index), ': '))
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
  // Sub-records have URLs below their owners.
  each('path', ({ path, partOf }) => (partOf ? undefined : path))
  each('table', tableOf)
  return [...mistakes, ...sameEnumerations(definitions), ...duplicateImports(definitions)]
}

/** Maximum length of a table name. MySQL allows 64 characters, of which the option tablePrefix may use 20. */
const MAX_TABLE_NAME = 44

function tableOf(definition: Definition): string {
  return definition.table ?? definition.path
}

/** Other things that definitions are compared with. */
interface Surroundings {
  readonly endpointAt: EndpointAt
  readonly addedBy: Merged['addedBy']
}

function mistakesOf(definition: Definition, all: Definitions, { endpointAt, addedBy }: Surroundings): string[] {
  const { name, fields } = definition
  const mistakes: string[] = []
  const report: Report = (where, text, part = where.slice(1)) => {
    const label = addedBy(name, part)
    const place = label === null ? `${name}${where}` : `${label}: ${where.slice(1).replace('import.columns', 'importColumns')}`
    mistakes.push(`${place}: ${text}`)
  }

  if (!NAME.test(name)) report('', 'a name must be lower case letters, digits and underscores, and starts with a letter')
  checkComponentName(definition, all, report)
  if (!NAME.test(definition.path)) report('.path', `'${definition.path}' is not lower case letters, digits and underscores`)
  checkTable(definition, report)
  const { id } = fields
  if (!hasField(definition, 'id')) report('.fields', "every type needs the field id; start with '...identity' or '...common'")
  else if (id?.kind !== 'integer' || !id.readOnly) report('.fields.id', 'the id must be a read-only integer')
  for (const [field, spec] of Object.entries(fields)) {
    for (const text of mistakesOfField(field, spec, definition, all)) report(`.fields.${field}`, text)
  }
  const title = titleOf(definition)
  mustBeOpen(report, definition, '.title', title ? [title] : [])
  if (title && hasField(definition, title)) mustBeComparable(report, definition, '.title', [title])
  mustBeOpen(report, definition, '.reference', definition.reference ?? [])
  checkCollection(definition, report)
  for (const group of definition.unique ?? []) {
    if (group.length === 0)
      report('.unique', 'a group must have fields; without any it would allow only one record', `unique=${group}`)
    mustBeStored((where, text) => report(where, text, `unique=${group}`), definition, '.unique', group)
    mustNotBeTwice((where, text) => report(where, text, `unique=${group}`), '.unique', group)
  }
  checkPresence(definition, all, report)
  checkNamed(report, '.lists', 'a list', definition.lists, (list) => mistakesOfCondition(list, definition, all))
  for (const { text, part } of mistakesOfAccess(definition.access, definition, all)) report('.access', text, part)
  for (const text of mistakesInMoves(definition)) report('', text)
  checkRelations(definition, all, report)
  checkBehavior(definition, all, report)
  checkTimers(definition, all, report)
  checkSettling(definition, all, report)
  checkAddresses(definition, all, endpointAt, report)
  checkImports(definition, all, report)
  return mistakes
}

/** Checks which records exist, and how they are removed. */
function checkPresence(definition: Definition, all: Definitions, report: Report): void {
  if (definition.existsWhile) {
    for (const text of mistakesOfCondition(definition.existsWhile, definition, all)) report('.existsWhile', text)
  }
  const { registeredIn, softDeleteField } = definition
  const flag = fieldOf(definition, softDeleteField ?? '')
  if (softDeleteField !== undefined && (flag?.kind !== 'boolean' || !hasColumn(flag)))
    report('.softDeleteField', `'${softDeleteField}' must be a stored boolean field`)
  const account = fieldOf(definition, registeredIn ?? '')
  if (registeredIn !== undefined && (account?.kind !== 'string' || !account.writeOnly))
    report('.registeredIn', `'${registeredIn}' must be a write-only text field`)
}

function checkTable(definition: Definition, report: Report): void {
  const table = tableOf(definition)
  if (!NAME.test(table)) report('.table', `'${table}' is not lower case letters, digits and underscores`)
  if (table.length > MAX_TABLE_NAME)
    report('.table', `'${table}' is longer than ${MAX_TABLE_NAME} characters; choose a shorter table`)
  if ([...SYSTEM_TABLES, 'migrations', 'migrations_lock'].some((known) => known === table))
    report('.table', `'${table}' is a table of the plugin; choose another name`)
}
