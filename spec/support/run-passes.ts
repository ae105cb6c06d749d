/** Runs spec files in separate processes: several at a time, each on one database. */
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { MochaOptions } from 'mocha'
import type { Order, Report } from './spec-runner.js'

/** Spec files on one database. */
export interface Pass {
  readonly title: string
  readonly files: readonly string[]
  readonly env: NodeJS.ProcessEnv
}

export interface RunOptions {
  /** For files of the run. */
  readonly folder: string
  /** The location of a module, by its path without an extension. */
  readonly moduleUrl: (path: string) => URL
  /** Number of parallel processes. */
  readonly jobs: number
  /** Reports each spec, and not only each file. */
  readonly isDetailed: boolean
  readonly mocha: MochaOptions
}

export interface Totals {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  /** The failures: titles of specs, or why a process died. */
  readonly failures: readonly string[]
}

/** A running pass. */
interface Queue extends Pass {
  readonly waiting: string[]
  /** The file of its template, and the work that creates it. */
  readonly template: string
  made: Promise<Report> | null
}

const TEMPLATE = 'the template'
/** Milliseconds after which a file counts as hanging. */
const MAX_PER_FILE = 600_000

const running = new Set<ChildProcess>()
let isStopped = false

/** Runs all files of all passes and adds up their results. */
export async function runPasses(passes: readonly Pass[], options: RunOptions): Promise<Totals> {
  const queues = passes.map(
    (pass, index): Queue => ({
      ...pass,
      waiting: [...pass.files],
      template: join(options.folder, `${index}.template`),
      made: null,
    }),
  )
  const reports: Report[] = []
  await Promise.all(
    Array.from({ length: options.jobs }, async (_, slot) => {
      // Each process begins with another database, so that their templates are created in parallel.
      const turns = queues.map((_, index) => (slot + index) % queues.length)
      for (const turn of turns) await work(queues[turn] as Queue, options, (report) => reports.push(report))
    }),
  )
  const sum = (pick: (report: Report) => number) => reports.reduce((total, report) => total + pick(report), 0)
  return {
    passed: sum(({ passed }) => passed),
    failed: sum(({ failed }) => failed),
    skipped: sum(({ skipped }) => skipped),
    failures: reports.flatMap(({ failures }) => failures),
  }
}

/** Forwards a signal to all processes, and begins no further file. */
export function stopAll(signal: NodeJS.Signals): void {
  isStopped = true
  for (const child of running) child.kill(signal)
}

/** Runs a program to its end, with our output. */
export async function spawnWaiting(program: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const child = spawn(program, args, { env, stdio: 'inherit' })
  running.add(child)
  await once(child, 'exit')
  running.delete(child)
}

/** Works through a queue in one process, together with others. If a process dies, its file fails, and a new one continues. */
async function work(queue: Queue, options: RunOptions, report: (report: Report) => void): Promise<void> {
  while (queue.waiting.length > 0 && !isStopped) {
    const child = startChild(queue, options)
    let current = TEMPLATE
    try {
      // A single process keeps what it has created; a template is for several processes.
      if (options.jobs > 1) {
        queue.made ??= told(child, { order: 'template', file: queue.template })
        report(await queue.made)
      }
      for (let file = next(queue); file !== undefined; file = next(queue)) {
        current = file
        if (options.isDetailed) console.log(`\n== ${file} on ${queue.title}`)
        const done = await told(child, { order: 'run', file, options: options.mocha, isDetailed: options.isDetailed })
        report(done)
        console.log(lineOf(file, queue, done))
      }
      current = 'all of its files'
      child.send({ order: 'end' } satisfies Order)
      const [code] = await once(child, 'exit')
      if (code !== 0) throw new Error(`ended with ${code}`)
    } catch (error) {
      child.kill('SIGKILL')
      // Nothing works without it, and another process would not make it either.
      if (current === TEMPLATE) queue.waiting.length = 0
      if (isStopped) return
      const failure = `${current} on ${queue.title}: the process ${(error as Error).message}`
      console.error(failure)
      report({ passed: 0, failed: 1, skipped: 0, milliseconds: 0, cpu: 0, failures: [failure] })
    } finally {
      running.delete(child)
    }
  }
}

/** Taken from the queue; undefined when nothing is left, or all is to stop. */
function next({ waiting }: Queue): string | undefined {
  return isStopped ? undefined : waiting.shift()
}

function startChild({ env, template }: Queue, { moduleUrl }: RunOptions): ChildProcess {
  const child = fork(moduleUrl('spec/support/spec-runner'), {
    env: { ...env, KOA_ITSM_TEST_TEMPLATE: template },
    // Most objects of a spec are short-lived: with more room for these, garbage collection takes less time.
    execArgv: ['--max-semi-space-size=64', '--enable-source-maps'],
  })
  running.add(child)
  return child
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(1)
}

/** Sends an order and waits for its report. @throws Error if the process ends or hangs instead */
async function told(child: ChildProcess, order: Order): Promise<Report> {
  const waiting = new AbortController()
  const { signal } = waiting
  child.send(order)
  try {
    return await Promise.race([
      once(child, 'message', { signal }).then(([report]) => report as Report),
      once(child, 'exit', { signal }).then(([code, by]) => {
        throw new Error(`ended with ${by ?? code}`)
      }),
      once(AbortSignal.timeout(MAX_PER_FILE), 'abort', { signal }).then(() => {
        throw new Error('did not end')
      }),
    ])
  } finally {
    waiting.abort()
  }
}

function lineOf(file: string, { title }: Queue, { passed, failed, skipped, milliseconds, cpu }: Report): string {
  const counts = [`${passed} passed`, ...(failed ? [`${failed} failed`] : []), ...(skipped ? [`${skipped} skipped`] : [])]
  return `${failed ? '✖' : '✔'} ${file}: ${counts.join(', ')} in ${seconds(milliseconds)} s (${seconds(cpu)} s of processor), on ${title}`
}
