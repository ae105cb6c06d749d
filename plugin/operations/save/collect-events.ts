import { emittedEvent } from '../../events/detect.js'
import type { Emitted } from '../../events/emitted.js'
import type { Row } from '../../schema/language/define-rule.js'
import { type EventData, eventDataOf } from '../../schema/language/event-data.js'
import type { Draft } from '../work/draft.js'
import type { Work } from '../work/pipeline.js'
import { addEvents } from './related/add-events.js'
import type { EventDeps } from './related/write-deps.js'

/** Events of the rules of a batch. */
export interface EventsToAdd {
  /** @throws RangeError for an event that no type emits, TypeError for data that is no object of JSON values */
  check(event: string, data: unknown): Caused
  add(caused: Caused, id: number): void
  /** Adds them to the outbox with one statement, in the transaction of the call. @throws RangeError for records that do not exist */
  store(): Promise<void>
}

/** An event with what it says, before its record is known. */
interface Caused extends Emitted {
  readonly data: EventData | null
}

/**
 * Collects the events of a batch; nothing is stored before `store` is called.
 *
 * @param current names the rule that runs, for errors
 */
export function collectEvents(work: Work<EventDeps>, drafts: readonly Draft[], current: { rule: string }): EventsToAdd {
  const { call, deps, type, unit } = work
  const found: { readonly caused: Caused; readonly id: number; readonly rule: string }[] = []
  const own = new Map(drafts.map(({ next }) => [Number(next['id']), next]))
  const rowOf = (name: string, id: number): Row | undefined =>
    unit.known(name, id) ?? (name === type.name ? own.get(id) : undefined)

  return {
    check: (event, data) => ({ ...deps.findEmitted(event), data: eventDataOf(event, data) }),
    add: (caused, id) => void found.push({ caused, id, rule: current.rule }),
    async store() {
      if (found.length === 0 || call.isHistory) return
      const ids = new Map<string, Set<number>>(found.map(({ caused }) => [caused.type.name, new Set()]))
      for (const { caused, id } of found) ids.get(caused.type.name)?.add(id)
      await unit.prefetchAll(ids)
      const events = found.map(({ caused, id, rule }) => {
        const row = rowOf(caused.type.name, id)
        current.rule = rule
        if (!row) throw new RangeError(`emit of ${caused.type.name}.${caused.verb}: there is no ${caused.type.name} ${id}`)
        return emittedEvent(call, caused, row, caused.data, deps.clock.now())
      })
      await addEvents(deps, call, events)
    },
  }
}
