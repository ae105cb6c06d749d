/** Finds the name that a misspelled one was probably meant to be. */

/** Maximum number of letters by which a misspelled name may differ. */
const MAX_DISTANCE = 2

/** The known name that differs least from the given one, by at most two letters; undefined if there is none. */
export function nearest(name: string, known: Iterable<string>): string | undefined {
  let best: string | undefined
  let least = MAX_DISTANCE + 1
  for (const other of known) {
    // Short names all differ by few letters.
    const most = Math.min(MAX_DISTANCE, Math.floor(other.length / 2))
    if (Math.abs(name.length - other.length) > most) continue
    const distance = distanceOf(name.toLowerCase(), other.toLowerCase())
    if (distance > most || distance >= least) continue
    best = other
    least = distance
  }
  return best
}

/** Characters of names that are compared. */
const COMPARED = 100

/** The known names that differ least from the given one, the nearest first, however different they are. */
export function closest(name: string, known: Iterable<string>, count = 1): readonly string[] {
  const given = name.slice(0, COMPARED).toLowerCase()
  const rated = [...known].map((other) => {
    const text = other.slice(0, COMPARED).toLowerCase()
    // What only has more or fewer words around is nearer than what has other letters.
    const distance = distanceOf(given, text)
    const isWithin = given !== '' && text !== '' && (text.includes(given) || given.includes(text))
    return { other, distance: isWithin ? distance / 4 : distance }
  })
  return rated
    .sort((a, b) => a.distance - b.distance)
    .slice(0, count)
    .map(({ other }) => other)
}

/** Returns `; did you mean 'name'?`, or an empty text if no known name is similar. */
export function suggestion(name: string, known: Iterable<string>): string {
  const near = nearest(name, known)
  return near === undefined ? '' : `; did you mean '${near}'?`
}

/** Number of letters to add, remove or change. */
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
