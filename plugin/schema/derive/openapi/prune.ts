/** Omits components that nothing in the document refers to. */
import type { Described } from './shared.js'

type Components = { readonly [kind: string]: { readonly [name: string]: object } }

/** The components that the rest of the document refers to, directly or through other components. Security schemes all stay. */
export function referredComponents(rest: object, components: Components): Components {
  const wanted = new Set<string>()
  const follow = (part: object) => {
    for (const [, kind = '', name = ''] of JSON.stringify(part).matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g)) {
      const key = `${kind}/${name}`
      if (wanted.has(key)) continue
      wanted.add(key)
      const found: Described | undefined = components[kind]?.[name] as Described | undefined
      if (found) follow(found)
    }
  }
  follow(rest)
  return Object.fromEntries(
    Object.entries(components).map(([kind, named]) => [
      kind,
      Object.fromEntries(Object.entries(named).filter(([name]) => kind === 'securitySchemes' || wanted.has(`${kind}/${name}`))),
    ]),
  )
}
