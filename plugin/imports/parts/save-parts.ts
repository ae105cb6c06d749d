/** Saves sub-records through the pipeline, for several records at once, in the transaction of the call. */
import type { Call } from '../../core/call.js'
import { importedPartsCall } from '../../core/import-calls.js'
import type { Operations, SaveItem, SaveOutcome } from '../../operations/contract.js'
import type { Permissions } from '../../operations/people/permissions.js'
import { partsOfOwners } from '../../operations/read/visible.js'
import { shownIn } from '../../operations/save/related/write-parts.js'
import type { Json } from '../../schema/kinds/fields.js'
import type { Row } from '../../schema/language/define-rule.js'
import type { Storage } from '../../storage/database/connections.js'
import { inSavepoint } from '../../storage/database/savepoint.js'
import type { Queries } from '../../storage/records/query.js'
import type { FileRow, RowsReport } from '../contract.js'
import { NO_RESULTS } from '../progress/results.js'
import { type FoundIds, findReferences } from '../rows/lookups.js'
import { bodyOf } from '../rows/prepare.js'
import { isUnsaved, missingOf, type Refusal, reasonOf, refusalOfUnsaved } from '../rows/refusals.js'
import type { SaveRowsDeps } from '../rows/save-rows.js'
import { saveWithPast } from '../rows/save-with-past.js'
import { createTally } from '../rows/tally.js'
import type { PartFile } from './find-owners.js'
import type { OwnerRows } from './group-by-owner.js'
import { type GivenPart, pairParts } from './pair-parts.js'
import { groupOf, type PartGroup, type PartKind, type PartRow } from './split-rows.js'

/** Dependencies of saving sub-records. */
export interface SavePartsDeps extends SaveRowsDeps {
  readonly operations: Pick<Operations, 'findIds' | 'removeEach' | 'saveAll'>
  readonly queries: Pick<Queries, 'cells' | 'linkedCells' | 'rows'>
  readonly storage: Storage
  readonly permissions: Pick<Permissions, 'changeEach'>
}

/** Thrown to roll back an attempt in which rows were refused: the sub-records that they would have replaced must stay. */
class RowsRefused extends Error {}

/** Context of one attempt. */
interface Work {
  readonly deps: SavePartsDeps
  readonly call: Call
  readonly file: PartFile
  readonly kinds: readonly PartKind[]
  readonly groups: readonly PartGroup[]
  readonly references: FoundIds
  /** Grows from attempt to attempt. */
  readonly refused: Map<FileRow, Refusal>
}

/** Change of one sub-record. */
interface Change {
  readonly group: PartGroup
  readonly partRow: PartRow
  readonly kind: PartKind
  readonly item: SaveItem
}

/**
 * Saves the rows of each record together. A row is refused as a whole, with a line in the report; the others are saved. Flagged
 * rows replace the flagged sub-records of their record, unless a row of the record was refused or could not be read: a mistake
 * in a file must not remove a sub-record that the row would have kept (behaviour: Import rows).
 */
export async function saveParts(
  deps: SavePartsDeps,
  call: Call,
  file: PartFile,
  kinds: readonly PartKind[],
  byOwner: readonly OwnerRows[],
): Promise<RowsReport> {
  const refused = new Map<FileRow, Refusal>()
  const groups = byOwner.flatMap((rows) => groupOf(call, deps.catalog, file, kinds, rows) ?? [])
  const prepared = groups.flatMap(({ rows }) => rows.flatMap(({ given }) => given.map((one) => one.prepared)))
  const wanted = prepared.flatMap(({ cellReferences }) => cellReferences.flatMap((cell) => cell.references))
  const references = await findReferences(deps.operations, call, wanted)
  const work: Work = { deps, call, file, kinds, groups, references, refused }
  refuseEarly(work, byOwner)

  for (;;) {
    const before = refused.size
    try {
      const results = await inSavepoint(deps.storage, call, () => attempt(work))
      const tally = createTally(deps.words, call, file.columns)
      for (const [row, refusal] of refused) tally.refuse(row, refusal)
      for (const row of savedBeside(work)) tally.repeat(row)
      return { ...tally.report(), results: { ...results, failures: refused.size } }
    } catch (error) {
      if (!(error instanceof RowsRefused) || refused.size === before) throw error
    }
  }
}

/** Refuses invalid rows before they are compared with stored sub-records. */
function refuseEarly(work: Work, byOwner: readonly OwnerRows[]): void {
  const { deps, call, file, groups, references } = work
  const { words } = deps
  for (const { owned, ownerId, isRepeated } of byOwner) {
    for (const one of owned) {
      if (one.refusal) refuse(work, one.row, one.refusal)
      else if (isRepeated && one.ownerId === ownerId) refuse(work, one.row, reasonOf(words, call, 'not_consecutive'))
    }
  }
  for (const { row, given } of groups.flatMap((group) => group.rows)) {
    if (given.length === 0) refuse(work, row, reasonOf(words, call, 'no_values', file.description.owner.header))
    const missing = given.flatMap(({ kind, prepared }) => bodyOf(prepared, kind.columns, null, references).missing)
    if (missing.length > 0) refuse(work, row, missingOf(words, call, missing))
  }
}

/** One attempt with all rows that have not been refused so far. @throws RowsRefused */
async function attempt(work: Work) {
  const { deps, call, file, kinds, refused } = work
  const groups = work.groups.filter(({ rows }) => rows.some(({ row }) => !refused.has(row)))
  const owners = groups.map(({ ownerId }) => ownerId)
  const where = { path: ['id'], op: 'in', values: owners } as const
  // Locked, so that no other transaction adds, changes or removes sub-records of these records.
  if (owners.length > 0) await deps.queries.rows(call, { type: file.columns.type, where }, { lock: true })

  const results = { ...NO_RESULTS }
  const outcomes = new Map<PartRow, SaveOutcome['outcome'][]>()
  /** Owners, and whether only sub-records of the past were added. */
  const touched = new Map<number, boolean>()
  const shownBefore = new Map<PartKind, ReadonlyMap<number, readonly Row[]>>()
  for (const kind of kinds) {
    const stored = await storedParts(work, kind, owners)
    shownBefore.set(kind, stored)
    const changes: Change[] = []
    const removed: { id: number; owner: { type: string; id: number } }[] = []
    for (const group of groups) planGroup(work, kind, group, stored.get(group.ownerId) ?? [], changes, removed)
    if (removed.length > 0) await deps.operations.removeEach({ ...call, isWithOwner: true }, kind.columns.type.name, removed)
    results.deleted += removed.length
    for (const { owner } of removed) touched.set(owner.id, false)

    const { type } = kind.columns
    const itemOf = ({ item }: Change) => item
    const isPast = ({ item }: Change) => file.columns.isHistory && item.id === null
    const how = { isPast, itemOf }
    for (const done of await saveWithPast(deps.operations, importedPartsCall(call), type.name, changes, how)) {
      const { group, partRow } = done.work
      const { row } = partRow
      if (isUnsaved(done.saved)) refuse(work, row, refusalOfUnsaved(deps.words, call, kind.columns, row, done.saved))
      else if (done.saved.outcome !== 'unchanged' && kind.field)
        touched.set(group.ownerId, isPast(done.work) && touched.get(group.ownerId) !== false)
      outcomes.set(partRow, [...(outcomes.get(partRow) ?? []), done.saved.outcome])
    }
    if (changes.some(({ partRow }) => refused.has(partRow.row))) throw new RowsRefused()
  }
  await announce(work, groups, touched, shownBefore)

  for (const { row, partRow } of groups.flatMap(({ rows }) => rows.map((partRow) => ({ row: partRow.row, partRow })))) {
    if (refused.has(row)) continue
    const all = outcomes.get(partRow) ?? []
    results[all.includes('created') ? 'created' : all.includes('updated') ? 'updated' : 'unchanged']++
  }
  return results
}

/** Adds the changes and removals of the sub-records of one kind for one record. */
function planGroup(
  { file, references, refused }: Work,
  kind: PartKind,
  group: PartGroup,
  stored: readonly Row[],
  changes: Change[],
  removed: { id: number; owner: { type: string; id: number } }[],
): void {
  const owner = { type: file.columns.type.name, id: group.ownerId }
  const flag = kind.flag?.column ?? null
  const rows = group.rows.filter(({ row }) => !refused.has(row))
  const given = rows.flatMap((partRow) =>
    partRow.given.filter((one) => one.kind === kind).map(({ prepared }) => ({ partRow, prepared })),
  )
  const asGiven = given.map(({ partRow, prepared }): GivenPart => {
    // As for an update, with empty cells: they must be empty in an equal sub-record, too.
    const { body } = bodyOf(prepared, kind.columns, 1, references, kind.columns.isHistory)
    return { values: body, isFlagged: partRow.isFlagged }
  })
  const meant = pairParts(asGiven, stored, kind.key, flag)
  const kept = new Set<Row>()
  for (const [index, { partRow, prepared }] of given.entries()) {
    const one = meant[index]
    if (!one || one === 'repeated') continue
    if (one.row) kept.add(one.row)
    // Sub-records that are only added stay as they are.
    if (one.row && !kind.columns.type.nested.has('update')) continue
    const id = one.row ? Number(one.row['id']) : null
    const { body } = bodyOf(prepared, kind.columns, id, references)
    const marked = kind.flag ? { ...body, [kind.flag.name]: partRow.isFlagged } : body
    changes.push({ group, partRow, kind, item: { id, body: marked, owner } })
  }
  const replaces = flag !== null && rows.some(({ isFlagged }) => isFlagged)
  if (!replaces || group.isDoubtful || group.all.some((row) => refused.has(row))) return
  for (const row of stored) if (row[flag] === true && !kept.has(row)) removed.push({ id: Number(row['id']), owner })
}

/** Marks records as changed whose sub-records changed: audit line, event and updated_at. @throws RowsRefused */
async function announce(
  work: Work,
  groups: readonly PartGroup[],
  touched: ReadonlyMap<number, boolean>,
  before: ReadonlyMap<PartKind, ReadonlyMap<number, readonly Row[]>>,
): Promise<void> {
  const { deps, call, file } = work
  if (touched.size === 0) return
  const changed = new Map([...touched.keys()].map((id) => [id, new Map<string, readonly [Json, Json]>()]))
  for (const [kind, was] of before) {
    const { field } = kind
    if (!field) continue
    const is = await storedParts(work, kind, [...touched.keys()])
    const shown = shownIn(field, kind.columns.type)
    for (const [id, fields] of changed) {
      const [left, right] = [was, is].map((rows) => (rows.get(id) ?? []).map(shown))
      if (JSON.stringify(left) !== JSON.stringify(right)) fields.set(field.name, [left ?? [], right ?? []])
    }
  }
  const done = await saveWithPast(deps.operations, call, file.columns.type.name, [...changed], {
    isPast: ([id]) => touched.get(id) === true,
    itemOf: ([id, fields]) => ({ id, body: {}, changedRelated: fields }),
  })
  const groupOfOwner = new Map(groups.map((group) => [group.ownerId, group]))
  for (const { saved, work: owner } of done) {
    if (!isUnsaved(saved)) continue
    for (const { row } of groupOfOwner.get(owner[0])?.rows ?? [])
      refuse(work, row, refusalOfUnsaved(deps.words, call, file.columns, row, saved))
  }
  if (done.some(({ saved }) => isUnsaved(saved))) throw new RowsRefused()
}

/** Reads the sub-records of one kind, by record. */
async function storedParts({ deps, call, file }: Work, { columns }: PartKind, owners: readonly number[]) {
  const byOwner = new Map<number, Row[]>(owners.map((id) => [id, []]))
  if (owners.length === 0) return byOwner
  const rows = await deps.queries.rows(call, { type: columns.type, where: partsOfOwners(file.columns.type.name, owners) })
  for (const row of rows) byOwner.get(Number(row['owner_id']))?.push(row)
  return byOwner
}

function refuse({ refused }: Work, row: FileRow, refusal: Refusal): void {
  if (!refused.has(row)) refused.set(row, refusal)
}

/** The other rows of records with refused rows, if rows of these replace stored sub-records: alone, they would remove the others. */
function savedBeside({ groups, refused }: Work): readonly FileRow[] {
  return groups
    .filter(({ all, rows }) => rows.some(({ isFlagged }) => isFlagged) && all.some((row) => refused.has(row)))
    .flatMap(({ all }) => all.filter((row) => !refused.has(row)))
}
