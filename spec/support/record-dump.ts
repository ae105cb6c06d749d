/** All rows of records, their sub-records, links and roles, to compare two moments. */
import type { Mounted } from './mounted.js'

type Row = Readonly<Record<string, unknown>>
/** Rows by table and id, or by table and text for tables of pairs. */
export type Dump = ReadonlyMap<string, Row>

/** The trail of changes, which only grows. */
const LEFT_OUT: ReadonlySet<string> = new Set(['audit_lines'])
/** Columns that do not belong to the content of a record: the time of its last change, and whether it is to be computed again. */
const SILENT = ['updated_at', 'renew_at']

/** Reads all rows. */
export async function dumpRecords({ database, itsm }: Mounted): Promise<Dump> {
  const tables = [...itsm.catalog.types.values()].flatMap(({ links, table }) => [
    table,
    ...[...links.values()].map((link) => link.table),
  ])
  const marks = [...itsm.catalog.types.values()].flatMap(({ columns }) =>
    [...columns].flatMap(([column, { mark }]) => (mark ? [column] : [])),
  )
  const silent = new Set([...SILENT, ...marks])
  const found = new Map<string, Row>()
  for (const table of new Set([...tables, 'permissions'])) {
    if (LEFT_OUT.has(table)) continue
    for (const row of (await database.knex(`itsm_${table}`)) as Row[]) {
      const kept = Object.fromEntries(Object.entries(row).filter(([column]) => !silent.has(column)))
      found.set(`${table} ${row['id'] ?? JSON.stringify(kept)}`, kept)
    }
  }
  return found
}

/** What differs, apart from new records that are disabled or removed by a flag, with their sub-records and links. */
export function differencesBetween({ itsm }: Mounted, was: Dump, is: Dump): readonly unknown[] {
  const types = [...itsm.catalog.types.values()]
  const isOff = (row: Row) => Number(row['disabled'] ?? row['deleted']) === 1
  const off = new Set([...is].flatMap(([key, row]) => (!was.has(key) && isOff(row) ? [key] : [])))
  const tableOf = (name: unknown) => types.find((type) => type.name === name)?.table
  const links = types.flatMap((type) => [...type.links.values()].map((link) => ({ ...link, owner: type.name })))
  const belongsToOff = (key: string, row: Row): boolean => {
    const [table] = key.split(' ')
    return (
      off.has(key) ||
      off.has(`${tableOf(row['owner_type'])} ${row['owner_id']}`) ||
      links.some(
        (link) =>
          link.table === table &&
          (off.has(`${tableOf(link.owner)} ${row[link.from]}`) || off.has(`${tableOf(link.record)} ${row[link.to]}`)),
      )
    )
  }
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((key): readonly unknown[] => {
    const [before, after] = [was.get(key), is.get(key)]
    if (!before && after && belongsToOff(key, after)) return []
    if (!before || !after) return [{ key, before, after }]
    const changed = Object.keys(after).filter((column) => String(before[column]) !== String(after[column]))
    return changed.map((column) => ({ key, column, before: before[column], after: after[column] }))
  })
}
