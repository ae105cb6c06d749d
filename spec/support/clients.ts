/** Clients that are generated from the OpenAPI document, in a folder of their own. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { after, before } from 'mocha'
import { COMPILER } from './modules.js'

const run = promisify(execFile)
const MODULES = resolve('node_modules')
const TYPESCRIPT_5 = resolve('spec/support/typescript-5.mjs')

/** A folder for the calling block, in which modules of ours are found. */
export function clientFolder(): () => string {
  let folder = ''
  before('makes a folder', async () => {
    folder = await mkdtemp(join(tmpdir(), 'koa-itsm-client-'))
    await symlink(MODULES, join(folder, 'node_modules'))
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  })
  after(() => rm(folder, { recursive: true, force: true }))
  return () => folder
}

/** What the programs in `spec/clients` print of requests, people, organizations, calendars and broadcasts with this title. */
export function doneBy(title: string): readonly (readonly unknown[])[] {
  const again = `${title} again`
  return [
    [1, 1, title, again, "Subject can't be blank", 'A note'],
    [1, 1, title, again, "Name can't be blank"],
    [1, 1, title, again, "Name can't be blank"],
    [1, 1, title, again, "Name can't be blank"],
    [1, 1, title, again, "Message can't be blank"],
  ]
}

/** The generators, as programs: each reads `openapi.json` in the folder. */
export const generate = {
  types: (folder: string) => node(folder, 'openapi-typescript/bin/cli.js', 'openapi.json', '--output', 'api.ts'),
  heyApi: (folder: string) =>
    node(
      folder,
      '@hey-api/openapi-ts/dist/run.mjs',
      '--input',
      'openapi.json',
      '--output',
      'hey-api',
      '--client',
      '@hey-api/client-fetch',
    ),
  async orval(folder: string, baseUrl: string) {
    const config = { desk: { input: 'openapi.json', output: { target: 'orval/desk.ts', client: 'fetch', baseUrl } } }
    await writeFile(join(folder, 'orval.config.mjs'), `export default ${JSON.stringify(config)}`)
    return node(folder, 'orval/dist/bin/orval.mjs', '--config', 'orval.config.mjs')
  },
}

async function node(folder: string, program: string, ...options: readonly string[]): Promise<void> {
  // Some report by telemetry which options they were called with.
  const env = { ...process.env, DO_NOT_TRACK: '1', CI: '1' }
  await run(process.execPath, [`--import=${TYPESCRIPT_5}`, join(MODULES, program), ...options], { cwd: folder, env })
}

/** What the compiler says of these files and all that they import. */
export async function compilerErrors(folder: string, files: readonly string[], more: readonly string[] = []): Promise<string> {
  const strict = [
    '--noEmit',
    '--strict',
    '--noUncheckedIndexedAccess',
    '--target',
    'es2023',
    '--lib',
    'es2023,dom,dom.iterable',
  ]
  const modules = ['--module', 'esnext', '--moduleResolution', 'bundler', '--types', 'node', '--skipLibCheck']
  try {
    await run(process.execPath, [COMPILER, ...strict, ...modules, ...more, ...files], { cwd: folder })
    return ''
  } catch (error) {
    return String((error as { readonly stdout?: string }).stdout || error)
  }
}

/** The last line that a program prints, as JSON. */
export async function runProgram(folder: string, file: string, options: readonly string[]): Promise<unknown> {
  const { stdout } = await run(process.execPath, ['--import=tsx/esm', file, ...options], { cwd: folder })
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
}
