/** Reads and writes rows of CSV files, as far as a page needs it. */

/** What may stand between cells. */
export type Separator = ',' | ';' | '\t'

/** Cuts a text into rows of cells; an empty line is a row with one empty cell. */
export function* rowsOf(text: string, separator: Separator): Generator<readonly string[]> {
  let cells: string[] = []
  let cell = ''
  let isQuoted = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? ''
    if (isQuoted) {
      if (character !== '"') cell += character
      else if (text[at + 1] === '"') cell += text[at++]
      else isQuoted = false
    } else if (character === '"' && cell.trim() === '') {
      cell = ''
      isQuoted = true
    } else if (character === separator) {
      cells.push(cell)
      cell = ''
    } else if (character === '\n' || character === '\r') {
      if (character === '\r' && text[at + 1] === '\n') at++
      yield [...cells, cell]
      cells = []
      cell = ''
    } else cell += character
  }
  if (cell !== '' || cells.length > 0) yield [...cells, cell]
}

/** What separates the cells of a header row: a tab, a semicolon or a comma, whatever occurs most outside of quotation marks. */
export function separatorOf(header: string): Separator {
  const bare = header.split('"').filter((_, index) => index % 2 === 0)
  const count = (character: string) => bare.reduce((sum, part) => sum + part.split(character).length - 1, 0)
  const [commas, semicolons, tabs] = [count(','), count(';'), count('\t')]
  if (semicolons > commas && semicolons > tabs) return ';'
  return tabs > commas ? '\t' : ','
}

/** A row with commas between its cells. */
export function lineOf(cells: readonly string[]): string {
  return cells.map((cell) => (/[",;\t\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')
}

/** A cell without the tab that protects spreadsheets from formulas. */
export function unprotected(cell: string): string {
  return /^\t[=+\-@]/.test(cell) ? cell.slice(1) : cell
}
