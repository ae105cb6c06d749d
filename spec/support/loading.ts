/** Prints what a process loads to import the plugin, and what more to create one, as JSON. Argument: URL of the database. */
import { type Debugger, Session } from 'node:inspector'

/** Of what a process has loaded, in alphabetical order. */
export interface Loaded {
  /** Names of packages, their own packages included. */
  readonly packages: readonly string[]
  /** Number of files of these. */
  readonly files: number
  /** Our own modules, without their extension. */
  readonly own: readonly string[]
}

const [database = ''] = process.argv.slice(2)
const seen: string[] = []
// Sees CommonJS and ES modules alike, in every version of Node, without changing how they are loaded.
const session = new Session()
session.connect()
session.on('Debugger.scriptParsed', ({ params }: { readonly params: Debugger.ScriptParsedEventDataType }) => {
  seen.push(params.url)
})
session.post('Debugger.enable')
take()

const { createPlugin } = await import('../../plugin/index.js')
const imported = take()
createPlugin({
  baseUrl: 'https://desk.example/v1',
  secret: 'a secret for specs that is long enough to be taken',
  database: { url: database },
})
console.log(JSON.stringify({ imported, created: take() }))
process.exit()

function take(): Loaded {
  const taken = seen.splice(0)
  const inPackages = taken.flatMap((url) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? [])
  const own = taken.filter((url) => !url.includes('/node_modules/'))
  return {
    packages: [...new Set(inPackages)].sort(),
    files: inPackages.length,
    own: own.flatMap((url) => /\/((?:plugin|migrations)\/.*)\.[jt]s$/.exec(url)?.[1] ?? []).sort(),
  }
}
