/** Omits components that nothing in the document refers to. */
import type { Sliced } from '../../core/waiting/in-slices.js'
import type { Described } from './shared-components.js'

type Components = { readonly [kind: string]: { readonly [name: string]: object } }

/** The components that the rest of the document refers to, directly or through other components. Security schemes all stay. */
export function* referredComponents(rest: readonly object[], components: Components): Sliced<Components> {
  const wanted = new Set<string>()
  const open: unknown[] = [...rest]
  while (open.length > 0) {
    yield
    follow(open.pop(), (reference) => {
      if (wanted.has(reference)) return
      wanted.add(reference)
      const [, , kind = '', name = ''] = reference.split('/')
      open.push(components[kind]?.[name] as Described | undefined)
    })
  }
  return Object.fromEntries(
    Object.entries(components).map(([kind, named]) => [
      kind,
      Object.fromEntries(
        Object.entries(named).filter(([name]) => kind === 'securitySchemes' || wanted.has(`#/components/${kind}/${name}`)),
      ),
    ]),
  )
}

function follow(part: unknown, found: (reference: string) => void): void {
  if (typeof part !== 'object' || part === null) return
  for (const [key, value] of Object.entries(part)) {
    if (key === '$ref' && typeof value === 'string') found(value)
    else follow(value, found)
  }
}
