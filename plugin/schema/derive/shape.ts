/**
 * How records of a type are returned: which columns are needed, and how the answer is made of them. Compiled once per type and
 * choice of fields, so that a row costs neither model instances nor a second look at the definition. gaps 1.4, 1.12, 1.13.
 */
import type { Moment } from '../../core/clock.js'
import type { Catalog, RecordField, RecordType } from '../compile.js'
import type { Json, Who } from '../fields.js'
import { decode } from './columns.js'

/** A column as a path over references: `['team', 'name']`. */
export type Slot = readonly string[]

/** What writing a row needs of the call. */
export interface WriteContext {
  /** Home account of the person that asks; records of others carry their account (spec, Conventions 10). */
  readonly homeAccountId: string
  accountName(id: string): string
  writeMoment(moment: Moment): string
  /** True when the caller may read values reserved for `who`, given a column of the row that names a person. */
  mayRead(who: Who, row: (column: string) => unknown): boolean
  /** The shown parts of a record, in order. */
  parts(type: string, ownerId: number, shows: readonly string[] | null): readonly Json[]
  /** A reference to a record that is not joined: owners of parts. */
  reference(type: string, id: number): Json
}

export type Output = { [field: string]: Json }

export interface Shape {
  readonly type: RecordType
  readonly slots: readonly Slot[]
  /** Part types to be loaded for the whole page. */
  readonly parts: readonly { readonly record: string; readonly shows: readonly string[] | null }[]
  /** True when owners have to be looked up. */
  readonly showsOwner: boolean
  readonly idSlot: number
  write(cells: readonly unknown[], context: WriteContext): Output
}

/** Part of an answer: adds its attribute to the output. */
type Writer = (output: Output, cells: readonly unknown[], context: WriteContext) => void

/** The shape of a full single record; `nested` leaves the owner out, which stands in the path. */
export function fullShape(type: RecordType, catalog: Catalog, nested = false): Shape {
  const names = [...type.fields.values()]
    .filter((field) => isShown(field) && !(nested && isOwnership(field)))
    .map((field) => field.name)
  return buildShape(type, catalog, names, 'single')
}

/** The shape of a collection; unknown and unreadable names are ignored, id is always there (gaps 1.4). */
export function listShape(type: RecordType, catalog: Catalog, wanted: readonly string[] | null, nested = false): Shape {
  const chosen = wanted ? ['id', ...wanted] : (nested ? type.collection.below : type.collection).fields
  const names = [...new Set(chosen)].filter((name) => {
    const field = type.fields.get(name)
    return field !== undefined && isShown(field) && !(nested && isOwnership(field))
  })
  return buildShape(type, catalog, names, 'list')
}

function isShown(field: RecordField): boolean {
  return !field.writeOnly && !field.hidden
}

/** A part below its owner's path does not repeat whose it is (gaps 6.16: without audited and its reference). */
function isOwnership(field: RecordField): boolean {
  return field.kind === 'owner' || field.sameAs === 'owner_type'
}

function buildShape(type: RecordType, catalog: Catalog, names: readonly string[], form: 'single' | 'list'): Shape {
  const slots: Slot[] = []
  const places = new Map<string, number>()
  const slot = (...path: string[]) => {
    const key = path.join('.')
    const known = places.get(key)
    if (known !== undefined) return known
    places.set(key, slots.length)
    return slots.push(path) - 1
  }
  const idSlot = slot('id')
  const accountSlot = slot('account_id')
  const fields = names.map((name) => type.fields.get(name)).filter((field) => field !== undefined)
  const parts: { record: string; shows: readonly string[] | null }[] = []
  const writers = fields.map((field) => {
    const writer = writerOf(field, type, catalog, slot, parts)
    return field.read ? guarded(field, field.read, type, slot, writer) : writer
  })
  const disabledSlot = form === 'list' && type.columns.has('disabled') && !names.includes('disabled') ? slot('disabled') : null

  return {
    type,
    slots,
    parts,
    idSlot,
    showsOwner: fields.some((field) => field.kind === 'owner'),
    write(cells, context) {
      const output: Output = {}
      for (const write of writers) write(output, cells, context)
      const accountId = String(cells[accountSlot])
      if (accountId !== context.homeAccountId) output['account'] = { id: accountId, name: context.accountName(accountId) }
      if (disabledSlot !== null && decode('boolean', cells[disabledSlot]) === true) output['disabled'] = true
      return output
    },
  }
}

type SlotOf = (...path: string[]) => number

function writerOf(
  field: RecordField,
  type: RecordType,
  catalog: Catalog,
  slot: SlotOf,
  parts: { record: string; shows: readonly string[] | null }[],
): Writer {
  const { name, kind } = field
  if (kind === 'ref') {
    return put(name, field.column ? referenceOf(catalog.type(field.record ?? ''), catalog, [name], slot, 1) : () => null)
  }
  if (kind === 'parts') {
    const record = field.record ?? ''
    if (!catalog.types.has(record)) return put(name, () => [])
    const shows = field.shows ?? null
    parts.push({ record, shows })
    const id = slot('id')
    return put(name, (cells, context) => context.parts(record, Number(cells[id]), shows))
  }
  if (kind === 'owner') {
    const [ownerType, ownerId] = [slot('owner_type'), slot('owner_id')]
    return (output, cells, context) => {
      const owner = String(cells[ownerType])
      output[owner] = context.reference(owner, Number(cells[ownerId]))
    }
  }
  const source = type.fields.get(field.sameAs ?? field.localizes ?? name)
  const at = slot(source?.column ?? field.sameAs ?? name)
  const sourceKind = source?.kind ?? kind
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
  if (sourceKind === 'datetime') {
    const keywords = field.keywords ?? []
    return put(name, (cells, context) => {
      const value = decode('datetime', cells[at])
      return typeof value !== 'string' || keywords.includes(value) ? value : context.writeMoment(value)
    })
  }
  return put(name, (cells) => decode(sourceKind, cells[at]))
}

/** Leaves out what the caller may not read in every record: whose record it is does not stand in the row. */
function masked(value: Json, type: RecordType | undefined, context: WriteContext): Json {
  if (typeof value !== 'object' || value === null) return value
  const isOpen = ([column]: readonly [string, unknown]) =>
    (type?.columns.get(column)?.read ?? ['anyone']).some((who) => context.mayRead(who as Who, () => null))
  return Object.fromEntries(Object.entries(value).filter(isOpen))
}

type Value = (cells: readonly unknown[], context: WriteContext) => Json

function put(name: string, value: Value): Writer {
  return (output, cells, context) => {
    output[name] = value(cells, context)
  }
}

/** Values that not everybody may read are null for the others. */
function guarded(field: RecordField, readers: readonly Who[], type: RecordType, slot: SlotOf, write: Writer): Writer {
  const columns = new Map<string, number>([
    ['id', slot('id')],
    ['account_id', slot('account_id')],
  ])
  for (const who of readers) {
    if (typeof who === 'object' && 'person' in who)
      columns.set(`${who.person}_id`, slot(type.fields.get(who.person)?.column ?? `${who.person}_id`))
  }
  return (output, cells, context) => {
    const row = (column: string) => cells[columns.get(column) ?? -1]
    if (readers.some((who) => context.mayRead(who, row))) write(output, cells, context)
    else output[field.name] = null
  }
}

/** A reference: id, title, what the type adds, sourceID and disabled when they say something, a foreign account. */
function referenceOf(target: RecordType, catalog: Catalog, path: readonly string[], slot: SlotOf, depth: number): Value {
  const id = slot(...path, 'id')
  const titled = target.title ? slot(...path, target.title) : null
  const extras = target.reference.map((name) => {
    const field = target.fields.get(name)
    const source = target.fields.get(field?.localizes ?? field?.sameAs ?? name)
    if (source?.kind === 'ref') {
      const write = depth < 2 ? referenceOf(catalog.type(source.record ?? ''), catalog, [...path, name], slot, depth + 1) : null
      return { name, write: (cells: readonly unknown[], context: WriteContext) => (write ? write(cells, context) : null) }
    }
    const at = slot(...path, source?.column ?? name)
    return { name, write: (cells: readonly unknown[]) => decode(source?.kind ?? 'string', cells[at]) }
  })
  const sourceId = target.columns.has('sourceID') ? slot(...path, 'sourceID') : null
  const disabled = target.columns.has('disabled') ? slot(...path, 'disabled') : null
  const account = slot(...path, 'account_id')
  return (cells, context) => {
    if (cells[id] === null || cells[id] === undefined) return null
    const reference: Output = { id: Number(cells[id]) }
    if (titled !== null && target.title) reference[target.title] = decode('string', cells[titled])
    for (const extra of extras) reference[extra.name] = extra.write(cells, context)
    if (sourceId !== null && cells[sourceId]) reference['sourceID'] = String(cells[sourceId])
    if (disabled !== null && decode('boolean', cells[disabled]) === true) reference['disabled'] = true
    const accountId = String(cells[account])
    if (accountId !== context.homeAccountId) reference['account'] = { id: accountId, name: context.accountName(accountId) }
    return reference
  }
}

/** A shape with just what a reference shows, for owners and for the host. */
export function referenceShape(type: RecordType, catalog: Catalog): Shape {
  const provenance = type.columns.has('sourceID') ? ['sourceID'] : []
  const shape = buildShape(type, catalog, ['id', ...(type.title ? [type.title] : []), ...type.reference, ...provenance], 'list')
  return {
    ...shape,
    write(cells, context) {
      const { sourceID, ...reference } = shape.write(cells, context)
      return sourceID ? { ...reference, sourceID } : reference
    },
  }
}
