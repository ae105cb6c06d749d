/** Names for generators that drop underscores: `assignment_count_` and `assignment_count` would be one name there. */
import { componentName } from '../kinds/json-schema.js'

/** Adds `x-go-name` to the parts whose name another one has already, but for underscores. */
export function withNamesForGo<T extends object>(parts: { readonly [name: string]: T }): { readonly [name: string]: T } {
  const names = Object.keys(parts)
  if (new Set(names.map(bare)).size === names.length) return parts
  const taken = new Set(names.filter((name) => !name.endsWith('_')).map(bare))
  return Object.fromEntries(
    Object.entries(parts).map(([name, part]) => {
      const isTaken = name.endsWith('_') && taken.has(bare(name))
      return [name, isTaken ? { ...part, 'x-go-name': `${componentName(name).replaceAll('_', '')}Underscore` } : part]
    }),
  )
}

function bare(name: string): string {
  return name.replaceAll('_', '').toLowerCase()
}
