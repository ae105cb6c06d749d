/** Writes the links of records, and checks them against their definition (behaviour: Linked records, Tasks). */
import type { Knex } from 'knex'
import type { Call } from '../../../core/call.js'
import { chunksOf, MAX_PAIRS } from '../../../core/chunks.js'
import { Invalid } from '../../../core/errors.js'
import type { RecordType } from '../../../schema/catalog.js'
import type { Row } from '../../../schema/language/define-rule.js'
import type { Link } from '../../../schema/language/relations.js'
import { dbOf } from '../../../storage/database/transaction.js'
import type { ReadDeps } from '../../read/read-deps.js'
import { onlyCause } from '../../work/causes.js'
import { differs } from '../../work/draft.js'
import { markLinked } from '../../work/marks.js'
import type { Others } from '../../work/pipeline.js'
import { reachableIds } from '../../work/references.js'
import { settlingsOf } from '../../work/settlings-of.js'
import { unitOf } from '../../work/unit.js'
import type { LockDeps } from '../../work/work-deps.js'
import { firstOfLink } from './first-links.js'
import { removeOrder } from './remove-order.js'
import type { WriteDeps } from './write-deps.js'

/** The links that a record is to have. */
export interface WantedLinks {
  /** The record as it is stored now. */
  readonly row: Row
  /** Name of the link. */
  readonly name: string
  /** Ids of the records that it leads to, each once. */
  readonly ids: readonly number[]
}

/** Wanted links that differ from the stored ones. */
export interface ChangedLinks extends WantedLinks {
  readonly before: readonly number[]
}

interface Change extends ChangedLinks {
  readonly gone: readonly number[]
  readonly added: readonly number[]
}

/**
 * Sets the links of the records to exactly these, with a constant number of queries per name. Removes links before it adds any,
 * so that links can be reversed.
 *
 * @param others removes sub-records that ordered what is no longer linked
 * @returns the changes
 * @throws Invalid if the caller cannot find a record to be linked, or it must not be linked
 */
export async function setLinks(
  deps: WriteDeps,
  others: Pick<Others, 'removeEach'>,
  call: Call,
  type: RecordType,
  wanted: readonly WantedLinks[],
): Promise<readonly ChangedLinks[]> {
  const plans: { readonly link: Link; readonly name: string; readonly changes: readonly Change[] }[] = []
  for (const [name, link] of type.links) {
    const changes = await changesOf(
      deps,
      call,
      link,
      wanted.filter((one) => one.name === name),
      call.passed !== undefined && !call.bypassesPermissions && !firstOfLink(type, name),
    )
    await checkReach(deps, call, link, changes)
    await checkWithin(
      deps,
      call,
      type,
      changes.map(({ row, added }) => ({ row, name, ids: added })),
    )
    if (changes.length > 0) plans.push({ link, name, changes })
  }
  const db = dbOf(deps.storage, call)
  for (const { link, changes } of plans) await removePairs(deps, db, link, changes)
  for (const { link, changes, name } of plans) await removeOrder(deps, others, call, { type, name, link }, changes)
  for (const { link, changes } of plans) {
    await insertPairs(deps, db, link, changes)
    if (link.acyclic) await checkCycles(deps, call, link, changes)
  }
  for (const { link, changes } of plans) {
    const from = changes.map(({ row }) => Number(row['id']))
    const to = changes.flatMap(({ gone, added }) => [...gone, ...added])
    const by = onlyCause(
      type.name,
      changes.map(({ row }) => row),
    )
    await markLinked(unitOf(deps, call), settlingsOf(call, deps.catalog), link, { from, to }, by)
  }
  return plans.flatMap(({ changes }) => changes)
}

/** False if the record lacks the field values that this link requires (behaviour: Broadcasts). */
export function mayHaveLinks(type: RecordType, row: Row, linkName: string): boolean {
  const values = Object.entries(type.links.get(linkName)?.onlyWhile ?? {})
  return values.every(([field, value]) => (row[type.fields.get(field)?.column ?? field] ?? null) === value)
}

/**
 * Checks the unchanged links if the field changes in which the linked records have to agree.
 *
 * @param replaced names of the links that were set again
 * @throws Invalid
 */
export async function checkKeptLinks(
  deps: LockDeps,
  call: Call,
  type: RecordType,
  before: Row,
  next: Row,
  replaced: ReadonlyMap<string, unknown>,
): Promise<void> {
  for (const [name, link] of type.links) {
    const column = link.within && type.fields.get(link.within.field)?.column
    if (!column || replaced.has(name) || !differs(before[column], next[column])) continue
    const linked = await linkedIds(deps, call, link, [next])
    await checkWithin(deps, call, type, [{ row: next, name, ids: linked.get(Number(next['id'])) ?? [] }])
  }
}

/** The changes for links of one name; records whose links stay the same are omitted. */
async function changesOf(
  deps: LockDeps,
  call: Call,
  link: Link,
  wanted: readonly WantedLinks[],
  keepsUnseen: boolean,
): Promise<readonly Change[]> {
  const linked = await linkedIds(
    deps,
    call,
    link,
    wanted.map(({ row }) => row),
  )
  // People of another account do not remove what they cannot know of.
  const all = keepsUnseen ? [...linked.values()].flat() : []
  const seen = all.length > 0 ? await reachableIds(deps, call, deps.catalog.type(link.record), all) : null
  const changes = wanted.map((one): Change => {
    const before = linked.get(Number(one.row['id'])) ?? []
    const kept = seen === null ? [] : before.filter((id) => !seen.has(id) && !one.ids.includes(id))
    const ids = kept.length > 0 ? [...one.ids, ...kept] : one.ids
    const [is, was] = [new Set(ids), new Set(before)]
    return { ...one, ids, before, gone: before.filter((id) => !is.has(id)), added: ids.filter((id) => !was.has(id)) }
  })
  return changes.filter(({ gone, added }) => gone.length > 0 || added.length > 0)
}

/** Ids of the records that the link leads to, by the id of the record that it starts from. */
async function linkedIds(
  deps: LockDeps,
  call: Call,
  link: Link,
  rows: readonly Row[],
): Promise<ReadonlyMap<number, readonly number[]>> {
  const found = new Map(rows.map((row): [number, number[]] => [Number(row['id']), []]))
  if (rows.length === 0) return found
  const db = dbOf(deps.storage, call)
  const pairs: Record<string, unknown>[] = await db(deps.storage.table(link.table))
    .whereIn(link.from, [...found.keys()])
    .select(link.from, link.to)
  for (const pair of pairs) found.get(Number(pair[link.from]))?.push(Number(pair[link.to]))
  return found
}

/** Checks that the caller may refer to the added records. Existing links stay, even if the caller does not see them. */
async function checkReach(deps: ReadDeps, call: Call, link: Link, changes: readonly Change[]): Promise<void> {
  const added = changes.flatMap((change) => change.added)
  const reached = await reachableIds(deps, call, deps.catalog.type(link.record), added)
  const wrong = changes.find((change) => change.added.some((id) => !reached.has(id)))
  if (wrong) throw new Invalid([[wrong.name, 'cannot_be_found']])
}

/** Checks that linked records agree in a field (tasks of one change). All links have the same name. */
async function checkWithin(deps: ReadDeps, call: Call, type: RecordType, linked: readonly WantedLinks[]): Promise<void> {
  const link = type.links.get(linked[0]?.name ?? '')
  const values = linked.flatMap(({ ids }) => ids)
  if (!link?.within || values.length === 0) return
  const { field, code } = link.within
  const other = deps.catalog.type(link.record)
  const [column, ownColumn] = [other.fields.get(field)?.column ?? field, type.fields.get(field)?.column ?? field]
  const rows: readonly Row[] = await deps.queries.rows(call, { type: other, where: { path: ['id'], op: 'in', values } })
  const byId = new Map(rows.map((row) => [Number(row['id']), row[column] ?? null]))
  for (const { row, name, ids } of linked) {
    const own = row[ownColumn] ?? null
    if (ids.some((id) => byId.has(id) && byId.get(id) !== own)) throw new Invalid([[name, code]])
  }
}

async function removePairs({ storage }: WriteDeps, db: Knex, link: Link, changes: readonly Change[]): Promise<void> {
  for (const some of chunksOf(changes.filter(({ gone }) => gone.length > 0))) {
    await db(storage.table(link.table))
      .where((any) => {
        for (const { row, gone } of some)
          any.orWhere((pair) => pair.where(link.from, Number(row['id'])).whereIn(link.to, [...gone]))
      })
      .delete()
  }
}

async function insertPairs({ storage }: WriteDeps, db: Knex, link: Link, changes: readonly Change[]): Promise<void> {
  const pairs = changes.flatMap(({ row, added }) => added.map((id) => ({ [link.from]: Number(row['id']), [link.to]: id })))
  for (const some of chunksOf(pairs, MAX_PAIRS)) {
    await db(storage.table(link.table))
      .insert([...some])
      .onConflict([link.from, link.to])
      .ignore()
  }
}

/**
 * Refuses links that lead back to the record that they start from, over any number of others. Locks the links on the way, so
 * that two transactions that each add half of a cycle conflict, and one of them is repeated.
 */
async function checkCycles(deps: LockDeps, call: Call, link: Link, changes: readonly Change[]): Promise<void> {
  const started = changes.filter(({ added }) => added.length > 0)
  if (started.length === 0) return
  const [table, from, to] = [deps.storage.table(link.table), link.from, link.to]
  const locked = (sql: string) => (deps.storage.dialect === 'mysql' ? `(${sql} FOR UPDATE)` : sql)
  const first = `SELECT l.\`${from}\`, l.\`${to}\` FROM \`${table}\` l WHERE l.\`${from}\` IN (${started.map(() => '?').join(', ')})`
  const next = `SELECT r.origin, l.\`${to}\` FROM \`${table}\` l JOIN reached r ON l.\`${from}\` = r.id`
  // MySQL and MariaDB stop after 1000 steps by default. Each has its own setting, in a comment that the other one ignores.
  const sql = `/*M! SET STATEMENT max_recursive_iterations = 100000 FOR */ WITH RECURSIVE reached (origin, id) AS (${locked(first)} UNION ${locked(next)})
  SELECT /*+ SET_VAR(cte_max_recursion_depth = 100000) */ origin FROM reached WHERE id = origin LIMIT 1`
  const ids = started.map(({ row }) => Number(row['id']))
  const [[circle] = []] = await deps.queries.run(call, sql, ids)
  const wrong = started.find(({ row }) => Number(row['id']) === Number(circle))
  if (wrong) throw new Invalid([[wrong.name, 'cycle']])
}
