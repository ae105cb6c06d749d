/** Turns timers of definitions into those of the catalog. */
import type { RecordField, RecordTimer } from '../catalog.js'
import { indexedTests } from '../check/timer-index.js'
import { criterionOf } from '../language/conditions.js'
import type { Definition } from '../language/define-record.js'
import { renewalNames } from '../language/define-timer.js'

/** The timers of a type. */
export function compileTimers({ timers = [] }: Definition, fields: ReadonlyMap<string, RecordField>): readonly RecordTimer[] {
  const columnOf = (name: string) => fields.get(name)?.column ?? name
  /** The field if it has a column: a reference to an absent type has none. */
  const storedField = (name: string) => (fields.get(name)?.column ? fields.get(name) : undefined)
  return timers.map((timer) =>
    Object.freeze({
      due: timer.due,
      column: columnOf(timer.due),
      while: criterionOf(timer.while),
      // References are set by their id: their column is the name of the input.
      body: Object.freeze(Object.fromEntries(Object.entries(timer.set).map(([name, value]) => [columnOf(name), value]))),
      raises: timer.raises ?? null,
      target: timer.target ?? null,
      renews: timer.renews
        ? Object.fromEntries(renewalNames(timer.renews).map((name) => [name, criterionOf(timer.renews?.[name] ?? {})]))
        : null,
      index: [...indexedTests(timer, storedField).map(columnOf), columnOf(timer.due)],
    }),
  )
}
