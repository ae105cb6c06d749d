/** The two ways through the rows of a file: all rows, then those that refer to later ones. */
import type { Storage } from '../storage/database/connections.js'
import { readFileChunks } from '../storage/queues/file-chunks.js'
import type { FileRow, LaterGroup, Plan, RowGroup } from './contract.js'
import { decode } from './file/decode.js'
import { parseRows } from './file/parse.js'
import { fileChunksOfImport } from './progress/import-rows.js'
import { laterRowsOf } from './progress/later-rows.js'
import { movedResult, NO_RESULTS } from './progress/results.js'
import { ImportStopped } from './progress/stopped.js'
import type { Held, Pass } from './save-groups.js'

/** The rows of the file of an import, from the header on. */
export function rowsOf(storage: Storage, importId: number, db = storage.knex): AsyncGenerator<FileRow, void> {
  return parseRows(decode(readFileChunks(storage, fileChunksOfImport(importId), db)))
}

export function firstPass(plan: Plan): Pass<RowGroup> {
  return {
    ...plan,
    place: 'line',
    failed: ({ rows }, counter) => ({ ...NO_RESULTS, [counter]: rows.length }),
  }
}

/** Rows were counted in the first pass: those that fail now are counted elsewhere. */
export function secondPass({ call, refuse, saveLater }: Plan): Pass<LaterGroup> {
  return {
    call,
    refuse,
    place: 'laterLine',
    async save(call, groups) {
      if (!saveLater) throw new Error('The rows of this file cannot refer to later ones')
      return saveLater(call, groups)
    },
    failed: ({ later }, counter) => movedResult(later.countedAs, counter),
  }
}

/** The rows that wait for the second pass, with their cells. The file is read again only if there are any. */
export async function* laterGroups(storage: Storage, { row: { id }, laterLine }: Held): AsyncGenerator<LaterGroup> {
  const rows = rowsOf(storage, id)
  for await (const later of laterRowsOf(storage, id, laterLine)) {
    for (let next = await rows.next(); !next.done; next = await rows.next()) {
      const row = next.value
      if (row.line < later.line) continue
      yield { rows: [row], row, later }
      break
    }
  }
}

/** The pieces before a place of the file that cannot be read, and no error. @param stop receives the error */
export async function* readable<T>(pieces: AsyncIterable<T>, stop: (error: ImportStopped) => void): AsyncGenerator<T> {
  try {
    yield* pieces
  } catch (error) {
    if (!(error instanceof ImportStopped)) throw error
    stop(error)
  }
}
