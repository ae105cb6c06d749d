import type { Imports } from '../imports/imports.js'
import type { Jobs } from './agenda.js'

export const RUN_IMPORT = 'run-import'

/** Works on imports; several accounts at once, one import of an account after the other. */
export function defineRunImport(jobs: Jobs, imports: Imports): void {
  jobs.define(RUN_IMPORT, { concurrency: 2 }, async ({ id }, { stopping }) => {
    if (id !== undefined) await imports.run(id, stopping)
  })
}
