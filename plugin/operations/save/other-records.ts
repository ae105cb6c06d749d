/** Work of rules on other records. */
import { type Call, type CausingRecord, ruleCall } from '../../core/call.js'
import { PERSON } from '../../schema/language/built-in-types.js'
import type { OtherRecords, Row } from '../../schema/language/define-rule.js'
import { otherRefused } from '../work/other-refused.js'
import type { Work } from '../work/pipeline.js'
import type { LockDeps } from '../work/work-deps.js'
import type { EventsToAdd } from './collect-events.js'
import type { MailsToQueue } from './collect-mails.js'
import type { Counts } from './counts.js'
import { makeDue } from './make-due.js'
import { counterOf, idOrNone, itemOf, itemsOf, mustBeIds, mustStay } from './rule-arguments.js'
import type { Running } from './running.js'
import type { TimerDeps } from './save-deps.js'

/** The rule that is running, and the record for which it does, if it is one. */
export interface Current {
  rule: string
  causedBy: CausingRecord | null
  /** The rows that are being saved; none in other phases. */
  readonly saved: readonly Row[]
}

/** What the rules of a batch want done when all of them have run. */
export interface Collected {
  readonly counts: Counts
  readonly events: EventsToAdd
  readonly mails: MailsToQueue
}

/** The functions with which rules save and remove other records. */
export function otherRecords(
  work: Work<LockDeps & TimerDeps>,
  { counts, events, mails }: Collected,
  { mustRun, turns }: Running,
  current: Current,
): OtherRecords {
  const { call, others, type } = work
  const take = <T>(work: (asRule: Call) => Promise<T>): Promise<T> => {
    // The call of the rule that asks, even if its turn comes later.
    const asRule = ruleCall(call, type.name, current.rule, current.causedBy)
    return turns.take(() => work(asRule))
  }
  /** The phase throws a failure, so that it must not end the process as well if the rule does not wait for the work. */
  const noted = <A extends unknown[], T>(work: (...given: A) => Promise<T>) => {
    return (...given: A): Promise<T> => {
      const done = work(...given)
      done.catch(() => {})
      return done
    }
  }
  const saveAll: OtherRecords['saveAll'] = async (typeName, items) =>
    Array.isArray(items) && items.length === 0
      ? []
      : take((asRule) => others.saveAll(asRule, typeName, itemsOf(typeName, items)))
  const removeEach: OtherRecords['removeEach'] = async (typeName, ids) => {
    if (Array.isArray(ids) && ids.length === 0) return
    await take(async (asRule) => {
      mustBeIds(typeName, ids)
      mustStay(type, current.saved, typeName, ids)
      const items = ids.map((id) => ({ id }))
      await others.removeEach(asRule, typeName, items).catch((error: unknown) => {
        throw otherRefused(typeName, error, null)
      })
    })
  }
  const save: OtherRecords['save'] = async (typeName, id, body, owner) => {
    const [row] = await saveAll(typeName, [{ id, body, ...(owner && { owner }) }])
    if (!row) throw new Error(`A rule of ${type.name} has saved nothing`)
    return row
  }
  return {
    saveAll: noted(saveAll),
    save: noted(save),
    attempt: noted((typeName, item) => take((asRule) => others.attempt(asRule, typeName, itemOf(typeName, item)))),
    removeEach: noted(removeEach),
    remove: noted((typeName, id) => removeEach(typeName, [id])),
    addTo(typeName, id, field, step) {
      mustRun()
      const column = counterOf(work.deps.catalog.type(typeName), field, step)
      const counted = idOrNone(typeName, id)
      if (counted) counts.add(typeName, counted, column, step)
    },
    makeDue: noted((typeName, field, condition) => turns.take(() => makeDue(work, typeName, field, condition))),
    emit(event, id, data) {
      mustRun()
      const caused = events.check(event, data)
      const of = idOrNone(caused.type.name, id)
      if (of) events.add(caused, of)
    },
    mail(person, name, params) {
      mustRun()
      mails.check(name, params)
      const to = idOrNone(PERSON, person)
      if (to) mails.add(to, name, params)
    },
  }
}
