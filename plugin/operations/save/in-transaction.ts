/** Passes changes of records to the host's hooks in the transaction, once for each record and unit of work (ADR 0068). */
import type { Call } from '../../core/call.js'
import { HookFailed, ItsmError } from '../../core/errors.js'
import type { RecordType } from '../../schema/catalog.js'
import type { Row } from '../../schema/language/define-rule.js'
import type { Draft } from '../work/draft.js'
import type { Change } from '../work/noted-changes.js'
import { frozenRow } from '../work/own-objects.js'
import type { Work } from '../work/pipeline.js'
import type { Unit } from '../work/unit.js'
import { startRunning } from './running.js'
import type { ChangeDeps, InTransactionContext, InTransactionHook } from './save-deps.js'

type Hooks = ChangeDeps['inTransaction']

/** True if a hook wants changes or removals of the type. */
export function isPassedOn(hooks: Hooks, { name }: Pick<RecordType, 'name'>): boolean {
  return hooks.has(`${name}.save`) || hooks.has(`${name}.remove`)
}

/** Notes what a batch has stored. A save without a change is not noted. */
export function noteSaved({ call, deps, type, unit }: Work<Pick<ChangeDeps, 'inTransaction'>>, drafts: readonly Draft[]): void {
  if (!isPassedOn(deps.inTransaction, type)) return
  for (const { before, changed, changedRelated, next, noteIds } of drafts) {
    const isStored = before === null || changed.length + changedRelated.size + noteIds.length > 0
    if (isStored) unit.noteChange(type.name, Number(next['id']), { call, before, isRemoved: false })
  }
}

/** Notes that rows were deleted. */
export function noteRemoved({ call, deps, type, unit }: Work<Pick<ChangeDeps, 'inTransaction'>>, rows: readonly Row[]): void {
  if (!isPassedOn(deps.inTransaction, type)) return
  for (const row of rows) {
    unit.noteChange(type.name, Number(row['id']), { call, before: row, isRemoved: true })
  }
}

/**
 * Creates the function that passes on the changes of a unit: one record after the other, and one hook after the other.
 *
 * @throws HookFailed if a hook throws anything but an error of the plugin
 */
export function createPassOn(deps: ChangeDeps): (unit: Unit, call: Call) => Promise<void> {
  const { catalog, inTransaction } = deps

  const passOn = async (unit: Unit, call: Call, type: RecordType, changes: ReadonlyMap<number, Change>) => {
    const stored = [...changes].flatMap(([id, { isRemoved }]) => (isRemoved ? [] : [id]))
    // Rows are read again that other statements than those of the unit have written since.
    await unit.prefetch(type.name, stored)
    let place = `an inTransaction hook of ${type.name}`
    const running = startRunning({ call, deps, unit }, 'inTransaction', () => place)
    try {
      for (const [id, change] of changes) {
        const after = change.isRemoved ? null : (unit.known(type.name, id) ?? null)
        const event = `${type.name}.${isRemoval(type, change.before, after) ? 'remove' : 'save'}`
        const hooks: readonly InTransactionHook[] = inTransaction.get(event) ?? []
        const before = change.before && frozenRow(type, { ...change.before })
        const facts = { call: change.call, type: type.name, id, before, after }
        for (const [index, hook] of hooks.entries()) {
          place = `inTransaction hook${hooks.length > 1 ? ` ${index + 1} of ${hooks.length}` : ''} of ${event}`
          const context: InTransactionContext = Object.defineProperty<object>({ ...facts }, 'db', {
            enumerable: true,
            get: () => running.db,
          }) as InTransactionContext
          await hook(context)
          await running.settled()
        }
      }
    } catch (error) {
      if (error instanceof ItsmError) throw error
      throw new HookFailed(place, error)
    } finally {
      await running.end()
    }
  }

  return async (unit, call) => {
    for (const [name, changes] of unit.takeChanges()) {
      const type = catalog.type(name)
      if (changes.size > 0 && isPassedOn(inTransaction, type)) await passOn(unit, call, type, changes)
    }
  }
}

/** True if the row was deleted, or has become one that is flagged as removed. */
function isRemoval({ softDeleteField: flag }: RecordType, before: Row | null, after: Row | null): boolean {
  return after === null || (flag !== null && after[flag] === true && before?.[flag] !== true)
}
