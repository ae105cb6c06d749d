/** A host project in its own folder, with the package as it is published: bundled, and with the installed dependencies. */
import { execFile, spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { COMPILER } from './modules.js'
import { cleanEnvironment, type Running, running } from './programs.js'

export interface Consumer {
  readonly folder: string
  /** Writes files of the project by path. */
  write(files: Readonly<Record<string, string>>): void
  /**
   * Compiles all files as strictly as a host may, into `out/`. Returns the report of the compiler, which should be empty.
   *
   * @param compiler the path of another one than ours
   */
  compile(compiler?: string): Promise<string>
  /** Runs a compiled file, in plain Node. */
  run(file: string, env?: Readonly<Record<string, string>>): Running
  /** Removes the project. Running programs are killed. */
  remove(): void
}

/** Stricter than `strict`: all options that a host may have enabled. Our declarations are checked as well. */
const COMPILER_OPTIONS = {
  target: 'ES2022',
  module: 'NodeNext',
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  noImplicitOverride: true,
  noImplicitReturns: true,
  verbatimModuleSyntax: true,
  skipLibCheck: false,
  types: ['node'],
  rootDir: '.',
  outDir: 'out',
}

/** Compiles the package into a new project. Takes some seconds. */
export async function makeConsumer(): Promise<Consumer> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'itsm-consumer-')))
  const ours = join(folder, 'node_modules', 'koa-itsm')
  mkdirSync(ours, { recursive: true })
  for (const name of readdirSync('node_modules')) {
    if (!name.startsWith('.')) symlinkSync(resolve('node_modules', name), join(folder, 'node_modules', name))
  }
  cpSync('package.json', join(ours, 'package.json'))
  symlinkSync(resolve('fixtures'), join(ours, 'fixtures'))
  // `npm run check` looks for mistakes in our sources: what is emitted is the same without.
  const emit = ['-p', 'tsconfig.json', '--emitDeclarationOnly', '--noCheck', '--outDir', join(ours, 'dist')]
  const emitted = await Promise.all([
    output(process.execPath, [COMPILER, ...emit], '.'),
    output('npm', ['run', '--silent', 'build:modules', '--', `--outdir=${join(ours, 'dist')}`], '.'),
  ])
  if (emitted.join('') !== '') throw new Error(emitted.join(''))
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: COMPILER_OPTIONS, exclude: ['node_modules'] }))
  const started = new Set<ReturnType<typeof spawn>>()
  return {
    folder,
    write(files) {
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, path)), { recursive: true })
        writeFileSync(join(folder, path), text)
      }
    },
    compile: (compiler = COMPILER) => output(process.execPath, [compiler, '-p', 'tsconfig.json'], folder),
    run(file, env = {}) {
      const child = spawn(process.execPath, [join('out', file)], {
        cwd: folder,
        env: { ...cleanEnvironment(), ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      started.add(child)
      return running(child, file)
    },
    remove() {
      for (const child of started) child.kill('SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function output(program: string, args: readonly string[], cwd: string): Promise<string> {
  return new Promise((done) => {
    execFile(program, args, { cwd }, (error, stdout, stderr) => done(error ? `${stdout}${stderr}` || error.message : ''))
  })
}
