/** Reads changes of single sub-records from a body: `contacts_attributes` (behaviour: Writing). */
import { isObject } from '../check/shapes.js'
import { readBoolean, readId } from './values.js'

/** One sub-record to add (`id` null), change or remove. */
export interface PartChange {
  readonly id: number | null
  readonly remove: boolean
  readonly body: object
}

/** Maximum number of changes in one body. */
const MAX_CHANGES = 100

/** Reads an object with any keys, or an array, of sub-records with an optional `id` and `_destroy`. */
export function readPartChanges(value: unknown): { readonly changes: readonly PartChange[] } | { readonly refused: string } {
  const entries: readonly unknown[] | null = typeof value === 'object' ? Object.values(value ?? {}) : null
  if (entries === null || entries.length > MAX_CHANGES || !entries.every(isObject)) return { refused: 'invalid' }
  const changes: PartChange[] = []
  for (const { id, _destroy, ...body } of entries) {
    const isNew = id === undefined || id === null || id === ''
    const known = isNew ? null : readId(id)
    if (!isNew && known === null) return { refused: 'cannot_be_found' }
    if (typeof _destroy === 'object' && _destroy !== null) return { refused: 'invalid' }
    const remove = readBoolean(_destroy)
    // A sub-record that does not exist need not be removed.
    if (!(isNew && remove)) changes.push({ id: known, remove, body })
  }
  return { changes }
}
