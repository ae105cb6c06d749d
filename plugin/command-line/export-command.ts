/** `koa-itsm export`: writes a CSV file for each type. */
import { accessSync, constants, createWriteStream, existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import type { ApiWork, ExitCode } from './contract.js'
import { CallFailed, Interrupted, UsageError } from './errors.js'
import { untilEnd } from './follow.js'
import { barOf, createMeter } from './screen.js'
import { withApi } from './settings.js'

interface Progress {
  readonly state: string
  readonly line?: number
  readonly url?: string
  readonly next_from?: string
  readonly message?: string
}

export const exportCommand = withApi({
  usage: 'TYPE,TYPE… [-o DIR]',
  about: 'Exports types to CSV files, which can be imported again. The rows are those that the person may read.',
  notes: ['Each type is written to a file with its name, people.csv. A file from before is replaced.'],
  examples: ['koa-itsm export people,cis -o backup', 'koa-itsm export requests --from 2026-11-01T00:00:00Z'],
  options: {
    output: { type: 'string', short: 'o', value: 'DIR', about: 'folder for the files (default: this one)' },
    from: { type: 'string', value: 'DATETIME', about: 'only records with changes that were saved since then' },
  },
  async run(work) {
    const types = work.names.flatMap((name) => name.split(',')).filter((name) => name.trim() !== '')
    if (types.length === 0) throw new UsageError('Name at least one type')
    const nexts: (string | null)[] = []
    for (const type of new Set(types.map((name) => name.trim()))) nexts.push(await exportType(work, type))
    const code: ExitCode = nexts.includes(null) ? 2 : 0
    // The earliest: what was saved between two of the files is in the one before, or in the next.
    const [next] = nexts.includes(String(work.given['from'])) ? [work.given['from']] : nexts.sort()
    if (next && code === 0) work.screen.note(`Next time: --from ${next}`)
    return code
  },
})

/** @returns the time to export from next time; null if the file could not be written */
async function exportType({ client, given, screen }: ApiWork, type: string): Promise<string | null> {
  const { from, output = '.' } = given
  const folder = String(output)
  makeFolder(folder)
  const asked = await client.json<{ readonly token: string } | null>('POST', '/export', {
    type,
    ...(from !== undefined && { from }),
  })
  if (asked === null) {
    screen.result(`${type}: nothing has changed`, { type, state: 'unchanged', file: null, next_from: from })
    return String(from)
  }
  const meter = createMeter()
  const show = ({ line = 0, state }: Progress) => {
    screen.progress(`${type}: ${state === 'queued' ? 'waits for other exports' : barOf(line, null, meter(line))}`)
  }
  const end = await untilEnd<Progress>(
    client,
    `/export/${asked.token}`,
    show,
    `${type}: its file was not fetched; export it again.`,
  )
  if (end.state === 'error' || end.url === undefined) {
    screen.result(`${type}: ${end.message ?? 'error'}`, { type, state: 'error', message: end.message ?? null, file: null })
    return null
  }
  const file = join(folder, `${type}.csv`)
  await write(await client.download(end.url), file)
  screen.result(`${type}: ${file}`, { type, state: 'done', file, next_from: end.next_from })
  return end.next_from ?? ''
}

/** @throws UsageError */
function makeFolder(path: string): void {
  try {
    makeWithParents(resolve(path))
    accessSync(path, constants.W_OK)
  } catch (error) {
    throw new UsageError(`${path} is no folder that can be written to: ${(error as Error).message}`)
  }
  if (!statSync(path).isDirectory()) throw new UsageError(`${path} is no folder`)
}

/** Node's own `recursive` never returns if a folder accepts no subfolders, such as /proc. */
function makeWithParents(path: string): void {
  if (existsSync(path)) return
  if (dirname(path) !== path) makeWithParents(dirname(path))
  mkdirSync(path)
}

/** Writes a file, which is there only as a whole. */
async function write({ body }: Response, file: string): Promise<void> {
  const draft = `${file}.part`
  try {
    await pipeline(Readable.fromWeb((body ?? new Blob([]).stream()) as ReadableStream), createWriteStream(draft))
    renameSync(draft, file)
  } catch (error) {
    rmSync(draft, { force: true })
    if ((error as Error).name === 'AbortError') throw new Interrupted(`Interrupted. ${file} was not written.`)
    throw new CallFailed(`${file} could not be written: ${(error as Error).message}`, null)
  }
}
