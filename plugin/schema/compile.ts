/**
 * Turns definitions into the catalog that all other code works with: extensions merged, defaults filled once, everything
 * frozen. Nobody can tell a host's type from ours afterwards.
 */
import { InvalidDefinition } from '../core/errors.js'
import { mistakesIn } from './check.js'
import { ANYTHING, type Criterion, criterionOf } from './conditions.js'
import type { Access, Child, Definition, Extension, Import, Link, Operation, RuleUse, Verb } from './define-record.js'
import { OPERATIONS } from './define-record.js'
import type { Rule, RuleBook } from './define-rule.js'
import type { Field } from './fields.js'

export interface RecordField extends Field {
  readonly name: string
  /** The column that holds it; null for fields that are not stored in the record's own table. */
  readonly column: string | null
  /** Key in /enums of an enumeration field. */
  readonly enumeration: string
}

export interface SortKey {
  readonly field: string
  readonly descending: boolean
}

export interface RecordType {
  readonly name: string
  readonly path: string
  /** Without the prefix. */
  readonly table: string
  readonly title: string | null
  readonly reference: readonly string[]
  /** In the order of answers. */
  readonly fields: ReadonlyMap<string, RecordField>
  /** Fields that are stored, by column. */
  readonly columns: ReadonlyMap<string, RecordField>
  readonly collection: {
    readonly fields: readonly string[]
    readonly sort: readonly SortKey[]
    readonly sortable: ReadonlySet<string>
    readonly filterable: ReadonlySet<string>
    /** The same for lists below an owner. */
    readonly below: { readonly fields: readonly string[]; readonly sort: readonly SortKey[] }
  }
  readonly lists: ReadonlyMap<string, Criterion>
  readonly links: ReadonlyMap<string, Link>
  readonly children: ReadonlyMap<string, Child>
  /** Part types by their name below this type (`contacts` → `contact`). */
  readonly parts: ReadonlyMap<string, string>
  /** Types whose parts these records are; empty for records that stand alone. */
  readonly partOf: readonly string[]
  /** Operations at `/<path>`. */
  readonly operations: ReadonlySet<Operation>
  /** Operations below an owner; empty for types that are no parts. */
  readonly nested: ReadonlySet<Operation>
  readonly access: Access
  /** Which records people without the seeing roles see. */
  readonly seenByOthers: Criterion
  readonly rules: readonly { readonly use: RuleUse; readonly rule: Rule }[]
  readonly events: ReadonlySet<Verb>
  /** Columns that are unique together within an account (parts: within their owner). */
  readonly unique: readonly (readonly string[])[]
  readonly import: Import | null
  readonly audit: boolean
  readonly withDirectory: boolean
  readonly holdsRoles: boolean
}

export interface Catalog {
  readonly types: ReadonlyMap<string, RecordType>
  readonly byPath: ReadonlyMap<string, RecordType>
  /** Every enumeration by its key, values in order. */
  readonly enumerations: ReadonlyMap<string, readonly string[]>
  /** Names of all events, `request.create` …, in catalog order. */
  readonly events: readonly string[]
  /** A record type by name; an unknown name is a programming mistake and throws. */
  type(name: string): RecordType
}

/**
 * Compiles definitions and extensions.
 *
 * @param lists enumerations that belong to no single type (languages, countries, time zones …), by key
 * @throws InvalidDefinition with every mistake in every definition
 */
export function compile(
  definitions: readonly Definition[],
  extensions: readonly Extension[],
  rules: RuleBook,
  lists: ReadonlyMap<string, readonly string[]> = new Map(),
): Catalog {
  const mistakes = mistakesIn(definitions, extensions, rules)
  if (mistakes.length > 0) throw new InvalidDefinition(mistakes)

  const merged = definitions.map((definition) =>
    extensions.filter((e) => e.extends === definition.name).reduce(extend, definition),
  )
  const names = new Set(merged.map((definition) => definition.name))
  const events = merged.flatMap((definition) => (definition.events ?? []).map((verb) => `${definition.name}.${verb}`))
  const types = new Map(merged.map((definition) => [definition.name, compileType(definition, merged, names, rules, events)]))
  const catalog: Catalog = {
    types,
    byPath: new Map([...types.values()].filter((type) => type.operations.size > 0).map((type) => [type.path, type])),
    enumerations: enumerationsOf([...types.values()], lists),
    events,
    type(name) {
      const type = types.get(name)
      if (!type) throw new Error(`There is no record type '${name}'`)
      return type
    },
  }
  return Object.freeze(catalog)
}

function extend(definition: Definition, extension: Extension): Definition {
  const fields = { ...definition.fields, ...extension.fields }
  for (const name of extension.relax ?? []) {
    const { required: _, ...optional } = fields[name] as Field
    fields[name] = Object.freeze(optional)
  }
  return {
    ...definition,
    fields,
    lists: { ...definition.lists, ...extension.lists },
    rules: [...(definition.rules ?? []), ...(extension.rules ?? [])],
    events: [...(definition.events ?? []), ...(extension.events ?? [])],
    ...(definition.import
      ? { import: { ...definition.import, columns: [...definition.import.columns, ...(extension.importColumns ?? [])] } }
      : {}),
  }
}

function compileType(
  definition: Definition,
  all: readonly Definition[],
  names: ReadonlySet<string>,
  rules: RuleBook,
  events: readonly string[],
): RecordType {
  const fields = new Map(
    Object.entries(definition.fields).map(([name, field]) => [name, compileField(definition, name, field, names, events)]),
  )
  const { collection } = definition
  const sortable = collection.sortable === 'same' ? collection.fields : collection.sortable
  const columns = new Map([...fields.values()].flatMap((field) => (field.column ? [[field.column, field] as const] : [])))
  const filterable = new Set(collection.filterable)
  return Object.freeze({
    name: definition.name,
    path: definition.path,
    table: definition.table ?? definition.path,
    title: definition.title === undefined ? (fields.has('name') ? 'name' : null) : definition.title,
    reference: definition.reference ?? [],
    fields,
    columns,
    collection: {
      fields: collection.fields,
      sort: parseSort(collection.sort),
      below: {
        fields: collection.below?.fields ?? collection.fields,
        sort: parseSort(collection.below?.sort ?? collection.sort),
      },
      sortable: new Set([...sortable, ...(fields.has('updated_at') ? ['updated_at'] : [])]),
      filterable,
    },
    lists: new Map(Object.entries(definition.lists ?? {}).map(([name, condition]) => [name, criterionOf(condition)])),
    links: new Map(Object.entries(definition.links ?? {}).filter(([, link]) => names.has(link.record))),
    children: new Map(Object.entries(definition.children ?? {}).filter(([, child]) => names.has(child.record))),
    parts: new Map(partsOf(definition, all).map((part) => [part.pathBelow ?? part.path, part.name])),
    partOf: definition.partOf === '*' ? all.filter((d) => !d.partOf).map((d) => d.name) : (definition.partOf ?? []),
    operations: new Set(definition.operations ?? (definition.partOf ? [] : OPERATIONS.filter((o) => o !== 'remove'))),
    nested: new Set(definition.nested ?? (definition.partOf ? OPERATIONS : [])),
    access: definition.access,
    seenByOthers: definition.access.see ? criterionOf(definition.access.see.otherwise) : ANYTHING,
    rules: (definition.rules ?? []).map((use) => ({ use, rule: rules[use.rule] as Rule })),
    events: new Set(definition.events),
    unique: [
      ...(definition.unique ?? []).map((group) => group.map((name) => fields.get(name)?.column ?? name)),
      ...(fields.has('sourceID') && fields.has('source') ? [['source', 'sourceID']] : []),
    ],
    import: definition.import ?? null,
    audit: definition.audit ?? true,
    withDirectory: definition.withDirectory ?? false,
    holdsRoles: definition.holdsRoles ?? false,
  })
}

function partsOf(definition: Definition, all: readonly Definition[]): readonly Definition[] {
  const everywhere = (part: Definition) => part.partOf === '*' && !definition.partOf && definition.audit !== false
  return all.filter((part) => definition.parts?.includes(part.name) || everywhere(part))
}

function compileField(
  definition: Definition,
  name: string,
  field: Field,
  names: ReadonlySet<string>,
  events: readonly string[],
): RecordField {
  const stored = !(
    field.writeOnly ||
    field.kind === 'parts' ||
    field.kind === 'owner' ||
    field.sameAs ||
    field.localizes ||
    (field.kind === 'ref' && !names.has(field.record ?? ''))
  )
  return Object.freeze({
    ...field,
    ...(field.events ? { values: events } : {}),
    name,
    column: stored ? (field.kind === 'ref' ? `${name}_id` : name) : null,
    enumeration: field.enumeration ?? `${definition.name}.${name}`,
  })
}

/** `-status,id` as sort keys. */
export function parseSort(sort: string): readonly SortKey[] {
  return sort
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => (part.startsWith('-') ? { field: part.slice(1), descending: true } : { field: part, descending: false }))
}

function enumerationsOf(types: readonly RecordType[], lists: ReadonlyMap<string, readonly string[]>) {
  const all = new Map(lists)
  for (const type of types) {
    for (const field of type.fields.values()) {
      if (field.kind === 'enum' && field.values) all.set(field.enumeration, field.values)
    }
  }
  return new Map([...all].sort(([a], [b]) => (a < b ? -1 : 1)))
}
