import { createLinking } from './link.js'
import type { Operations } from './operations.js'
import type { OperationParts } from './parts.js'
import { createReading } from './read.js'
import { findIds } from './references.js'
import { createRemoving } from './remove.js'
import { createSaving } from './save.js'

/** Puts the operations together. */
export function createOperations(parts: OperationParts): Operations {
  const saving = createSaving(parts)
  return {
    ...createReading(parts),
    ...saving,
    ...createRemoving(parts, saving.save),
    ...createLinking(parts),
    findIds: (call, type, field, values, accountId) => findIds(parts, call, type, field, values, accountId),
  }
}
