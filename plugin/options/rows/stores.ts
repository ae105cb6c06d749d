/** Options about the places where records and jobs are stored. */
import type { AgendaBackend } from 'agenda'
import type { LentDb } from '../../jobs/agenda-store.js'
import { mistakesInBackend, mistakesInMongoDb, mistakesInMongoUrl } from '../../jobs/check-store.js'
import { mistakesInPool, mistakesInUrl } from '../../storage/database/check-database.js'
import type { LentKnex } from '../../storage/database/connections.js'
import { matching, WHOLE, WITHIN_TIMER } from '../checks.js'
import { amount, duration, either, flag, group, text, typed } from '../kinds.js'

export const STORES = {
  /**
   * `{ knex }` of yours (MySQL, MariaDB, or `embeddedDatabase()`), or `{ url, pool?: { min, max } }` for a pool of the plugin.
   * `sqlite:file` and `sqlite::memory:` are URLs too.
   */
  database: either(
    {
      knex: typed<LentKnex>('function', {
        required: true,
        check: (knex, path) =>
          typeof knex === 'function' && !('withUserParams' in knex) ? [`${path}: must be made by knex()`] : [],
      }),
    },
    {
      url: text({ required: true, check: mistakesInUrl }),
      pool: typed<{ readonly min?: number; readonly max?: number }>('group', { check: mistakesInPool }),
    },
    { required: true },
  ),
  /** Prefix of the names of the plugin's tables. Default: `'itsm_'`. */
  tablePrefix: text({
    default: 'itsm_',
    check: matching(/^[a-z0-9_]{0,20}$/, 'must be at most 20 lower-case letters, digits and underscores'),
  }),
  /**
   * `{ db }` of yours, or `{ url }`: stores the jobs. Without it (and without `jobs.backend`) they are stored in memory.
   * Default: none.
   */
  mongo: either(
    { db: typed<LentDb>('object', { required: true, check: mistakesInMongoDb }) },
    { url: text({ required: true, check: mistakesInMongoUrl }) },
  ),
  jobs: group({
    /** `'memory'` or any AgendaBackend, in place of `mongo`; the plugin never closes it. Default: none. */
    backend: typed<'memory' | AgendaBackend>('string or object', {
      check: (backend, path, { mongo }) => [
        ...(mongo !== undefined && backend !== undefined ? [`${path}: must not be set together with mongo`] : []),
        ...mistakesInBackend(backend),
      ],
    }),
    /** `false`: this process only serves requests, others run the jobs. Default: `true`. */
    work: flag(true),
    /** Milliseconds that `stop()` waits for running jobs. Default: `30000` ms. */
    drainForMs: amount({ default: 30_000, unit: 'ms' }, WITHIN_TIMER, WHOLE),
    // A busy process must have the time to prolong its leases; the sweep runs as often.
    /** Milliseconds after which the work of a process that died is taken over; 1000 or more. Default: `60000` ms. */
    takeOverAfterMs: duration({ default: 60_000, min: 1000 }),
    /** MongoDB collection for the plugin alone. Default: `'itsm_jobs'`. */
    collection: text({
      default: 'itsm_jobs',
      check: matching(
        /^(?!system\.)[^$\0\s.](?:[^$\0\s]{0,118}[^$\0\s.])?$/,
        'must be a name that a MongoDB collection can have',
      ),
    }),
  }),
}
