import { createFinding } from './find.js'
import { createLinking } from './link.js'
import type { Operations } from './operations.js'
import type { OperationParts } from './parts.js'
import { createReading } from './read.js'
import { findIds } from './references.js'
import { createRemoving } from './remove.js'
import type { RuleWork } from './run-rules.js'
import { createSaving } from './save.js'

/** Puts the operations together. */
export function createOperations(parts: OperationParts): Operations {
  const others: RuleWork['others'] = {
    save: (...asked) => saveTrusted(...asked),
    remove: (...asked) => removing.remove(...asked),
  }
  const { saveTrusted, ...saving } = createSaving(parts, others)
  const removing = createRemoving(parts, others)
  return {
    ...createReading(parts),
    ...createFinding(parts),
    ...saving,
    ...removing,
    ...createLinking(parts, saving),
    findIds: (call, type, field, values, accountId) => findIds(parts, call, type, field, values, accountId),
  }
}
