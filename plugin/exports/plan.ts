/** What the files of an export type contain: their columns, and what is read of each record for them. */

import { type Column, POSITION } from '../imports/columns/column.js'
import { layoutOf, partTypeOf } from '../imports/columns/layouts.js'
import type { Catalog, RecordField, RecordType } from '../schema/catalog.js'
import type { ImportKind } from '../schema/derive/import-kinds.js'
import type { OrderOfLink } from '../schema/derive/order-of-links.js'
import { NOTE, PERSON } from '../schema/language/built-in-types.js'
import { IMPLIED_COLUMNS } from '../schema/language/import-files.js'

/** Sub-records in rows of their own. */
export interface PlannedPart {
  /** The field of the record with them, or their path below it. */
  readonly name: string
  readonly type: RecordType
  readonly fields: readonly string[]
}

/** What is read of notes. */
interface PlannedNotes {
  /** The field with the person who wrote the note. */
  readonly author: string
  readonly fields: readonly string[]
}

export interface ExportPlan {
  /** Value of `type`, as in POST /import. */
  readonly name: string
  readonly type: RecordType
  /** In the order of the file. */
  readonly columns: readonly Column[]
  readonly fields: readonly string[]
  readonly parts: readonly PlannedPart[]
  /** Sub-records in cells of the row of their record, which has only one of each. */
  readonly only: readonly PlannedPart[]
  /** Sub-records whose names are in one cell. */
  readonly named: readonly PlannedPart[]
  /** Sub-records that order the records of a link, in one cell. */
  readonly ordered: readonly (PlannedPart & { readonly order: OrderOfLink })[]
  /** Fields with the first record of a link, by the link: it comes first in the cell, too. */
  readonly firsts: ReadonlyMap<string, string>
  /** The link with a row for each of its records; null for files with other rows. */
  readonly link: string | null
  /** True if a record has a row for each account in which it has roles. */
  readonly hasRoles: boolean
  /** The notes that cells have; null if no column has notes. */
  readonly notes: PlannedNotes | null
  /** True if a record without sub-records has a row. */
  readonly hasEveryRecord: boolean
}

/** Columns that identify the owners of sub-records in addition to the one that names them. */
const OF_OWNERS = IMPLIED_COLUMNS.map(({ header }) => header)

/** Columns that exported files have; the same as those that imports read, in the order of the interface. */
export function exportPlan(catalog: Catalog, kind: ImportKind): ExportPlan {
  const { ofParts, record, type: name } = kind
  const known = [...layoutOf(catalog, kind).known.values()]
  const omitted = ofParts ? OF_OWNERS.filter((header) => header !== 'ID' || !ofParts.showsId) : []
  const columns = known.filter((column) => !isTwice(column, known) && !omitted.includes(column.header))
  const partNames = ofParts ? Object.keys(ofParts.parts) : record.import?.rows ? [record.import.rows.field] : []
  const flag = ofParts?.replaces?.field
  const planned = (names: readonly string[]) =>
    names.flatMap((part): PlannedPart[] => {
      const type = partTypeOf(catalog, record, part)
      return type ? [{ name: part, type, fields: [...fieldsIn(columns, part), ...(flag ? [flag] : [])] }] : []
    })
  const inCells = columns.flatMap((one) => (one.kind === 'field' && one.part !== null ? [one.part] : []))
  const isOnly = (part: string) => record.fields.get(part)?.kind === 'part'
  const linked = new Set(columns.flatMap((column) => (column.kind === 'link' ? [column.name] : [])))
  const firsts = [...record.fields.values()].filter(({ firstOf }) => firstOf !== undefined && linked.has(firstOf))
  return {
    name,
    type: record,
    columns,
    fields: [...fieldsIn(columns, null), ...firsts.map((field) => field.name)],
    firsts: new Map(firsts.map((field) => [field.firstOf ?? '', field.name])),
    parts: planned(partNames),
    named: columns.flatMap((column): PlannedPart[] => {
      if (column.kind !== 'names') return []
      const { name, title, type } = column
      return [{ name, type, fields: [title, ...(type.fields.has(POSITION) ? [POSITION] : [])] }]
    }),
    ordered: columns.flatMap((column): ExportPlan['ordered'] => {
      if (column.kind !== 'order') return []
      const { name, order } = column
      return [{ name, type: order.type, fields: [order.before.name, order.after.name], order }]
    }),
    only: planned([...new Set(inCells.filter(isOnly))]),
    link: ofParts?.link?.field ?? null,
    hasRoles: ofParts?.roles !== undefined,
    notes: columns.some((column) => column.kind === 'field' && column.field.note) ? plannedNotes(catalog) : null,
    hasEveryRecord: ofParts === null,
  }
}

function plannedNotes(catalog: Catalog): PlannedNotes {
  const author = [...catalog.type(NOTE).fields.values()].find(({ record }) => record === PERSON)?.name ?? ''
  return { author, fields: ['internal', 'text', 'created_at', author] }
}

/** The fields that are read for the columns of the record, or of one kind of its sub-records. */
function fieldsIn(columns: readonly Column[], part: string | null): readonly string[] {
  return columns.flatMap((one) => {
    if (one.kind === 'related' && one.part === part) return [one.reference]
    return one.kind === 'field' && one.part === part && !one.field.note ? [one.shows?.reference ?? one.name] : []
  })
}

/** True for the list of values in a JSON object that has a column of its own. */
function isTwice(column: Column, all: readonly Column[]): boolean {
  const of = (field: RecordField) => all.some((other) => other.kind === 'field' && other.name === field.pairsOf)
  return column.kind === 'field' && column.field.kind === 'pairs' && of(column.field)
}
