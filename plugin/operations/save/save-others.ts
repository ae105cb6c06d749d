/** Saves on behalf of the system: changes that rules make in other records, and flags of removed records. */
import { Invalid, NotFound, type Violation } from '../../core/errors.js'
import { NOTE } from '../../schema/language/built-in-types.js'
import type { Row } from '../../schema/language/define-rule.js'
import { inSavepoint } from '../../storage/database/savepoint.js'
import { inTransaction } from '../../storage/database/transaction.js'
import { messageOf } from '../../words/violations.js'
import type { SaveItem, SaveOutcome } from '../contract.js'
import { misspeltIn, OtherRefused, otherRefused } from '../work/other-refused.js'
import type { Others, Pipeline } from '../work/pipeline.js'
import type { SettleDeps } from '../work/work-deps.js'
import { announceNotes } from './related/save-notes.js'
import type { EventDeps } from './related/write-deps.js'

/** Creates the function that saves records for rules: all are saved or none. */
export function createSavingOthers(deps: EventDeps, pipeline: Pipeline): Others['saveAll'] {
  return (call, typeName, items) =>
    inTransaction(deps.storage, call, async (inside) => {
      const type = deps.catalog.type(typeName)
      const rows: Row[] = []
      for (const batch of eachOnce(items, inside.isHistory === true)) {
        // What a record of the past changes in stored ones happens now.
        const isOfPast = inside.isHistory === true && batch.every(({ id }) => id === null)
        const outcomes = await pipeline({ ...inside, isHistory: isOfPast }, type, batch).catch((error: unknown) => {
          throw error instanceof Invalid ? refusalOf(typeName, error.violations, batch[0]) : error
        })
        rows.push(...outcomes.map((outcome, index) => rowOf(typeName, outcome, batch[index])))
        if (type.name === NOTE) await announceNotes(deps, inside, outcomes)
      }
      return rows
    })
}

/** Creates the function that saves a record for a rule that continues after a refusal. */
export function createAttempt(deps: Pick<SettleDeps, 'storage' | 'words'>, saveAll: Others['saveAll']): Others['attempt'] {
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

/**
 * Batches without duplicate records: a record has to be read again before it is changed again.
 *
 * @param apart new and stored records are not in the same batch
 */
function* eachOnce(items: readonly SaveItem[], apart: boolean): Generator<readonly SaveItem[]> {
  let batch: SaveItem[] = []
  let ids = new Set<number>()
  for (const item of items) {
    const isOther = apart && batch.length > 0 && (batch[0]?.id === null) !== (item.id === null)
    if (isOther || (item.id !== null && ids.has(item.id))) {
      yield batch
      batch = []
      ids = new Set()
    }
    if (item.id !== null) ids.add(item.id)
    batch.push(item)
  }
  if (batch.length > 0) yield batch
}

function rowOf(type: string, outcome: SaveOutcome, item: SaveItem | undefined): Row {
  if (outcome.outcome === 'refused') throw refusalOf(type, outcome.violations, item)
  if (outcome.outcome === 'denied') throw deniedOf(type, outcome.error, item)
  return outcome.row
}

/** A part without an owner is a mistake of the rule; a record or an owner that is gone is not. */
function deniedOf(type: string, error: Error, item: SaveItem | undefined): unknown {
  const hasPlace = item !== undefined && (item.id !== null || item.owner !== undefined)
  if (error instanceof NotFound && !hasPlace) return new TypeError(`it saves a ${type} without the record that it is part of`)
  return otherRefused(type, error, item?.body ?? {})
}

/** A name that the type does not have is a mistake of the rule, and everything else a refusal. */
function refusalOf(type: string, violations: readonly Violation[], item: SaveItem | undefined): Error {
  return misspeltIn(type, violations) ?? new OtherRefused(type, violations, item?.body ?? {})
}
