/** Rows with the roles of a person in an account: a column for each role (behaviour: Import rows). */
import { type Call, ROLES, type Role } from '../../core/call.js'
import { NotFound } from '../../core/errors.js'
import type { RoleChange, RoleOutcome } from '../../operations/people/role-changes.js'
import { type Columns, cellOf } from '../columns/match-columns.js'
import type { FileRow, RowShape, RowsReport } from '../contract.js'
import type { Results } from '../progress/results.js'
import { codeOfError, ImportStopped } from '../progress/stopped.js'
import { missingOf, type Refusal, reasonOf } from '../rows/refusals.js'
import { createTally } from '../rows/tally.js'
import type { OwnedRow, PartFile } from './find-owners.js'
import type { OwnerRows } from './group-by-owner.js'
import type { SavePartsDeps } from './save-parts.js'
import { singleRows } from './single-rows.js'
import { tiesOfOwners } from './ties-of-owners.js'

/** A row with the roles that it gives and takes. */
interface RoleRow {
  readonly row: FileRow
  readonly change: RoleChange
}

/** Creates the shape. @throws ImportStopped if the file has no column of a role */
export function roleRows(deps: SavePartsDeps, file: PartFile, examples: readonly string[]): RowShape<OwnerRows> {
  if (!file.columns.columns.some((column) => column?.kind === 'role'))
    throw new ImportStopped('no_value_column', { columns: [...examples] })
  return {
    ties: tiesOfOwners,
    groups: (call, rows, after) => singleRows(deps, call, file, rows, after),
    save: (call, groups) =>
      saveRoles(
        deps,
        call,
        file,
        groups.flatMap(({ owned }) => owned),
      ),
  }
}

/** Saves the roles of the rows, with a number of queries that does not grow with them. */
async function saveRoles(
  { permissions, words }: SavePartsDeps,
  call: Call,
  { columns }: PartFile,
  owned: readonly OwnedRow[],
): Promise<RowsReport> {
  const tally = createTally(words, call, columns)
  const accountHeader = columns.columns.find((column) => column?.kind === 'account')?.header ?? ''
  const fail = (row: FileRow, refusal: Refusal) => {
    tally.count('failures')
    tally.refuse(row, refusal)
  }
  const rows = owned.flatMap(({ ownerId, refusal, row }): RoleRow[] => {
    if (refusal) fail(row, refusal)
    else if (ownerId !== null) return [{ row, change: changeOf(call, columns, row, ownerId) }]
    return []
  })
  const outcomes = await permissions.changeEach(
    call,
    rows.map(({ change }) => change),
  )
  for (const [index, { row }] of rows.entries()) {
    const outcome = outcomes[index]
    if (!outcome) throw new Error('A row with roles has no outcome')
    if (!('refused' in outcome)) tally.count(counterOf(outcome))
    else if (outcome.refused instanceof NotFound) fail(row, unknownAccount(columns, row))
    else fail(row, { ...reasonOf(words, call, codeOfError(outcome.refused)), header: accountHeader })
  }
  return tally.report()

  function unknownAccount({ columns }: Columns, { cells }: FileRow): Refusal {
    const index = columns.findIndex((column) => column?.kind === 'account')
    return missingOf(words, call, [{ header: accountHeader, value: cells[index] ?? '' }])
  }
}

/** A cell that is true gives its role; one that is false or empty takes it. */
function changeOf(call: Call, columns: Columns, { cells }: FileRow, personId: number): RoleChange {
  const given = columns.columns.flatMap((column, index): readonly (readonly [string, boolean])[] => {
    const cell = cells[index]
    if (column?.kind !== 'role' || cell === undefined) return []
    return [[column.name, column.input(cell, [])[column.name] === true]]
  })
  const isGiven = new Map(given)
  const account = cellOf(columns, cells, ({ kind }) => kind === 'account')
  const wanted = (now: readonly Role[]) => ROLES.filter((role) => isGiven.get(role) ?? now.includes(role))
  return { personId, accountId: account.toLowerCase() || call.account.id, wanted }
}

/** A row that only takes roles counts as deleted. */
function counterOf({ after, before }: Exclude<RoleOutcome, { readonly refused: object }>): keyof Results {
  if (after.some((role) => !before.includes(role))) return before.length === 0 ? 'created' : 'updated'
  return after.length < before.length ? 'deleted' : 'unchanged'
}
