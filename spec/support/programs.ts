/** Runs the programs of examples/ like their readers: in a separate process, which a spec may end. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { moduleUrl, NODE_FLAGS } from './modules.js'

export interface Running {
  /** Its output so far. */
  readonly output: string
  /** Waits until its output matches. @throws Error with its output if it ends before */
  prints(pattern: RegExp): Promise<RegExpExecArray>
  /** Waits for its end. */
  ends(): Promise<number | null>
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

export interface Programs {
  /** Runs a program of examples/ with these variables and none of ours. */
  run(program: string, env: Record<string, string | undefined>, args?: readonly string[]): Running
  /** Runs one like `npm start` and `npm run demo`: from its source. */
  runScript(script: 'start' | 'demo', env: Record<string, string | undefined>): Running
  /** Kills the programs that still run. */
  end(): Promise<void>
}

/** Starts programs, and remembers them. */
export function programs(): Programs {
  const children: ChildProcess[] = []
  function start(name: string, args: readonly string[], env: Record<string, string | undefined>): Running {
    const child = spawn(process.execPath, args, { env: { ...cleanEnvironment(), ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
    children.push(child)
    return running(child, name)
  }
  return {
    run(program, env, args = []) {
      return start(program, [...NODE_FLAGS, fileURLToPath(moduleUrl(`examples/${program}`)), ...args], env)
    },
    runScript(script, env) {
      const command: string = JSON.parse(readFileSync('package.json', 'utf8')).scripts[script]
      return start(script, command.replace(/^node /, '').split(' '), env)
    },
    async end() {
      for (const child of children.splice(0)) {
        if (child.exitCode !== null || child.signalCode !== null) continue
        child.kill('SIGKILL')
        await once(child, 'exit')
      }
    },
  }
}

/** The environment without variables that would configure a launcher. */
export function cleanEnvironment(): Record<string, string | undefined> {
  const ours = /^(MYSQL_URL|MONGODB_URL|PORT|HOST|DATA_DIR|ITSM_|npm_)/
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !ours.test(name)))
}

/** Follows a process whose output is piped. */
export function running(child: ChildProcess, program: string): Running {
  const ended = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)))
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8')
    stream?.on('data', (text: string) => {
      output += text
      child.emit('printed')
    })
  }
  return {
    get output() {
      return output
    },
    async prints(pattern) {
      for (;;) {
        const found = pattern.exec(output)
        if (found) return found
        const hasEnded = await Promise.race([once(child, 'printed').then(() => false), ended.then(() => true)])
        if (hasEnded && !pattern.test(output)) throw new Error(`${program} ended without printing ${pattern}:\n${output}`)
      }
    },
    ends: () => ended,
    stop(signal = 'SIGTERM') {
      child.kill(signal)
      return ended
    },
  }
}
