import { makeField } from '../language/field.js'
import type { Kind } from './kind.js'

/** The record that a sub-record belongs to. */
export const ownerKind: Kind = {
  options: {},
  needsOwner: true,
  column: null,
  input: null,
  filter: null,
  answer: {
    writer(_field, { mention, slot }) {
      const [ownerType, ownerId] = [slot('owner_type'), slot('owner_id')]
      mention((cells) => ({ type: String(cells[ownerType]), id: Number(cells[ownerId]) }))
      return (output, cells, context) => {
        const owner = String(cells[ownerType])
        output[owner] = context.reference(owner, Number(cells[ownerId]))
      }
    },
  },
  // The schemas of a sub-record have the reference to each type of owner (`openapi/schemas.ts`).
  document: { shown: () => ({ type: 'object' }) },
}

/**
 * The record that a sub-record belongs to, as a reference under the name of its type; stored as `owner_type` and `owner_id`.
 * Returned only at the sub-record's own URL, whose path does not contain the owner.
 */
export function owner() {
  return makeField<never, object, 'owner'>('owner', { readOnly: true })
}
