/** Tells from the text of a statement which table it writes. */
import { withoutComments } from './plain-statements.js'

/** How rows of a table may differ from before: some were added, or any of them changed. */
export type Difference = 'added' | 'changed'

/** What a statement does: the table that it writes and how, if its text tells. */
export type Effect = readonly [table: string, difference: Difference] | 'nothing' | 'unknown'

/** Statements that change no rows. */
const HARMLESS =
  /^(?:select|show|explain|describe|checksum|pragma|begin(?! not)|start transaction|commit|rollback|savepoint|release|set(?! statement))\b/i
/** A limit that MariaDB has for the statement that follows. */
const FOR_STATEMENT = /^\/\*M! SET STATEMENT [\w =]+ FOR \*\/\s*/
/** Several statements in one text. */
const SEVERAL = /;\s*\S/
/** `with … select`, also `for update`; what begins like it may also write. */
const READS_WITH = /^with\b(?!.*\b(?:insert|(?<!for )update|delete|replace)\b)/is
/** Knex writes names in backticks. Statements with several tables do not have the name at this place. */
const ADDS = /^insert\s+(?:ignore\s+)?into\s+`([^`]+)`(?!\s*\.)/i
const OVERWRITES = /\bon\s+(?:duplicate\s+key|conflict)\b/i
const CHANGES =
  /^(?:update\s+`([^`]+)`(?:\s+as\s+\w+)?\s+set\b|delete\s+from\s+`([^`]+)`(?!\s*(?:\.|using|inner|left|join|,)))/i

/** The effect of a statement, with the full name of its table. What is not understood is unknown. Triggers are not noticed. */
export function effectOf(sql: string): Effect {
  if (SEVERAL.test(sql)) return 'unknown'
  const statement = withoutComments(sql.replace(FOR_STATEMENT, ''))
  if (HARMLESS.test(statement) || READS_WITH.test(statement)) return 'nothing'
  const added = ADDS.exec(statement)?.[1]
  if (added) return [added, OVERWRITES.test(statement) ? 'changed' : 'added']
  const changed = CHANGES.exec(statement)
  const table = changed?.[1] ?? changed?.[2]
  return table ? [table, 'changed'] : 'unknown'
}
