/** The picture of the folders in `architecture.md`, drawn from the table of what each may import. */
import { MAY_IMPORT } from './rooms.js'

const DOOR = 'create-plugin.ts'

/**
 * The picture, from the top floor down, and below it what the picture alone would get wrong.
 *
 * @param assembled the folders that `create-plugin.ts` imports
 */
export function floorPlan(assembled: readonly string[]): string {
  const graph: Graph = { ...MAY_IMPORT, [DOOR]: assembled }
  const floors = [DOOR, ...Object.keys(MAY_IMPORT).reverse()]
  const arrows = floors.flatMap((from) => nextBelow(graph, from).map((to) => `  ${nodeOf(from)} --> ${nodeOf(to)}`))
  const names = floors.filter((name) => nodeOf(name) !== name).map((name) => `  ${nodeOf(name)}["${name}"]`)
  const barred = floors.flatMap((from) => {
    const others = [...allBelow(graph, from)].filter((to) => from !== DOOR && !graph[from]?.includes(to))
    return others.length === 0 ? [] : [`- \`${from}/\`: ${others.map((to) => `\`${to}/\``).join(', ')}`]
  })
  return [
    ...['```mermaid', 'flowchart TD', ...names, ...arrows, '```', ''],
    ...[
      'Arrows that follow from others are left out. Arrows lead to these folders too, but importing them is not allowed:',
      '',
    ],
    ...barred,
  ].join('\n')
}

type Graph = Readonly<Record<string, readonly string[]>>

/** The folders that a folder may import and that no other of them may import: its arrows in the transitive reduction. */
function nextBelow(graph: Graph, from: string): readonly string[] {
  const all = graph[from] ?? []
  return all.filter((to) => !all.some((other) => other !== to && allBelow(graph, other).has(to))).sort()
}

/** All folders to which arrows lead, directly or through others. */
function allBelow(graph: Graph, from: string, found = new Set<string>()): ReadonlySet<string> {
  for (const to of graph[from] ?? []) {
    if (found.has(to)) continue
    found.add(to)
    allBelow(graph, to, found)
  }
  return found
}

/** The name of a folder as an id of Mermaid. */
function nodeOf(folder: string): string {
  return folder.replace(/\W/g, '_')
}
