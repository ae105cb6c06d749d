/** Long computations in slices, so that calls are answered in between. */

/** A computation that can pause wherever it yields. */
export type Sliced<T> = Generator<void, T, void>

/** Milliseconds of one slice: a call that arrives meanwhile hardly notices. */
const SLICE_MS = 4

/** The result, all at once. */
export function atOnce<T>(work: Sliced<T>): T {
  let step = work.next()
  while (!step.done) step = work.next()
  return step.value
}

/** The result, computed in slices. */
export async function inSlices<T>(work: Sliced<T>): Promise<T> {
  for (;;) {
    const end = performance.now() + SLICE_MS
    do {
      const step = work.next()
      if (step.done) return step.value
    } while (performance.now() < end)
    await new Promise<void>((resume) => void setImmediate(resume))
  }
}
