/** Counters of rows by their result. */
const COUNTERS = ['created', 'updated', 'deleted', 'unchanged', 'failures', 'errors'] as const
export type Results = { readonly [C in (typeof COUNTERS)[number]]: number }
export const NO_RESULTS: Results = { created: 0, updated: 0, deleted: 0, unchanged: 0, failures: 0, errors: 0 }

/** Adds counters. */
export function addResults(a: Results, b: Results): Results {
  return Object.fromEntries(COUNTERS.map((counter) => [counter, a[counter] + b[counter]])) as Results
}

/** Counts a row in another counter than before. */
export function movedResult(from: keyof Results, to: keyof Results): Results {
  return addResults({ ...NO_RESULTS, [from]: -1 }, { ...NO_RESULTS, [to]: 1 })
}

/** Reads counters from their JSON text; missing ones are zero. */
export function parseResults(text: unknown): Results {
  const parsed: unknown = typeof text === 'string' ? JSON.parse(text) : text
  const counters = (parsed ?? {}) as Partial<Results>
  return Object.fromEntries(COUNTERS.map((counter) => [counter, Number(counters[counter] ?? 0)])) as Results
}
