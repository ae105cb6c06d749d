/**
 * Turns definitions into the catalog that all other code works with: extensions merged, defaults filled once, everything
 * frozen. After that, types of a host and of the plugin are treated alike.
 */
import { InvalidDefinition } from '../../core/errors.js'
import { suggestion } from '../../core/text/nearest.js'
import type { Catalog, RecordField, RecordImport, RecordRule, RecordType, SortKey } from '../catalog.js'
import { importOf } from '../check/all-columns.js'
import { mistakesIn } from '../check/check.js'
import { titleOf } from '../check/check-paths.js'
import { collectionNames } from '../check/collection-names.js'
import { merge } from '../check/merge.js'
import { orderRules } from '../check/order-rules.js'
import { columnOf, kindOf } from '../kinds/kinds.js'
import { type AllowedMoves, type NextStep, nextStep } from '../language/allowed-moves.js'
import { ANYTHING, criterionOf } from '../language/conditions.js'
import type { Definition } from '../language/define-record.js'
import { IMPORT_COMPLETED, OPERATIONS } from '../language/define-record.js'
import { PHASES, type Phase, type Row } from '../language/define-rule.js'
import type { Extension } from '../language/extend-record.js'
import { compileFields } from './compile-fields.js'
import { compileKeys, SOURCE_PAIR } from './compile-keys.js'
import { compileOwnership, compileRelations, type Ownership } from './compile-relations.js'
import { compileSettling } from './compile-settling.js'
import { compileTimers } from './compile-timers.js'

/**
 * Compiles definitions and extensions.
 *
 * @param lists enumerations that do not belong to a single type (languages, countries, time zones …), by key
 * @param endpoints URL paths that record types cannot have: those of all endpoints
 * @throws InvalidDefinition with every mistake in every definition
 */
export function compile(
  definitions: readonly Definition[],
  extensions: readonly Extension[],
  lists: ReadonlyMap<string, readonly string[]> = new Map(),
  endpoints: readonly string[] = [],
): Catalog {
  const mistakes = mistakesIn(definitions, extensions, new Set(lists.keys()), endpoints)
  if (mistakes.length > 0) throw new InvalidDefinition(mistakes)
  return compileChecked(definitions, extensions, lists)
}

/** Compiles definitions and extensions that are known to have no mistakes. Checking takes twice as long as compiling. */
export function compileChecked(
  definitions: readonly Definition[],
  extensions: readonly Extension[],
  lists: ReadonlyMap<string, readonly string[]>,
): Catalog {
  const { definitions: merged } = merge(definitions, extensions, new Set(lists.keys()))
  const ofTypes = merged.flatMap(({ emits = [], events = [], name }) => [...events, ...emits].map((verb) => `${name}.${verb}`))
  const events = [...ofTypes, IMPORT_COMPLETED.name]
  const byName = new Map(merged.map((definition) => [definition.name, definition]))
  const ownership = compileOwnership(merged)
  const types = new Map(merged.map((one) => [one.name, compileType(one, byName, events, ownership)]))
  const catalog: Catalog = {
    types,
    byPath: new Map([...types.values()].filter((type) => type.operations.size > 0).map((type) => [type.path, type])),
    enumerations: enumerationsOf([...types.values()], lists),
    events,
    settling: compileSettling(merged),
    type(name) {
      const type = types.get(name)
      if (!type) throw new RangeError(`There is no record type '${name}'${suggestion(String(name), types.keys())}`)
      return type
    },
  }
  return Object.freeze(catalog)
}

function holdsObjects(field: RecordField): boolean {
  return columnOf(field).form(field).types.includes('json')
}

function newRowOf({ partOf }: Definition, columns: ReadonlyMap<string, RecordField>): Row {
  const place = partOf ? ['account_id', 'owner_type', 'owner_id'] : ['account_id']
  const stored = [...columns].filter(([column]) => column !== 'id')
  return Object.fromEntries([
    ...place.map((column) => [column, null] as const),
    ...stored.map(([column, field]) => [column, field.default ?? null] as const),
  ])
}

function compileType(
  definition: Definition,
  all: ReadonlyMap<string, Definition>,
  events: readonly string[],
  ownership: Ownership,
): RecordType {
  const fields = compileFields(definition, all, events)
  const collection = collectionNames(definition)
  const rules = orderRules(definition.rules ?? []).rules.map(({ rule, does }) => ({ name: rule, behavior: does() }))
  const columns = new Map([...fields.values()].flatMap((field) => (field.column ? [[field.column, field] as const] : [])))
  const columnsWith = (has: (field: RecordField) => boolean) =>
    [...columns].flatMap(([column, field]) => (has(field) ? [column] : []))
  const timers = compileTimers(definition, fields)
  const renewals = timers.flatMap(({ column, renews }) => (renews ? [column] : []))
  const unique = [
    ...(definition.unique ?? []).map((group) => group.map((name) => fields.get(name)?.column ?? name)),
    ...(fields.has('sourceID') && fields.has('source') ? [SOURCE_PAIR] : []),
  ]
  const updatedAt = fields.get('updated_at')?.kind === 'datetime' ? ['updated_at'] : []
  return Object.freeze({
    name: definition.name,
    path: definition.path,
    table: definition.table ?? definition.path,
    title: titleOf(definition),
    reference: definition.reference ?? [],
    fields,
    columns,
    newRow: newRowOf(definition, columns),
    objectColumns: columnsWith(holdsObjects),
    collection: {
      fields: collection.fields,
      sort: sortKeys(collection.sort),
      below: {
        fields: collection.below.fields ?? collection.fields,
        sort: sortKeys(collection.below.sort ?? collection.sort),
      },
      sortable: inOrder([...collection.sortable, ...updatedAt], fields),
      filterable: inOrder(collection.filterable, fields),
      countable: inOrder(collection.countable, fields),
    },
    lists: new Map(Object.entries(definition.lists ?? {}).map(([name, condition]) => [name, criterionOf(condition)])),
    ...compileRelations(definition, all, ownership),
    operations: new Set(definition.operations ?? (definition.partOf ? [] : OPERATIONS.filter((o) => o !== 'remove'))),
    nested: new Set(definition.nested ?? (definition.partOf ? OPERATIONS : [])),
    access: definition.access,
    seenByOthers: definition.access.see ? criterionOf(definition.access.see.otherwise) : ANYTHING,
    moves: new Map(Object.entries(definition.moves ?? {}).map(([name, moves]) => [name, compileMoves(moves)])),
    rules,
    rulesIn: rulesByPhase(rules),
    timers,
    marks: new Set([...renewals, ...columnsWith(({ mark }) => mark === true)]),
    secrets: new Map([...columns].filter(([, field]) => kindOf(field).secret)),
    settle: definition.settle ?? [],
    events: new Set(definition.events),
    emits: new Set(definition.emits),
    unique,
    keys: compileKeys(importOf(definition), columns, unique, definition.partOf ? null : titleOf(definition)),
    import: compileImport(definition, fields),
    partImports: definition.partImports ?? [],
    refusesMisspelled: definition.refusesMisspelled ?? false,
    audit: definition.audit ?? definition.partOf === undefined,
    withDirectory: definition.withDirectory ?? false,
    holdsRoles: definition.holdsRoles ?? false,
    registeredIn: definition.registeredIn ?? null,
    existsWhile: definition.existsWhile ? criterionOf(definition.existsWhile) : ANYTHING,
    fromTrusted: definition.access.fromTrusted ? criterionOf(definition.access.fromTrusted) : null,
    softDeleteField: definition.softDeleteField ?? null,
  })
}

function compileMoves(moves: AllowedMoves[string]): ReadonlyMap<string, readonly NextStep[]> {
  return new Map(Object.entries(moves).map(([from, next]) => [from, next.map(nextStep)]))
}

/** The names in the order of the fields: documents list them, and how a definition puts them is not to be seen there. */
function inOrder(names: readonly string[], fields: ReadonlyMap<string, RecordField>): ReadonlySet<string> {
  const wanted = new Set(names)
  return new Set([...fields.keys()].filter((name) => wanted.has(name)))
}

/** The import of the type; with a column for the list of custom data, if the type has one (behaviour: Import columns). */
function compileImport(definition: Definition, fields: ReadonlyMap<string, RecordField>): RecordImport | null {
  const given = importOf(definition)
  if (!given) return null
  const { columns } = given
  const pairs = [...fields.values()].find(({ kind }) => kind === 'pairs')
  const header = 'Custom Fields'
  const isTaken = columns.some((column) => column.header.toLowerCase() === header.toLowerCase())
  if (!pairs || isTaken) return given
  const after = columns.findIndex(({ field }) => field === pairs.pairsOf)
  return { ...given, columns: columns.toSpliced(after < 0 ? columns.length : after + 1, 0, { header, field: pairs.name }) }
}

/** `-status,id` as sort keys. */
export function parseSort(sort: string): readonly SortKey[] {
  const names = sort.split(',').map((part) => part.trim())
  return sortKeys(names.filter((name) => name !== ''))
}

function sortKeys(names: readonly string[]): readonly SortKey[] {
  return names.map((name) => ({ field: name.replace(/^-/, ''), descending: name.startsWith('-') }))
}

function enumerationsOf(types: readonly RecordType[], lists: ReadonlyMap<string, readonly string[]>) {
  const all = new Map(lists)
  for (const type of types) {
    for (const field of type.fields.values()) {
      if (kindOf(field).isEnumeration && field.values) all.set(field.enumeration, field.values)
    }
  }
  return new Map([...all].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** The phase of each function of a rule. */
const PHASE_OF: Readonly<Record<(typeof PHASES)[number], Phase>> = {
  ...{ fill: 'fill', fillAll: 'fill', check: 'check', checkAll: 'check' },
  ...{ fillWithId: 'fillWithId', fillWithIdAll: 'fillWithId', written: 'written', writtenAll: 'written' },
  ...{ remove: 'remove', removeAll: 'removeAll', removed: 'removed' },
}

function rulesByPhase(rules: readonly RecordRule[]): ReadonlyMap<Phase, readonly RecordRule[]> {
  const phases = new Map<Phase, RecordRule[]>()
  for (const one of rules) {
    const own = new Set(PHASES.flatMap((name) => (one.behavior[name] ? [PHASE_OF[name]] : [])))
    for (const phase of own) phases.set(phase, [...(phases.get(phase) ?? []), one])
  }
  return phases
}
