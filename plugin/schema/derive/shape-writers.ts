/** How single fields are written into an answer. Made once for a shape, so that a row costs no look at the definition. */
import type { Catalog, RecordField, RecordType } from '../compile/compile.js'
import type { FieldKind, Json } from '../fields.js'
import { fieldNaming, type Who } from '../who.js'
import { decode } from './columns.js'
import { pairsIn } from './pairs.js'
import type { Output, Referred, WriteContext } from './shape.js'

/** Part of an answer: adds its attribute to the output. */
export type Writer = (output: Output, cells: readonly unknown[], context: WriteContext) => void

/** The shape that is being made. */
export interface Making {
  readonly type: RecordType
  readonly catalog: Catalog
  /** The place in the row of the value at the end of a path. */
  slot(...path: string[]): number
  /** The field stands in another table and has to be loaded for the whole page. */
  load(field: RecordField): void
  /** The answer refers to a record, which the caller may not see. */
  refer(referred: Referred): void
}

/** The writer of a field: null where the caller may not read it, and nothing where it is left out while it is empty. */
export function writerOf(field: RecordField, making: Making): Writer {
  const writer = valueWriter(field, making)
  const readable = field.read ? guarded(field, field.read, making, writer) : writer
  return field.onlyWhenSet ? whenSet(readable) : readable
}

function valueWriter(field: RecordField, making: Making): Writer {
  const { name, kind } = field
  const { type, catalog, slot } = making
  if (kind === 'ref') return put(name, referredOf(field, making, [name], 1))
  if (kind === 'parts' || kind === 'part' || kind === 'refs') return belongingWriter(field, making)
  if (kind === 'owner') {
    const [ownerType, ownerId] = [slot('owner_type'), slot('owner_id')]
    return (output, cells, context) => {
      const owner = String(cells[ownerType])
      output[owner] = context.reference(owner, Number(cells[ownerId]))
    }
  }
  if (field.pairsOf !== undefined) {
    const at = slot(field.pairsOf)
    return put(name, (cells) => pairsIn(decode('hash', cells[at])))
  }
  if (field.addressOf !== undefined) {
    const key = slot(field.addressOf)
    return put(name, (cells, context) => context.downloadAddress(String(cells[key])))
  }
  const at = slot(sourceColumn(type, name))
  if (field.format === 'picture') return put(name, (cells, context) => pictureOf(decode('string', cells[at]), context))
  const sourceKind = sourceOf(type, name)?.kind ?? kind
  if (field.masked) {
    const ownerType = slot('owner_type')
    return put(name, (cells, context) =>
      masked(decode('hash', cells[at]), catalog.types.get(String(cells[ownerType])), context),
    )
  }
  if (field.keyedBy) {
    const key = slot(field.keyedBy)
    return (output, cells) => {
      output[String(cells[key])] = decode(sourceKind, cells[at])
    }
  }
  return put(name, valueAt(at, sourceKind, field.keywords))
}

/** The value of a column: moments in the zone of the caller, the words that may stand in their place as they are. */
function valueAt(at: number, kind: FieldKind, keywords: readonly string[] = []): Value {
  if (kind !== 'datetime') return (cells) => decode(kind, cells[at])
  return (cells, context) => {
    const value = decode('datetime', cells[at])
    return typeof value !== 'string' || keywords.includes(value) ? value : context.writeMoment(value)
  }
}

/** Parts and linked records; of absent types there are none. */
function belongingWriter(field: RecordField, { type, catalog, slot, load }: Making): Writer {
  const { name, kind } = field
  const isThere = catalog.types.has(field.record ?? '') && (kind !== 'refs' || type.links.has(name))
  if (!isThere) return put(name, () => (kind === 'part' ? null : []))
  load(field)
  const id = slot('id')
  if (kind === 'part') return put(name, (cells, context) => context.belongings(field, Number(cells[id]))[0] ?? null)
  return put(name, (cells, context) => context.belongings(field, Number(cells[id])))
}

/** The field that a second name stands for. */
function sourceOf(type: RecordType, name: string): RecordField | undefined {
  const field = type.fields.get(name)
  return type.fields.get(field?.sameAs ?? field?.localizes ?? name)
}

/** Where the value of a plain field is read. A localized one keeps its name: reading finds the translation by it. */
function sourceColumn(type: RecordType, name: string): string {
  const field = type.fields.get(name)
  if (field?.via || (field?.localizes && type.translations?.fields.has(field.localizes))) return name
  return sourceOf(type, name)?.column ?? field?.sameAs ?? name
}

/** Leaves out what the caller may not read in every record: whose record it is does not stand in the row. */
function masked(value: Json, type: RecordType | undefined, context: WriteContext): Json {
  if (typeof value !== 'object' || value === null) return value
  const isOpen = ([name]: readonly [string, unknown]) =>
    ((type?.columns.get(name) ?? type?.fields.get(name))?.read ?? ['anyone']).some((who) => context.mayRead(who, () => null))
  const shown = ([column, values]: readonly [string, Json]) =>
    [column, type?.columns.get(column)?.format === 'picture' ? picturesIn(values, context) : values] as const
  return Object.fromEntries(Object.entries(value).filter(isOpen).map(shown))
}

/** The address before and after a change. */
function picturesIn(values: Json, context: WriteContext): Json {
  return Array.isArray(values) ? values.map((value: Json) => pictureOf(value, context)) : values
}

function pictureOf(value: Json, context: WriteContext): Json {
  return typeof value === 'string' ? context.pictureAddress(value) : value
}

type Value = (cells: readonly unknown[], context: WriteContext) => Json

function put(name: string, value: Value): Writer {
  return (output, cells, context) => {
    output[name] = value(cells, context)
  }
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

/** Values that not everybody may read are null for the others. */
function guarded(field: RecordField, readers: readonly Who[], { type, slot }: Making, write: Writer): Writer {
  const columns = new Map<string, number>([
    ['id', slot('id')],
    ['account_id', slot('account_id')],
    // A part describes whom its owner describes.
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

/** What stands for a referenced record: the text that the field names, or a reference object. */
function referredOf(field: RecordField, making: Making, path: readonly string[], depth: number): Value {
  if (!field.column && !field.via) return () => null
  if (field.shownAs) {
    const at = making.slot(...path, field.shownAs)
    return (cells) => decode('string', cells[at])
  }
  // What a reference shows of further records ends somewhere: databases join a limited number of tables.
  if (depth > 2) return () => null
  return referenceOf(making.catalog.type(field.record ?? ''), making, path, depth)
}

/**
 * What a reference shows of a record that the caller does not see: its id, and where titles are public the title (also
 * translated) and the account (gaps 12.1).
 */
export function shownUnseen({ access, fields, reference, title }: RecordType): readonly string[] {
  if (!access.publicTitle || title === null) return ['id']
  return ['id', title, ...reference.filter((name) => fields.get(name)?.localizes === title), 'account']
}

/** A reference: id, title, what the type adds, sourceID and disabled when they say something, a foreign account. */
function referenceOf(target: RecordType, making: Making, path: readonly string[], depth: number): Value {
  const { slot } = making
  const id = slot(...path, 'id')
  const titled = target.title ? slot(...path, target.title) : null
  const extras = target.reference.map((name) => {
    const source = sourceOf(target, name)
    if (source?.kind === 'ref') return { name, write: referredOf(source, making, [...path, name], depth + 1) }
    const at = slot(...path, sourceColumn(target, name))
    return { name, write: valueAt(at, source?.kind ?? 'string', source?.keywords) }
  })
  const sourceId = target.columns.has('sourceID') ? slot(...path, 'sourceID') : null
  const disabled = target.columns.has('disabled') ? slot(...path, 'disabled') : null
  const account = slot(...path, 'account_id')
  making.refer({ type: target.name, idSlot: id, accountSlot: account })
  const open = new Set(shownUnseen(target))
  return (cells, context) => {
    if (cells[id] === null || cells[id] === undefined) return null
    const reference: Output = { id: Number(cells[id]) }
    const isSeen = context.sees(target.name, Number(cells[id]))
    if (titled !== null && target.title && (isSeen || open.has(target.title)))
      reference[target.title] = decode('string', cells[titled])
    for (const extra of extras) if (isSeen || open.has(extra.name)) reference[extra.name] = extra.write(cells, context)
    if (isSeen && sourceId !== null && cells[sourceId]) reference['sourceID'] = String(cells[sourceId])
    if (isSeen && disabled !== null && decode('boolean', cells[disabled]) === true) reference['disabled'] = true
    const accountId = String(cells[account])
    const isForeign = accountId !== context.homeAccountId
    if (isForeign && (isSeen || open.has('account')))
      reference['account'] = { id: accountId, name: context.accountName(accountId) }
    return reference
  }
}
