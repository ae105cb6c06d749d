/** Loads the sub-records and linked records that responses include: one query per field of a page. */
import { mayReadEverywhere } from '../../access/sight/decide.js'
import type { Call } from '../../core/call.js'
import type { RecordField, RecordType, SortKey } from '../../schema/catalog.js'
import type { RelatedRows, Shape } from '../../schema/derive/shape.js'
import type { Json } from '../../schema/kinds/fields.js'
import { ATTACHMENT } from '../../schema/language/built-in-types.js'
import { ANYTHING, type Criterion } from '../../schema/language/conditions.js'
import type { Output } from '../contract.js'
import type { ReadDeps } from './read-deps.js'
import { mayOrderByTitle } from './sight.js'
import { partsOfOwners } from './visible.js'

/** Makes responses of rows with a shape. */
export type WriteRows = (shape: Shape, rows: readonly (readonly unknown[])[]) => Promise<readonly Output[]>

/** Related rows of each record, by field and id of the record. */
export type Related = ReadonlyMap<RecordField, ReadonlyMap<number, readonly Json[]>>

/** The related rows of a page; a field without any costs no query. */
export async function readRelated(
  deps: ReadDeps,
  call: Call,
  shape: Shape,
  rows: readonly (readonly unknown[])[],
  write: WriteRows,
): Promise<Related> {
  const found = new Map<RecordField, ReadonlyMap<number, readonly Json[]>>()
  for (const related of shape.related) {
    const having = rows.filter((cells) => Number(cells[related.hasSlot]) > 0)
    if (having.length === 0) continue
    const ids = having.map((cells) => Number(cells[shape.idSlot]))
    const cells = await (related.link ? linkedRows(deps, call, related, ids) : partRows(deps, call, shape, related, ids))
    const outputs = await write(
      related.shape(),
      cells.map(([, ...row]) => row),
    )
    const byOwner = new Map<number, Json[]>()
    for (const [index, output] of outputs.entries()) {
      const owner = Number(cells[index]?.[0])
      byOwner.set(owner, [...(byOwner.get(owner) ?? []), output])
    }
    found.set(related.field, byOwner)
  }
  return found
}

/** Rows of sub-records, with the id of the owner first. */
async function partRows(deps: ReadDeps, call: Call, owner: Shape, related: RelatedRows, ids: readonly number[]) {
  const { type, slots } = related.shape()
  if (!(await deps.decisions.isOpen(call, type))) return []
  const where: Criterion = {
    all: [
      partsOfOwners(owner.type.name, ids),
      await deps.scope.ofSeen(call, type),
      type.name === ATTACHMENT ? ofReadableTexts(call, owner.type) : ANYTHING,
    ],
  }
  const selection = { type, where, sort: type.collection.below.sort, language: call.language }
  return deps.queries.cells(call, selection, [['owner_id'], ...slots])
}

/** Hides attachments of text fields that the caller may not read. */
function ofReadableTexts(call: Call, owner: RecordType): Criterion {
  const texts = [...owner.fields.values()].filter((field) => !mayReadEverywhere(call, field)).map(({ name }) => name)
  return texts.length > 0 ? { path: ['field'], op: 'not in', values: texts } : ANYTHING
}

/** Rows of linked records in the order of their titles, with the id of the record that they are linked to first. */
async function linkedRows(deps: ReadDeps, call: Call, { link, shape }: RelatedRows, ids: readonly number[]) {
  if (!link) return []
  const { type, slots } = shape()
  const keys = type.title && (await mayOrderByTitle(deps, call, type)) ? [type.title, 'id'] : ['id']
  const sort = keys.map((field): SortKey => ({ field, descending: false }))
  const where = await deps.scope.resolve(call, type.existsWhile)
  return deps.queries.linkedCells(call, link, ids, { type, where, sort, language: call.language }, slots)
}
