/**
 * A process that runs spec files on orders, one after the other, so that what they share (modules, tables, the world of the
 * fixtures) is loaded once. It must end by itself after the last order: a spec that leaves a timer, a socket or a pool open
 * fails the run.
 */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import Mocha from 'mocha'
import { dropSpareDatabases, makeTemplate } from './database.js'
import { moduleUrl } from './modules.js'
import { loadFixtureWorld } from './mounted.js'

/** An order to the runner. */
export type Order =
  | { readonly order: 'run'; readonly file: string; readonly options: Mocha.MochaOptions; readonly isDetailed: boolean }
  /** Creates the template of the run, see `template.ts`. */
  | { readonly order: 'template'; readonly file: string }
  | { readonly order: 'end' }

/** The report on an order. */
export interface Report {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly milliseconds: number
  /** Milliseconds of processor time of this process, without those of servers and of processes that it starts. */
  readonly cpu: number
  /** Full titles of the specs that failed. */
  readonly failures: readonly string[]
}

/** Milliseconds that the process may continue after its last spec. */
const MAX_FOR_ENDING = 20_000

process.on('message', (order: Order) => {
  void obey(order).then((report) => {
    if (report) process.send?.(report)
  })
})

async function obey(order: Order): Promise<Report | null> {
  if (order.order === 'run') return runFile(order)
  if (order.order === 'template') return reported(order.file, () => makeTemplate(order.file, loadFixtureWorld))
  await dropSpareDatabases()
  setTimeout(() => {
    console.error('Specs have left something running:', process.getActiveResourcesInfo().join(', '))
    process.exit(1)
  }, MAX_FOR_ENDING).unref()
  process.disconnect()
  return null
}

async function runFile({ file, options, isDetailed }: Order & { order: 'run' }): Promise<Report> {
  const mocha = new Mocha({ ...options, reporter: isDetailed ? 'spec' : Mocha.reporters.Base })
  mocha.addFile(fileURLToPath(moduleUrl(file.replace(/\.ts$/, ''))))
  const since = meter()
  try {
    await mocha.loadFilesAsync()
  } catch (error) {
    console.error(`${file} cannot be loaded:`, error)
    return {
      passed: 0,
      failed: 1,
      skipped: 0,
      ...since(),
      failures: [`${file} cannot be loaded`],
    }
  }
  const failures: Mocha.Test[] = []
  return new Promise((done) => {
    const runner = mocha.run(() => {
      const { passes = 0, pending = 0 } = runner.stats ?? {}
      // The listeners of a finished run would get errors of later ones.
      setImmediate(() => mocha.dispose())
      if (!isDetailed && failures.length > 0) Mocha.reporters.Base.list(failures)
      done({
        passed: passes,
        failed: failures.length,
        skipped: pending,
        ...since(),
        failures: failures.map((test) => test.fullTitle()),
      })
    })
    runner.on('fail', (test) => failures.push(test))
  })
}

async function reported(file: string, work: () => Promise<void>): Promise<Report> {
  const since = meter()
  await work().catch((error: unknown) => console.error(`${file} cannot be made:`, error))
  const failed = existsSync(file) ? 0 : 1
  return {
    passed: 0,
    failed,
    skipped: 0,
    ...since(),
    failures: failed ? [`${file} cannot be made`] : [],
  }
}

/** Starts to measure; the result tells what has passed since. */
function meter(): () => Pick<Report, 'milliseconds' | 'cpu'> {
  const [started, before] = [performance.now(), process.cpuUsage()]
  return () => {
    const { user, system } = process.cpuUsage(before)
    return { milliseconds: performance.now() - started, cpu: (user + system) / 1000 }
  }
}
