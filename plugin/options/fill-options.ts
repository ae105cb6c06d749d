/** Fills in the defaults of options by their table. */
import type { Earlier, Option, Rows } from './option.js'
import { type Filled, OPTIONS, type PluginOptions } from './table.js'

type Values = Record<string, unknown>

/** @param options checked options */
export function fillOptions(options: PluginOptions): Filled {
  const filled: Values = {}
  fill(filled, options as unknown as Values, OPTIONS, filled)
  return filled as unknown as Filled
}

/** Fills `target`, which is `filled` or in it, row by row: defaults may follow from the options before them. */
function fill(target: Values, given: Values, rows: Rows, filled: Values): void {
  for (const [name, row] of Object.entries(rows)) {
    // A group that is switched off is as one that is not given.
    const value = row.rows && given[name] === false ? undefined : given[name]
    if (row.rows && (row.filled === 'always' || (row.filled === 'if given' && value !== undefined))) {
      const group: Values = {}
      target[name] = group
      fill(group, Object(value) as Values, row.rows, filled)
    } else target[name] = value ?? defaultOf(row, filled)
  }
}

function defaultOf({ default: value }: Option<unknown, unknown>, filled: Values): unknown {
  return typeof value === 'function' ? value(filled as unknown as Pick<Filled, keyof Earlier>) : value
}
