/** Reports mistakes in the import files of a definition. */
import type { Definition } from '../language/define-record.js'
import { IMPLIED_COLUMNS, type ImportColumn, type PartImport } from '../language/import-files.js'
import { importOf } from './all-columns.js'
import { NAME, type Report } from './check-names.js'
import { type Definitions, fieldOf, hasColumn, hasField } from './check-paths.js'

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
  if (own?.namedBy !== undefined && !hasField(definition, own.namedBy))
    report('.import.namedBy', `there is no field '${own.namedBy}'`)
  if (own && !NAME.test(own.type)) report('.import.type', `'${own.type}' is not lower case letters, digits and underscores`)
  for (const column of columns) {
    const mistake = mistakeInHeader(column)
    if (mistake !== null) report(`.import.columns.${column.header}`, mistake, `import.columns=${column.header.toLowerCase()}`)
    if (hasField(definition, column.field) || Object.hasOwn(definition.links ?? {}, column.field)) continue
    if (definition.children?.[column.field]?.link) continue
    const part = `import.columns=${column.header.toLowerCase()}`
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
  for (const header of headersTwice([...columns, ...(rows?.columns ?? [])]))
    report('.import.columns', `the header '${header}' occurs twice`)
  for (const partImport of definition.partImports ?? []) {
    const part = `partImports=${partImport.type}`
    checkPartImport(partImport, definition, all, (where, text) => report(`.partImports.${partImport.type}${where}`, text, part))
  }
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
  { constant, headerOrder = [], link, owner, parts, replaces }: PartImport,
  definition: Definition,
  all: Definitions,
  report: Report,
): void {
  const named = fieldOf(definition, owner.field)
  if (!named || !hasColumn(named)) report('.owner', `'${owner.field}' is not a stored field of ${definition.name}`)
  if (Object.keys(parts).length === 0 && !link) report('.parts', 'must not be empty')
  if (link && !Object.hasOwn(definition.links ?? {}, link.field)) report('.link', `there is no link '${link.field}'`)
  for (const [name, { columns, key }] of Object.entries(parts)) {
    const field = fieldOf(definition, name)
    const atPath = (definition.parts ?? []).find((one) => all.get(one)?.path === name)
    const part = all.get((field?.kind === 'parts' ? field.record : atPath) ?? '')
    if (!part) {
      report(`.parts.${name}`, `'${name}' is not a field that shows sub-records, nor the path of some`)
      continue
    }
    for (const column of columns) {
      if (!hasField(part, column.field)) report(`.parts.${name}`, `there is no field '${column.field}' in ${part.name}`)
    }
    for (const one of key) {
      if (!columns.some((column) => column.field === one)) report(`.parts.${name}.key`, `there is no column for '${one}'`)
    }
    if (replaces && fieldOf(part, replaces.field)?.kind !== 'boolean') {
      report('.replaces', `'${replaces.field}' is not a boolean field of ${part.name}`)
    }
  }
  const headers = [
    owner,
    ...(link ? [link] : []),
    ...(replaces ? [replaces] : []),
    ...(constant ? [constant] : []),
    ...Object.values(parts).flatMap(({ columns }) => columns),
  ]
  for (const header of headersTwice(headers)) report('', `the header '${header}' occurs twice`)
  for (const header of headerOrder) {
    if (!headers.some((one) => one.header === header)) report('.headerOrder', `there is no header '${header}'`)
  }
}

function headersTwice(columns: readonly { readonly header: string }[]): readonly string[] {
  const lower = columns.map(({ header }) => header.toLowerCase())
  return columns.flatMap(({ header }, index) => (lower.indexOf(header.toLowerCase()) < index ? [header] : []))
}
