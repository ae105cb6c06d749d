/** Rules of records that ask for events. Pure. */
import { rule } from '../../schema/language/define-rule.js'

/** The end of a name that stands for all events of a record type. */
const ANY = '.*'

/**
 * A single event that is not given is the first of several. It follows them as long as they contain it: a caller who sends only several
 * never has to know of the single one.
 */
export const firstOfEvents = rule('firstOfEvents', <const N extends string>(single: N, several: string) => ({
  fields: [single, several],
  fills: [single],
  fill({ before, fieldOf, given, next }) {
    const all = namesIn(next[several])
    const follows = before !== null && given.has(several) && !given.has(single) && covers(before[several], before[single])
    if (next[single] !== null && next[single] !== undefined && (!follows || covers(all, next[single]))) return
    const [first] = all
    if (first === undefined) return
    const { values } = fieldOf(single)
    next[single] = first.endsWith(ANY) ? (values.find((value) => covers([first], value)) ?? null) : first
  },
}))

/** The filter must be one for every record type whose events are asked for. */
export const filtersEvents = rule('filtersEvents', (filter: string, single: string, several: string) => ({
  fields: [filter, single, several],
  check({ changed, fail, mistakeInFilter, next }) {
    const text = next[filter]
    if (typeof text !== 'string' || ![filter, single, several].some(changed)) return
    const types = new Set([...namesIn([next[single] ?? '']), ...namesIn(next[several])].map(typeOf))
    for (const type of types) {
      const mistake = type === '' ? null : mistakeInFilter(type, text)
      if (mistake !== null) return fail(filter, 'filter_mistake', { type, mistake })
    }
  },
}))

function covers(names: unknown, event: unknown): boolean {
  return namesIn(names).some((name) => name === event || (name.endsWith(ANY) && typeOf(String(event)) === typeOf(name)))
}

function namesIn(names: unknown): readonly string[] {
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : []
}

function typeOf(event: string): string {
  return event.slice(0, Math.max(event.indexOf('.'), 0))
}
