/** Derives from all settlings the owners that a save, a removal or a link has to mark. */
import type { SettlingLinks, SettlingPath, SettlingPaths, SettlingStep } from '../catalog.js'
import type { Definition } from '../language/define-record.js'
import type { SettlingSource } from '../language/define-settling.js'

/** Computes the paths of all definitions, extensions merged. */
export function compileSettling(definitions: readonly Definition[]): SettlingPaths {
  const byName = new Map(definitions.map((definition) => [definition.name, definition]))
  const records = new Map<string, SettlingPath[]>()
  const links: SettlingLinks[] = []
  const add = (type: string, path: SettlingPath) => {
    const paths = records.get(type) ?? []
    records.set(type, paths)
    if (!paths.some((other) => JSON.stringify(other) === JSON.stringify(path))) paths.push(path)
  }
  for (const { name: owner, settle } of definitions) {
    for (const { of } of settle ?? []) {
      add(owner, { owner, steps: [] })
      /** Null for sources that are read, but not followed. */
      const pathTo = (base: string | undefined): { type: string; steps: readonly SettlingStep[] } | null => {
        const source = base === undefined ? undefined : of[base]
        if (!source || 'link' in source) return { type: owner, steps: [] }
        if (!isLeading(source)) return null
        const above = pathTo(source.of)
        if (!above) return null
        return { type: typeOf(source), steps: [stepOf(source, above.type), ...above.steps] }
      }
      for (const [name, source] of Object.entries(of)) {
        if ('link' in source) {
          const path = pathTo(source.of)
          const link = path && byName.get(path.type)?.links?.[source.link]
          if (link) links.push({ owner, base: path.type, steps: path.steps, link })
          continue
        }
        const path = pathTo(name)
        if (path) add(path.type, { owner, steps: path.steps })
      }
    }
  }
  return { records, links }
}

/** Sources whose records lead to the owner. */
type LeadingSource = Extract<SettlingSource, { readonly part: string } | { readonly by: string }>

function isLeading(source: SettlingSource): source is LeadingSource {
  return 'part' in source || 'by' in source
}

function typeOf(source: LeadingSource): string {
  return 'part' in source ? source.part : source.type
}

function stepOf(source: LeadingSource, type: string): SettlingStep {
  if ('part' in source) return { column: 'owner_id', type, isPart: true }
  return { column: `${source.by}_id`, type, isPart: false }
}
