/**
 * Dry runs: each chunk of rows goes through the same pipeline, and is undone. Rows of it may depend on rows of earlier chunks, which
 * were undone as well: these are saved again before them, and undone with them (ADR 54).
 */
import type { Call } from '../core/call.js'
import { historyCall } from '../core/import-calls.js'
import type { Catalog } from '../schema/catalog.js'
import { AUDIT_LINE } from '../schema/language/built-in-types.js'
import type { Row } from '../schema/language/define-rule.js'
import type { Storage } from '../storage/database/connections.js'
import { isDeadlock } from '../storage/database/faults.js'
import { inSavepoint } from '../storage/database/savepoint.js'
import { dbOf } from '../storage/database/transaction.js'
import type { Queries } from '../storage/records/query.js'
import type { LaterGroup, Plan, RowGroup, RowsReport, Ties } from './contract.js'
import { insertEarlierGroups, linesGiving, readEarlierRows } from './progress/earlier-rows.js'
import { countExamples, type ExampleChange, insertExamples, MAX_EXAMPLES } from './progress/example-changes.js'
import type { Pass } from './save-groups.js'
import { newestLine } from './undo/audit-lines.js'

/** Dependencies of dry runs. */
export interface RehearseDeps {
  readonly storage: Storage
  readonly catalog: Catalog
  readonly queries: Pick<Queries, 'cells' | 'rows'>
}

/** Earlier rows that are saved again for one chunk. Beyond it, the last ones before the chunk count. */
const MAX_REPEATED = 2000

/** Thrown to undo a chunk. */
class Undone extends Error {}

/** What a chunk would have done. */
interface Rehearsed {
  readonly report: RowsReport
  readonly examples: readonly ExampleChange[]
  readonly position: number
}

/** The first pass, whose rows are undone. */
export function rehearsed(deps: RehearseDeps, importId: number, plan: Plan, pass: Pass<RowGroup>): Pass<RowGroup> {
  return {
    ...pass,
    async save(call, groups) {
      const ties = await plan.ties(call, groups)
      const done = await undone(deps, call, importId, async () => {
        await repeatEarlier(deps, call, importId, plan, ties, [])
        return () => pass.save(call, groups)
      })
      const saved = groups.flatMap((group, index) => {
        const { gives = [] } = ties[index] ?? {}
        return isRefused(done.report, group) ? [] : [{ rows: group.rows, gives }]
      })
      await insertEarlierGroups(deps.storage, dbOf(deps.storage, call), importId, saved)
      return noted(deps, call, importId, done)
    },
  }
}

/** The second pass, before which its rows are saved again. */
export function rehearsedLater(deps: RehearseDeps, importId: number, plan: Plan, pass: Pass<LaterGroup>): Pass<LaterGroup> {
  return {
    ...pass,
    async save(call, groups) {
      const ties = await plan.ties(call, groups)
      const lines = groups.map(({ row }) => row.line)
      const done = await undone(deps, call, importId, async () => {
        const ids = await repeatEarlier(deps, call, importId, plan, ties, lines)
        const present = groups.map((group): LaterGroup => {
          const recordId = ids.get(group.row.line) ?? group.later.recordId
          return { ...group, later: { ...group.later, recordId } }
        })
        return () => pass.save(call, present)
      })
      return noted(deps, call, importId, done)
    },
  }
}

/** Does the work of a chunk and undoes it. @param prepare does what is no part of the chunk, and returns its work */
async function undone(
  deps: RehearseDeps,
  call: Call,
  importId: number,
  prepare: () => Promise<() => Promise<RowsReport>>,
): Promise<Rehearsed> {
  const { storage } = deps
  let done: Rehearsed | null = null
  try {
    await inSavepoint(storage, call, async () => {
      const begin = await newestLine(deps.catalog, storage, dbOf(storage, call))
      const work = await prepare()
      const from = await newestLine(deps.catalog, storage, dbOf(storage, call))
      const report = await work()
      const position = await countExamples(storage, dbOf(storage, call), importId)
      const examples = await examplesAfter(deps, call, { begin, from }, MAX_EXAMPLES - position)
      done = { report, examples, position }
      throw new Undone()
    })
  } catch (error) {
    if (!(error instanceof Undone)) throw error
  }
  if (done === null) throw new Error('A dry run has no result')
  return done
}

async function noted({ storage }: RehearseDeps, call: Call, importId: number, done: Rehearsed): Promise<RowsReport> {
  await insertExamples(storage, dbOf(storage, call), importId, done.position, done.examples)
  return done.report
}

/**
 * Saves the earlier rows on which others depend, and those on which these depend.
 *
 * @param lines of rows that are saved again in any case
 * @returns the ids of the records by line
 */
async function repeatEarlier(
  { storage }: RehearseDeps,
  call: Call,
  importId: number,
  plan: Plan,
  ties: readonly Ties[],
  lines: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const db = dbOf(storage, call)
  const wanted = new Set(lines)
  const rows = new Map<number, RowGroup['rows'][number]>()
  const add = async (some: readonly number[]) => {
    const found = await readEarlierRows(storage, db, importId, some)
    for (const row of found) rows.set(row.line, row)
    return found
  }
  await add(lines)
  let needs = ties.flatMap((one) => one.needs)
  while (needs.length > 0 && wanted.size < lines.length + MAX_REPEATED) {
    const room = lines.length + MAX_REPEATED - wanted.size
    const found = await linesGiving(storage, db, importId, needs, room)
    const more = found.filter((line) => !wanted.has(line))
    for (const line of more) wanted.add(line)
    const groups = await groupsIn(plan, call, await add(more))
    needs = (await plan.ties(call, groups)).flatMap((one) => one.needs)
  }
  const groups = await groupsIn(
    plan,
    call,
    [...rows.values()].sort((a, b) => a.line - b.line),
  )
  return new Map((await saveAgain(storage, call, plan, groups)).map(({ line, recordId }) => [line, recordId]))
}

/** Saves rows that could be saved before: in halves if one of them cannot be now. */
async function saveAgain(
  storage: Storage,
  call: Call,
  plan: Plan,
  groups: readonly RowGroup[],
): Promise<NonNullable<RowsReport['saved']>> {
  if (groups.length === 0) return []
  try {
    const { saved = [] } = await inSavepoint(storage, call, () => plan.save(call, groups))
    return saved
  } catch (error) {
    if (isDeadlock(error)) throw error
    if (groups.length === 1) return []
    const middle = Math.ceil(groups.length / 2)
    const first = await saveAgain(storage, call, plan, groups.slice(0, middle))
    return [...first, ...(await saveAgain(storage, call, plan, groups.slice(middle)))]
  }
}

async function groupsIn(plan: Plan, call: Call, rows: RowGroup['rows']): Promise<readonly RowGroup[]> {
  const groups: RowGroup[] = []
  for await (const group of plan.groups(call, inOrder(rows), 0)) groups.push(group)
  return groups
}

async function* inOrder(rows: RowGroup['rows']): AsyncGenerator<RowGroup['rows'][number]> {
  yield* rows
}

function isRefused({ failed }: RowsReport, { rows }: RowGroup): boolean {
  return failed.some(({ line, reason }) => reason !== '' && rows.some((row) => row.line === line))
}

/** The changes in audit lines of this import. @param lines `begin`: before this transaction has written any; `from`: before the first */
async function examplesAfter(
  { catalog, queries }: RehearseDeps,
  call: Call,
  { begin, from }: { readonly begin: number; readonly from: number },
  limit: number,
): Promise<readonly ExampleChange[]> {
  if (limit <= 0) return []
  const type = catalog.type(AUDIT_LINE)
  const causes = [call.cause ?? '', historyCall(call).cause ?? '']
  const ofImport = { path: ['cause'], op: 'in', values: causes } as const
  const where = { all: [{ path: ['id'], op: '>', values: [begin] } as const, ofImport] }
  const lines = await queries.rows(call, { type, where })
  const keyOf = (line: Row) => `${line['owner_type']} ${line['owner_id']}`
  const created = new Set(lines.filter((line) => line['action'] === 'create').map(keyOf))
  const own = lines.filter((line) => Number(line['id']) > from).slice(0, limit)
  const names = await namesOf({ catalog, queries }, call, own)
  const examples = own.flatMap((line) =>
    Object.entries((line['changes'] ?? {}) as { readonly [field: string]: readonly [before: never, after: never] }).map(
      ([field, [before, after]]): ExampleChange => ({
        type: String(line['owner_type']),
        id: created.has(keyOf(line)) ? null : Number(line['owner_id']),
        name: names.get(keyOf(line)) ?? null,
        field,
        before,
        after,
      }),
    ),
  )
  return examples.slice(0, limit)
}

/** The titles of the records of audit lines, with one query for each type. */
async function namesOf(
  { catalog, queries }: Pick<RehearseDeps, 'catalog' | 'queries'>,
  call: Call,
  lines: readonly Row[],
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>()
  for (const typeName of new Set(lines.map((line) => String(line['owner_type'])))) {
    const type = catalog.types.get(typeName)
    if (!type?.title) continue
    const ids = [...new Set(lines.filter((line) => line['owner_type'] === typeName).map((line) => Number(line['owner_id'])))]
    const where = { path: ['id'], op: 'in', values: ids } as const
    for (const [id, name] of await queries.cells(call, { type, where }, [['id'], [type.title]]))
      names.set(`${typeName} ${Number(id)}`, String(name ?? ''))
  }
  return names
}
