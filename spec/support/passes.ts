/** The databases on which each spec file runs. */
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { sourcesIn } from './sources.js'

/**
 * - `usual`: what `npm test` runs on the server.
 * - `embedded`: what it runs on the embedded database: all specs whose result could depend on the database, and of several ways
 * to the same statements one.
 * - `dialect`: what it runs on a second server: statements, migrations, collations, locking and what builds on them.
 * Specs of these two that use no database are left out: the server's run has shown what they show.
 * - `everything`: what `npm run test:all` runs on each of them.
 */
export type Choice = 'usual' | 'embedded' | 'dialect' | 'everything'

/**
 * What rules and settlings make of thousands of changes, one after the other: no database decides that, and the embedded one
 * takes a quarter of the time. What several do at the same time is tried on servers, in `spec/operations`.
 */
const ONLY_EMBEDDED = [
  'spec/records/derived-values.spec.ts',
  'spec/records/renewed-times.spec.ts',
  'spec/records/renewed-slas.spec.ts',
  'spec/records/targets-replay.spec.ts',
  'spec/records/workflow-runs.spec.ts',
  'spec/records/change.spec.ts',
  // What is refused reaches no statement.
  'spec/contract/bounds.spec.ts',
  // What a browser shows comes through the API, which all of them have.
  ...specsIn('spec/console'),
]

/**
 * What does not depend on the database: two of three middlewares of a host, and paths to hidden records; clients in languages
 * whose toolchains must be installed first; and upgrades of all states, of which the sample shows two.
 */
const NOT_USUAL = [
  ...ONLY_EMBEDDED,
  ...['spec/access/unseen.spec.ts', 'spec/requests/mounted.spec.ts', 'spec/requests/parsed.spec.ts'],
  'spec/openapi-toolchains.spec.ts',
  'spec/upgrades/every.spec.ts',
]

const EMBEDDED = [
  ...ONLY_EMBEDDED,
  'spec/storage',
  'spec/upgrades/sample.spec.ts',
  'spec/access',
  'spec/operations',
  'spec/events',
  'spec/webhooks',
  'spec/mails',
  'spec/imports',
  'spec/exports',
  'spec/event-submission',
  'spec/jobs/timers.spec.ts',
  'spec/journey',
  'spec/http',
  'spec/contract',
  'spec/requests',
  'spec/create-plugin.spec.ts',
]

/** What a receiver of webhooks does on its socket meets the same sender on each database. */
const ON_SOCKETS = ['spec/webhooks/misbehaving.spec.ts']

/**
 * What the server has shown of permissions, events, refusals and numbers of statements holds on the embedded database, too:
 * criteria and pipeline are the same. There the cases run in the two mountings that the server does not try.
 */
const NOT_EMBEDDED = [
  ...ON_SOCKETS,
  'spec/access/matrix.spec.ts',
  'spec/access/other-accounts.spec.ts',
  'spec/contract/events.spec.ts',
  'spec/contract/required.spec.ts',
  'spec/contract/safety.spec.ts',
  'spec/contract/statements.spec.ts',
  'spec/requests/bare.spec.ts',
  // Lent pools of servers.
  'spec/http/host-pools.spec.ts',
  'spec/storage/database/read-alike.spec.ts',
]

const DIALECT = [
  'spec/storage',
  'spec/operations',
  'spec/access',
  'spec/events',
  'spec/webhooks',
  'spec/mails',
  'spec/imports',
  'spec/exports',
  'spec/event-submission',
  'spec/jobs',
  'spec/journey',
  'spec/files',
  'spec/create-plugin.spec.ts',
  'spec/contract/lists.spec.ts',
  'spec/contract/writes.spec.ts',
  'spec/requests/bare.spec.ts',
  'spec/http/host-pools.spec.ts',
]

/**
 * The columns of each type: the first server and the embedded database have shown how they are read and written. What a second
 * server could do differently is in the specs of imports and exports. Who may do what is decided by conditions, and a second server
 * shows in `spec/contract/lists.spec.ts` that it reads these alike.
 */
const NOT_DIALECT = [
  ...ON_SOCKETS,
  ...['spec/journey/import-files.spec.ts', 'spec/journey/dry-runs.spec.ts', 'spec/journey/undo.spec.ts'],
  ...['spec/access/matrix.spec.ts', 'spec/access/other-accounts.spec.ts'],
]

/** Slow files begin first, so that no process works alone at the end. */
const FIRST = [
  'spec/console',
  'spec/journey/cluster.spec.ts',
  'spec/examples.spec.ts',
  'spec/launcher.spec.ts',
  'spec/openapi-client.spec.ts',
  'spec/contract',
  'spec/access/matrix.spec.ts',
  'spec/access/unseen.spec.ts',
  'spec/requests',
  'spec/records/derived-values.spec.ts',
  'spec/records/renewed-times.spec.ts',
  'spec/records/renewed-slas.spec.ts',
  'spec/journey',
  'spec/imports',
  'spec/create-plugin.spec.ts',
  'spec/documents-code.spec.ts',
  'spec/lent-connections.spec.ts',
  'spec/schema/check/hostile.spec.ts',
  'spec/operations/work/settle.spec.ts',
  'spec/schema/kinds/kinds.spec.ts',
  'spec/rules/workflow/workflow-properties.spec.ts',
  'spec/rules/recurrence-library.spec.ts',
  'spec/webhooks/crash.spec.ts',
  'spec/storage/database/time-limits.spec.ts',
  'spec/storage/records/prepared.spec.ts',
  'spec/storage/tables/migrate.spec.ts',
]

/** The spec files of a choice, slow ones first. */
export function specFiles(choice: Choice): readonly string[] {
  const all = specsIn('spec')
  const isIn = (paths: readonly string[]) => (file: string) =>
    paths.some((path) => file === path || file.startsWith(`${path}/`))
  const chosen =
    choice === 'usual'
      ? all.filter((file) => !NOT_USUAL.includes(file))
      : choice === 'embedded'
        ? onDatabases(all.filter(isIn(EMBEDDED))).filter((file) => !NOT_EMBEDDED.includes(file))
        : choice === 'dialect'
          ? onDatabases(all.filter(isIn(DIALECT))).filter((file) => ![...NOT_USUAL, ...NOT_DIALECT].includes(file))
          : all
  const rank = (file: string) => FIRST.findIndex((path) => isIn([path])(file)) >>> 0
  return chosen.toSorted((one, other) => rank(one) - rank(other))
}

/** Those that use a database: they import what gives them one, directly or through other modules of ours. */
function onDatabases(files: readonly string[]): readonly string[] {
  const sources = sourcesIn('spec')
  const users = new Set(['spec/support/database.ts'])
  for (let before = 0; before < users.size; ) {
    before = users.size
    for (const { path, imports } of sources) {
      if (imports.some((one) => !one.typeOnly && users.has(one.path))) users.add(path)
    }
  }
  return files.filter((file) => users.has(file))
}

/** The spec files at a path: the file itself, or those of the folder. */
export function specsIn(path: string): readonly string[] {
  if (!existsSync(path)) throw new Error(`${path} does not exist`)
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.spec.ts'))
    .map((name) => join(path, name))
    .sort()
}
