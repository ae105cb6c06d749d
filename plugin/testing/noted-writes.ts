/** Notes which tables are written through a pool, so that others need not be looked at. */
import type { Knex } from 'knex'
import { type Difference, type Effect, effectOf } from '../storage/database/statement-effect.js'
import { watchStatements } from './watch-statements.js'

/** Written tables by their full name; null if a statement was not understood. */
export type Written = ReadonlyMap<string, Difference> | null

/** What has been written through a pool. */
export interface NotedWrites {
  /** A moment, for `since`. */
  now(): number
  since(moment: number): Written
}

/** Maximum number of texts whose effect is kept, and of their characters: longer ones rarely repeat. */
const MAX_KNOWN = 5000
const MAX_KNOWN_LENGTH = 4096
const NOTED = Symbol('noted writes')

/** Notes writes from now on, for each pool once. */
export function noteWrites(database: Pick<Knex, 'client'>): NotedWrites {
  const pool = database.client.pool as { [NOTED]?: NotedWrites }
  pool[NOTED] ??= startNoting(database)
  return pool[NOTED]
}

function startNoting(database: Pick<Knex, 'client'>): NotedWrites {
  const statements = watchStatements(database)
  const tables = new Map<string, { added: number; changed: number }>()
  let step = 0
  let unknownAt = 0
  /** By the text of the statement: texts repeat, and are long. */
  const known = new Map<string, Effect>()
  const keptEffectOf = (sql: string): Effect => {
    const before = known.get(sql)
    if (before) return before
    const effect = effectOf(sql)
    if (known.size < MAX_KNOWN && sql.length <= MAX_KNOWN_LENGTH) known.set(sql, effect)
    return effect
  }
  statements.hear((sql) => {
    const effect = keptEffectOf(sql)
    if (effect === 'nothing') return
    step += 1
    if (effect === 'unknown') {
      unknownAt = step
      return
    }
    const [table, difference] = effect
    const at = tables.get(table) ?? { added: 0, changed: 0 }
    at[difference] = step
    tables.set(table, at)
  })
  return {
    now: () => step,
    since(moment) {
      if (unknownAt > moment || statements.isDeaf()) return null
      const found = [...tables].flatMap(([table, { added, changed }]): [string, Difference][] =>
        changed > moment ? [[table, 'changed']] : added > moment ? [[table, 'added']] : [],
      )
      return new Map(found)
    },
  }
}
