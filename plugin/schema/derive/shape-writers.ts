/** Writers of single fields in a response. Created once per shape, so that rows need no lookup in the definition. */
import type { RecordField, RecordType } from '../catalog.js'
import { columnOf, kindOf } from '../kinds/kinds.js'
import { type Output, put, type ShapeBuilder, type Value, type Writer } from '../kinds/writers.js'
import { fileKeyOf, originalOf, sourceOf } from '../language/derived.js'
import { fieldNaming, type Who } from '../language/who.js'

/** The writer of a field: null if the caller may not read it; omitted while empty if the field has `onlyWhenSet`. */
export function writerOf(field: RecordField, builder: ShapeBuilder): Writer {
  const writer = valueWriter(field, builder)
  const readable = field.read ? guarded(field, field.read, builder, writer) : writer
  return field.onlyWhenSet ? whenSet(readable) : readable
}

function valueWriter(field: RecordField, builder: ShapeBuilder): Writer {
  const { name } = field
  const { type, slot } = builder
  const written = kindOf(field).answer?.writer
  if (written) return written(field, { ...builder, referred: (one) => put(one.name, referredOf(one, builder, [one.name], 1)) })
  const fileKey = fileKeyOf(field)
  if (fileKey !== undefined) {
    const key = slot(fileKey)
    return put(name, (cells, context) => context.downloadAddress(String(cells[key])))
  }
  const at = slot(sourceColumn(type, name))
  const own = valueAt(at, shownField(type, name) ?? field)
  const other = field.shownElse === undefined ? null : slot(field.shownElse)
  const value: Value = other === null ? own : (cells, context) => own(cells, context) ?? textAt(other)(cells)
  if (field.keyedBy) {
    const key = slot(field.keyedBy)
    return (output, cells, context) => {
      output[String(cells[key])] = value(cells, context)
    }
  }
  return put(name, value)
}

/** The value of a column in its form for responses. */
function valueAt(at: number, field: RecordField): Value {
  const { decode } = columnOf(field)
  const showCell = kindOf(field).answer?.showCell?.(field)
  if (showCell) return (cells, context) => (isEmpty(cells[at]) ? null : showCell(cells[at], context))
  const show = kindOf(field).answer?.show?.(field)
  if (!show) return (cells) => (isEmpty(cells[at]) ? null : decode(cells[at]))
  return (cells, context) => (isEmpty(cells[at]) ? null : show(decode(cells[at]), context))
}

/** The text of a column, such as the title of a record. */
function textAt(at: number): (cells: readonly unknown[]) => string | null {
  return (cells) => (isEmpty(cells[at]) ? null : String(cells[at]))
}

/** True for a column with a boolean that is true. */
export function isTrue(cell: unknown): boolean {
  return Number(cell) === 1
}

function isEmpty(cell: unknown): cell is null | undefined {
  return cell === null || cell === undefined
}

/** The field whose value a field shows: itself, unless it is derived from another one. */
function shownField(type: RecordType, name: string): RecordField | undefined {
  return type.fields.get(sourceOf(type.fields.get(name) ?? {}) ?? name)
}

/** The column that a plain field is read from. Translated fields keep their name: the query finds the translation by it. */
function sourceColumn(type: RecordType, name: string): string {
  const field = type.fields.get(name)
  if (field?.via || (field && type.translations?.fields.has(originalOf(field) ?? ''))) return name
  return shownField(type, name)?.column ?? sourceOf(field ?? {}) ?? name
}

function whenSet(write: Writer): Writer {
  return (output, cells, context) => {
    const own: Output = {}
    write(own, cells, context)
    for (const [name, value] of Object.entries(own)) {
      if (value !== null && !(Array.isArray(value) && value.length === 0)) output[name] = value
    }
  }
}

/** Writes null for callers who may not read the field. */
function guarded(field: RecordField, readers: readonly Who[], { type, slot }: ShapeBuilder, write: Writer): Writer {
  const columns = new Map<string, number>([
    ['id', slot('id')],
    ['account_id', slot('account_id')],
    // `self` for a sub-record is the person that its owner describes.
    ...(type.partOf.length > 0 ? ['owner_type', 'owner_id'] : []).map((name) => [name, slot(name)] as const),
  ])
  for (const who of readers) {
    const name = fieldNaming(who)
    if (name !== null) columns.set(`${name}_id`, slot(type.fields.get(name)?.column ?? name))
  }
  return (output, cells, context) => {
    const row = (column: string) => cells[columns.get(column) ?? -1]
    if (readers.some((who) => context.mayRead(who, row))) write(output, cells, context)
    else output[field.name] = null
  }
}

/** The form of a referenced record: the text of `shownAs`, or a reference object. */
function referredOf(field: RecordField, builder: ShapeBuilder, path: readonly string[], depth: number): Value {
  if (!field.column && !field.via) return () => null
  if (field.shownAs) return namedBy(field, field.shownAs, builder, path)
  // References within references end at this depth: databases join a limited number of tables.
  if (depth > 2) return () => null
  return referenceOf(builder.catalog.type(field.record ?? ''), builder, path, depth)
}

/** The text that stands for a record; null if the caller does not see the record and its title is not public. */
function namedBy(field: RecordField, shownAs: string, builder: ShapeBuilder, path: readonly string[]): Value {
  const target = builder.catalog.type(field.record ?? '')
  const [id, account] = [builder.slot(...path, 'id'), builder.slot(...path, 'account_id')]
  const text = textAt(builder.slot(...path, shownAs))
  builder.refer({ type: target.name, idSlot: id, accountSlot: account })
  const isPublic = shownUnseen(target).includes(shownAs)
  return (cells, context) => (isPublic || context.sees(target.name, Number(cells[id]), cells[account]) ? text(cells) : null)
}

/**
 * The fields in a reference to a record that the caller does not see: its id, and if titles are public, the title (also
 * translated) and the account (behaviour: References).
 */
export function shownUnseen({ access, fields, reference, title }: RecordType): readonly string[] {
  if (!access.publicTitle || title === null) return ['id']
  return ['id', title, ...reference.filter((name) => originalOf(fields.get(name) ?? {}) === title), 'account']
}

/**
 * A reference: id, title, the fields that the type adds, sourceID and disabled if set, and the account if it is another one.
 */
function referenceOf(target: RecordType, builder: ShapeBuilder, path: readonly string[], depth: number): Value {
  const { slot } = builder
  const id = slot(...path, 'id')
  const titled = target.title ? textAt(slot(...path, target.title)) : null
  const extras = target.reference.map((name) => {
    const source = shownField(target, name)
    if (source?.kind === 'ref') return { name, write: referredOf(source, builder, [...path, name], depth + 1) }
    const at = slot(...path, sourceColumn(target, name))
    return { name, write: source ? valueAt(at, source) : textAt(at) }
  })
  const sourceId = target.columns.has('sourceID') ? slot(...path, 'sourceID') : null
  const disabled = target.columns.has('disabled') ? slot(...path, 'disabled') : null
  const account = slot(...path, 'account_id')
  builder.refer({ type: target.name, idSlot: id, accountSlot: account })
  const open = new Set(shownUnseen(target))
  return (cells, context) => {
    if (isEmpty(cells[id])) return null
    const reference: Output = { id: Number(cells[id]) }
    const isSeen = context.sees(target.name, Number(cells[id]), cells[account])
    if (titled !== null && target.title && (isSeen || open.has(target.title))) reference[target.title] = titled(cells)
    for (const extra of extras) if (isSeen || open.has(extra.name)) reference[extra.name] = extra.write(cells, context)
    if (isSeen && sourceId !== null && cells[sourceId]) reference['sourceID'] = String(cells[sourceId])
    if (isSeen && disabled !== null && isTrue(cells[disabled])) reference['disabled'] = true
    const accountId = String(cells[account])
    const isForeign = accountId !== context.homeAccountId
    if (isForeign && (isSeen || open.has('account')))
      reference['account'] = { id: accountId, name: context.accountName(accountId) }
    return reference
  }
}
