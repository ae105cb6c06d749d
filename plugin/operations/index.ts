import type { OperationDeps } from './deps.js'
import { createLinking } from './links/link.js'
import type { Operations } from './operations.js'
import { createFinding } from './read/find.js'
import { createReading } from './read/read.js'
import { findIds } from './save/references.js'
import { createRemoving } from './save/remove.js'
import type { RuleWork } from './save/run-rules.js'
import { createSaving } from './save/save.js'

/** Puts the operations together. */
export function createOperations(deps: OperationDeps): Operations {
  const others: RuleWork['others'] = {
    save: (...asked) => saveTrusted(...asked),
    remove: (...asked) => removing.remove(...asked),
  }
  const { saveTrusted, ...saving } = createSaving(deps, others)
  const removing = createRemoving(deps, others)
  return {
    ...createReading(deps),
    ...createFinding(deps),
    ...saving,
    ...removing,
    ...createLinking(deps, saving),
    findIds: (call, type, field, values, accountId) => findIds(deps, call, type, field, values, accountId),
  }
}
