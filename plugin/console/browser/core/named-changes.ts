/** Changes of records, with the names of the records to which references point: audit lines and dry runs know only their ids. */
import { chunksOf } from '../../../core/chunks.js'
import type { Api, Json, Output } from './api.js'
import type { Catalog } from './read-catalog.js'

/** A field that has changed, by its name in the catalog or in bodies. */
export interface FieldChange {
  readonly field: string
  readonly before: Json
  readonly after: Json
}

interface Change extends FieldChange {
  /** Of the record that has changed. */
  readonly type: string
}

/** The names by type, then by id. */
type Names = ReadonlyMap<string, ReadonlyMap<number, Output>>

/** Ids in a filter. */
const AT_ONCE = 100

/** Reads the names with one call for each type and hundred ids. References whose names the person may not read keep their ids. */
export async function namedChanges<C extends Change>(
  api: Api,
  catalog: Catalog,
  changes: readonly C[],
  signal: AbortSignal,
): Promise<readonly C[]> {
  const wanted = new Map<string, Set<number>>()
  for (const change of changes) {
    const type = typeReferredTo(catalog, change)
    if (type === undefined) continue
    const ids = wanted.get(type) ?? new Set()
    for (const id of [...idsIn(change.before), ...idsIn(change.after)]) ids.add(id)
    wanted.set(type, ids)
  }
  const found = [...wanted].map(async ([name, ids]) => [name, await read(api, catalog, name, [...ids], signal)] as const)
  const names: Names = new Map(await Promise.all(found))
  return changes.map((change) => {
    const known = names.get(typeReferredTo(catalog, change) ?? '')
    return known ? { ...change, before: named(change.before, known), after: named(change.after, known) } : change
  })
}

/** Audit lines with the names. @param typeOf the type of the record of a line */
export async function namedLines(
  api: Api,
  catalog: Catalog,
  lines: readonly Output[],
  typeOf: (line: Output) => string,
  signal: AbortSignal,
): Promise<readonly Output[]> {
  const all = lines.flatMap((line) => changesIn(line).map((change) => ({ ...change, type: typeOf(line), line })))
  const changes = await namedChanges(api, catalog, all, signal)
  return lines.map((line) => {
    const own = changes.filter((change) => change.line === line)
    return { ...line, changes: Object.fromEntries(own.map(({ after, before, field }) => [field, [before, after]])) }
  })
}

/** The changes of an audit line: each is the value before and the one after it. */
export function changesIn(line: Output): readonly FieldChange[] {
  return Object.entries(Object(line['changes']) as Output).map(([field, change]) => {
    const [before = null, after = null] = Array.isArray(change) ? (change as readonly Json[]) : [null, change]
    return { field, before, after }
  })
}

/** The type of the records whose ids a change has; undefined if it has none. */
function typeReferredTo(catalog: Catalog, { field: name, type: typeName }: Change): string | undefined {
  const type = catalog.typeNamed(typeName)
  const field = type?.fields.find((one) => isNamed(one, name))
  if (field?.record !== undefined) return field.record
  return type?.links.find((link) => link.name === name || link.input === name)?.record
}

/** True for the name of a field in bodies and in audit lines: `team_id`, and `created_by_id`, which no body has. */
export function isNamed(
  field: { readonly name: string; readonly input?: string; readonly kind: string },
  name: string,
): boolean {
  return field.name === name || field.input === name || (field.kind === 'ref' && `${field.name}_id` === name)
}

function idsIn(value: Json): readonly number[] {
  return (Array.isArray(value) ? (value as readonly Json[]) : [value]).filter((one) => typeof one === 'number')
}

async function read(api: Api, catalog: Catalog, name: string, ids: readonly number[], signal: AbortSignal) {
  const type = catalog.typeNamed(name)
  const records = new Map<number, Output>()
  if (!type?.path || type.title === null) return records
  for (const some of chunksOf(ids, AT_ONCE)) {
    const query = `id=${some.join(',')}&fields=${type.title}&per_page=${AT_ONCE}`
    const found = await api.get<readonly Output[]>(`${type.path}?${query}`, signal).catch((error: unknown) => {
      if (signal.aborted) throw error
      return []
    })
    for (const record of found)
      records.set(Number(record['id']), { id: record['id'] ?? null, name: record[type.title] ?? null })
  }
  return records
}

function named(value: Json, names: ReadonlyMap<number, Output>): Json {
  if (Array.isArray(value)) return value.map((one: Json) => named(one, names))
  return typeof value === 'number' ? (names.get(value) ?? value) : value
}
