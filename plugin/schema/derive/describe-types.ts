/**
 * Record types as clients need them to build lists and forms: all that is the same for every caller, in one language. Made of the
 * catalog, from which the OpenAPI document is made, too.
 */
import type { Catalog, RecordType } from '../catalog.js'
import { kindOf } from '../kinds/kinds.js'
import type { Operation } from '../language/define-record.js'
import { type DescribedField, describeFields, type LabelsOf } from './describe-fields.js'
import { inputNameOf } from './input-names.js'

interface Labelled {
  readonly name: string
  readonly label: string
}

/** A list of records below a record: its name is the last segment of the path. */
interface DescribedList extends Labelled {
  /** The type of the records. */
  readonly record: string
}

/** A record type in one language. Properties that say nothing are omitted. */
export interface DescribedType extends Labelled {
  /** The label of several records. */
  readonly label_of_many: string
  /** Path of its list; null if it has none of its own. */
  readonly path: string | null
  /** For sub-records: the types that they belong to, with the path of the list below these. */
  readonly owners: readonly { readonly record: string; readonly path: string }[]
  /** What can be done at its own path, and below the owners. */
  readonly operations: readonly Operation[]
  readonly operations_below: readonly Operation[]
  /** The field that names a record, if there is one, and further ones that references show. */
  readonly title: string | null
  readonly reference: readonly string[]
  readonly fields: readonly DescribedField[]
  /** Fields of a list if no others are selected, and its order: `-id`. */
  readonly list_fields: readonly string[]
  readonly sort: readonly string[]
  /** Predefined filters. */
  readonly lists: readonly Labelled[]
  readonly links: readonly (DescribedList & { readonly input?: string })[]
  readonly parts: readonly DescribedList[]
  readonly children: readonly (DescribedList & { readonly creates?: true; readonly links?: true })[]
  /** Lists of what concerns a person. */
  readonly coverages: readonly DescribedList[]
  /** By field, by its present value: the values that may follow. Which of them a caller may choose depends on the record. */
  readonly moves: { readonly [field: string]: { readonly [from: string]: readonly string[] } }
  readonly events: readonly string[]
  /** Types of files for imports and exports. */
  readonly file_types: readonly string[]
}

/** Values of an enumeration in their order, with labels. */
export type DescribedValues = readonly { readonly id: string; readonly label: string }[]

/** Describes a record type. */
export function describeType(type: RecordType, catalog: Catalog, labels: LabelsOf): DescribedType {
  const labelled = (name: string): Labelled => ({ name, label: labels.field(type.name, name) })
  const list = (name: string, record: string): DescribedList => ({ ...labelled(name), record })
  const present = <T extends { readonly record: string }>([, { record }]: readonly [string, T]) => catalog.types.has(record)
  return {
    name: type.name,
    label: labels.field('', type.name),
    label_of_many: labels.field(type.name, type.path),
    path: type.operations.size > 0 ? `/${type.path}` : null,
    owners: ownersOf(type, catalog),
    operations: [...type.operations],
    operations_below: [...type.nested],
    title: type.title,
    reference: type.reference,
    fields: describeFields(type, catalog, labels),
    list_fields: type.collection.fields,
    sort: type.collection.sort.map(({ descending, field }) => `${descending ? '-' : ''}${field}`),
    lists: [...type.lists.keys()].map(labelled),
    links: [...type.links].filter(present).map(([name, { record, write }]) => ({
      ...list(name, record),
      ...(write === 'none' ? {} : { input: inputNameOf(type, name) }),
    })),
    parts: [...type.parts].map(([name, record]) => list(name, record)),
    children: [...type.children].filter(present).map(([name, { createdWith, linkedWith, record }]) => ({
      ...list(name, record),
      ...(createdWith === null ? {} : { creates: true as const }),
      ...(linkedWith === null ? {} : { links: true as const }),
    })),
    coverages: [...type.coverages].filter(present).map(([name, { record }]) => list(name, record)),
    moves: Object.fromEntries([...type.moves].map(([name, table]) => [name, nextOf(table)])),
    events: catalog.events.filter((event) => event.startsWith(`${type.name}.`)),
    file_types: [...(type.import ? [type.import.type] : []), ...type.partImports.map((file) => file.type)],
  }
}

/** The values of the enumerations that the types use, by the key of the enumeration. */
export function describeValues(
  types: readonly RecordType[],
  labels: LabelsOf,
): { readonly [enumeration: string]: DescribedValues } {
  const fields = types.flatMap((type) => [...type.fields.values()]).filter((field) => kindOf(field).isEnumeration)
  return Object.fromEntries(
    fields.map(({ enumeration, values = [] }) => [
      enumeration,
      values.map((id) => ({ id, label: labels.value(enumeration, id) })),
    ]),
  )
}

function ownersOf(type: RecordType, catalog: Catalog): DescribedType['owners'] {
  return type.partOf.flatMap((record) => {
    const owner = catalog.type(record)
    const [path] = [...owner.parts].find(([, part]) => part === type.name) ?? []
    return path === undefined ? [] : [{ record, path: `/${owner.path}/:id/${path}` }]
  })
}

function nextOf(table: ReadonlyMap<string, readonly { readonly to: string }[]>): DescribedType['moves'][string] {
  return Object.fromEntries([...table].map(([from, steps]) => [from, [...new Set(steps.map(({ to }) => to))]]))
}
