/** The types of import files, of all definitions. */
import type { Catalog, RecordType } from '../catalog.js'
import type { PartImport } from '../language/import-files.js'

/** One value of `type` in POST /import. */
export interface ImportKind {
  readonly type: string
  readonly order: number
  /** The type of the records in rows, or of their owners. */
  readonly record: RecordType
  /** Null if rows are records. */
  readonly ofParts: PartImport | null
}

/** All import types, in the order in which dependent files have to be imported (behaviour: Import types). */
export function importKinds(catalog: Catalog): readonly ImportKind[] {
  const kinds = [...catalog.types.values()].flatMap((record): ImportKind[] => [
    ...(record.import ? [{ type: record.import.type, order: record.import.order, record, ofParts: null }] : []),
    ...record.partImports.map((ofParts) => ({ type: ofParts.type, order: ofParts.order, record, ofParts })),
  ])
  return kinds.sort((a, b) => a.order - b.order || (a.type < b.type ? -1 : 1))
}
