/** Import files with a column for each field: what `import: 'all'` and `importColumns: 'all'` stand for. */

import type { Field } from '../kinds/fields.js'
import type { Definition, Link } from '../language/define-record.js'
import { IMPLIED_COLUMNS, type Import, type ImportColumn } from '../language/import-files.js'
import { hasColumn } from './check-paths.js'

/** Types of hosts come after ours, in the order of their names. */
const AFTER_OURS = 1000

/** The import of a definition; null if it has none. */
export function importOf({ import: given, path, fields, links }: Definition): Import | null {
  if (given !== 'all') return given ?? null
  return { type: path, order: AFTER_OURS, columns: allColumns(fields, links) }
}

/** A column for each field that callers may set and that one cell can hold, and for each link that they may set. */
export function allColumns(
  fields: { readonly [name: string]: Field } = {},
  links: { readonly [name: string]: Link } = {},
): readonly ImportColumn[] {
  const implied = new Set(IMPLIED_COLUMNS.map(({ field }) => field))
  const ofFields = Object.entries(fields).filter(([name, field]) => !implied.has(name) && isSet(field))
  const ofLinks = Object.entries(links).filter(([, { write }]) => write !== 'none')
  return [...ofFields, ...ofLinks].map(([name]) => ({ header: headerOf(name), field: name }))
}

function isSet(field: Field): boolean {
  return hasColumn(field) && !field.readOnly && field.kind !== 'owner'
}

/** `Job Title` for job_title, `Support ID` for supportID. */
function headerOf(name: string): string {
  const words = name.replace(/([a-z\d])([A-Z])/g, '$1_$2').split('_')
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ')
}
