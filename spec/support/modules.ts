/**
 * Location of our modules while specs run: the runner compiles them once for all of its processes. Without it they are sources.
 */
import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'

const ROOT = new URL('../../', import.meta.url)
/** File extension of our modules, in the form that runs. */
export const MODULE_SUFFIX = import.meta.url.endsWith('.ts') ? '.ts' : '.js'
/** Arguments of Node to run one of our modules in a separate process. */
export const NODE_FLAGS = MODULE_SUFFIX === '.ts' ? ['--conditions=koa-itsm-source', '--import=tsx/esm'] : []
/** The compiler as a program. */
export const COMPILER = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')

/** Programs that specs start again and again. As one file each, they start in half of the time. */
const PROGRAMS = ['deliver-in-child', 'dispatch-in-child', 'exiting-plugin', 'host-in-child', 'ledger-in-child']

/** The URL of one of our modules, by its path in the repository without an extension. */
export function moduleUrl(path: string): URL {
  return new URL(`${path}${MODULE_SUFFIX}`, ROOT)
}

/**
 * Compiles all of our modules into a folder that then looks like the published package. Compiling each module in each process
 * would take each of them more than a second; `npm run check` checks the types. Returns the location of modules there.
 */
export async function compileModules(folder: string): Promise<(path: string) => URL> {
  const compiled = join(folder, 'dist')
  const emits = ['--noEmit', 'false', '--noCheck', '--declaration', 'false', '--declarationMap', 'false', '--outDir', compiled]
  try {
    const compiling = promisify(execFile)(process.execPath, [COMPILER, '-p', 'spec/tsconfig.json', ...emits])
    const pages = promisify(execFile)(process.execPath, ['plugin/console/build.mjs', join(compiled, 'console')])
    const [files] = await Promise.all([bundlePrograms(compiled), compiling, pages])
    // In place of what the compiler has written.
    for (const { contents, path } of files) writeFileSync(path, contents)
  } catch (error) {
    throw new Error(`The specs cannot be compiled:\n${(error as { readonly stdout?: string }).stdout ?? error}`)
  }
  // It runs in the browser, so it is written in JavaScript.
  copyFileSync('examples/fleet-map/fleet-map.js', join(compiled, 'examples/fleet-map/fleet-map.js'))
  copyFileSync('package.json', join(folder, 'package.json'))
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  // Resolved from the root of the package, and from modules beside `plugin/` in the repository.
  for (const place of [folder, compiled]) symlinkSync(resolve('fixtures'), join(place, 'fixtures'))
  // The documents that the package serves.
  mkdirSync(join(folder, 'plugin'))
  for (const name of ['plugin/docs', 'README.md', 'CHANGELOG.md', 'SECURITY.md']) symlinkSync(resolve(name), join(folder, name))
  return (path) => new URL(`file://${compiled}/${path}.js`)
}

/** The files of the programs, and those that they share; not written yet. */
async function bundlePrograms(compiled: string): Promise<readonly { readonly path: string; readonly contents: Uint8Array }[]> {
  // Only where modules are compiled: all specs import this file.
  const { build } = await import('esbuild')
  const { outputFiles } = await build({
    entryPoints: PROGRAMS.map((name) => `spec/support/${name}.ts`),
    bundle: true,
    splitting: true,
    packages: 'external',
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    outbase: '.',
    outdir: compiled,
    chunkNames: 'spec/support/[name]-[hash]',
    sourcemap: true,
    sourcesContent: false,
    logLevel: 'silent',
    write: false,
  })
  return outputFiles
}
