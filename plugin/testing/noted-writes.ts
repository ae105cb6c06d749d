/** Notes which tables are written through a pool, so that others need not be looked at. */
import type { Knex } from 'knex'
import { watchStatements } from './watch-statements.js'

/** How rows of a table may differ from before: some were added, or any of them changed. */
export type Difference = 'added' | 'changed'

/** Written tables by their full name; null if a statement was not understood. */
export type Written = ReadonlyMap<string, Difference> | null

/** What has been written through a pool. */
export interface NotedWrites {
  /** A moment, for `since`. */
  now(): number
  since(moment: number): Written
}

/** What a statement does: the table that it writes and how, if its text tells. */
type Effect = readonly [table: string, difference: Difference] | 'nothing' | 'unknown'

/** Maximum number of texts whose effect is kept, and of their characters: longer ones rarely repeat. */
const MAX_KNOWN = 5000
const MAX_KNOWN_LENGTH = 4096
/** Statements that change no rows. */
const HARMLESS =
  /^\s*(?:\(*select|show|explain|describe|checksum|pragma|begin(?! not)|start transaction|commit|rollback|savepoint|release|set(?! statement))\b/i
/** Several statements in one text. */
const SEVERAL = /;\s*\S/
/** `with … select`; what begins like it may also write. */
const READS_WITH = /^\s*with\b(?!.*\b(?:insert|update|delete|replace)\b)/is
/** Knex writes names in backticks. Statements with several tables do not have the name at this place. */
const ADDS = /^\s*insert\s+(?:ignore\s+)?into\s+`([^`]+)`(?!\s*\.)/i
const OVERWRITES = /\bon\s+(?:duplicate\s+key|conflict)\b/i
const CHANGES =
  /^\s*(?:update\s+`([^`]+)`(?:\s+as\s+\w+)?\s+set\b|delete\s+from\s+`([^`]+)`(?!\s*(?:\.|using|inner|left|join|,)))/i

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
  const effectOf = (sql: string): Effect => {
    const before = known.get(sql)
    if (before) return before
    const effect = readEffect(sql)
    if (known.size < MAX_KNOWN && sql.length <= MAX_KNOWN_LENGTH) known.set(sql, effect)
    return effect
  }
  statements.hear((sql) => {
    const effect = effectOf(sql)
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

function readEffect(sql: string): Effect {
  if (SEVERAL.test(sql)) return 'unknown'
  if (HARMLESS.test(sql) || READS_WITH.test(sql)) return 'nothing'
  const added = ADDS.exec(sql)?.[1]
  if (added) return [added, OVERWRITES.test(sql) ? 'changed' : 'added']
  const changed = CHANGES.exec(sql)
  const table = changed?.[1] ?? changed?.[2]
  return table ? [table, 'changed'] : 'unknown'
}
