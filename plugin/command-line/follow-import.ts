/** Follows an import, or the undo of one, and fetches what failed in it. */
import { writeFileSync } from 'node:fs'
import type { Client } from './client.js'
import type { ApiWork } from './contract.js'
import { CallFailed } from './errors.js'
import { untilEnd } from './follow.js'
import { barOf, createMeter } from './screen.js'

/** How far an import is; also what its entry in the list says. */
export interface Progress {
  readonly state: string
  readonly line?: number | null
  readonly message?: string | null
  readonly results?: { readonly [counter: string]: number }
  readonly logfile?: string | null
}

/** An import in the list of the account. */
export interface Entry extends Progress {
  readonly id: number
  readonly token: string
  readonly type: string
  readonly file_name: string
  readonly created_by: { readonly name: string } | null
  readonly dry_run: boolean
  readonly lines: number | null
  readonly created_at: string
}

/** Entries on a page. */
const PER_PAGE = 100

const GOES_ON = 'It goes on in the background: koa-itsm imports list shows it, and koa-itsm imports stop ID stops it.'

/** Shows the progress of an import until its end. @param lines of the file; null if they are not known. @throws CallFailed, Interrupted */
export function followImport(
  { client, screen }: ApiWork,
  { token, name, lines }: { readonly token: string; readonly name: string; readonly lines: number | null },
): Promise<Progress> {
  const meter = createMeter()
  const show = ({ line, state }: Progress) => {
    const done = line ?? 0
    screen.progress(`${name}: ${state === 'queued' ? 'waits for other imports' : barOf(done, lines, meter(done))}`)
  }
  return untilEnd<Progress>(client, `/import/${token}`, show, `${name}: ${GOES_ON}`)
}

/** Rows that were not saved. */
export function failuresIn({ results = {} }: Progress): number {
  return (results['errors'] ?? 0) + (results['failures'] ?? 0)
}

/**
 * The imports of the account, the newest first, page by page. New imports may come while it reads: then an entry of the last
 * page comes again.
 */
export async function* entriesOf(client: Client, perPage: number = PER_PAGE): AsyncGenerator<Entry> {
  for (let page = 1; ; page++) {
    const entries = await client.json<readonly Entry[]>('GET', `/imports?per_page=${perPage}&page=${page}`)
    yield* entries
    if (entries.length < perPage) return
  }
}

/** The id of an import by its token; null if the list has it no more. @throws CallFailed */
export async function idOfImport(client: Client, token: string): Promise<number | null> {
  for await (const entry of entriesOf(client)) if (entry.token === token) return entry.id
  return null
}

/** Writes the failed rows of an import to a file. @returns its path; null, with a note, if that is not possible */
export async function writeFailures(
  { client, screen }: ApiWork,
  idOf: () => Promise<number | null>,
  target: string,
): Promise<string | null> {
  try {
    const id = await idOf()
    if (id === null) return null
    const response = await client.call('GET', `/imports/${id}/failures`)
    writeFileSync(target, Buffer.from(await response.arrayBuffer()))
    return target
  } catch (error) {
    // What was imported has to be told all the same. Errors of the file system have a code.
    if (!(error instanceof CallFailed) && !(error instanceof Error && 'code' in error)) throw error
    screen.note(`${target} could not be written: ${error.message}`)
    return null
  }
}
