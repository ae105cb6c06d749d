/** Output for a person: paragraphs, and a progress line that is overwritten on a terminal and repeated elsewhere. */
import { styleText } from 'node:util'

const isTerminal = process.stdout.isTTY === true
const isColourful = isTerminal && !process.env['NO_COLOR']

export const bold = (text: string) => (isColourful ? styleText('bold', text) : text)
export const dim = (text: string) => (isColourful ? styleText('dim', text) : text)

export function print(text = ''): void {
  console.log(text.replace(/^(?=.)/gm, '  '))
}

export function title(text: string): void {
  print(`\n${bold(text)}`)
}

/** A line that is overwritten on a terminal; elsewhere it is printed again, but not too often. */
export function progressLine() {
  let printedAt = Number.NEGATIVE_INFINITY
  const overwrite = (text: string) => process.stdout.write(`\r  ${text.padEnd(76)}`)
  return {
    show(text: string): void {
      if (isTerminal) overwrite(text)
      else if (performance.now() - printedAt > PAUSE) {
        printedAt = performance.now()
        print(text)
      }
    },
    end(text: string): void {
      if (isTerminal) {
        overwrite(text)
        process.stdout.write('\n')
      } else print(text)
    },
  }
}

/** Milliseconds between lines if the output is not a terminal. */
const PAUSE = 200

export function bar(part: number): string {
  const width = 24
  const full = Math.min(width, Math.round(part * width))
  return '█'.repeat(full) + '░'.repeat(width - full)
}

export const count = (number: number) => number.toLocaleString('en-US')
export const seconds = (since: number) => `${((performance.now() - since) / 1000).toFixed(1)} s`

/** Names and values in two columns. */
export function table(rows: readonly (readonly [name: string, value: string])[]): void {
  const width = Math.max(...rows.map(([name]) => name.length))
  for (const [name, value] of rows) print(`  ${dim(name.padEnd(width))}  ${value}`.trimEnd())
}
