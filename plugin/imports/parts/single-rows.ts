/** Rows that need no order: each is a group of its own. */
import type { Call } from '../../core/call.js'
import type { FileRow } from '../contract.js'
import { inChunks } from '../file/in-chunks.js'
import { findOwners, type OwnersDeps, type PartFile } from './find-owners.js'
import { LOOKUP_ROWS, type OwnerRows } from './group-by-owner.js'

/** @param after the last line that was saved before */
export async function* singleRows(
  deps: OwnersDeps,
  call: Call,
  file: PartFile,
  rows: AsyncIterable<FileRow>,
  after: number,
): AsyncGenerator<OwnerRows> {
  for await (const chunk of inChunks(rows, LOOKUP_ROWS)) {
    const left = chunk.filter(({ line }) => line > after)
    for (const owned of left.length > 0 ? await findOwners(deps, call, file, left) : [])
      yield { rows: [owned.row], owned: [owned], ownerId: owned.ownerId, isRepeated: false, isDoubtful: false }
  }
}
