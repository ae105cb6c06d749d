import { parseString } from 'fast-csv'
import { LineCounter } from './decode.js'
import { ImportStopped } from './stopped.js'

/** A row of the file. */
export interface FileRow {
  /** The physical line on which the row starts; the header stands on line 1. */
  readonly line: number
  readonly cells: readonly string[]
  /** True when the row cannot be read, for example because text follows a closing quotation mark. It has no cells then. */
  readonly malformed?: true
}

/**
 * Longest row, in characters: a picture has up to 1.4 million. Longer ones are nearly always a quotation mark that is never
 * closed.
 */
const LONGEST_ROW = 2 * 1024 * 1024
/** How many rows, or characters, go to the CSV parser at once. */
const BLOCK_ROWS = 200
const BLOCK_CHARACTERS = 64 * 1024

/**
 * The rows of a CSV or TSV file, header included; the separator is taken from the first row. Empty rows are left out
 * (gaps 4.3, 4.4).
 *
 * fast-csv reads the cells, but it only ever gets whole rows: given an open quotation mark piece by piece, its time is
 * quadratic, and ten megabytes block the process for most of a minute. Cutting the text into rows first bounds that, and
 * tells the line on which each row starts, which fast-csv does not know.
 *
 * @throws ImportStopped for a quotation mark that is never closed and for rows of more than 2 MB
 */
export async function* parseRows(texts: AsyncIterable<string>): AsyncGenerator<FileRow> {
  const cutter = new RowCutter()
  let separator: string | null = null
  let block: RawRow[] = []
  let characters = 0

  async function* finishBlock(): AsyncGenerator<FileRow> {
    const rows = block
    block = []
    characters = 0
    if (rows.length === 0) return
    const cells = await cellsOf(
      rows.map((row) => row.text),
      separator ?? ',',
    )
    for (const [index, row] of rows.entries()) {
      const found = cells[index]
      if (!found) yield { line: row.line, cells: [], malformed: true }
      else if (found.some((cell) => cell.trim() !== '')) yield { line: row.line, cells: found }
    }
  }

  /** Puts a row into the block; true when the block is full. */
  function add(row: RawRow): boolean {
    if (row.text.trim() === '') return false
    if (separator === null) {
      separator = separatorOf(row.text)
      cutter.separators = separator
    }
    block.push(row)
    characters += row.text.length
    return block.length >= BLOCK_ROWS || characters >= BLOCK_CHARACTERS
  }

  try {
    for await (const text of texts) {
      // Row by row, because the separator that the first row tells decides where later cells start.
      for (const row of cutter.cut(text)) if (add(row)) yield* finishBlock()
    }
    for (const row of cutter.end()) add(row)
  } catch (error) {
    // What stands before the place that cannot be read is imported.
    yield* finishBlock()
    throw error
  }
  yield* finishBlock()
}

interface RawRow {
  readonly line: number
  readonly text: string
}

const QUOTE = 0x22
const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d

/** Where the next character stands: before a cell, in a bare cell, inside quotation marks, or right after one of those. */
type Place = 'start' | 'bare' | 'quoted' | 'afterQuote'

/** Cuts text into rows. It recognizes quotation marks exactly where fast-csv does: first in a cell, white space aside. */
class RowCutter {
  /** The characters that end a cell; both candidates while the first row is cut. */
  separators = ',\t'
  private readonly counter = new LineCounter()
  private place: Place = 'start'
  private row = ''
  private rowLine = 1
  private quoteLine = 1

  /** The last row, when the file does not end with a line end. */
  end(): readonly RawRow[] {
    if (this.place === 'quoted') throw this.unclosed()
    return this.row === '' ? [] : [this.finish('')]
  }

  /** The rows that end in this text. */
  *cut(text: string): Generator<RawRow> {
    let from = 0
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      const lineEnd = code === LINE_FEED || code === CARRIAGE_RETURN
      const wasAfterReturn = this.counter.afterReturn
      if (!lineEnd || this.place === 'quoted') {
        this.place = this.next(code, text, at)
        this.counter.countCode(code)
        continue
      }
      this.counter.countCode(code)
      if (code === LINE_FEED && wasAfterReturn && at === from && this.row === '') {
        from = at + 1
        this.rowLine = this.counter.line
        continue
      }
      yield this.finish(text.slice(from, at))
      from = at + 1
    }
    this.row += text.slice(from)
    this.checkLength()
  }

  private finish(rest: string): RawRow {
    this.row += rest
    this.checkLength()
    const row = { line: this.rowLine, text: this.row }
    this.row = ''
    this.rowLine = this.counter.line
    this.place = 'start'
    return row
  }

  private checkLength(): void {
    if (this.row.length <= LONGEST_ROW) return
    if (this.place === 'quoted') throw this.unclosed()
    throw new ImportStopped('long_row', { line: this.rowLine }, this.rowLine)
  }

  private unclosed(): ImportStopped {
    return new ImportStopped('unclosed_quote', { line: this.quoteLine }, this.quoteLine)
  }

  private next(code: number, text: string, at: number): Place {
    if (this.place === 'quoted') return code === QUOTE ? 'afterQuote' : 'quoted'
    if (this.place === 'afterQuote' && code === QUOTE) return 'quoted'
    const character = text[at] ?? ''
    if (this.separators.includes(character)) return 'start'
    if (this.place !== 'start') return 'bare'
    if (code === QUOTE) {
      this.quoteLine = this.counter.line
      return 'quoted'
    }
    return code <= 0x20 || code >= 0xa0 ? (/\s/.test(character) ? 'start' : 'bare') : 'bare'
  }
}

/** Tab when the header has more tabs than commas outside of quotation marks. */
function separatorOf(header: string): string {
  // What stands between two quotation marks is at an odd place; a doubled quotation mark makes an empty place between.
  const bare = header.split('"').filter((_, index) => index % 2 === 0)
  const count = (character: string) => bare.reduce((sum, text) => sum + text.split(character).length - 1, 0)
  return count('\t') > count(',') ? '\t' : ','
}

/** The cells of each row, null for rows that fast-csv refuses. Halving a refused block finds the culprit. */
async function cellsOf(rows: readonly string[], separator: string): Promise<readonly (readonly string[] | null)[]> {
  const cells = await readBlock(rows, separator)
  if (cells) return cells
  if (rows.length === 1) return [null]
  const middle = rows.length >> 1
  return [...(await cellsOf(rows.slice(0, middle), separator)), ...(await cellsOf(rows.slice(middle), separator))]
}

function readBlock(rows: readonly string[], separator: string): Promise<readonly (readonly string[])[] | null> {
  return new Promise((resolve) => {
    const found: string[][] = []
    parseString<string[], string[]>(`${rows.join('\n')}\n`, { headers: false, delimiter: separator, ignoreEmpty: false })
      .on('data', (cells: string[]) => found.push(cells))
      .on('error', () => resolve(null))
      .on('end', () => resolve(found.length === rows.length ? found : null))
  })
}
