/**
 * The form of records in responses: the columns it needs, and the function that writes it. Compiled once per type and selection
 * of fields, so that rows need neither model instances nor a lookup in the definition (behaviour: Selected fields, Value
 * formats, References).
 */
import type { Catalog, RecordField, RecordType } from '../catalog.js'
import type { Mention, Output, Referred, WriteContext } from '../kinds/writers.js'
import { isOwnerType } from '../language/derived.js'
import type { Link } from '../language/relations.js'
import { isTrue, shownUnseen, writerOf } from './shape-writers.js'

/** A column as a path over references: `['team', 'name']`. */
export type Slot = readonly string[]

/** First step of a slot with 1 if a record has any related rows of a field, else 0: `[HAS, 'attachments']`. */
export const HAS = '#has'

/** A field whose values are in another table, several per record. */
export interface RelatedRows {
  readonly field: RecordField
  /** For references: the link to the records; null for sub-records. */
  readonly link: Link | null
  /** The slot with 1 for records that have any. Most have none, and then nothing is loaded. */
  readonly hasSlot: number
  /** The shape of each of them. */
  shape(): Shape
}

export interface Shape {
  readonly type: RecordType
  readonly slots: readonly Slot[]
  /** Related rows that have to be loaded for the whole page. */
  readonly related: readonly RelatedRows[]
  /** The referenced records; their visibility must be known before anything is written. */
  readonly references: readonly Referred[]
  /** The records that have to be looked up by their type and id: owners, causes. */
  readonly mentions: readonly Mention[]
  /** The slots with names of types of which it shows copies of sub-records: changes of owners. */
  readonly copies: readonly number[]
  /** True if permission to read a field depends on the teams of the caller. */
  readonly asksForTeams: boolean
  readonly idSlot: number
  readonly accountSlot: number
  /** The accounts of the record and of all records that it refers to. */
  readonly accountSlots: readonly number[]
  write(cells: readonly unknown[], context: WriteContext): Output
}

/**
 * The shape of a full single record; `nested` omits the owner, which is in the path.
 *
 * @param also names of fields to include that single records include only on request
 */
export function fullShape(type: RecordType, catalog: Catalog, nested = false, also: readonly string[] = []): Shape {
  const names = [...type.fields.values()]
    .filter((field) => isShown(field) && !(nested && isOwnership(field)))
    .filter((field) => !isOnRequest(field) || also.includes(field.name))
    .map((field) => field.name)
  return buildShape(type, catalog, names, 'single')
}

/** The shape of a collection; unknown and unreadable names are ignored, id is always included (behaviour: Selected fields). */
export function listShape(type: RecordType, catalog: Catalog, wanted: readonly string[] | null, nested = false): Shape {
  const chosen = wanted
    ? ['id', ...wanted.filter((name) => type.fields.get(name)?.shownWith === undefined)]
    : (nested ? type.collection.below : type.collection).fields
  const names = [...new Set(chosen.flatMap((name) => [name, ...companionsOf(type, name)]))].filter((name) => {
    const field = type.fields.get(name)
    return field !== undefined && isShown(field) && !(nested && isOwnership(field))
  })
  return buildShape(type, catalog, names, 'list')
}

/** The shape of a reference, for owners, linked records, and endpoints. */
export function referenceShape(type: RecordType, catalog: Catalog): Shape {
  const provenance = type.columns.has('sourceID') ? ['sourceID'] : []
  const shape = buildShape(type, catalog, ['id', ...(type.title ? [type.title] : []), ...type.reference, ...provenance], 'list')
  const { idSlot, accountSlot } = shape
  const open = new Set(shownUnseen(type))
  return {
    ...shape,
    references: [...shape.references, { type: type.name, idSlot, accountSlot }],
    write(cells, context) {
      const { sourceID, ...reference } = shape.write(cells, context)
      if (!context.sees(type.name, Number(cells[idSlot]), cells[accountSlot]))
        return Object.fromEntries(Object.entries(reference).filter(([name]) => open.has(name)))
      return sourceID ? { ...reference, sourceID } : reference
    },
  }
}

function isShown(field: RecordField): boolean {
  return !field.writeOnly && !field.hidden
}

/** True for fields that single records include only on request. */
export function isOnRequest(field: RecordField): boolean {
  return field.onRequest === true
}

/** True for fields that name the owner: omitted below the owner's path (`audited` and its reference; behaviour: Audit). */
function isOwnership(field: RecordField): boolean {
  return field.kind === 'owner' || isOwnerType(field)
}

/** The fields with `shownWith` this one, which cannot be selected. */
function companionsOf(type: RecordType, name: string): readonly string[] {
  return [...type.fields.values()].filter((field) => field.shownWith === name).map((field) => field.name)
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
  const related: RelatedRows[] = []
  const references: Referred[] = []
  const load = (field: RecordField) => void related.push(relatedRowsOf(type, catalog, field, slot(HAS, field.name)))
  const refer = (referred: Referred) => void references.push(referred)
  const mentions: Mention[] = []
  const mention = (of: Mention) => void mentions.push(of)
  const copies: number[] = []
  const copy = (typeSlot: number) => void copies.push(typeSlot)
  const writers = fields.map((field) => writerOf(field, { type, catalog, slot, load, refer, mention, copy }))
  const disabledSlot = form === 'list' && type.columns.has('disabled') && !names.includes('disabled') ? slot('disabled') : null
  const naming = fields.find(({ namesAccount }) => namesAccount)
  const namingSlot = naming ? slot(naming.name) : null

  return {
    type,
    slots,
    related,
    references,
    mentions,
    idSlot,
    accountSlot,
    accountSlots: slots.flatMap((path, at) => (path[path.length - 1] === 'account_id' ? [at] : [])),
    copies,
    asksForTeams: fields.some((field) => field.read?.some((who) => typeof who === 'object' && 'memberOf' in who)),
    write(cells, context) {
      const output: Output = {}
      for (const write of writers) write(output, cells, context)
      const accountId = String(cells[accountSlot])
      if (accountId !== context.homeAccountId || (namingSlot !== null && isTrue(cells[namingSlot])))
        output['account'] = { id: accountId, name: context.accountName(accountId) }
      if (disabledSlot !== null && isTrue(cells[disabledSlot])) output['disabled'] = true
      return output
    },
  }
}

/** The shape is created when it is needed: sub-records may have sub-records of their own type. */
function relatedRowsOf(type: RecordType, catalog: Catalog, field: RecordField, hasSlot: number): RelatedRows {
  let made: Shape | undefined
  const shape = () => {
    made ??= shapeOfRelated(catalog.type(field.record ?? ''), catalog, field)
    return made
  }
  return { field, link: field.kind === 'refs' ? (type.links.get(field.name) ?? null) : null, hasSlot, shape }
}

function shapeOfRelated(type: RecordType, catalog: Catalog, { kind, shows }: RecordField): Shape {
  if (kind === 'refs') return referenceShape(type, catalog)
  if (kind === 'part' && !shows) return fullShape(type, catalog, true)
  const shape = listShape(type, catalog, shows ?? null, true)
  return shows && !shows.includes('id') ? withoutId(shape) : shape
}

/** Calendar hours have no id inside their calendar (behaviour: Calendars). */
function withoutId(shape: Shape): Shape {
  return {
    ...shape,
    write(cells, context) {
      const { id: _, ...output } = shape.write(cells, context)
      return output
    },
  }
}
