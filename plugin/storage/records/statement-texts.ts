import type { SortKey } from '../../schema/catalog.js'
import type { Slot } from '../../schema/derive/shape.js'
import type { Scalar } from '../../schema/language/conditions.js'
import { type Binding, bound, type Parametrized } from './parametrize.js'

/** The SQL of one shape of query. */
export interface Text {
  readonly sql: string
  readonly bindings: readonly Binding[]
  /** Number of uses, which decides whether preparing it is worthwhile. */
  uses: number
}

/** A statement that can be run. */
export interface Bound {
  readonly sql: string
  readonly bindings: readonly (string | number | null)[]
  /** True if the same text has run before: it will probably run again. */
  readonly isRepeated: boolean
}

/** Creates a function that writes a text once per key. The most recently used ones are kept, at most `max`. */
export function createKeptTexts(max: number) {
  const texts = new Map<string, Text>()

  return (key: string, write: () => Pick<Text, 'sql' | 'bindings'>): Readonly<Text> => {
    const known = texts.get(key)
    const text = known ?? { ...write(), uses: 0 }
    if (known) texts.delete(key)
    else if (texts.size >= max) texts.delete(texts.keys().next().value ?? '')
    texts.set(key, text)
    text.uses += 1
    return text
  }
}

/**
 * Creates a function that writes the SQL of a query once per shape. `key` names everything but the values of the criterion;
 * `more` are further values, bound after those. The most recently used shapes are kept, at most `max`.
 */
export function createTexts(max: number) {
  const kept = createKeptTexts(max)

  return (
    key: string,
    { key: criterionKey, values }: Parametrized,
    more: readonly Scalar[],
    write: () => Pick<Text, 'sql' | 'bindings'>,
  ): Bound => {
    const all = more.length > 0 ? [...values, ...more] : values
    const whole = `${key} ${criterionKey}`
    if (all.length > MAX_VALUES || whole.length > MAX_KEY) {
      const { sql, bindings } = write()
      return { sql, bindings: bound(bindings, all), isRepeated: false }
    }
    const { sql, bindings, uses } = kept(whole, write)
    return { sql, bindings: bound(bindings, all), isRepeated: uses > 1 }
  }
}

/** A statement with more values belongs to a bulk operation. */
const MAX_VALUES = 256
const MAX_KEY = 10_000

/** A text that is the same for the same orders only. */
export function keyOfSort(sort: readonly SortKey[]): string {
  return sort.map(({ field, descending, byId }) => `${field}${descending ? '-' : '+'}${byId ? '#' : ''}`).join()
}

/** Creates the function that names slots. Those of a shape are one object for all its queries, so their key is built once. */
export function createKeyOfSlots(): (slots: readonly Slot[]) => string {
  const known = new WeakMap<readonly Slot[], string>()
  return (slots) => {
    const key = known.get(slots) ?? slots.map((slot) => slot.join('.')).join()
    known.set(slots, key)
    return key
  }
}
