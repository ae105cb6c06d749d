/**
 * Turns definitions into the catalog that all other code works with: extensions merged, defaults filled once, everything
 * frozen. After that, types of a host and of the plugin are treated alike.
 */
import { InvalidDefinition } from '../../core/errors.js'
import { suggestion } from '../../core/text/nearest.js'
import { mistakesIn } from '../check/check.js'
import { titleOf } from '../check/check-paths.js'
import { collectionNames } from '../check/collection-names.js'
import { merge } from '../check/merge.js'
import { orderRules } from '../check/order-rules.js'
import { columnOf, kindOf } from '../kinds/kinds.js'
import { ANYTHING, type Criterion, criterionOf } from '../language/conditions.js'
import type { Access, Definition, Import, Link, Operation, PartImport, Verb } from '../language/define-record.js'
import { OPERATIONS } from '../language/define-record.js'
import type { Behavior } from '../language/define-rule.js'
import type { Settling } from '../language/define-settling.js'
import type { Extension } from '../language/extend-record.js'
import type { Field } from '../language/field.js'
import { compileFields } from './compile-fields.js'
import { compileRelations, type RecordChild } from './compile-relations.js'
import { compileSettling, type SettlingPaths } from './compile-settling.js'
import { compileTimers, type RecordTimer } from './compile-timers.js'

export interface RecordField extends Field {
  readonly name: string
  /** The column of the field; null if it is not stored in the record's own table. */
  readonly column: string | null
  /** The references to follow, and the field at their end, for a value of another record; null for all other fields. */
  readonly via: readonly string[] | null
  /** For pairs: the field whose JSON object they list. Single records include it only on request. */
  readonly pairsOf?: string
  /** Key in /enums of an enumeration field. */
  readonly enumeration: string
}

export interface SortKey {
  readonly field: string
  readonly descending: boolean
  /** For references: sorts by ids, not by titles. */
  readonly byId?: boolean
}

export interface RecordType {
  readonly name: string
  readonly path: string
  /** Without the prefix. */
  readonly table: string
  readonly title: string | null
  readonly reference: readonly string[]
  /** In the order of responses. */
  readonly fields: ReadonlyMap<string, RecordField>
  /** Fields that are stored, by column. */
  readonly columns: ReadonlyMap<string, RecordField>
  /** Columns with objects or lists, which code could change in place. */
  readonly objectColumns: readonly string[]
  readonly collection: {
    readonly fields: readonly string[]
    readonly sort: readonly SortKey[]
    readonly sortable: ReadonlySet<string>
    readonly filterable: ReadonlySet<string>
    /** The fields and sort order of lists below an owner. */
    readonly below: { readonly fields: readonly string[]; readonly sort: readonly SortKey[] }
  }
  readonly lists: ReadonlyMap<string, Criterion>
  readonly links: ReadonlyMap<string, Link>
  readonly children: ReadonlyMap<string, RecordChild>
  /** Lists of records that concern a person; only the type of people has them. */
  readonly coverages: ReadonlyMap<string, { readonly record: string; readonly where: Criterion }>
  /** Types of sub-records by their name below this type (`contacts` → `contact`). */
  readonly parts: ReadonlyMap<string, string>
  /** Types that own these records; empty for other types than sub-records. */
  readonly partOf: readonly string[]
  /** Operations at `/<path>`. */
  readonly operations: ReadonlySet<Operation>
  /** Operations below an owner; empty for other types than sub-records. */
  readonly nested: ReadonlySet<Operation>
  readonly access: Access
  /** The records that callers without the roles of `see` see. */
  readonly seenByOthers: Criterion
  /** In the order in which they run. */
  readonly rules: readonly { readonly name: string; readonly behavior: Behavior }[]
  readonly timers: readonly RecordTimer[]
  /** Settlings: values that follow from other records. */
  readonly settle: readonly Settling[]
  readonly events: ReadonlySet<Verb>
  /** Columns that are unique together within an account (sub-records: within their owner). */
  readonly unique: readonly (readonly string[])[]
  readonly import: Import | null
  readonly partImports: readonly PartImport[]
  readonly audit: boolean
  readonly withDirectory: boolean
  readonly holdsRoles: boolean
  /** The field in which callers name the account of a new record; null if it is always that of the call. */
  readonly registeredIn: string | null
  /** Condition that a record must meet to be visible at all. */
  readonly existsWhile: Criterion
  /** The records of trusted accounts that are seen along with those of the account; null if none. */
  readonly fromTrusted: Criterion | null
  /** The field that removing a record sets to true; null if removing deletes the record. */
  readonly softDeleteField: string | null
  /** The type of sub-records that translate this one, and the fields that it translates; null if there is none. */
  readonly translations: { readonly record: string; readonly fields: ReadonlySet<string> } | null
}

export interface Catalog {
  readonly types: ReadonlyMap<string, RecordType>
  readonly byPath: ReadonlyMap<string, RecordType>
  /** Every enumeration by its key, values in order. */
  readonly enumerations: ReadonlyMap<string, readonly string[]>
  /** Names of all events, `request.create` …, in catalog order. */
  readonly events: readonly string[]
  /** The owners that have to be settled when records change. */
  readonly settling: SettlingPaths
  /** A record type by name; an unknown name is a programming mistake and throws. */
  type(name: string): RecordType
}

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
  const events = merged.flatMap((definition) => (definition.events ?? []).map((verb) => `${definition.name}.${verb}`))
  const byName = new Map(merged.map((definition) => [definition.name, definition]))
  const types = new Map(merged.map((definition) => [definition.name, compileType(definition, byName, events)]))
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

function compileType(definition: Definition, all: ReadonlyMap<string, Definition>, events: readonly string[]): RecordType {
  const fields = compileFields(definition, all, events)
  const collection = collectionNames(definition)
  const columns = new Map([...fields.values()].flatMap((field) => (field.column ? [[field.column, field] as const] : [])))
  const updatedAt = fields.get('updated_at')?.kind === 'datetime' ? ['updated_at'] : []
  return Object.freeze({
    name: definition.name,
    path: definition.path,
    table: definition.table ?? definition.path,
    title: titleOf(definition),
    reference: definition.reference ?? [],
    fields,
    columns,
    objectColumns: [...columns].flatMap(([column, field]) => (holdsObjects(field) ? [column] : [])),
    collection: {
      fields: collection.fields,
      sort: sortKeys(collection.sort),
      below: {
        fields: collection.below.fields ?? collection.fields,
        sort: sortKeys(collection.below.sort ?? collection.sort),
      },
      sortable: inOrder([...collection.sortable, ...updatedAt], fields),
      filterable: inOrder(collection.filterable, fields),
    },
    lists: new Map(Object.entries(definition.lists ?? {}).map(([name, condition]) => [name, criterionOf(condition)])),
    ...compileRelations(definition, all),
    operations: new Set(definition.operations ?? (definition.partOf ? [] : OPERATIONS.filter((o) => o !== 'remove'))),
    nested: new Set(definition.nested ?? (definition.partOf ? OPERATIONS : [])),
    access: definition.access,
    seenByOthers: definition.access.see ? criterionOf(definition.access.see.otherwise) : ANYTHING,
    rules: orderRules(definition.rules ?? []).rules.map(({ rule, does }) => ({ name: rule, behavior: does() })),
    timers: compileTimers(definition, fields),
    settle: definition.settle ?? [],
    events: new Set(definition.events),
    unique: [
      ...(definition.unique ?? []).map((group) => group.map((name) => fields.get(name)?.column ?? name)),
      ...(fields.has('sourceID') && fields.has('source') ? [['source', 'sourceID']] : []),
    ],
    import: compileImport(definition, fields),
    partImports: definition.partImports ?? [],
    audit: definition.audit ?? definition.partOf === undefined,
    withDirectory: definition.withDirectory ?? false,
    holdsRoles: definition.holdsRoles ?? false,
    registeredIn: definition.registeredIn ?? null,
    existsWhile: definition.existsWhile ? criterionOf(definition.existsWhile) : ANYTHING,
    fromTrusted: definition.access.fromTrusted ? criterionOf(definition.access.fromTrusted) : null,
    softDeleteField: definition.softDeleteField ?? null,
  })
}

/** The names in the order of the fields: documents list them, and how a definition puts them is not to be seen there. */
function inOrder(names: readonly string[], fields: ReadonlyMap<string, RecordField>): ReadonlySet<string> {
  const wanted = new Set(names)
  return new Set([...fields.keys()].filter((name) => wanted.has(name)))
}

/** The import of the type; with a column for the list of custom data, if the type has one (behaviour: Import columns). */
function compileImport({ import: given }: Definition, fields: ReadonlyMap<string, RecordField>): Import | null {
  const pairs = [...fields.values()].find(({ kind }) => kind === 'pairs')
  if (!given || !pairs) return given ?? null
  const column = { header: 'Custom Fields', field: pairs.name }
  const isTaken = given.columns.some(({ header }) => header.toLowerCase() === column.header.toLowerCase())
  return isTaken ? given : { ...given, columns: [...given.columns, column] }
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
