/** Keeps the rows of one record together: they are saved at once. */
import type { Call } from '../../core/call.js'
import type { FileRow, RowGroup } from '../contract.js'
import { inChunks } from '../file/in-chunks.js'
import { ImportStopped } from '../progress/stopped.js'
import { checkRoomAfter } from '../rows/group-limit.js'
import { findOwners, type OwnedRow, type OwnersDeps, type PartFile } from './find-owners.js'

/** The rows of one record, and rows between them that name none. */
export interface OwnerRows extends RowGroup {
  readonly owned: readonly OwnedRow[]
  readonly ownerId: number | null
  /** True if the record had rows before, with other records between. */
  readonly isRepeated: boolean
  /** True if the record may have rows that could not be read: stored sub-records must then not be replaced. */
  readonly isDoubtful: boolean
}

/** Rows that are looked up together. */
export const LOOKUP_ROWS = 500
/** Maximum number of consecutive rows with unknown records that do not end the rows of a record. */
const MAX_UNKNOWN_ROWS = 20

/**
 * Groups the rows by record. A row whose record does not exist does not end a group: it may be meant for the same record.
 *
 * @param after the last line that was saved before
 * @throws ImportStopped for more rows of one record than one transaction may have
 */
export async function* groupsByOwner(
  deps: OwnersDeps,
  call: Call,
  file: PartFile,
  rows: AsyncIterable<FileRow>,
  after: number,
): AsyncGenerator<OwnerRows> {
  const seen = new Set<number>()
  let current: OwnedRow[] = []
  let ownerId: number | null = null
  let isDoubtful = false
  // Since the last row that names a record.
  let [wasUnclear, unknownRows] = [false, 0]

  const finish = (): OwnerRows => {
    const group: OwnerRows = {
      rows: current.map(({ row }) => row),
      owned: current,
      ownerId,
      isRepeated: ownerId !== null && seen.has(ownerId),
      isDoubtful,
    }
    if (ownerId !== null) seen.add(ownerId)
    current = []
    ownerId = null
    isDoubtful = wasUnclear
    wasUnclear = false
    unknownRows = 0
    return group
  }

  try {
    for await (const chunk of inChunks(rows, LOOKUP_ROWS)) {
      for (const owned of await findOwners(deps, call, file, chunk)) {
        if (owned.row.line <= after) {
          if (owned.ownerId !== null) seen.add(owned.ownerId)
          // It may belong to the record of the next rows, as in a run that was not interrupted.
          isDoubtful = owned.ownerId === null && (isDoubtful || owned.isUnclear)
          continue
        }
        const isUnknown = owned.ownerId === null
        const isSame = !isUnknown && owned.ownerId === ownerId
        if (isSame) checkRoomAfter(current.length, current[0]?.row)
        const isEnd = isUnknown ? ownerId === null || unknownRows >= MAX_UNKNOWN_ROWS : !isSame
        if (current.length > 0 && isEnd) yield finish()
        current.push(owned)
        ownerId ??= owned.ownerId
        if (isUnknown) {
          unknownRows++
          if (owned.isUnclear) isDoubtful = wasUnclear = true
        } else {
          // An unknown record between rows of another one is probably a misspelled name of that one.
          if (unknownRows > 0) isDoubtful = true
          wasUnclear = false
          unknownRows = 0
        }
      }
    }
  } catch (error) {
    // After any other error the import continues later with the whole group.
    if (error instanceof ImportStopped && current.length > 0) {
      isDoubtful = true
      yield finish()
    }
    throw error
  }
  if (current.length > 0) yield finish()
}
