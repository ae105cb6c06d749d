/** The names that the rows of a file give their records. */
import type { Call } from '../../core/call.js'
import type { Catalog } from '../../schema/catalog.js'
import type { Columns } from '../columns/match-columns.js'
import type { FileRow } from '../contract.js'
import { ImportStopped } from '../progress/stopped.js'
import { nameOf } from './prepare.js'

/** Reads the rows of the file, in the transaction of the call: an embedded database has only one connection. */
export type ReadFile = (call: Call) => AsyncIterable<FileRow>

/** Says if a later row than that of a line gives its record this name, so that the row may refer to it. */
export type IsNamedLater = (call: Call, name: string, line: number) => Promise<boolean>

/**
 * Creates the function. It reads the file once, and only when it is asked: few files have such references. It keeps each name,
 * which together are no longer than the file.
 */
export function namesInFile(catalog: Catalog, columns: Columns, read: ReadFile): IsNamedLater {
  let lastLines: ReadonlyMap<string, number> | null = null
  return async (call, name, line) => {
    lastLines ??= await readNames(catalog, columns, read(call))
    return (lastLines.get(name) ?? 0) > line
  }
}

/** The last line with each name. */
async function readNames(
  catalog: Catalog,
  columns: Columns,
  rows: AsyncIterable<FileRow>,
): Promise<ReadonlyMap<string, number>> {
  const lines = new Map<string, number>()
  try {
    for await (const { cells, line } of rows) {
      const name = nameOf(catalog, columns, cells)
      if (name !== null) lines.set(name, line)
    }
  } catch (error) {
    // Rows after a place that cannot be read are not imported.
    if (!(error instanceof ImportStopped)) throw error
  }
  return lines
}
