/** What the command shows: to people at a terminal, to those who read its lines later, or to programs. */
import type { Output } from './contract.js'

export interface Screen {
  /** Shows a result: the text to people, the object to programs. */
  result(text: string, object: object): void
  /** Shows how far something is; only at a terminal, where the next one replaces it. */
  progress(text: string): void
}

/** Signs of a bar. */
const WIDTH = 24

export function createScreen(out: Output, err: Output, json: boolean): Screen {
  let shown = 0
  const clear = () => {
    if (shown > 0) err.write(`\r${' '.repeat(shown)}\r`)
    shown = 0
  }
  return {
    result(text, object) {
      clear()
      out.write(`${json ? JSON.stringify(object) : text}\n`)
    },
    progress(text) {
      if (json || !err.isTTY) return
      clear()
      err.write(text)
      shown = text.length
    },
  }
}

/** `[########----------------] 4,512 of 10,000 lines, 1,700 a second, 3 s left` */
export function barOf(done: number, all: number, seconds: number): string {
  const part = Math.min(1, all === 0 ? 1 : done / all)
  const filled = Math.round(part * WIDTH)
  const bar = `[${'#'.repeat(filled)}${'-'.repeat(WIDTH - filled)}]`
  const rate = seconds > 0 ? done / seconds : 0
  const left = rate > 0 ? `, ${number(rate)} a second, ${number(Math.max(0, all - done) / rate)} s left` : ''
  return `${bar} ${number(done)} of ${number(all)} lines${left}`
}

/** Whole numbers with separators. */
export function number(value: number): string {
  return Math.round(value).toLocaleString('en-US')
}

/** Lines with columns of the same width. */
export function tableOf(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
  return lines.map((line) => line.trimEnd()).join('\n')
}
