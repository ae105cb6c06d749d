/** Sub-records that change on their own, as changes of the records that they belong to (behaviour: Audit). */
import type { Catalog, RecordType } from '../../../schema/catalog.js'
import type { Json } from '../../../schema/kinds/fields.js'
import { ATTACHMENT, NOTE } from '../../../schema/language/built-in-types.js'
import type { Row } from '../../../schema/language/define-rule.js'
import type { Owner } from '../../contract.js'
import type { Draft } from '../../work/draft.js'

/** Values before and after, by field. */
export type Changes = { readonly [name: string]: readonly [before: Json, after: Json] }

/** A sub-record before and after; `next` is empty for one that was removed. */
export interface ChangedPart extends Pick<Draft, 'before' | 'next' | 'changed'> {
  readonly item: Pick<Draft['item'], 'cause' | 'causedBy'>
}

/** A record of which sub-records have changed. */
interface ChangedOwner {
  readonly owner: Owner
  /** One of the sub-records. */
  readonly row: Row
  readonly changes: Changes
  readonly item: ChangedPart['item']
}

/**
 * The audited records that sub-records belong to, with the changes under the name of their list: those that have changed as they
 * were, and as they are. Notes are none (behaviour: Audit).
 */
export function changedOwners(catalog: Catalog, part: RecordType, changed: readonly ChangedPart[]): readonly ChangedOwner[] {
  if (part.partOf.length === 0 || part.name === NOTE) return []
  const byOwner = new Map<string, ChangedPart[]>()
  for (const one of changed) {
    const key = `${rowOf(one)['owner_type']} ${rowOf(one)['owner_id']}`
    byOwner.set(key, [...(byOwner.get(key) ?? []), one])
  }
  return [...byOwner.values()].flatMap((some): ChangedOwner[] => {
    const [first] = some
    const row = first && rowOf(first)
    const type = catalog.types.get(String(row?.['owner_type']))
    if (!first || !row || !type?.audit) return []
    const owner = { type: type.name, id: Number(row['owner_id']) }
    return [{ owner, row, changes: changesIn(type, part, some), item: first.item }]
  })
}

function rowOf({ before, next }: ChangedPart): Row {
  return before ?? (next as Row)
}

function changesIn(type: RecordType, part: RecordType, changed: readonly ChangedPart[]): Changes {
  const field = [...type.fields.values()].find(
    ({ kind, record }) => record === part.name && (kind === 'part' || kind === 'parts'),
  )
  const lists = (state: (one: ChangedPart) => Row | null) =>
    changed.flatMap((one) => {
      const row = state(one)
      return row ? [shown(part, field?.shows, row, one)] : []
    })
  const [was, is] = [lists(({ before }) => before), lists(({ next }) => ('id' in next ? (next as Row) : null))]
  const name = field?.name ?? part.path
  return { [name]: field?.kind === 'part' ? [was[0] ?? null, is[0] ?? null] : [was, is] }
}

/** What lists below the record show of a sub-record, and what has changed; of files their name. */
function shown(part: RecordType, shows: readonly string[] | undefined, row: Row, { changed }: ChangedPart): Json {
  if (part.name === ATTACHMENT) return row['name'] ?? null
  const listed = (shows ?? part.collection.below.fields).map((name) => part.fields.get(name)?.column ?? name)
  const open = changed.filter((column) => part.columns.get(column)?.hidden !== true)
  const columns = new Set([...listed, ...open].filter((column) => column !== 'id'))
  return Object.fromEntries([...columns].map((column) => [column, row[column] ?? null]))
}
