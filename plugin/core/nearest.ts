/** Finds what a misspelt name was probably meant to be. */

/** Letters that a misspelt name may differ by. */
const MAX_DISTANCE = 2

/** The known name that differs least from the given one, in two letters at most; undefined when none is that near. */
export function nearest(name: string, known: Iterable<string>): string | undefined {
  let best: string | undefined
  let least = MAX_DISTANCE + 1
  for (const other of known) {
    // Short names are all near each other.
    const most = Math.min(MAX_DISTANCE, Math.floor(other.length / 2))
    if (Math.abs(name.length - other.length) > most) continue
    const distance = distanceOf(name.toLowerCase(), other.toLowerCase())
    if (distance > most || distance >= least) continue
    best = other
    least = distance
  }
  return best
}

/** `; did you mean 'name'?`, or nothing when no known name is near. */
export function suggestion(name: string, known: Iterable<string>): string {
  const near = nearest(name, known)
  return near === undefined ? '' : `; did you mean '${near}'?`
}

/** Number of letters to be added, removed or changed. */
function distanceOf(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
