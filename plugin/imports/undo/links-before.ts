/** The links that records had before an import, apart from those that were made or removed since. */
import type { Call } from '../../core/call.js'
import type { RecordType } from '../../schema/catalog.js'
import type { Json } from '../../schema/kinds/fields.js'
import { dbOf } from '../../storage/database/transaction.js'
import type { Change } from './audit-lines.js'
import type { UndoDeps } from './contract.js'

/** What an import has changed of the links of a record, by the name of the link. */
export type LinkChanges = ReadonlyMap<string, Change>

/**
 * The links now, without those that the import made, and with those that it removed. A link can be made from its other side, too,
 * whose record then has the audit line: such a link stays.
 *
 * @returns ids of linked records by the name of the link, for each record. One query for each link
 */
export async function linksBefore(
  { storage }: Pick<UndoDeps, 'storage'>,
  call: Call,
  type: RecordType,
  changes: ReadonlyMap<number, LinkChanges>,
): Promise<ReadonlyMap<number, ReadonlyMap<string, readonly number[]>>> {
  const found = new Map([...changes.keys()].map((id) => [id, new Map<string, readonly number[]>()]))
  for (const [name, { from, table, to }] of type.links) {
    const ids = [...changes].flatMap(([id, links]) => (links.has(name) ? [id] : []))
    if (ids.length === 0) continue
    const pairs: Record<string, unknown>[] = await dbOf(storage, call)(storage.table(table)).whereIn(from, ids).select(from, to)
    const now = new Map(ids.map((id) => [id, [] as number[]]))
    for (const pair of pairs) now.get(Number(pair[from]))?.push(Number(pair[to]))
    for (const id of ids) {
      const [had, got] = (changes.get(id)?.get(name) ?? []).map(idsIn)
      found.get(id)?.set(name, before(now.get(id) ?? [], had ?? [], got ?? []))
    }
  }
  return found
}

function before(now: readonly number[], had: readonly number[], got: readonly number[]): readonly number[] {
  const [wasThere, isOfImport] = [new Set(had), new Set(got)]
  const taken = had.filter((id) => !isOfImport.has(id) && !now.includes(id))
  return [...now.filter((id) => wasThere.has(id) || !isOfImport.has(id)), ...taken]
}

function idsIn(value: Json): readonly number[] {
  return Array.isArray(value) ? value.map(Number) : []
}
