/** Writes files with cells separated by commas (RFC 4180), so that spreadsheets open them as they are. */

/** The byte order mark at the beginning of a file, without which spreadsheets do not expect UTF-8. */
export const BYTE_ORDER_MARK = '\ufeff'

/**
 * What a cell may begin with that a spreadsheet would run as a formula. Tabs before it count as well: one of the text must not be
 * taken for the one that protects it.
 */
const FORMULA = /^\t*[=+\-@]/

/**
 * Returns a row with its line end. Cells are quoted where they need it; `ID` as well, because a file that begins with these
 * letters is taken for one of another format.
 */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(quoted).join(',')}\r\n`
}

/** Returns the text after a tab if a spreadsheet would run it as a formula. Imports remove the tab. */
export function protectedCell(text: string): string {
  return FORMULA.test(text) ? `\t${text}` : text
}

/** Returns the text without the tab that `protectedCell` has put before it. */
export function unprotectedCell(text: string): string {
  return text.startsWith('\t') && FORMULA.test(text) ? text.slice(1) : text
}

function quoted(cell: string): string {
  return /[",\r\n]|^\s|\s$|^ID$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}
