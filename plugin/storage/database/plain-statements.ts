/**
 * Statements that hooks and rules may run in the transaction of their save. Those with which a transaction may end are refused
 * before they run, because nobody could undo what they commit: so only statements that are known to be harmless are allowed.
 */

/** On MySQL, all statements that change tables commit; procedures and prepared statements may contain any other. */
const PLAIN =
  /^(?:select|insert|update|delete|replace|with|values|table|do|set|show|explain|describe|desc|load\s+data|(?:create|drop)\s+temporary|pragma\s+table_x?info)\b/i
/** Settings of the transaction, statements in statements, and SQLite's answer to a conflict. */
const ENDING =
  /^set\s+(?:(?:session|global|local)\s+)?(?:transaction|password|statement|default)\b|^set\b[\s\S]*\b(?:autocommit|completion_type)\b|\bor\s+rollback\b/i
/** White space, comments and brackets before a statement. Servers run what is in the comments with an exclamation mark. */
const BEFORE = /^(?:[\s(]|--[^\n]*|#[^\n]*|\/\*(?!M?!)[\s\S]*?\*\/)+/

/**
 * The first of the statements that is refused; null if all of them are plain.
 *
 * @param areMany true if the connection takes several statements at once, with semicolons between them
 */
export function refusedStatement(sql: string, areMany: boolean): string | null {
  const statements = areMany ? sql.split(';') : [sql]
  const found = statements.map(withoutComments).find((text) => text !== '' && !isPlain(text))
  return found ?? null
}

/** The statement without white space, comments and brackets before it. */
export function withoutComments(sql: string): string {
  return sql.replace(BEFORE, '')
}

function isPlain(statement: string): boolean {
  return PLAIN.test(statement) && !ENDING.test(statement)
}

/** True for a statement that only reads: a savepoint that is rolled back takes nothing from it. */
export function onlyReads(sql: string): boolean {
  return /^(?:select|show)\b/i.test(withoutComments(sql))
}
