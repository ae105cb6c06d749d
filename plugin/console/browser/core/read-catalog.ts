/** The record types of this desk, as `GET /catalog` describes them (behaviour: Catalog). */
import type { Api } from './api.js'

export interface Labelled {
  readonly name: string
  readonly label: string
}

export interface Field extends Labelled {
  readonly kind: string
  readonly help?: string
  readonly unit?: string
  readonly input?: string
  readonly files_input?: string
  readonly required?: true
  readonly needed?: true
  readonly read_only?: true
  readonly write_only?: true
  readonly only_on_create?: true
  readonly on_request?: true
  readonly default?: unknown
  readonly max_length?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly enumeration?: string
  readonly keywords?: readonly string[]
  readonly record?: string
  readonly shown_as?: string
  readonly keyed_by?: string
  readonly sortable?: true
  readonly filterable?: true
  readonly countable?: true
  readonly ordered?: true
}

/** A list of records below a record. */
export interface Below extends Labelled {
  readonly record: string
  readonly creates?: true
  readonly links?: true
  readonly input?: string
}

export interface RecordType extends Labelled {
  readonly label_of_many: string
  readonly path: string | null
  readonly owners: readonly { readonly record: string; readonly path: string }[]
  readonly operations: readonly string[]
  readonly operations_below: readonly string[]
  /** Name of the field that names a record; null if it has no better name than its number. */
  readonly title: string | null
  readonly reference: readonly string[]
  readonly fields: readonly Field[]
  readonly list_fields: readonly string[]
  readonly sort: readonly string[]
  readonly lists: readonly Labelled[]
  readonly links: readonly Below[]
  readonly parts: readonly Below[]
  readonly children: readonly Below[]
  readonly coverages: readonly Below[]
  readonly moves: { readonly [field: string]: { readonly [from: string]: readonly string[] } }
  readonly file_types: readonly string[]
}

export interface Value {
  readonly id: string
  readonly label: string
}

export interface Catalog {
  readonly types: readonly RecordType[]
  typeNamed(name: string): RecordType | undefined
  /** The type whose list has this path: `/requests`. */
  typeAt(path: string): RecordType | undefined
  valuesOf(enumeration: string): readonly Value[]
  /** The label of a value; the value itself if it has none. */
  valueLabel(enumeration: string, value: string): string
}

/** Reads the catalog once for all pages. */
export async function loadCatalog(api: Api): Promise<Catalog> {
  const { enumerations, types: described } = await api.get<{
    readonly types: readonly RecordType[]
    readonly enumerations: { readonly [key: string]: readonly Value[] }
  }>('/catalog')
  const types = described.map((type) => ({ ...type, title: type.title ?? textOf(type) }))
  const byName = new Map(types.map((type) => [type.name, type]))
  const byPath = new Map(types.flatMap((type) => (type.path === null ? [] : [[type.path, type] as const])))
  const labels = new Map(
    Object.entries(enumerations).map(([key, values]) => [key, new Map(values.map(({ id, label }) => [id, label]))]),
  )
  return {
    types,
    typeNamed: (name) => byName.get(name),
    typeAt: (path) => byPath.get(path),
    valuesOf: (enumeration) => enumerations[enumeration] ?? [],
    valueLabel: (enumeration, value) => labels.get(enumeration)?.get(value) ?? value,
  }
}

/** The text by which people know the records of a type that has no name: `message` of broadcasts, `text` of notes. */
function textOf({ fields, path }: RecordType): string | null {
  const text = fields.find(({ kind, required }) => kind === 'text' && required)
  return path === null ? null : (text?.name ?? null)
}
