/** Columns with the order of linked records: a pair on each line, `'Ask' => 'Do it'` or, by ids, `15 => 23`. */
import { lineOf } from '../../core/text/blank.js'
import type { NamedOrder, OrderOfLink, Pair } from '../../schema/derive/order-of-links.js'
import { type Column, NO_INPUT } from './column.js'

/** The ids of linked records, and those by their names. */
export interface LinkedNames {
  readonly ids: ReadonlySet<number>
  readonly byName: ReadonlyMap<string, readonly number[]>
}

/** A line that is no pair of linked records: the code of the message, and the text at fault. */
export interface WrongLine {
  readonly code: 'pair_malformed' | 'pair_not_linked' | 'ambiguous_name'
  readonly value: string
}

/** Maximum number of characters of a line, far more than two names have. */
const MAX_LINE = 2_000
const PAIR_OF_IDS = /^(\d{1,15})\s*=>\s*(\d{1,15})$/
/** What separates two names. Names may contain it themselves. */
const BETWEEN = /'\s*=>\s*'/g

/** @param order of the records of a link, by sub-records at the path `name` */
export function orderColumn(header: string, name: string, order: OrderOfLink): Column {
  return { kind: 'order', name, header, order, ...NO_INPUT, cell: (shown) => cellOfOrder(shown.order(name)) }
}

/** The names of linked records, by which lines name them. @param linked names by id */
export function linkedNames(linked: ReadonlyMap<number, string>): LinkedNames {
  const byName = new Map<string, number[]>()
  for (const [id, name] of linked) {
    const key = keyOf(name)
    byName.set(key, [...(byName.get(key) ?? []), id])
  }
  return { ids: new Set(linked.keys()), byName }
}

/** Reads a line of a cell, without blanks around it. */
export function readPair(line: string, linked: LinkedNames): Pair | WrongLine {
  if (line.length > MAX_LINE) return { code: 'pair_malformed', value: line }
  const ids = PAIR_OF_IDS.exec(line)
  if (ids) {
    const [before, after] = [Number(ids[1]), Number(ids[2])]
    const unknown = [before, after].find((id) => !linked.ids.has(id))
    return unknown === undefined ? [before, after] : { code: 'pair_not_linked', value: String(unknown) }
  }
  const splits = splitsOf(line)
  const [first] = splits
  if (!first) return { code: 'pair_malformed', value: line }
  const known = splits.filter((names) => names.every((name) => linked.byName.has(keyOf(name))))
  const [names = first, other] = known
  if (other) return { code: 'ambiguous_name', value: line }
  const found = names.map((name) => ({ name, ids: linked.byName.get(keyOf(name)) ?? [] }))
  const wrong = found.find((one) => one.ids.length !== 1)
  if (wrong) return { code: wrong.ids.length === 0 ? 'pair_not_linked' : 'ambiguous_name', value: lineOf(wrong.name) }
  const [before = 0, after = 0] = found.flatMap((one) => one.ids)
  return [before, after]
}

/** The names on both sides of each place that may separate them. */
function splitsOf(line: string): readonly (readonly [before: string, after: string])[] {
  if (!line.startsWith("'") || !line.endsWith("'") || line.length < 2) return []
  const inside = line.slice(1, -1)
  return [...inside.matchAll(BETWEEN)].map(({ 0: between, index }) => [
    inside.slice(0, index),
    inside.slice(index + between.length),
  ])
}

/** The lines in the order of the ids. Names that would not lead back to the same records are given by their ids. */
function cellOfOrder({ linked, pairs }: NamedOrder): string {
  const names = linkedNames(linked)
  const inOrder = [...pairs].sort(([a, b], [c, d]) => a - c || b - d)
  const lines = inOrder.flatMap(([before, after]) => {
    const [one, other] = [linked.get(before), linked.get(after)]
    if (one === undefined || other === undefined) return []
    const line = `'${lineOf(one)}' => '${lineOf(other)}'`
    const read = readPair(line, names)
    return 'code' in read || read[0] !== before || read[1] !== after ? `${before} => ${after}` : line
  })
  return lines.join('\n')
}

/** Equal for names that differ in case or in the number of blanks. */
function keyOf(name: string): string {
  return lineOf(name).replace(/\s+/g, ' ').toLowerCase()
}
