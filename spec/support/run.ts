/**
 * The command of `npm test`. Starts the database servers once, runs the specs on them, runs those that touch a database once
 * more on the embedded one, and says which stores were used. Arguments go to mocha: files replace the usual choice.
 *
 * KOA_ITSM_TEST_STORE (`server` or `embedded`) restricts the run to one of the two passes.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Found, findMongo, findMysql } from './servers.js'

/** What the second, embedded pass runs: everything whose result could depend on the database. */
const ON_EMBEDDED = [
  'spec/storage',
  'spec/access',
  'spec/operations',
  'spec/events',
  'spec/webhooks',
  'spec/imports',
  'spec/journey',
  'spec/http',
  'spec/contract.spec.ts',
  'spec/requests.spec.ts',
  'spec/create-plugin.spec.ts',
]

interface Pass {
  readonly store: 'server' | 'embedded'
  readonly specs: readonly string[]
  readonly env: NodeJS.ProcessEnv
}

interface Counts {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly code: number
}

const require = createRequire(import.meta.url)
const folder = mkdtempSync(join(tmpdir(), 'itsm-run-'))
const running = new Set<ReturnType<typeof spawn>>()
const found: Found[] = []
let interrupted = false
let code = 1
try {
  code = await main(process.argv.slice(2))
} finally {
  for (const server of found) if (server.url !== null) await server.stop()
  rmSync(folder, { recursive: true, force: true })
}
process.exit(code)

async function main(args: readonly string[]): Promise<number> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      // The specs end, and the servers after them.
      interrupted = true
      for (const child of running) child.kill(signal)
    })
  }
  const only = process.env['KOA_ITSM_TEST_STORE']
  const none: Found = { url: null, about: 'not asked for' }
  const mysql = only === 'embedded' ? none : await findMysql()
  found.push(mysql)
  const mongo = await findMongo()
  found.push(mongo)
  if (only === 'server' && mysql.url === null) throw new Error(`There is no MySQL server: ${mysql.about}`)

  const files = args.filter((arg) => existsSync(arg)).map(specsIn)
  const options = args.filter((arg) => !existsSync(arg))
  const results: Counts[] = []
  const passes = passesOf(files, mysql, mongo, only)
  for (const pass of passes) {
    if (interrupted) return 130
    console.log(`\n== ${pass.store === 'server' ? `on ${mysql.about}` : 'on the embedded database'} ==`)
    results.push(await runMocha(pass, options))
  }
  if (interrupted) return 130
  await printCoverage()

  const sum = (pick: (counts: Counts) => number) => results.reduce((total, counts) => total + pick(counts), 0)
  console.log(`\nMySQL or MariaDB: ${mysql.url === null ? `skipped, ${mysql.about}` : mysql.about}`)
  console.log(`embedded: ${passes.some((pass) => pass.store === 'embedded') ? 'libsql' : 'skipped, not asked for'}`)
  console.log(`MongoDB: ${mongo.url === null ? `skipped, ${mongo.about}` : mongo.about}`)
  console.log(`${sum((counts) => counts.skipped)} specs skipped themselves`)
  const failed = sum((counts) => counts.failed)
  console.log(`${sum((counts) => counts.passed)} passed, ${failed} failed`)
  return failed > 0 ? Math.min(failed, 255) : (results.find((counts) => counts.code !== 0)?.code ?? 0)
}

function passesOf(files: readonly string[], mysql: Found, mongo: Found, only: string | undefined): Pass[] {
  const env = { ...process.env, ...(mongo.url === null ? {} : { MONGODB_URL: mongo.url }) }
  const embedded = (specs: readonly string[]): Pass => ({
    store: 'embedded',
    specs: files.length > 0 ? files : specs,
    env: { ...env, KOA_ITSM_TEST_STORE: 'embedded', MYSQL_URL: '' },
  })
  if (mysql.url === null) return [embedded(configuration().spec)]
  const server: Pass = {
    store: 'server',
    specs: files.length > 0 ? files : configuration().spec,
    env: { ...env, KOA_ITSM_TEST_STORE: 'server', MYSQL_URL: mysql.url },
  }
  return only === 'server' ? [server] : [server, embedded(ON_EMBEDDED.filter((path) => existsSync(path)).map(specsIn))]
}

/** The specs of a folder; what stands beside them are programs and parts that specs use. */
function specsIn(path: string): string {
  return statSync(path).isDirectory() ? `${path}/**/*.spec.ts` : path
}

/** `.mocharc.json` is read here, because mocha would add its specs to those that are asked for. */
function configuration(): { spec: string[]; 'node-option': string[] } & Record<string, unknown> {
  return JSON.parse(readFileSync('.mocharc.json', 'utf8'))
}

async function runMocha(pass: Pass, options: readonly string[]): Promise<Counts> {
  const counts = join(folder, `${pass.store}.json`)
  const { spec: _, 'node-option': nodeOptions, ...settings } = configuration()
  const args = [
    ...nodeOptions.map((option) => `--${option}`),
    join(dirname(require.resolve('mocha/package.json')), 'lib/cli/cli.js'),
    '--no-config',
    ...Object.entries(settings).map(([name, value]) =>
      typeof value === 'boolean' ? `--${value ? '' : 'no-'}${name}` : `--${name}=${value}`,
    ),
    '--reporter=spec/support/counting-reporter.cjs',
    '--extension=ts',
    '--recursive',
    ...options,
    ...pass.specs,
  ]
  const code = await run(process.execPath, args, { ...pass.env, KOA_ITSM_TEST_COUNTS: counts })
  // Specs that cannot even be loaded leave no counts: one failure, whatever was in them.
  if (!existsSync(counts)) return { passed: 0, failed: 1, skipped: 0, code: code || 1 }
  return { ...JSON.parse(readFileSync(counts, 'utf8')), code }
}

/** Under c8, prints what the passes have covered; c8 itself would print it after our last line. */
async function printCoverage(): Promise<void> {
  const collected = process.env['NODE_V8_COVERAGE']
  if (!collected) return
  const c8 = join(dirname(require.resolve('c8/package.json')), 'bin/c8.js')
  const { NODE_V8_COVERAGE: _, ...env } = process.env
  await run(process.execPath, [c8, 'report', '--reporter=text-summary', `--temp-directory=${collected}`], env)
}

function run(program: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const child = spawn(program, args, { env, stdio: 'inherit' })
  running.add(child)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      running.delete(child)
      resolve(code ?? (signal ? 130 : 1))
    })
  })
}
