/** What the command shows: to people at a terminal, to those who read its lines later, or to programs. */

/** A stream of the process. */
export interface Output {
  readonly isTTY?: boolean
  /** Width of the terminal. */
  readonly columns?: number
  write(text: string): unknown
}

export interface Screen {
  /** Shows a result: the text to people, the object to programs. */
  result(text: string, object: object): void
  /** Shows a list: the text to people, a line for each object to programs. */
  list(text: string, objects: readonly object[]): void
  /** Says something beside the results. */
  note(text: string): void
  /** Shows how far something is; only at a terminal, where the next one replaces it. */
  progress(text: string): void
}

/** Signs of a bar. */
const WIDTH = 16
/** Width of a terminal that does not say it. */
const COLUMNS = 80

export function createScreen(out: Output, err: Output, json: boolean): Screen {
  let shown = 0
  const clear = () => {
    if (shown > 0) err.write(`\r${' '.repeat(shown)}\r`)
    shown = 0
  }
  const list: Screen['list'] = (text, objects) => {
    clear()
    for (const line of json ? objects.map((one) => JSON.stringify(one)) : [visible(text)]) out.write(`${line}\n`)
  }
  return {
    list,
    result: (text, object) => list(text, [object]),
    note(text) {
      clear()
      err.write(`${visible(text)}\n`)
    },
    progress(text) {
      if (json || !err.isTTY) return
      clear()
      const [whole, room] = [visible(text), (err.columns || COLUMNS) - 1]
      // A longer line would wrap, and could not be replaced. Its end changes.
      const line = whole.length > room ? `…${whole.slice(1 - room)}` : whole
      err.write(line)
      shown = line.length
    },
  }
}

/** The text without characters that would direct a terminal: names and messages are texts of others. */
export function visible(text: string): string {
  return text.replace(/[^\P{Cc}\n]|[\u202a-\u202e\u2066-\u2069]/gu, '?')
}

/**
 * `[#######---------] 4,512 of 10,000 lines, 1,700 a second, 4 s left`
 *
 * @param all null if it is not known
 * @param rate lines a second; null if it is not known yet
 */
export function barOf(done: number, all: number | null, rate: number | null): string {
  const speed = rate ? [`${number(rate)} a second`] : []
  if (all === null) return [`${number(done)} lines`, ...speed].join(', ')
  const part = all === 0 ? 1 : Math.min(1, done / all)
  const filled = Math.round(part * WIDTH)
  const left = rate ? [`${durationOf(Math.max(0, all - done) / rate)} left`] : []
  const bar = `[${'#'.repeat(filled)}${'-'.repeat(WIDTH - filled)}]`
  return `${bar} ${[`${number(Math.min(done, all))} of ${number(all)} lines`, ...speed, ...left].join(', ')}`
}

/** A meter of the lines a second since it was asked first. @param now milliseconds */
export function createMeter(now: () => number = () => performance.now()): (done: number) => number | null {
  let begin: { readonly at: number; readonly done: number } | null = null
  return (done) => {
    begin ??= { at: now(), done }
    const seconds = (now() - begin.at) / 1000
    return seconds > 0 && done > begin.done ? (done - begin.done) / seconds : null
  }
}

/** `42 s`, `12 min`, `2 h 5 min` */
export function durationOf(seconds: number): string {
  if (seconds < 100) return `${Math.ceil(seconds)} s`
  const minutes = Math.ceil(seconds / 60)
  return minutes < 100 ? `${minutes} min` : `${number(Math.floor(minutes / 60))} h ${minutes % 60} min`
}

/** Whole numbers with separators. */
export function number(value: number): string {
  return Math.round(value).toLocaleString('en-US')
}

/** Counters above 0: `created 3, failures 1`. */
export function countsOf(results: { readonly [counter: string]: number }): string {
  return Object.entries(results)
    .filter(([, count]) => count > 0)
    .map(([counter, count]) => `${counter} ${count}`)
    .join(', ')
}

/** Lines with columns of the same width. */
export function tableOf(rows: readonly (readonly string[])[]): string {
  const flat = rows.map((row) => row.map((cell) => cell.replaceAll('\n', ' ')))
  const widths = (flat[0] ?? []).map((_, column) => Math.max(...flat.map((row) => row[column]?.length ?? 0)))
  const lines = flat.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
  return lines.map((line) => line.trimEnd()).join('\n')
}
