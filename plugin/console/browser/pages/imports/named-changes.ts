/** Changes as audit lines have them, with the names of the records to which references point. */
import type { Api, Json, Output } from '../../core/api.js'
import type { Catalog, Field } from '../../core/read-catalog.js'
import type { Change } from './import-jobs.js'

/** The names by type, then by id. */
type Names = ReadonlyMap<string, ReadonlyMap<number, Output>>

/** Reads the names with one call for each type. References whose names the person may not read keep their ids. */
export async function namedChanges(
  api: Api,
  catalog: Catalog,
  changes: readonly Change[],
  signal: AbortSignal,
): Promise<readonly Change[]> {
  const fieldOf = (change: Change) =>
    catalog.typeNamed(change.type)?.fields.find(({ input, name }) => name === change.field || input === change.field)
  const wanted = new Map<string, Set<number>>()
  for (const change of changes) {
    const record = fieldOf(change)?.record
    if (record === undefined) continue
    const ids = wanted.get(record) ?? new Set()
    for (const id of [...idsIn(change.before), ...idsIn(change.after)]) ids.add(id)
    wanted.set(record, ids)
  }
  const found = [...wanted].map(async ([name, ids]) => [name, await read(api, catalog, name, [...ids], signal)] as const)
  const names: Names = new Map(await Promise.all(found))
  return changes.map((change) => {
    const field = fieldOf(change)
    return { ...change, before: named(change.before, field, names), after: named(change.after, field, names) }
  })
}

function idsIn(value: Json): readonly number[] {
  return (Array.isArray(value) ? (value as readonly Json[]) : [value]).filter((one) => typeof one === 'number')
}

async function read(api: Api, catalog: Catalog, name: string, ids: readonly number[], signal: AbortSignal) {
  const type = catalog.typeNamed(name)
  const records = new Map<number, Output>()
  if (!type?.path || type.title === null || ids.length === 0) return records
  // A page of changes has at most as many ids as a page of records.
  const query = `id=${ids.slice(0, 100).join(',')}&fields=${type.title}&per_page=100`
  const found = await api.get<readonly Output[]>(`${type.path}?${query}`, signal).catch((error: unknown) => {
    if (signal.aborted) throw error
    return []
  })
  for (const record of found) records.set(Number(record['id']), { id: record['id'] ?? null, name: record[type.title] ?? null })
  return records
}

function named(value: Json, field: Field | undefined, names: Names): Json {
  const known = field?.record === undefined ? undefined : names.get(field.record)
  if (!known) return value
  if (Array.isArray(value)) return value.map((one: Json) => named(one, field, names))
  return typeof value === 'number' ? (known.get(value) ?? { id: value }) : value
}
