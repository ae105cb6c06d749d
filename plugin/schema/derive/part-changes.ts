/** Reads changes of single sub-records from a body: `contacts_attributes` (behaviour: Writing). */
import { digitsOf } from '../../core/sent-number.js'
import { readBoolean, readId } from '../kinds/values/read-values.js'
import { isObject } from '../language/shapes.js'

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
  const entries: readonly unknown[] | null = typeof digitsOf(value) === 'object' ? Object.values(value ?? {}) : null
  if (entries === null || entries.length > MAX_CHANGES || !entries.every(isObject)) return { refused: 'invalid' }
  const changes: PartChange[] = []
  for (const entry of entries) {
    const { id, _destroy } = entry
    const isNew = id === undefined || id === null || id === ''
    const known = isNew ? null : readId(id)
    if (!isNew && known === null) return { refused: 'cannot_be_found' }
    if (typeof digitsOf(_destroy) === 'object' && _destroy !== null) return { refused: 'invalid' }
    const remove = readBoolean(_destroy)
    // A sub-record that does not exist need not be removed.
    if (!(isNew && remove)) changes.push({ id: known, remove, body: inputsIn(entry) })
  }
  return { changes }
}

/** All names but `id` and `_destroy`. Without a prototype, unknown names make no hidden classes, which would cost most. */
function inputsIn(entry: Readonly<Record<string, unknown>>): object {
  const body: Record<string, unknown> = Object.create(null)
  for (const name of Object.keys(entry)) if (name !== 'id' && name !== '_destroy') body[name] = entry[name]
  return body
}
