/** Names in fixtures: '@ines' is replaced by the value that the world, or an earlier step, has for this name. */

export type Named = string | number

/** Looks up a name, without its at sign. @throws RangeError for an unknown name */
export type FindName = (name: string) => Named

/** Texts that match a kind of value in an expected body, and so are never names. */
const MATCHERS: ReadonlySet<string> = new Set(['@id', '@datetime', '@any', '@text', '@absent'])

/** `@ines` as `ines`; null if the text is not a name. Two at signs escape a text that starts with one. */
export function nameIn(text: string): string | null {
  return /^@[a-z0-9][a-z0-9-]*$/.test(text) && !MATCHERS.has(text) ? text.slice(1) : null
}

/** The value with every name replaced, at any depth; a name must be a whole text. */
export function withNames(value: unknown, find: FindName): unknown {
  if (typeof value === 'string') {
    const name = nameIn(value)
    return name === null ? value.replace(/^@@/, '@') : find(name)
  }
  if (Array.isArray(value)) return value.map((one) => withNames(one, find))
  if (typeof value === 'object' && value !== null) {
    // Short form of a long text: `{ "$repeat": "x", "times": 256 }`.
    if ('$repeat' in value && 'times' in value) return String(value.$repeat).repeat(Number(value.times))
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withNames(one, find)]))
  }
  return value
}

/** All names in a value, at any depth. */
export function namesIn(value: unknown): readonly string[] {
  if (typeof value === 'string') {
    const name = nameIn(value)
    return name === null ? [] : [name]
  }
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(namesIn) : []
}

/** A path, header or query with the names inside it replaced: `/v1/requests/@mail-is-slow/notes`. */
export function textWithNames(text: string, find: FindName): string {
  return text.replace(/(?<![\w.@])@([a-z0-9]+(?:-[a-z0-9]+)*)/g, (_, name: string) => String(find(name)))
}
