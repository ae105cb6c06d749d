/** `koa-itsm import`: uploads files, follows their imports, and fetches the rows that failed. */
import { readFileSync, statSync } from 'node:fs'
import { basename, extname } from 'node:path'
import { MAX_FILE_BYTES } from '../core/file-sizes.js'
import { suggestion } from '../core/text/nearest.js'
import type { ApiWork, ExitCode, Given } from './contract.js'
import { UsageError } from './errors.js'
import { failuresIn, followImport, idOfImport, writeFailures } from './follow-import.js'
import { number } from './screen.js'
import { withApi } from './settings.js'

/** A file, and the type of its rows. */
interface File {
  readonly path: string
  readonly type: string
}

export const importCommand = withApi({
  usage: 'FILE…',
  about: 'Imports CSV or TSV files. Several are imported in the order in which they depend on each other.',
  notes: [
    'Without --type, the type is the name of the file up to the first dot: people.csv has people.',
    'Failed rows of people.csv are written to people.failures.csv: repair them, and import that file.',
    'An import that has begun goes on in the background after Ctrl-C.',
  ],
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
    map: {
      type: 'string',
      multiple: true,
      value: 'A=B',
      about: 'reads column A of the file as B, or not at all without B; may be repeated',
    },
    absent: { type: 'string', value: 'disable', about: 'disables the records of the source that the file does not have' },
    'absent-limit': { type: 'string', value: 'PERCENT', about: 'disables nothing if more than that are missing (default 10)' },
  },
  async run(work) {
    const mapping = mappingOf(work.given['map'])
    const files = await filesOf(work)
    let code: ExitCode = 0
    for (const [index, file] of files.entries()) {
      const one = await importFile(work, file, mapping)
      if (one > code) code = one
      // Later files refer to records of this one.
      const rest = files.slice(index + 1).map(({ path }) => path)
      if (one === 2 && rest.length > 0) work.screen.note(`Not imported: ${rest.join(', ')}`)
      if (one === 2) break
    }
    return code
  },
})

/** The files in the order of their types. All are looked at before one is imported. @throws UsageError */
async function filesOf({ client, given, names }: ApiWork): Promise<readonly File[]> {
  if (names.length === 0) throw new UsageError('Name at least one file')
  const { type } = given
  if (typeof type === 'string' && names.length > 1) throw new UsageError('With --type, name one file')
  for (const path of names) checkFile(path)
  const order = await typesOf(client)
  const files = names.map((path): File => ({ path, type: typeof type === 'string' ? type : typeInName(path) }))
  const unknown = files.find((file) => !order.includes(file.type))
  if (unknown) {
    const { path, type: name } = unknown
    const near = suggestion(name, order)
    const all = `The types are ${order.join(', ')}${typeof type === 'string' ? '' : '; name one with --type'}`
    throw new UsageError(`${path}: there is no type '${name}'${near}. ${all}`)
  }
  return files.sort((a, b) => order.indexOf(a.type) - order.indexOf(b.type))
}

/** The import types, in the order in which files have to be imported. */
async function typesOf(client: ApiWork['client']): Promise<readonly string[]> {
  const { components } = await client.json<{
    components: { schemas: { ImportUpload: { properties: { type: { enum: readonly string[] } } } } }
  }>('GET', '/openapi.json')
  return components.schemas.ImportUpload.properties.type.enum
}

function typeInName(path: string): string {
  return basename(path).split('.')[0] ?? ''
}

async function importFile(work: ApiWork, { path, type }: File, mapping: Mapping): Promise<ExitCode> {
  const { client, given, screen } = work
  const bytes = readFile(path)
  const form = new FormData()
  form.set('type', type)
  const dryRun = given['dry-run'] === true
  if (dryRun) form.set('dry_run', 'true')
  if (given['history']) form.set('history', 'true')
  for (const name of ['absent', 'absent-limit']) {
    const value = given[name]
    if (typeof value === 'string') form.set(name.replace('-', '_'), value)
  }
  if (Object.keys(mapping).length > 0) form.set('mapping', JSON.stringify(mapping))
  form.set('file', new Blob([new Uint8Array(bytes)]), basename(path))

  screen.progress(`${path}: uploads ${number(bytes.length / 1024)} kB`)
  const { token } = await client.json<{ readonly token: string }>('POST', '/import', form)
  const end = await followImport(work, { token, name: path, lines: linesIn(bytes) })
  const failed = failuresIn(end)
  const failuresFile = failed > 0 ? await writeFailures(work, () => idOfImport(client, token), failuresOf(path)) : null
  const { message, results = {}, state } = end
  const counts = Object.entries(results).map(([counter, count]) => `${counter} ${count}`)
  const texts = [
    `${path}${dryRun ? ', dry run' : ''}: ${state === 'done' ? '' : `${message ?? 'error'}; `}${counts.join(', ')}`,
    ...(failuresFile ? [`  failed rows: ${failuresFile}`] : []),
    ...(end.logfile ? [`  log: ${end.logfile}`] : []),
  ]
  const told = { file: path, type, dry_run: dryRun, state, message: message ?? null, results, failures_file: failuresFile }
  screen.result(texts.join('\n'), told)
  return state === 'error' ? 2 : failed > 0 ? 1 : 0
}

/** `people.failures.csv` beside `people.csv`. */
function failuresOf(path: string): string {
  const extension = extname(path)
  return `${extension === '' ? path : path.slice(0, -extension.length)}.failures.csv`
}

/** @throws UsageError for a file that cannot be imported */
function checkFile(path: string): void {
  const found = trying(path, () => statSync(path))
  if (found.isDirectory()) throw new UsageError(`${path} is a folder`)
  if (found.size > MAX_FILE_BYTES) {
    throw new UsageError(
      `${path} has more than ${number(MAX_FILE_BYTES / 1024 ** 2)} MB, the most for an import: split the file`,
    )
  }
}

function readFile(path: string): Buffer {
  return trying(path, () => readFileSync(path))
}

function trying<T>(path: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new UsageError(code === 'ENOENT' ? `There is no file ${path}` : `${path} cannot be read: ${message}`)
  }
}

const LINE_FEED = 0x0a

/** Lines of a file; null for UTF-16, where these bytes may be parts of other characters. */
function linesIn(bytes: Buffer): number | null {
  if (bytes.length >= 2 && [0xfffe, 0xfeff].includes(bytes.readUInt16BE(0))) return null
  let lines = bytes.length > 0 && bytes.at(-1) !== LINE_FEED ? 1 : 0
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) lines++
  return lines
}

type Mapping = { readonly [header: string]: string }

/** @throws UsageError for a text without an equals sign, and for a column that is named twice */
function mappingOf(given: Given[string]): Mapping {
  const pairs = new Map<string, string>()
  for (const pair of Array.isArray(given) ? given.map(String) : []) {
    const at = pair.indexOf('=')
    const [own, header] = [pair.slice(0, at).trim(), pair.slice(at + 1).trim()]
    if (at <= 0 || own === '') {
      throw new UsageError(`--map needs two headers: --map "Full name=Name", or --map "Site=" to leave one out, not '${pair}'`)
    }
    if (pairs.has(own)) throw new UsageError(`--map has the column '${own}' twice`)
    pairs.set(own, header)
  }
  return Object.fromEntries(pairs)
}
