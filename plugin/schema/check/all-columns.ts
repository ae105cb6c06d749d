/** Import files with a column for each field: what `import: 'all'` and `importColumns: 'all'` stand for. */

import type { RecordImport } from '../catalog.js'
import type { Field } from '../kinds/fields.js'
import type { Definition } from '../language/define-record.js'
import { IMPLIED_COLUMNS, type ImportColumn, importColumn } from '../language/import-files.js'
import type { Link } from '../language/relations.js'
import { hasColumn } from './check-paths.js'

/** Such types come after ours. Those that refer to each other need an import with an order of their own. */
const AFTER_OURS = 1000

/** Kinds whose values are no text that one cell could hold. */
const WITHOUT_CELL = new Set<Field['kind']>(['owner', 'strings', 'mention', 'changes', 'secret', 'events', 'headers'])

/** The import of a definition, with the field of each column; null if it has none. */
export function importOf({ import: given, path, fields, links }: Definition): RecordImport | null {
  if (given === 'all') return { type: path, order: AFTER_OURS, columns: allColumns(fields, links) }
  return given ? { ...given, columns: given.columns.map(importColumn) } : null
}

/** A column for each stored field that callers may set and that a cell can hold, and for each link that they may set. */
export function allColumns(
  fields: { readonly [name: string]: Field } = {},
  links: { readonly [name: string]: Link } = {},
): readonly ImportColumn[] {
  const implied = new Set(IMPLIED_COLUMNS.map(({ field }) => field))
  const ofFields = Object.entries(fields).filter(([name, field]) => !implied.has(name) && isFillable(field))
  const ofLinks = Object.entries(links).filter(([, { write }]) => write !== 'none')
  return [...ofFields, ...ofLinks].map(([name]) => ({ header: headerOf(name), field: name }))
}

function isFillable(field: Field): boolean {
  return hasColumn(field) && !field.readOnly && !WITHOUT_CELL.has(field.kind)
}

/** `Job Title` for job_title, `Support ID` for supportID. */
function headerOf(name: string): string {
  const words = name.replace(/([a-z\d])([A-Z])/g, '$1_$2').split('_')
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ')
}
