/** The interfaces of dependencies (`ReadDeps`), as far as specs of the architecture need them. */
import type { Source } from './sources.js'

const INTERFACE = /\binterface (\w+Deps)\s+(?:extends ([^{]+))?\{\n([\s\S]*?)^\}/gm

/** Names of dependencies in code. */
export function dependenciesIn(code: string): readonly string[] {
  return [...code.matchAll(/\b[A-Z]\w*Deps\b/g)].map(([name]) => name)
}

/** Members of the interfaces by name, with those of all interfaces that they extend, even if they pick only some of them. */
export function dependencyMembers(sources: readonly Source[]): ReadonlyMap<string, ReadonlySet<string>> {
  const own = new Map<string, { readonly members: readonly string[]; readonly below: readonly string[] }>()
  for (const { code } of sources) {
    for (const [, name = '', below = '', body = ''] of code.matchAll(INTERFACE)) {
      const members = [...body.matchAll(/^ {2}(?:readonly )?(\w+)\??[:(<]/gm)].map(([, member = '']) => member)
      own.set(name, { members, below: dependenciesIn(below) })
    }
  }
  const all = (name: string): readonly string[] => {
    const { members, below } = own.get(name) ?? { members: [], below: [] }
    return [...members, ...below.flatMap(all)]
  }
  return new Map([...own.keys()].map((name) => [name, new Set(all(name))]))
}
