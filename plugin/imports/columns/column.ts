/** A column of files: what it fills, how its cells become input of the pipeline, and how a record becomes a cell. */
import type { Call, Role } from '../../core/call.js'
import { lineOf } from '../../core/text/blank.js'
import type { Output } from '../../operations/contract.js'
import type { Catalog, RecordField, RecordType } from '../../schema/catalog.js'
import { inputNameOf } from '../../schema/derive/input-names.js'
import type { NamedOrder, OrderOfLink } from '../../schema/derive/order-of-links.js'
import type { Json } from '../../schema/kinds/fields.js'
import { readBoolean } from '../../schema/kinds/values/read-values.js'
import type { Link } from '../../schema/language/relations.js'
import { cellOfValue, fieldValueOf, type Reference, referenceOf, textsOf } from './cells.js'
import { withEnding, withoutEnding } from './endings.js'
import { historicNotes } from './historic-notes.js'
import { cellOfNotes, type ShownNote } from './notes-cell.js'

/** A part of the body of a row. */
export type Input = { readonly [name: string]: Json }

/** A record as files show it. */
export interface ShownRecord {
  /** Values by field, as responses show them. */
  readonly values: Output
  /** The names of the records that a link or a list of children connects with it. */
  connected(name: string): readonly string[]
  /** The names of the sub-records at a path, in their order. */
  partNames(path: string): readonly string[]
  /** The order of linked records, by the path of the sub-records with it. */
  order(path: string): NamedOrder
  /** The internal notes, or the others, the oldest first. */
  notes(are: 'public' | 'internal'): readonly ShownNote[]
  /** The value of a field in a record that another field refers to; empty if the caller may not know it. */
  valueIn(type: string, reference: Json, field: string): string
  /** The name of a record that a field refers to; empty if the caller may not know it. */
  nameOf(type: string, reference: Json): string
}

/** How the cells of a column are read and written. */
interface Cells {
  /** What a cell refers to. Records are looked up for many rows at once. */
  references(call: Call, catalog: Catalog, cell: string): readonly Reference[]
  /** The input for a cell with a value. `ids` are those of its references. */
  input(cell: string, ids: readonly number[]): Input
  /** The input for an empty cell, if the record exists. */
  readonly cleared: Input
  /** The cell of a record. */
  cell(record: ShownRecord): string
}

/** Where exported files take a value from if it is in another record: its type, the field that refers to it, and its field. */
interface Elsewhere {
  readonly record: string
  readonly reference: string
  readonly field: string
}

/** What a column fills. `name` is that of the field or link, as violations have it. */
type Target =
  /** Identifies the record. */
  | { readonly kind: 'id'; readonly name: 'id' }
  /** A field of the record, or of the sub-records in the field `part` of the record. */
  | {
      readonly kind: 'field'
      readonly name: string
      readonly field: RecordField
      readonly part: string | null
      readonly shows: Elsewhere | null
    }
  /** Identifies the record that a sub-record in the field `part` refers to by the field `reference`. */
  | {
      readonly kind: 'related'
      readonly name: string
      readonly field: RecordField
      readonly part: string
      readonly reference: string
      readonly shows: Elsewhere | null
    }
  | { readonly kind: 'link'; readonly name: string }
  /** The records of another type that refer to this one by a field. */
  | { readonly kind: 'children'; readonly name: string; readonly by: string }
  /** The names of sub-records, in their order. */
  | { readonly kind: 'names'; readonly name: string; readonly type: RecordType; readonly title: string }
  /** Pairs of linked records, of which the first comes before the second. */
  | { readonly kind: 'order'; readonly name: string; readonly order: OrderOfLink }
  /** Marks the rows that replace stored sub-records. */
  | { readonly kind: 'flag'; readonly name: '' }
  /** The account whose roles the row has. */
  | { readonly kind: 'account'; readonly name: '' }
  /** Says if a person has the role. */
  | { readonly kind: 'role'; readonly name: Role }
  /** Has the same text in each row. */
  | { readonly kind: 'constant'; readonly name: ''; readonly value: string }

/** How the cells of a new record are read in an import of history, if it is not as always. */
type OfHistory = Pick<Cells, 'references' | 'input'>

/** A column that files may have. `refersTo` is the type of the records that its cells name; null if they hold values. */
export type Column = Target &
  Cells & { readonly header: string; readonly refersTo: string | null; readonly ofHistory?: OfHistory }

/** The field with the place of a sub-record among the others of its record. */
export const POSITION = 'position'

/** Cells that identify or mark their row and are no input. */
export const NO_INPUT = { refersTo: null, references: () => [], input: () => ({}), cleared: {} } as const

export function idColumn(header: string): Column {
  return { kind: 'id', name: 'id', header, ...NO_INPUT, cell: ({ values }) => String(values['id']) }
}

export function constantColumn(header: string, value: string): Column {
  return { kind: 'constant', name: '', header, value, ...NO_INPUT, cell: () => value }
}

export function accountColumn(header: string): Column {
  return { kind: 'account', name: '', header, ...NO_INPUT, cell: ({ values }) => String(values['account']) }
}

export function roleColumn(header: string, role: Role): Column {
  return {
    kind: 'role',
    name: role,
    header,
    refersTo: null,
    references: () => [],
    input: (cell) => ({ [role]: readBoolean(lineOf(cell)) }),
    cleared: { [role]: false },
    cell: ({ values }) => cellOfValue((values['roles'] as readonly string[]).includes(role)),
  }
}

/** @param field of the sub-records, which says if they are marked */
export function flagColumn(header: string, field: string): Column {
  return { kind: 'flag', name: '', header, ...NO_INPUT, cell: ({ values }) => String(values[field] === true) }
}

/**
 * @param part the field of the record with the sub-records that have the field
 * @param within for references to sub-records: the field with the record that they belong to
 */
export function fieldColumn(header: string, field: RecordField, part: string | null = null, within?: string): Column {
  const refersTo = field.kind === 'ref' ? (field.record ?? null) : null
  const cells = refersTo === null ? valueCells(field) : referenceCells(field.name, refersTo, within)
  const ofHistory = field.note ? { ofHistory: historicNotes(field) } : {}
  return { kind: 'field', name: field.name, header, field, part, refersTo, shows: null, ...cells, ...ofHistory }
}

/** @param path of the value in exported files, in a record that the field before the dot refers to */
export function shownColumn(header: string, type: RecordType, field: RecordField, path: string): Column {
  const [reference = '', name = ''] = path.split('.')
  const shows = { record: type.fields.get(reference)?.record ?? '', reference, field: name }
  const cells = { ...valueCells(field), ...cellElsewhere(shows) }
  return { kind: 'field', name: field.name, header, field, part: null, refersTo: null, shows, ...cells }
}

/** @param place of the reference: the field with the sub-records, and their field */
export function relatedColumn(
  header: string,
  type: RecordType,
  field: RecordField,
  naming: string,
  place: { readonly part: string; readonly reference: string },
): Column {
  const { reference } = place
  const own = { kind: 'related', name: field.name, header, field, ...place, ...NO_INPUT } as const
  if (field.name === naming) {
    const cell: Cells['cell'] = (shown) => shown.nameOf(type.name, shown.values[reference] ?? null)
    return { ...own, refersTo: type.name, shows: null, cell }
  }
  const shows = { record: type.name, reference, field: field.name }
  return { ...own, shows, ...cellElsewhere(shows) }
}

function cellElsewhere({ field, record, reference }: Elsewhere): Pick<Cells, 'cell'> {
  return { cell: (shown) => shown.valueIn(record, shown.values[reference] ?? null, field) }
}

/** @param endings words that may follow a name after a slash */
export function linkColumn(
  header: string,
  type: RecordType,
  name: string,
  { record }: Link,
  endings: readonly string[] = [],
): Column {
  const input = inputNameOf(type, name)
  return {
    kind: 'link',
    name,
    header,
    refersTo: record,
    references: referencesTo(record, endings),
    input: (_cell, ids) => ({ [input]: [...new Set(ids)] }),
    cleared: { [input]: [] },
    cell: (shown) =>
      shown
        .connected(name)
        .map((text) => withEnding(text, endings))
        .join('\n'),
  }
}

/** @param by the field of the children that refers to the record */
export function childrenColumn(header: string, name: string, record: string, by: string): Column {
  const cell: Cells['cell'] = (shown) => shown.connected(name).join('\n')
  return { kind: 'children', name, header, by, ...NO_INPUT, refersTo: record, references: referencesTo(record), cell }
}

/** @param type of the sub-records at the path `name`, which have a name of their own: the field `title` */
export function namesColumn(header: string, name: string, type: RecordType, title: string): Column {
  return { kind: 'names', name, header, type, title, ...NO_INPUT, cell: (shown) => shown.partNames(name).join('\n') }
}

/** The references of a cell with one record on each line. */
function referencesTo(record: string, endings: readonly string[] = []): Cells['references'] {
  return (call, catalog, cell) => textsOf(cell).map((text) => referenceOf(call, catalog, record, withoutEnding(text, endings)))
}

/** Cells with a value of a field. Empty ones set the default. */
function valueCells(field: RecordField): Cells {
  return {
    references: () => [],
    input: (cell) => ({ [field.name]: fieldValueOf(field, cell) }),
    cleared: { [field.name]: fieldValueOf(field, '') },
    cell: (shown) => (field.note ? cellOfNotes(shown.notes(field.note)) : cellOfValue(shown.values[field.name])),
  }
}

function referenceCells(name: string, record: string, within?: string): Cells {
  const place = within === undefined ? {} : { within }
  return {
    references: (call, catalog, cell) => [{ ...referenceOf(call, catalog, record, cell), ...place }],
    input: (_cell, [id = null]) => ({ [`${name}_id`]: id }),
    cleared: { [`${name}_id`]: null },
    cell: (shown) => shown.nameOf(record, shown.values[name] ?? null),
  }
}
