/** `koa-itsm import`: uploads files, follows their imports, and fetches the rows that failed. */
import { readFileSync, writeFileSync } from 'node:fs'
import { basename, extname } from 'node:path'
import { type Client, untilEnd } from './client.js'
import { type Command, type ExitCode, UsageError, type Work } from './contract.js'
import { barOf } from './screen.js'

interface Progress {
  readonly state: string
  readonly line?: number
  readonly message?: string
  readonly results?: { readonly [counter: string]: number }
  readonly logfile?: string
}

/** A file, and the type of its rows. */
interface Given {
  readonly path: string
  readonly type: string
}

export const importCommand: Command = {
  usage: 'FILE…',
  about: 'Imports CSV or TSV files. Several are imported in the order in which they depend on each other.',
  examples: [
    'koa-itsm import people.csv --type people',
    'koa-itsm import sites.csv people.csv teams.csv --dry-run',
    'koa-itsm import hr.csv --type people --map "Full name=Name" --absent disable',
    'koa-itsm import requests.csv --history',
  ],
  options: {
    type: { type: 'string', short: 't', value: 'TYPE', about: 'type of the rows (default: the name of the file)' },
    'dry-run': { type: 'boolean', about: 'tells what the import would do, and stores nothing' },
    history: { type: 'boolean', about: 'takes times and people of new records from the file, and tells nobody' },
    map: { type: 'string', multiple: true, value: 'A=B', about: 'reads the column A of the file as B; may be repeated' },
    absent: { type: 'string', value: 'disable', about: 'disables the records of the source that the file does not have' },
    'absent-limit': { type: 'string', value: 'PERCENT', about: 'disables nothing if more than that are missing (default 10)' },
  },
  async run(work) {
    const files = await filesOf(work)
    let code: ExitCode = 0
    for (const file of files) {
      const one = await importFile(work, file)
      if (one > code) code = one
      // Later files refer to records of this one.
      if (one === 2) break
    }
    return code
  },
}

/** The files in the order of their types. @throws UsageError for a file whose type is not known */
async function filesOf({ client, given, names }: Work): Promise<readonly Given[]> {
  if (names.length === 0) throw new UsageError('Name at least one file')
  const { type } = given
  if (typeof type === 'string' && names.length > 1) throw new UsageError('With --type, name one file')
  const order = await typesOf(client)
  const files = names.map(
    (path): Given => ({ path, type: typeof type === 'string' ? type : (basename(path).split('.')[0] ?? '') }),
  )
  const unknown = files.find((file) => !order.includes(file.type))
  if (unknown) throw new UsageError(`${unknown.path}: there is no type '${unknown.type}'. The types are ${order.join(', ')}`)
  return files.sort((a, b) => order.indexOf(a.type) - order.indexOf(b.type))
}

/** The import types, in the order in which files have to be imported. */
export async function typesOf(client: Client): Promise<readonly string[]> {
  const document = (await (await client.call('GET', '/openapi.json')).json()) as {
    components: { schemas: { ImportUpload: { properties: { type: { enum: readonly string[] } } } } }
  }
  return document.components.schemas.ImportUpload.properties.type.enum
}

async function importFile({ client, given, screen }: Work, { path, type }: Given): Promise<ExitCode> {
  const bytes = readFile(path)
  const form = new FormData()
  form.set('type', type)
  if (given['dry-run']) form.set('dry_run', 'true')
  if (given['history']) form.set('history', 'true')
  for (const name of ['absent', 'absent-limit']) {
    const value = given[name]
    if (typeof value === 'string') form.set(name.replace('-', '_'), value)
  }
  const mapping = mappingOf(given['map'])
  if (Object.keys(mapping).length > 0) form.set('mapping', JSON.stringify(mapping))
  form.set('file', new Blob([new Uint8Array(bytes)]), basename(path))

  const lines = bytes.filter((byte) => byte === LINE_FEED).length
  const begin = performance.now()
  const { token } = (await (await client.call('POST', '/import', form)).json()) as { readonly token: string }
  const end = await untilEnd<Progress>(client, `/import/${token}`, ({ line = 0, state }) => {
    const bar = state === 'queued' ? 'waits for other imports' : barOf(line, lines, (performance.now() - begin) / 1000)
    screen.progress(`${path}: ${bar}`)
  })
  const { errors = 0, failures = 0 } = end.results ?? {}
  const failed = errors + failures
  const failuresFile = failed > 0 ? await fetchFailures(client, token, path) : null
  const counts = Object.entries(end.results ?? {}).map(([counter, count]) => `${counter} ${count}`)
  const texts = [
    `${path}: ${end.state === 'done' ? '' : `${end.message ?? 'error'}; `}${counts.join(', ')}`,
    ...(failuresFile ? [`  failed rows: ${failuresFile}`] : []),
    ...(end.logfile ? [`  log: ${end.logfile}`] : []),
  ]
  const { message = null, results, state } = end
  const dryRun = given['dry-run'] === true
  screen.result(texts.join('\n'), { file: path, type, dry_run: dryRun, state, message, results, failures_file: failuresFile })
  return end.state === 'error' ? 2 : failed > 0 ? 1 : 0
}

const LINE_FEED = 0x0a

function readFile(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${(error as Error).message}`)
  }
}

/** @throws UsageError for a text without an equals sign */
function mappingOf(given: Work['given'][string]): { readonly [header: string]: string } {
  const pairs = Array.isArray(given) ? given.map(String) : []
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=')
      if (at <= 0) throw new UsageError(`--map needs two headers: --map "Full name=Name", not ${pair}`)
      return [pair.slice(0, at), pair.slice(at + 1)]
    }),
  )
}

/** Writes the failed rows beside the file: `people.failures.csv`. @returns its path; null if the list has the import no more */
async function fetchFailures(client: Client, token: string, path: string): Promise<string | null> {
  const list = (await (await client.call('GET', '/imports?per_page=100')).json()) as { id: number; token: string }[]
  const entry = list.find((one) => one.token === token)
  if (!entry) return null
  const extension = extname(path)
  const target = `${extension === '' ? path : path.slice(0, -extension.length)}.failures.csv`
  const response = await client.call('GET', `/imports/${entry.id}/failures`)
  writeFileSync(target, Buffer.from(await response.arrayBuffer()))
  return target
}
