/** Rows that link two records which both exist: they add links, and remove none (behaviour: Import rows). */
import type { Call } from '../../core/call.js'
import { saveEach } from '../../operations/work/save-each.js'
import { inputNameOf } from '../../schema/derive/input-names.js'
import type { Column } from '../columns/column.js'
import type { Columns } from '../columns/match-columns.js'
import type { RowShape, RowsReport } from '../contract.js'
import { ImportStopped } from '../progress/stopped.js'
import { findReferences, keyOf } from '../rows/lookups.js'
import { prepareRow, referencesIn } from '../rows/prepare.js'
import { isUnsaved, missingOf, type Refusal, reasonOf, refusalOfUnsaved } from '../rows/refusals.js'
import { createTally } from '../rows/tally.js'
import type { OwnedRow, PartFile } from './find-owners.js'
import type { OwnerRows } from './group-by-owner.js'
import type { SavePartsDeps } from './save-parts.js'
import { singleRows } from './single-rows.js'
import { tiesOfOwners } from './ties-of-owners.js'

type LinkColumn = Extract<Column, { kind: 'link' }>

/** A row with the records that it links to its owner: usually one. */
interface LinkRow {
  readonly owned: OwnedRow
  readonly ownerId: number
  readonly otherIds: readonly number[]
}

/** Creates the shape. @throws ImportStopped if the file has no column for the link */
export function linkRows(deps: SavePartsDeps, file: PartFile, header: string): RowShape<OwnerRows> {
  const column = file.columns.columns.find((one): one is LinkColumn => one?.kind === 'link')
  if (!column) throw new ImportStopped('no_value_column', { columns: [header] })
  return {
    ties: tiesOfOwners,
    groups: (call, rows, after) => singleRows(deps, call, file, rows, after),
    save: (call, groups) => {
      const owned = groups.flatMap((group) => group.owned)
      return saveLinks(deps, call, file, column, owned)
    },
  }
}

/** Saves the links of the rows, with a constant number of queries. A row for a link that there is changes nothing. */
async function saveLinks(
  deps: SavePartsDeps,
  call: Call,
  { columns }: PartFile,
  column: LinkColumn,
  owned: readonly OwnedRow[],
): Promise<RowsReport> {
  const { words } = deps
  const tally = createTally(words, call, columns)
  const fail = ({ row }: OwnedRow, refusal: Refusal) => {
    tally.count('failures')
    tally.refuse(row, refusal)
  }

  const rows = await findOthers(deps, call, columns, column, owned, fail)
  const linked = await linkedIds(deps, call, columns, column, rows)
  const added = new Map<number, LinkRow[]>()
  for (const one of rows) {
    const ids = linked.get(one.ownerId) ?? new Set<number>()
    linked.set(one.ownerId, ids)
    if (one.otherIds.every((id) => ids.has(id))) tally.count('unchanged')
    else added.set(one.ownerId, [...(added.get(one.ownerId) ?? []), one])
    for (const id of one.otherIds) ids.add(id)
  }

  const input = inputNameOf(columns.type, column.name)
  const itemOf = ([id]: readonly [number, unknown]) => ({ id, body: { [input]: [...(linked.get(id) ?? [])] } })
  for (const { work, saved } of await saveEach(deps.operations, call, columns.type.name, [...added], itemOf)) {
    for (const { owned: one } of work[1]) {
      if (isUnsaved(saved)) fail(one, refusalOfUnsaved(words, call, columns, one.row, saved))
      else tally.count('created')
    }
  }
  return tally.report()
}

/** The rows whose two records there are; the others fail. */
async function findOthers(
  { catalog, operations, words }: SavePartsDeps,
  call: Call,
  columns: Columns,
  column: LinkColumn,
  owned: readonly OwnedRow[],
  fail: (row: OwnedRow, refusal: Refusal) => void,
): Promise<readonly LinkRow[]> {
  const named = owned.map((one) => ({ one, references: referencesIn(prepareRow(call, catalog, columns, one.row), column) }))
  const found = await findReferences(
    operations,
    call,
    named.flatMap(({ references }) => references),
  )
  return named.flatMap(({ one, references }): LinkRow[] => {
    const { ownerId, refusal } = one
    const { header } = column
    const otherIds = references.flatMap((reference) => found.get(keyOf(reference)) || [])
    const missing = references.filter((reference) => !found.get(keyOf(reference))).map(({ value }) => ({ header, value }))
    if (refusal) fail(one, refusal)
    else if (references.length === 0) fail(one, reasonOf(words, call, 'blank', header))
    else if (missing.length > 0) fail(one, missingOf(words, call, missing))
    else if (ownerId !== null) return [{ owned: one, ownerId, otherIds }]
    return []
  })
}

/** The ids of the records that the owners of the rows are linked with. */
async function linkedIds(
  { catalog, queries }: SavePartsDeps,
  call: Call,
  { type }: Columns,
  column: LinkColumn,
  rows: readonly LinkRow[],
): Promise<Map<number, Set<number>>> {
  const link = type.links.get(column.name)
  const owners = [...new Set(rows.map(({ ownerId }) => ownerId))]
  if (!link || owners.length === 0) return new Map()
  // Locked, so that no other transaction changes their links.
  await queries.rows(call, { type, where: { path: ['id'], op: 'in', values: owners } }, { lock: true })
  const others = { type: catalog.type(link.record), where: { all: [] } }
  const ids = new Map<number, Set<number>>()
  for (const [owner, other] of await queries.linkedCells(call, link, owners, others, [['id']]))
    ids.set(Number(owner), (ids.get(Number(owner)) ?? new Set()).add(Number(other)))
  return ids
}
