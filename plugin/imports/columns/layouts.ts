/** Columns that a file of an import type may have. */
import type { Catalog, RecordType } from '../../schema/catalog.js'
import type { ImportKind } from '../../schema/derive/import-kinds.js'
import { orderAt } from '../../schema/derive/order-of-links.js'
import { IMPLIED_COLUMNS, type ImportColumn, type NamedRecord, type PartImport } from '../../schema/language/import-files.js'
import {
  accountColumn,
  type Column,
  childrenColumn,
  constantColumn,
  fieldColumn,
  flagColumn,
  idColumn,
  linkColumn,
  namesColumn,
  relatedColumn,
  roleColumn,
  shownColumn,
} from './column.js'
import { orderColumn } from './order-column.js'

export interface Layout {
  /** The type of the records that the rows name. */
  readonly type: RecordType
  /** By header, in lower case. */
  readonly known: ReadonlyMap<string, Column>
  /** Headers by their other spellings, both in lower case. */
  readonly also: ReadonlyMap<string, string>
  /** Headers that are accepted and ignored, in lower case. */
  readonly ignored: ReadonlySet<string>
  /** The field whose column identifies records, in addition to ID and Source + Source ID. */
  readonly key: string | null
}

/** Headers that files of failures have after those of the import. */
export const FAILURE_HEADERS = ['Line', 'Field', 'Reason'] as const
/** Headers without a field: read-only ones of exported files, and those of files of failures (behaviour: Import files). */
const ALWAYS_IGNORED = ['Created At', 'Updated At', 'Permalink', ...FAILURE_HEADERS]

/** Returns the columns of an import type. */
export function layoutOf(catalog: Catalog, { record, ofParts }: ImportKind): Layout {
  return ofParts ? partLayout(catalog, record, ofParts) : recordLayout(catalog, record)
}

/** Returns the columns of an import of history: each record that has a time of creation may have it in its row. */
export function historyLayoutOf(catalog: Catalog, kind: ImportKind): Layout {
  const layout = layoutOf(catalog, kind)
  const field = kind.ofParts ? undefined : kind.record.fields.get('created_at')
  const created = field?.history ? [['created at', fieldColumn('Created At', field)] as const] : []
  return { ...layout, known: new Map([...created, ...layout.known]) }
}

/** Returns the columns of files whose rows are records. */
export function recordLayout(catalog: Catalog, type: RecordType): Layout {
  const own = type.import?.columns ?? []
  const implied = IMPLIED_COLUMNS.filter(({ field }) => !own.some((column) => column.field === field))
  const columns = [...implied, ...own].flatMap(({ header, field: name, mayEndWith, shows, within }): readonly Column[] => {
    const field = type.fields.get(name)
    const link = type.links.get(name)
    const [part = '', ofPart] = name.split('.')
    if (name === 'id') return [idColumn(header)]
    if (ofPart !== undefined) return fieldsOf(partTypeOf(catalog, type, part), [{ header, field: ofPart }], part)
    // A field of the same name only shows the link.
    if (link && (!field || field.kind === 'refs')) return [linkColumn(header, type, name, link, mayEndWith)]
    if (field) return [shows === undefined ? fieldColumn(header, field, null, within) : shownColumn(header, type, field, shows)]
    const named = partTypeOf(catalog, type, name)
    const order = orderAt(catalog, type, name)
    if (order) return [orderColumn(header, name, order)]
    if (named?.title) return [namesColumn(header, name, named, named.title)]
    const child = type.children.get(name)
    return child?.linkedWith ? [childrenColumn(header, name, child.record, child.linkedWith)] : []
  })
  const rows = type.import?.rows
  const ofRows = rows ? fieldsOf(partTypeOf(catalog, type, rows.field), rows.columns, rows.field) : []
  return layout(type, [...columns, ...ofRows], type.import?.ignored ?? [], type.import?.key ?? null, own)
}

/** Returns the headers that fill something, in the order of exported files. Of several for the ID, the last one is the type's own. */
export function headersOf({ key, known }: Layout): readonly string[] {
  const columns = [...known.values()]
  const id = columns.findLast(({ kind }) => kind === 'id')
  return columns
    .filter((one) => one.kind !== 'id' || one === id)
    .filter((one) => one.kind !== 'field' || !one.field.readOnly || one.name === key)
    .map(({ header }) => header)
}

function partLayout(catalog: Catalog, record: RecordType, described: PartImport): Layout {
  const { constant, headerOrder, ignored, link, owner, parts, relates, replaces, roles } = described
  const ofParts = Object.entries(parts).flatMap(([name, { columns }]) => {
    return fieldsOf(partTypeOf(catalog, record, name), columns, name)
  })
  const flag: Column[] = replaces ? [flagColumn(replaces.header, replaces.field)] : []
  const linked = record.links.get(link?.field ?? '')
  const links = link && linked ? [linkColumn(link.header, record, link.field, linked)] : []
  const ofRoles = roles ? [accountColumn(roles.account), ...roles.columns.map((one) => roleColumn(one.header, one.role))] : []
  const constants = constant ? [constantColumn(constant.header, constant.value)] : []
  const [part = ''] = Object.keys(parts)
  const related = relates
    ? columnsNaming(relates.to).flatMap(({ header, field: name }) => {
        const field = record.fields.get(name)
        return field ? [relatedColumn(header, record, field, relates.to.field, { part, reference: relates.field })] : []
      })
    : []
  const own = [
    ...fieldsOf(record, columnsNaming(owner), null),
    ...related,
    ...ofParts,
    ...links,
    ...ofRoles,
    ...flag,
    ...constants,
  ]
  const placeOf = ({ header }: Column) => headerOrder?.indexOf(header) ?? 0
  const implied = owner.source === undefined ? IMPLIED_COLUMNS : []
  const columns = [...fieldsOf(record, implied, null), ...own.sort((a, b) => placeOf(a) - placeOf(b))]
  return layout(record, columns, ignored ?? [], owner.field)
}

/** The columns by which a row names a record. */
function columnsNaming({ field, header, source, sourceID }: NamedRecord): readonly ImportColumn[] {
  const pair = source === undefined || sourceID === undefined ? [] : [source, sourceID]
  return [...pair.map((one, index) => ({ header: one, field: index === 0 ? 'source' : 'sourceID' })), { header, field }]
}

function fieldsOf(type: RecordType | undefined, columns: readonly ImportColumn[], part: string | null): readonly Column[] {
  return columns.flatMap(({ header, field: name }): Column[] => {
    const field = type?.fields.get(name)
    return name === 'id' ? [idColumn(header)] : field ? [fieldColumn(header, field, part)] : []
  })
}

/** The type of the sub-records in a field, or at a path below the record. */
export function partTypeOf(catalog: Catalog, { fields, parts }: RecordType, name: string): RecordType | undefined {
  const field = fields.get(name)
  return catalog.types.get((field?.kind === 'parts' || field?.kind === 'part' ? field.record : parts.get(name)) ?? '')
}

function layout(
  type: RecordType,
  columns: readonly Column[],
  ignored: readonly string[],
  key: string | null,
  given: readonly ImportColumn[] = [],
): Layout {
  return {
    type,
    known: new Map(columns.map((column) => [column.header.toLowerCase(), column])),
    also: new Map(
      given.flatMap(({ also, header }) => (also === undefined ? [] : [[also.toLowerCase(), header.toLowerCase()]])),
    ),
    ignored: new Set([...ALWAYS_IGNORED, ...ignored].map((header) => header.toLowerCase())),
    key,
  }
}
