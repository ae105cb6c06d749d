import type { Imports } from '../imports/imports.js'
import type { Jobs } from './job-queue.js'

export const RUN_IMPORT = 'run-import'

/** Runs imports: at most two at once in a process, and those of one account in order. */
export function defineRunImport(jobs: Jobs, imports: Imports): void {
  jobs.define(RUN_IMPORT, { concurrency: 2 }, async ({ id }, { stopping }) => {
    if (id !== undefined) await imports.run(id, stopping)
  })
}
