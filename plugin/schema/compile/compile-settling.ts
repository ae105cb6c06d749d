/** Derives from all settlings the owners that a save, a removal or a link has to mark. */
import type { Definition, Link } from '../language/define-record.js'
import type { SettlingSource } from '../language/define-settling.js'

/** A step from a record towards its owner. */
export interface SettlingStep {
  /** The column with the id of the record that it leads to. */
  readonly column: string
  /** The type of that record. */
  readonly type: string
  /** True for sub-records, which may belong to records of several types. */
  readonly isPart: boolean
}

/** The way from records of a type to the owner that is settled when they change; no steps from the owner itself. */
export interface SettlingPath {
  readonly owner: string
  readonly steps: readonly SettlingStep[]
}

/** Links whose change settles an owner. */
export interface SettlingLinks extends SettlingPath {
  /** The type that the links start from. */
  readonly base: string
  readonly link: Link
}

/** All paths to owners. */
export interface SettlingPaths {
  /** By the type of the record that changes. */
  readonly records: ReadonlyMap<string, readonly SettlingPath[]>
  readonly links: readonly SettlingLinks[]
}

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
