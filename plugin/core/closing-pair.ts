/** Finds cycles in pairs of which the first one comes before the second. */

/**
 * The place of the first pair that closes a cycle together with those before it; -1 if there is none. A pair of the same with
 * itself is a cycle.
 */
export function closingPair(pairs: readonly (readonly number[])[]): number {
  if (!hasCycle(pairs)) return -1
  // The first `open` pairs have no cycle, the first `closed` ones have one.
  let [open, closed] = [0, pairs.length]
  while (closed - open > 1) {
    const middle = Math.floor((open + closed) / 2)
    if (hasCycle(pairs.slice(0, middle))) closed = middle
    else open = middle
  }
  return closed - 1
}

/** Takes away what nothing comes before, again and again: a cycle remains. */
function hasCycle(pairs: readonly (readonly number[])[]): boolean {
  const before = new Map<number, number>()
  const after = new Map<number, number[]>()
  for (const [one = 0, other = 0] of pairs) {
    before.set(one, before.get(one) ?? 0)
    before.set(other, (before.get(other) ?? 0) + 1)
    const known = after.get(one)
    if (known) known.push(other)
    else after.set(one, [other])
  }
  const free = [...before].flatMap(([one, count]) => (count === 0 ? [one] : []))
  let taken = 0
  for (let one = free.pop(); one !== undefined; one = free.pop()) {
    taken += 1
    for (const other of after.get(one) ?? []) {
      const left = (before.get(other) ?? 0) - 1
      before.set(other, left)
      if (left === 0) free.push(other)
    }
  }
  return taken < before.size
}
