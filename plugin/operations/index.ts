import type { OperationParts } from './deps.js'
import { createLinking } from './links/link.js'
import type { Operations } from './operations.js'
import { createFinding } from './read/find.js'
import { createReading } from './read/read.js'
import { findIds } from './save/references.js'
import { createRemoving } from './save/remove.js'
import type { RuleWork } from './save/run-rules.js'
import { createSaving } from './save/save.js'

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
