/** Reports mistakes in the import files of a definition. */

import { PERSON } from '../language/built-in-types.js'
import type { Definition } from '../language/define-record.js'
import { IMPLIED_COLUMNS, type ImportColumn, type NamedRecord, type PartImport } from '../language/import-files.js'
import { importOf } from './all-columns.js'
import { NAME, type Report } from './check-names.js'
import { type Definitions, fieldOf, hasColumn, hasField, titleOf } from './check-paths.js'

/** Reports every mistake in the descriptions of import files. */
export function checkImports(definition: Definition, all: Definitions, report: Report): void {
  const own = importOf(definition)
  const columns = own?.columns ?? []
  const key = own?.key
  if (own && definition.partOf) report('.import', 'files of sub-records are `partImports` of the type of their owner')
  if (key !== undefined && !columns.some((column) => column.field === key)) {
    report('.import.key', `there is no column for '${key}'`)
  } else if (key !== undefined && !definition.unique?.some((group) => group.join() === key)) {
    report('.import.key', `several records may have the same '${key}'; add unique: [['${key}']]`)
  }
  for (const name of ['namedBy', 'alsoNamedBy'] as const) {
    const field = own?.[name]
    if (field !== undefined && !hasField(definition, field)) report(`.import.${name}`, `there is no field '${field}'`)
  }
  if (own && !NAME.test(own.type)) report('.import.type', `'${own.type}' is not lower case letters, digits and underscores`)
  for (const column of columns) {
    const part = `import.columns=${column.header.toLowerCase()}`
    const mistake = mistakeInHeader(column)
    if (mistake !== null) report(`.import.columns.${column.header}`, mistake, part)
    if (column.shows !== undefined && !isReferred(column.shows, definition, all))
      report(`.import.columns.${column.header}`, `'${column.shows}' is no field of a record that this one refers to`, part)
    if (column.within !== undefined && fieldOf(definition, column.within)?.kind !== 'ref')
      report(`.import.columns.${column.header}`, `'${column.within}' is no field that refers to a record`, part)
    if (hasField(definition, column.field) || Object.hasOwn(definition.links ?? {}, column.field)) continue
    if (definition.children?.[column.field]?.link || isInPart(column, definition, all) || isListed(column, definition, all))
      continue
    report(`.import.columns.${column.header}`, `there is no field or link '${column.field}'`, part)
  }
  const rows = own?.rows
  const part = rows && fieldOf(definition, rows.field)
  if (rows && !(part?.kind === 'parts' && part.replaceable))
    report('.import.rows', `'${rows.field}' is not a field with sub-records that a body replaces`)
  for (const { field } of (part && rows?.columns) ?? []) {
    const type = all.get(part?.record ?? '')
    if (type && !hasField(type, field)) report('.import.rows', `there is no field '${field}' in ${type.name}`)
  }
  const others = columns.flatMap(({ also }) => (also === undefined ? [] : [{ header: also }]))
  for (const header of headersTwice([...columns, ...(rows?.columns ?? []), ...others]))
    report('.import.columns', `the header '${header}' occurs twice`)
  for (const partImport of definition.partImports ?? []) {
    const part = `partImports=${partImport.type}`
    checkPartImport(partImport, definition, all, (where, text) => report(`.partImports.${partImport.type}${where}`, text, part))
  }
}

/** True for a value of the only sub-record in a field. References there have no columns. */
function isInPart({ field }: ImportColumn, definition: Definition, all: Definitions): boolean {
  const [name = '', ofPart = ''] = field.split('.')
  const part = fieldOf(definition, name)
  const found = part?.kind === 'part' ? fieldOf(all.get(part.record ?? ''), ofPart) : undefined
  return found !== undefined && found.kind !== 'ref'
}

/** True for the path of sub-records that have names, or that order the records of a link. */
function isListed({ field }: ImportColumn, { links = {}, parts = [] }: Definition, all: Definitions): boolean {
  const part = parts.map((one) => all.get(one)).find((one) => one?.path === field)
  const isOrder = Object.values(links).some(({ orderedBy }) => orderedBy !== undefined && orderedBy === part?.name)
  return part !== undefined && (isOrder || titleOf(part) !== null)
}

/** True for `reference.field`. */
function isReferred(path: string, definition: Definition, all: Definitions): boolean {
  const [name = '', field = ''] = path.split('.')
  const reference = fieldOf(definition, name)
  const found = reference?.kind === 'ref' ? fieldOf(all.get(reference.record ?? ''), field) : undefined
  return found !== undefined && hasColumn(found)
}

function mistakeInHeader({ header, field }: ImportColumn): string | null {
  if (header.trim() === '' || header.trim() !== header) return 'the header must be a text without spaces at its ends'
  const implied = IMPLIED_COLUMNS.find((one) => one.header.toLowerCase() === header.toLowerCase())
  return !implied || implied.field === field ? null : `every file may have the column '${header}', for '${implied.field}'`
}

/** Values of `type` that occur in two imports. */
export function duplicateImports(definitions: readonly Definition[]): string[] {
  const seen = new Map<string, string>()
  return definitions.flatMap((definition) => {
    const { name, partImports = [] } = definition
    const own = importOf(definition)
    return [...(own ? [own] : []), ...partImports].flatMap(({ type }) => {
      const other = seen.get(type)
      seen.set(type, name)
      return other === undefined ? [] : [`${name}: the import type '${type}' is already that of ${other}`]
    })
  })
}

function checkPartImport(
  { constant, headerOrder = [], link, owner, parts, relates, replaces, roles }: PartImport,
  definition: Definition,
  all: Definitions,
  report: Report,
): void {
  const named = { owner, ...(relates && { relates: relates.to }) }
  for (const [where, { field, source, sourceID }] of Object.entries(named)) {
    const found = fieldOf(definition, field)
    if (!found || !hasColumn(found)) report(`.${where}`, `'${field}' is not a stored field of ${definition.name}`)
    if ((source === undefined) !== (sourceID === undefined))
      report(`.${where}`, 'must have both source and sourceID, or neither')
  }
  if (Object.keys(parts).length === 0 && !link && !roles) report('.parts', 'must not be empty')
  if (roles && definition.name !== PERSON) report('.roles', `only people have roles, not ${definition.name}`)
  if (link && !Object.hasOwn(definition.links ?? {}, link.field)) report('.link', `there is no link '${link.field}'`)
  for (const [name, { columns, key }] of Object.entries(parts)) {
    const field = fieldOf(definition, name)
    const atPath = (definition.parts ?? []).find((one) => all.get(one)?.path === name)
    const part = all.get((field?.kind === 'parts' ? field.record : atPath) ?? '')
    if (!part) {
      report(`.parts.${name}`, `'${name}' is not a field that shows sub-records, nor the path of some`)
      continue
    }
    if (relates && fieldOf(part, relates.field)?.record !== definition.name)
      report('.relates', `'${relates.field}' of ${part.name} does not refer to a ${definition.name}`)
    for (const column of columns) {
      if (!hasField(part, column.field)) report(`.parts.${name}`, `there is no field '${column.field}' in ${part.name}`)
    }
    for (const one of key) {
      if (one !== relates?.field && !columns.some((column) => column.field === one))
        report(`.parts.${name}.key`, `there is no column for '${one}'`)
    }
    if (replaces && fieldOf(part, replaces.field)?.kind !== 'boolean') {
      report('.replaces', `'${replaces.field}' is not a boolean field of ${part.name}`)
    }
  }
  const headers = [
    ...Object.values(named).flatMap(headersOf),
    ...(link ? [link] : []),
    ...(roles ? [{ header: roles.account }, ...roles.columns] : []),
    ...(replaces ? [replaces] : []),
    ...(constant ? [constant] : []),
    ...Object.values(parts).flatMap(({ columns }) => columns),
  ]
  for (const header of headersTwice(headers)) report('', `the header '${header}' occurs twice`)
  for (const header of headerOrder) {
    if (!headers.some((one) => one.header === header)) report('.headerOrder', `there is no header '${header}'`)
  }
}

function headersOf({ header, source, sourceID }: NamedRecord): readonly { readonly header: string }[] {
  return [header, source, sourceID].flatMap((one) => (one === undefined ? [] : [{ header: one }]))
}

function headersTwice(columns: readonly { readonly header: string }[]): readonly string[] {
  const lower = columns.map(({ header }) => header.toLowerCase())
  return columns.flatMap(({ header }, index) => (lower.indexOf(header.toLowerCase()) < index ? [header] : []))
}
