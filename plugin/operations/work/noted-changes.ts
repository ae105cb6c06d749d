/** Records that a unit of work has changed, for hooks that run when its outermost work ends. */
import type { Call } from '../../core/call.js'
import type { Row } from '../../schema/language/define-rule.js'

/** Everything that has happened to a record. */
export interface Change {
  /** The call of the first change. */
  readonly call: Call
  /** The row before the first change; null if it was created. */
  readonly before: Row | null
  readonly isRemoved: boolean
}

/** Changes by type and id, in the order of the first ones. */
export type ChangesByType = ReadonlyMap<string, ReadonlyMap<number, Change>>

export interface Changes {
  /** Notes a change, together with earlier ones of the record. One that is created and removed is forgotten. */
  noteChange(type: string, id: number, change: Change): void
  /** Returns the changes, and forgets them. */
  takeChanges(): ChangesByType
}

/** @returns the changes, and a function that begins a savepoint and returns the one that rolls back to it */
export function createChanges(): Changes & { keepChanges(): () => void } {
  let byType = new Map<string, Map<number, Change>>()
  return {
    noteChange(type, id, { before, call, isRemoved }) {
      const changes = byType.get(type) ?? new Map<number, Change>()
      byType.set(type, changes)
      const first = changes.get(id) ?? { before, call }
      if (isRemoved && first.before === null) changes.delete(id)
      else changes.set(id, { ...first, isRemoved })
    },
    takeChanges() {
      const taken = byType
      byType = new Map()
      return taken
    },
    keepChanges() {
      const kept = new Map([...byType].map(([type, changes]) => [type, new Map(changes)]))
      return () => {
        byType = kept
      }
    },
  }
}
