/** Turns timers of definitions into those of the catalog. */
import { type Criterion, criterionOf, type Scalar } from '../language/conditions.js'
import type { Definition } from '../language/define-record.js'
import { indexedTests, type Renewal, renewalNames } from '../language/define-timer.js'
import type { RecordField } from './compile.js'

/** A compiled timer. */
export interface RecordTimer {
  /** The field with the timestamp. */
  readonly due: string
  /** Its column. */
  readonly column: string
  readonly while: Criterion
  /** The body that is saved when the timestamp is reached. */
  readonly body: { readonly [input: string]: Scalar }
  /** Null unless the timer only has its records computed again: the records that follow from a value of their account. */
  readonly renews: { readonly [name in keyof Renewal]: Criterion } | null
  /** The columns by which the waiting records are found; the timestamp is the last of them. */
  readonly index: readonly string[]
}

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
      renews: timer.renews
        ? Object.fromEntries(renewalNames(timer.renews).map((name) => [name, criterionOf(timer.renews?.[name] ?? {})]))
        : null,
      index: [...indexedTests(timer, storedField).map(columnOf), columnOf(timer.due)],
    }),
  )
}
