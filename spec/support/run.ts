/**
 * The command of `npm test`. Starts the database servers once, runs the specs on them in several processes, runs those that
 * touch a database again on the embedded one, and prints which stores were used. Arguments that are files or folders replace
 * the usual choice, and are reported spec by spec.
 *
 * --grep=TEXT, --bail, --timeout=MS   as in mocha
 * --everything                        all specs on each database, on a second server too (`npm run test:all`)
 *
 * KOA_ITSM_TEST_STORE (`server` or `embedded`) restricts the run to one kind of database. KOA_ITSM_TEST_JOBS is the number of
 * processes. OTHER_MYSQL_URL names a second server, for the specs that depend on its dialect, and CLUSTER_URLS the nodes of a
 * cluster, separated by commas; CLUSTER_KILL is a command that kills the node at the port that follows it.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { availableParallelism, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { browserProgram } from './browser-program.js'
import { compileModules } from './modules.js'
import { specFiles, specsIn } from './passes.js'
import { type Pass, runPasses, spawnWaiting, stopAll, type Totals } from './run-passes.js'
import { dropDatabases, type Found, findCluster, findMongo, findMysql, findOtherMysql } from './servers.js'

const require = createRequire(import.meta.url)
const folder = mkdtempSync(join(tmpdir(), 'itsm-run-'))
/** The names of all databases of this run contain it. */
const run = `${randomBytes(3).toString('hex')}_`
const found: Found[] = []
let interrupted = false
let code = 1
try {
  code = await main()
} finally {
  for (const server of found) if (server.url !== null) await server.stop()
  rmSync(folder, { recursive: true, force: true })
}
process.exit(code)

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      grep: { type: 'string', short: 'g' },
      bail: { type: 'boolean', short: 'b' },
      timeout: { type: 'string' },
      everything: { type: 'boolean' },
    },
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      // Ends the specs, and then the servers.
      interrupted = true
      stopAll(signal)
    })
  }
  const only = process.env['KOA_ITSM_TEST_STORE']
  // Starting servers blocks: the compiler works in parallel.
  const [moduleUrl, [mysql, other, mongo]] = await Promise.all([compileModules(folder), findServers(only)])
  if (only === 'server' && mysql.url === null) throw new Error(`No MySQL server is available: ${mysql.about}`)

  const files = positionals.flatMap(specsIn)
  const { timeout, 'forbid-only': forbidOnly } = JSON.parse(readFileSync('.mocharc.json', 'utf8'))
  const passes = passesOf(files, values.everything ?? false, { mysql, other, mongo, only })
  const totals = await runPasses(passes, {
    folder,
    moduleUrl,
    // One process keeps the report of single specs readable. Otherwise one more than processors: some specs wait.
    jobs: files.length > 0 ? 1 : Number(process.env['KOA_ITSM_TEST_JOBS'] ?? availableParallelism() + 1),
    isDetailed: files.length > 0,
    mocha: {
      timeout: Number(values.timeout ?? timeout),
      forbidOnly,
      ...(values.grep !== undefined && { grep: values.grep }),
      ...(values.bail && { bail: true }),
    },
  })
  for (const { url } of [mysql, other]) if (url !== null) await dropDatabases(url, `itsm_test_${run}`)
  if (interrupted) return 130
  await printCoverage()
  return summary(totals, passes, { mysql, other, mongo })
}

async function findServers(only: string | undefined): Promise<[mysql: Found, other: Found, mongo: Found]> {
  const none: Found = { url: null, about: 'not asked for' }
  const mysql = only === 'embedded' ? none : await findMysql()
  found.push(mysql)
  const other = only === 'embedded' ? none : findOtherMysql()
  const mongo = await findMongo()
  found.push(mongo)
  return [mysql, other, mongo]
}

interface Stores {
  readonly mysql: Found
  readonly other: Found
  readonly mongo: Found
}

function passesOf(files: readonly string[], isEverything: boolean, stores: Stores & { only: string | undefined }): Pass[] {
  const { mysql, other, mongo, only } = stores
  const env = { ...process.env, KOA_ITSM_TEST_RUN: run, ...(mongo.url === null ? {} : { MONGODB_URL: mongo.url }) }
  const filesOf = (choice: 'usual' | 'embedded' | 'dialect') =>
    files.length > 0 ? files : specFiles(isEverything ? 'everything' : choice)
  const onServer = ({ url, about }: Found, choice: 'usual' | 'dialect'): readonly Pass[] =>
    url === null
      ? []
      : [{ title: about, files: filesOf(choice), env: { ...env, KOA_ITSM_TEST_STORE: 'server', MYSQL_URL: url } }]
  const servers = [...onServer(mysql, 'usual'), ...onServer(other, 'dialect')]
  if (only === 'server') return inOnePass(servers)
  const embedded =
    mysql.url === null && only !== 'embedded' && files.length === 0 ? specFiles('everything') : filesOf('embedded')
  const all = inOnePass([
    ...servers,
    { title: 'the embedded database', files: embedded, env: { ...env, KOA_ITSM_TEST_STORE: 'embedded', MYSQL_URL: '' } },
  ])
  return isEverything || files.length > 0 ? all : all.map(afterTheFirst)
}

/** Assigns the cluster to one pass: it is a separate database, and one of its nodes is killed. */
function inOnePass(passes: readonly Pass[]): Pass[] {
  return passes.map((pass, index) => (index === 0 ? pass : { ...pass, env: { ...pass.env, CLUSTER_URLS: '' } }))
}

/** Passes after the first need not show again what no database decides. */
function afterTheFirst(pass: Pass, index: number): Pass {
  return index === 0 ? pass : { ...pass, env: { ...pass.env, KOA_ITSM_TEST_PASS: 'again' } }
}

function summary(
  { passed, failed, skipped, failures }: Totals,
  passes: readonly Pass[],
  { mysql, other, mongo }: Stores,
): number {
  if (failures.length > 0) console.log(`\nFailed:\n${failures.map((title) => `  - ${title}`).join('\n')}`)
  const about = ({ url, about }: Found) => (url === null ? `skipped, ${about}` : about)
  console.log(`\nMySQL or MariaDB: ${about(mysql)}`)
  console.log(`a second server: ${about(other)}`)
  const isEmbedded = passes.some(({ env }) => env['KOA_ITSM_TEST_STORE'] === 'embedded')
  console.log(`embedded: ${isEmbedded ? 'libsql' : 'skipped, not asked for'}`)
  console.log(`MongoDB: ${about(mongo)}`)
  console.log(`a cluster: ${findCluster().about}`)
  console.log(`a browser: ${browserProgram() ?? 'skipped, no CHROMIUM, and no chromium on the PATH'}`)
  console.log(`${skipped} specs skipped themselves`)
  console.log(`${passed} passed, ${failed} failed`)
  return Math.min(failed, 255)
}

/** Under c8, prints the coverage of the passes; c8 itself would print it after our last line. */
async function printCoverage(): Promise<void> {
  const collected = process.env['NODE_V8_COVERAGE']
  if (!collected || !existsSync(collected)) return
  const c8 = join(dirname(require.resolve('c8/package.json')), 'bin/c8.js')
  const { NODE_V8_COVERAGE: _, ...env } = process.env
  await spawnWaiting(process.execPath, [c8, 'report', '--reporter=text-summary', `--temp-directory=${collected}`], env)
}
