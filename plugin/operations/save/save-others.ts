/** Saves on behalf of the system: changes that rules make in other records, and flags of removed records. */
import { Invalid } from '../../core/errors.js'
import { messageOf } from '../../core/words/violations.js'
import { NOTE } from '../../schema/built-in-types.js'
import type { Row } from '../../schema/define-rule.js'
import { inSavepoint } from '../../storage/savepoint.js'
import { inTransaction } from '../../storage/transaction.js'
import type { OperationDeps } from '../deps.js'
import type { SaveItem, SaveOutcome } from '../operations.js'
import { announceNotes } from './notes.js'
import type { Others, Pipeline } from './work.js'

/** Creates the function that saves records for rules: all are saved or none. */
export function createSavingOthers(deps: OperationDeps, pipeline: Pipeline): Others['saveAll'] {
  return (call, typeName, items) =>
    inTransaction(deps.storage, call, async (inside) => {
      const type = deps.catalog.type(typeName)
      const rows: Row[] = []
      for (const batch of eachOnce(items)) {
        const outcomes = await pipeline(inside, type, batch)
        rows.push(...outcomes.map(rowOf))
        if (type.name === NOTE) await announceNotes(deps, inside, outcomes)
      }
      return rows
    })
}

/** Creates the function that saves a record for a rule that continues after a refusal. */
export function createAttempt(deps: OperationDeps, saveAll: Others['saveAll']): Others['attempt'] {
  return (call, typeName, item) =>
    inTransaction(deps.storage, call, async (inside) => {
      try {
        const [row] = await inSavepoint(deps.storage, inside, () => saveAll(inside, typeName, [item]))
        if (!row) throw new Error(`Nothing of ${typeName} was saved`)
        return { row }
      } catch (error) {
        if (!(error instanceof Invalid)) throw error
        const { violations } = error
        const { locale } = call.account
        return { violations, messages: violations.map((one) => messageOf(deps.words, locale, typeName, one)) }
      }
    })
}

/** Batches without duplicate records: a record has to be read again before it is changed again. */
function* eachOnce(items: readonly SaveItem[]): Generator<readonly SaveItem[]> {
  let batch: SaveItem[] = []
  let ids = new Set<number>()
  for (const item of items) {
    if (item.id !== null && ids.has(item.id)) {
      yield batch
      batch = []
      ids = new Set()
    }
    if (item.id !== null) ids.add(item.id)
    batch.push(item)
  }
  if (batch.length > 0) yield batch
}

function rowOf(outcome: SaveOutcome): Row {
  if (outcome.outcome === 'refused') throw new Invalid(outcome.violations)
  if (outcome.outcome === 'denied') throw outcome.error
  return outcome.row
}
