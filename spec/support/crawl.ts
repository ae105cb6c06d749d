/** Everything that a person can ask for with GET, from the catalog: lists, single records and what is below them. */
import type { Catalog, RecordType } from '../../plugin/schema/catalog.js'
import { kindOf } from '../../plugin/schema/kinds/kinds.js'

/** Ids by record type. */
export type Ids = ReadonlyMap<string, readonly number[]>
/** A row as it is stored. */
export type StoredRow = Readonly<Record<string, unknown>>

const PAGE = 'per_page=100'

/** Paths of all lists, with their fields, predefined lists and orders, and of one record of each type and the lists below it. */
export function pathsToRead(catalog: Catalog, ids: Ids): readonly string[] {
  return [...catalog.types.values()].flatMap((type) => [
    ...(type.operations.has('list') ? pathsOfList(`/${type.path}`, type) : []),
    ...(ids.get(type.name) ?? []).slice(0, 1).flatMap((id) => pathsOfOne(catalog, type, id)),
  ])
}

function pathsOfList(path: string, type: RecordType): readonly string[] {
  return [
    `${path}?${PAGE}`,
    `${path}?${PAGE}&fields=${[...type.fields.keys()].join()}`,
    `${path}?per_page=1&callback=show`,
    ...[...type.lists.keys()].map((list) => `${path}/${list}?${PAGE}`),
    ...[...type.collection.sortable].map((field) => `${path}?${PAGE}&fields=id&sort=${field}`),
    ...(type.operations.has('create') ? [`${path}/new`] : []),
  ]
}

/** A record, and the lists below it. */
export function pathsOfOne(catalog: Catalog, type: RecordType, id: number): readonly string[] {
  if (type.operations.size === 0) return []
  const own = `/${type.path}/${id}`
  return [
    ...(type.operations.has('single') ? [own, `${own}?fields=custom_fields`] : []),
    ...pathsBelow(catalog, type).map((path) => `${own}/${path}?${PAGE}`),
  ]
}

/** Names of all lists below records of a type. */
export function pathsBelow(catalog: Catalog, type: RecordType): readonly string[] {
  const parts = [...type.parts].flatMap(([path, part]) => (catalog.type(part).nested.has('list') ? [path] : []))
  return [...new Set([...type.links.keys(), ...type.children.keys(), ...type.coverages.keys(), ...parts])]
}

/** Paths with every filter of a type, for the values of a row: equal, different, among several, empty, and as a bound. */
export function pathsWithFilters(type: RecordType, row: StoredRow): readonly string[] {
  if (!type.operations.has('list')) return []
  return [...type.collection.filterable].flatMap((name) => {
    const field = type.fields.get(name)
    const value = field?.column ? row[field.column] : null
    const at = (filter: string) => `/${type.path}?${PAGE}&fields=id&${filter}`
    if (!field || value === null || value === undefined || value === '') return [at(`${name}=`), at(`${name}=!`)]
    const { filter } = kindOf(field)
    const key = field.kind === 'ref' ? `${name}_id` : name
    const shown = field.kind === 'boolean' ? String(Number(value) === 1) : inApi(value)
    const text = encodeURIComponent(shown.replace(/^[<>!]|,/g, '\\$&'))
    return [
      at(`${key}=${text}`),
      at(`${key}=!${text}`),
      ...(filter?.takesSets && !kindOf(field).isText ? [at(`${key}=${text},${text}`)] : []),
      ...(filter?.isOrdered ? [at(`${key}=>=${text}`), at(`${key}=<=${text}`)] : []),
    ]
  })
}

/** A stored value as callers write it. */
function inApi(value: unknown): string {
  if (value instanceof Date) return value.toISOString()
  const text = String(value)
  return /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/.test(text) ? `${text.slice(0, 19).replace(' ', 'T')}Z` : text
}
