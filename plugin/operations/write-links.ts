/** Writes the links of a record, and checks what its definition says of them. gaps 1.11, 7.1. */
import type { Call } from '../core/call.js'
import { Invalid } from '../core/errors.js'
import type { RecordType } from '../schema/compile.js'
import type { Link } from '../schema/define-record.js'
import type { Row } from '../schema/define-rule.js'
import { dbOf } from '../storage/transaction.js'
import { differs } from './draft.js'
import type { OperationParts } from './parts.js'
import { reachableIds } from './references.js'

/**
 * Makes the links of a record exactly these.
 *
 * @param row the record as it is stored now
 * @returns the links before, or null when nothing had to change
 * @throws Invalid when one of the other records is not there for the caller, or must not be linked to this one
 */
export async function setLinks(
  parts: OperationParts,
  call: Call,
  type: RecordType,
  row: Row,
  linkName: string,
  ids: readonly number[],
): Promise<readonly number[] | null> {
  const link = type.links.get(linkName)
  if (!link) throw new Error(`${type.name} has no link '${linkName}'`)
  const found = await reachableIds(parts, call, parts.catalog.type(link.record), ids)
  if (ids.some((id) => !found.has(id))) throw new Invalid([[linkName, 'cannot_be_found']])
  const ownId = Number(row['id'])
  const before = await idsIn(parts, call, link, ownId)
  const gone = before.filter((id) => !ids.includes(id))
  const added = ids.filter((id) => !before.includes(id))
  if (gone.length === 0 && added.length === 0) return null
  await checkWithin(parts, call, type, row, linkName, added)
  const db = dbOf(parts.storage, call)
  const table = parts.storage.table(link.table)
  if (gone.length > 0) await db(table).where(link.from, ownId).whereIn(link.to, gone).delete()
  if (link.acyclic && added.length > 0 && (await isReached(parts, call, link, added, ownId)))
    throw new Invalid([[linkName, 'cycle']])
  if (added.length > 0) {
    const pairs = added.map((id) => ({ [link.from]: ownId, [link.to]: id }))
    await db(table).insert(pairs).onConflict([link.from, link.to]).ignore()
  }
  return before
}

/** True unless only records with other values have such links (gaps 7.18). */
export function mayHaveLinks(type: RecordType, row: Row, linkName: string): boolean {
  const values = Object.entries(type.links.get(linkName)?.onlyWhile ?? {})
  return values.every(([field, value]) => (row[type.fields.get(field)?.column ?? field] ?? null) === value)
}

/**
 * Checks the links that stay while the field changes in which the linked records have to agree.
 *
 * @throws Invalid
 */
export async function checkKeptLinks(
  parts: OperationParts,
  call: Call,
  type: RecordType,
  before: Row,
  next: Row,
  replaced: ReadonlyMap<string, unknown>,
): Promise<void> {
  for (const [name, link] of type.links) {
    const column = link.within && type.fields.get(link.within.field)?.column
    if (!column || replaced.has(name) || !differs(before[column], next[column])) continue
    await checkWithin(parts, call, type, next, name, await idsIn(parts, call, link, Number(next['id'])))
  }
}

async function idsIn(parts: OperationParts, call: Call, link: Link, id: number): Promise<readonly number[]> {
  const rows: Record<string, unknown>[] = await dbOf(
    parts.storage,
    call,
  )(parts.storage.table(link.table))
    .where(link.from, id)
    .select(link.to)
  return rows.map((row) => Number(row[link.to]))
}

/** Only records that agree in a field may be linked (tasks of one change). */
async function checkWithin(
  parts: OperationParts,
  call: Call,
  type: RecordType,
  row: Row,
  linkName: string,
  ids: readonly number[],
): Promise<void> {
  const link = type.links.get(linkName)
  if (!link?.within || ids.length === 0) return
  const other = parts.catalog.type(link.record)
  const own = row[type.fields.get(link.within.field)?.column ?? ''] ?? null
  const column = other.fields.get(link.within.field)?.column ?? link.within.field
  const where = { path: ['id'], op: 'in', values: ids } as const
  const rows: readonly Row[] = await parts.queries.rows(call, { type: other, where })
  if (rows.some((one) => (one[column] ?? null) !== own)) throw new Invalid([[linkName, link.within.code]])
}

/** True when following the link from the one records leads to the other, over however many others. */
async function isReached(
  parts: OperationParts,
  call: Call,
  link: Link,
  from: readonly number[],
  target: number,
): Promise<boolean> {
  if (from.includes(target)) return true
  const [table, start, end] = [parts.storage.table(link.table), link.from, link.to]
  const marks = from.map(() => '?').join(', ')
  // MySQL gives up after 1000 steps unless it is told otherwise; the others read the hint as a comment.
  const sql = `WITH RECURSIVE reached (id) AS (
    SELECT l.\`${end}\` FROM \`${table}\` l WHERE l.\`${start}\` IN (${marks})
    UNION SELECT l.\`${end}\` FROM \`${table}\` l JOIN reached r ON l.\`${start}\` = r.id
  ) SELECT /*+ SET_VAR(cte_max_recursion_depth = 100000) */ 1 FROM reached WHERE id = ? LIMIT 1`
  return (await parts.queries.run(call, sql, [...from, target])).length > 0
}
