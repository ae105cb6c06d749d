/**
 * Runs tasks that look at their rows: one round of the periodic sweep, which wakes what is due, or of the daily purge. If a
 * task fails, the others still run; the round then throws an AggregateError with all failures, which the job logs.
 */
export async function sweep(parts: { tasks: readonly (() => Promise<void>)[] }): Promise<void> {
  const failures: unknown[] = []
  // One after the other: a sweep is never urgent and must not use the connections that calls need.
  for (const task of parts.tasks) {
    try {
      await task()
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} of ${parts.tasks.length} sweeps failed`)
}
