/** A function of a text that remembers its latest results, for work that is asked for again and again. What it throws, it forgets. */
export function remember<Result>(work: (text: string) => Result, most = 1000): (text: string) => Result {
  const known = new Map<string, Result>()
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    const result = work(text)
    if (known.size >= most) known.clear()
    known.set(text, result)
    return result
  }
}
