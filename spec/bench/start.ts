/**
 * What it costs to import the built package and to create a plugin: processor time of fresh processes, the median of some. With
 * another build, both take turns, and the ratio is what means something on a busy machine.
 */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'

const ENTRY = 'dist/plugin/index.js'
const ROUNDS = 9
/** Runs in plain Node: a loader of TypeScript would be measured as well. Milliseconds, with those of threads of the engine. */
const START = `
  const cpu = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1000 }
  const begin = cpu()
  const { createPlugin } = await import(process.argv[1])
  const imported = cpu()
  createPlugin({
    baseUrl: 'https://desk.example/v1',
    secret: 'only for this bench, and long enough for a secret',
    database: { url: 'sqlite::memory:' },
    jobs: { backend: 'memory' },
  })
  console.log(JSON.stringify({ import: imported - begin, createPlugin: cpu() - imported, both: cpu() - begin }))
  process.exit()
`

interface Cost {
  readonly import: number
  readonly createPlugin: number
  readonly both: number
}

/**
 * Prints the costs of our build, after `npm run build`.
 *
 * @param other folder of another build, such as an older version in node_modules of some host
 */
export async function weighStart(other?: string): Promise<void> {
  const folders = other === undefined ? ['.'] : ['.', other]
  const entries = folders.map((folder) => resolve(folder, ENTRY))
  const absent = entries.find((entry) => !existsSync(entry))
  if (absent !== undefined) throw new Error(`There is no ${absent}: run npm run build in its folder first`)
  const rounds: Cost[][] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const costs: Cost[] = []
    for (const entry of entries) costs.push(await startOf(entry))
    rounds.push(costs)
  }
  for (const part of ['import', 'createPlugin', 'both'] as const) {
    const [ours = Number.NaN, theirs] = entries.map((_, index) => median(rounds.map((costs) => costs[index]?.[part])))
    const ratio = theirs === undefined ? '' : `, ${(ours / theirs).toFixed(2)} of the other build (${theirs.toFixed(0)} ms)`
    console.log(`${part}: ${ours.toFixed(0)} ms of processor${ratio}`)
  }
}

async function startOf(entry: string): Promise<Cost> {
  const program = ['--input-type=module', '-e', START, pathToFileURL(entry).href]
  const { stdout } = await promisify(execFile)(process.execPath, program)
  return JSON.parse(stdout)
}

function median(values: readonly (number | undefined)[]): number {
  const known = values.map(Number).sort((one, another) => one - another)
  return known[known.length >> 1] ?? Number.NaN
}
