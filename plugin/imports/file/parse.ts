import type { FileRow } from '../contract.js'
import { oneLine } from '../progress/one-line.js'
import { ImportStopped } from '../progress/stopped.js'
import { LineCounter } from './decode.js'
import { declaredSeparator, isAboveHeader, SEPARATORS, separatorOf } from './header-line.js'

/**
 * Maximum length of a row in characters: a picture has up to 1.4 million. Longer rows are nearly always caused by a quotation
 * mark that is not closed.
 */
const MAX_ROW_LENGTH = 2 * 1024 * 1024
/** Maximum number of rows, or characters, per call of the CSV parser. */
const BLOCK_ROWS = 200
const BLOCK_CHARACTERS = 64 * 1024

/**
 * Reads the rows of a CSV or TSV file, header included. The header decides about the separator, unless a line above it declares
 * one. Empty rows, and such lines above the header, are omitted (behaviour: Import files, Import rows).
 *
 * fast-csv reads the cells, but it gets whole rows only. With an open quotation mark in many chunks its time is quadratic: ten
 * megabytes block the process for most of a minute. Cutting the text into rows first prevents that, and gives the line on which
 * each row starts, which fast-csv does not know.
 *
 * @throws ImportStopped for a header that cannot be read, a quotation mark that is not closed, and rows of more than 2 MB
 */
export async function* parseRows(texts: AsyncIterable<string>): AsyncGenerator<FileRow> {
  const cutter = new RowCutter()
  let separator: string | null = null
  let declared: string | null = null
  let block: (RawRow & { readonly isHeader: boolean })[] = []
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
      if (row.isHeader && !found) throw unreadable(row)
      if (row.isHeader && separator === ';' && found) yield { line: row.line, cells: found, hasSemicolons: true }
      else if (!found) yield { line: row.line, cells: [], malformed: true }
      else if (found.some((cell) => cell.trim() !== '')) yield { line: row.line, cells: found }
    }
  }

  /** Adds a row to the block; returns true if the block is full. */
  function add(row: RawRow): boolean {
    if (row.text.trim() === '') return false
    const isHeader = separator === null
    if (separator === null) {
      if (isAboveHeader(row.text)) {
        declared ??= declaredSeparator(row.text)
        return false
      }
      separator = separatorOf(row.text, declared)
      cutter.separators = separator
    }
    block.push({ ...row, isHeader })
    characters += row.text.length
    return block.length >= BLOCK_ROWS || characters >= BLOCK_CHARACTERS
  }

  try {
    for await (const text of texts) {
      // Row by row, because the separator of the first row decides where later cells start.
      for (const row of cutter.cut(text)) if (add(row)) yield* finishBlock()
    }
    for (const row of cutter.end()) add(row)
  } catch (error) {
    // Rows before the place that cannot be read are imported.
    yield* finishBlock()
    throw error
  }
  yield* finishBlock()
}

interface RawRow {
  readonly line: number
  readonly text: string
}

/** Characters of a header that messages repeat. */
const MAX_SHOWN = 60

function unreadable({ line, text }: RawRow): ImportStopped {
  return new ImportStopped('unreadable_headers', { line, text: oneLine(text, MAX_SHOWN) }, line)
}

const QUOTE = 0x22
const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d

/** Place of the next character: before a cell, in a bare cell, inside quotation marks, or after a quotation mark. */
type Place = 'start' | 'bare' | 'quoted' | 'afterQuote'

/** Cuts text into rows. Recognizes quotation marks exactly where fast-csv does: at the start of a cell, after white space. */
class RowCutter {
  /** The characters that end a cell; all candidates while the header is cut. */
  separators: string = SEPARATORS.join('')
  private readonly counter = new LineCounter()
  private place: Place = 'start'
  private row = ''
  private rowLine = 1
  private quoteLine = 1

  /** Returns the last row, if the file does not end with a line end. */
  end(): readonly RawRow[] {
    if (this.place === 'quoted') throw this.unclosed()
    return this.row === '' ? [] : [this.finish('')]
  }

  /** Returns the rows that end in this text. */
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
    if (this.row.length <= MAX_ROW_LENGTH) return
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

/** Returns the cells of each row; null for rows that fast-csv refuses, which are found by halving the block. */
async function cellsOf(rows: readonly string[], separator: string): Promise<readonly (readonly string[] | null)[]> {
  const cells = await readBlock(rows, separator)
  if (cells) return cells
  if (rows.length === 1) return [null]
  const middle = rows.length >> 1
  return [...(await cellsOf(rows.slice(0, middle), separator)), ...(await cellsOf(rows.slice(middle), separator))]
}

async function readBlock(rows: readonly string[], separator: string): Promise<readonly (readonly string[])[] | null> {
  // Loaded with the first file.
  const { parseString } = await import('fast-csv')
  return new Promise((resolve) => {
    const found: string[][] = []
    parseString<string[], string[]>(`${rows.join('\n')}\n`, { headers: false, delimiter: separator, ignoreEmpty: false })
      .on('data', (cells: string[]) => found.push(cells))
      .on('error', () => resolve(null))
      .on('end', () => resolve(found.length === rows.length ? found : null))
  })
}
