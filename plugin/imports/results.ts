/** What became of the rows, in numbers. */
export const COUNTERS = ['created', 'updated', 'deleted', 'unchanged', 'failures', 'errors'] as const
export type Results = { readonly [C in (typeof COUNTERS)[number]]: number }
export const NO_RESULTS: Results = { created: 0, updated: 0, deleted: 0, unchanged: 0, failures: 0, errors: 0 }

/** The sum of counters. */
export function addResults(a: Results, b: Results): Results {
  return Object.fromEntries(COUNTERS.map((counter) => [counter, a[counter] + b[counter]])) as Results
}

/** Counters from their JSON text; zeros for what is missing. */
export function parseResults(text: unknown): Results {
  const parsed: unknown = typeof text === 'string' ? JSON.parse(text) : text
  const counters = (parsed ?? {}) as Partial<Results>
  return Object.fromEntries(COUNTERS.map((counter) => [counter, Number(counters[counter] ?? 0)])) as Results
}
