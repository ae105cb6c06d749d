/** One definition while extensions are merged into it. */
import type { Definition } from '../language/define-record.js'
import type { Extension } from '../language/extend-record.js'

/** One extension of the definition, and its name in messages. */
export interface Addition {
  readonly extension: Extension
  readonly label: string
}

/** Parts of a definition that are objects with chosen names. */
export type NamedPart = 'fields' | 'lists' | 'links' | 'children' | 'coverages'

/** A list of a definition that extensions add to. */
export interface ListPart<T> {
  /** Path of the list in a definition. */
  readonly part: string
  /** Path of the list in an extension, if it is another one. */
  readonly called?: string
  readonly own: readonly T[] | undefined
  /** The additions of an extension. */
  pick(extension: Extension): readonly T[] | undefined
  /** The name of an element, which must be unique; without it, all are added. */
  name?(one: T): string
  /** Names that differ only in case are the same. */
  readonly ignoreCase?: true
}

/** A definition and the extensions that are merged into it. */
export interface Patch {
  /** The definition as its author wrote it. */
  readonly definition: Definition
  readonly additions: readonly Addition[]
  readonly mistakes: readonly string[]
  /** Labels of extensions by what they added: `fields.colour`, `events=update`, and `rules=3` for lists without names. */
  readonly origins: ReadonlyMap<string, string>
  /** The definition with everything that has been added so far. */
  merged(): Definition
  set(parts: Partial<Definition>): void
  report(label: string, text: string): void
  /** Adds to an object with chosen names; an existing name is a mistake. */
  addNamed(part: NamedPart): void
  /** The list with the additions of all extensions; an existing name is a mistake. */
  joined<T>(list: ListPart<T>): readonly T[]
}

/** Starts to merge extensions into the definition. */
export function createPatch(definition: Definition, additions: readonly Addition[]): Patch {
  let current = definition
  const mistakes: string[] = []
  const origins = new Map<string, string>()
  const report = (label: string, text: string) => void mistakes.push(`${label}: ${text}`)
  /** Reports the addition, and the source of the existing one. */
  const reportTaken = (label: string, what: string, key: string) =>
    report(label, `${what} exists already, from ${origins.get(key) ?? definition.name}; extensions cannot replace anything`)

  return {
    definition,
    additions,
    mistakes,
    origins,
    merged: () => current,
    set(parts) {
      current = { ...current, ...parts }
    },
    report,

    addNamed(part) {
      const all = new Map<string, unknown>(Object.entries(current[part] ?? {}))
      for (const { extension, label } of additions) {
        for (const [name, value] of Object.entries(extension[part] ?? {})) {
          const key = `${part}.${name}`
          if (all.has(name)) {
            reportTaken(label, key, key)
          } else {
            all.set(name, value)
            origins.set(key, label)
          }
        }
      }
      current = { ...current, [part]: Object.fromEntries(all) }
    },

    joined({ part, called = part, own = [], pick, name, ignoreCase }) {
      const all = [...own]
      const keyOf = (one: (typeof all)[number], index: number) => {
        const key = name?.(one) ?? index
        return `${part}=${ignoreCase ? String(key).toLowerCase() : key}`
      }
      const keys = new Set(own.map(keyOf))
      for (const { extension, label } of additions) {
        for (const one of pick(extension) ?? []) {
          const key = keyOf(one, all.length)
          if (keys.has(key)) {
            reportTaken(label, `${called}: '${name?.(one)}'`, key)
          } else {
            all.push(one)
            keys.add(key)
            origins.set(key, label)
          }
        }
      }
      return all
    },
  }
}
