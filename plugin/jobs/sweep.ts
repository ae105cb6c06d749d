/**
 * One round of the periodic sweep: each task looks at its rows and wakes what is due, whatever became of the jobs. A task that
 * fails does not keep the others from running; the round then throws an AggregateError with all failures, which the job's
 * log shows.
 */
export async function sweep(parts: { tasks: readonly (() => Promise<void>)[] }): Promise<void> {
  const failures: unknown[] = []
  // One after the other: a sweep is never urgent and must not take the connections that calls need.
  for (const task of parts.tasks) {
    try {
      await task()
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} of ${parts.tasks.length} sweeps failed`)
}
