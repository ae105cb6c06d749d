/** Journeys in `architecture.md`: lists of files through which one piece of work goes. */
import { folderOf } from './rooms.js'
import type { Source } from './sources.js'

/** Begins a step whose function `create-plugin.ts` hands to the code before it, which does not import the file. */
const HANDED = '↪ '

export interface Step {
  /** From the root of the project. */
  readonly path: string
  readonly isHanded: boolean
}

export interface Journey {
  readonly title: string
  readonly steps: readonly Step[]
}

/** The journeys of a part of the document: a heading, then a numbered list whose entries begin with a file. */
export function journeysIn(text: string): readonly Journey[] {
  const [, ...sections] = text.split(/^### /m)
  return sections.map((section) => ({
    title: section.slice(0, section.indexOf('\n')),
    steps: [...section.matchAll(/^\d+\. (.*)$/gm)].map(([, entry = '']) => stepOf(entry)),
  }))
}

function stepOf(entry: string): Step {
  const [, mark, path = ''] = /^(↪ )?`([^`]+)`/.exec(entry) ?? []
  return { path: `plugin/${path}`, isHanded: mark === HANDED }
}

/**
 * Steps that the code does not take: files that no file above imports, directly or through others. A file that is handed over has
 * to be imported by a file of its folder that `create-plugin.ts` imports, and by none above.
 */
export function wrongSteps({ steps }: Journey, sources: readonly Source[]): readonly string[] {
  const importedBy = new Map(
    sources.map(({ path, imports }) => [path, imports.filter((one) => one.path && !one.typeOnly).map((one) => one.path)]),
  )
  const doors = importedBy.get('plugin/create-plugin.ts') ?? []
  const leadTo = (from: readonly string[], path: string) => from.includes(path) || reachedFrom(importedBy, from).has(path)
  return steps.slice(1).flatMap(({ path, isHanded }, index) => {
    const above = steps.slice(0, index + 1).map((step) => step.path)
    const isImported = leadTo(above, path)
    const ownDoors = doors.filter((door) => folderOf(door) === folderOf(path))
    if (!isHanded) return isImported ? [] : [`${path} is not imported by the files above it`]
    if (isImported) return [`${path} is imported by the files above it, so it needs no ${HANDED.trim()}`]
    return leadTo(ownDoors, path) ? [] : [`${path} is not imported by a file that create-plugin.ts imports`]
  })
}

function reachedFrom(importedBy: ReadonlyMap<string, readonly string[]>, from: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>()
  const open = [...from]
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    for (const other of importedBy.get(path) ?? []) {
      if (found.has(other)) continue
      found.add(other)
      open.push(other)
    }
  }
  return found
}
