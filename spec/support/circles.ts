/** Circles in a graph: the largest groups of nodes of which each can be reached from each other. */

/** @param graph the nodes that each node leads to */
export function circlesIn(graph: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const open: string[] = []
  const circles: (readonly string[])[] = []
  const visit = (node: string): number => {
    order.set(node, order.size)
    lowest.set(node, order.size - 1)
    open.push(node)
    for (const next of graph.get(node) ?? []) {
      const reached = order.has(next) ? (open.includes(next) ? (order.get(next) ?? 0) : null) : visit(next)
      if (reached !== null) lowest.set(node, Math.min(lowest.get(node) ?? 0, reached))
    }
    if (lowest.get(node) === order.get(node)) {
      const files = open.splice(open.indexOf(node))
      if (files.length > 1 || graph.get(node)?.includes(node)) circles.push(files.sort())
    }
    return lowest.get(node) ?? 0
  }
  for (const node of graph.keys()) if (!order.has(node)) visit(node)
  return circles
}
