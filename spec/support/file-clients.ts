/** What clients do with files: upload them, wait for their import, ask for exports, download these. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Mounted, Reply } from './mounted.js'

export interface ImportEnd {
  readonly state: string
  readonly message?: string
  readonly results: Readonly<Record<string, number>>
  readonly logfile: string
  readonly log: string
}

const BOUNDARY = 'the-boundary'
const UNENDED = ['queued', 'processing']

/** Uploads a file with other parts of the form. */
export function upload(
  place: Mounted,
  as: string,
  { file, ...texts }: { readonly [part: string]: string | Buffer },
): Promise<Reply> {
  const part = (name: string, more = '') => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`
  const before = Object.entries(texts).map(([name, text]) => `${part(name)}${text}\r\n`)
  const body = Buffer.concat([
    Buffer.from(`${before.join('')}${part('file', '; filename="new-people.csv"\r\nContent-Type: text/csv')}`),
    Buffer.from(file ?? ''),
    Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
  ])
  return place.ask(as, 'POST', '/import', body, { 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` })
}

/** Imports a file and waits for its end. @param more other parts of the form */
export async function imported(
  place: Mounted,
  as: string,
  type: string,
  file: string | Buffer,
  more: { readonly [part: string]: string } = {},
): Promise<ImportEnd> {
  const submitted = await upload(place, as, { type, file, ...more })
  if (submitted.status !== 200) throw new Error(`${type}: ${submitted.text}`)
  const progress = await ended(place, as, `/import/${(submitted.json as { token: string }).token}`)
  const log = await fetch(String(progress['logfile']))
  return { ...(progress as object as ImportEnd), log: await log.text() }
}

/** Undoes an import and waits for the end. @param importId default: the newest one */
export async function undone(place: Mounted, as: string, importId?: number): Promise<ImportEnd> {
  const id = importId ?? ((await place.ask(as, 'GET', '/imports?per_page=1')).json as { id: number }[])[0]?.id
  const { json, status, text } = await place.ask(as, 'POST', `/imports/${id}/undo`)
  if (status !== 200) throw new Error(`${id}: ${status} ${text}`)
  const progress = await ended(place, as, `/import/${(json as { token: string }).token}`)
  const log = await fetch(String(progress['logfile']))
  return { ...(progress as object as ImportEnd), log: await log.text() }
}

/** Asks for an export and waits for its end. @returns the progress; null if nothing has changed */
export async function exported(place: Mounted, as: string, body: object): Promise<Readonly<Record<string, unknown>> | null> {
  const { json, status, text } = await place.ask(as, 'POST', '/export', body)
  if (status === 204) return null
  if (status !== 200) throw new Error(`${status} ${text}`)
  return ended(place, as, `/export/${(json as { token: string }).token}`)
}

/** The file of one type. */
export async function exportedFile(place: Mounted, as: string, type: string, from?: string): Promise<string> {
  const progress = await exported(place, as, { type, ...(from && { from }) })
  const file = await fetch(String(progress?.['url']))
  if (file.status !== 200) throw new Error(`${type}: ${file.status} ${JSON.stringify(progress)}`)
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(await file.arrayBuffer())
}

async function ended(place: Mounted, as: string, path: string): Promise<Readonly<Record<string, unknown>>> {
  for (;;) {
    const progress = (await place.ask(as, 'GET', path)).json as Readonly<Record<string, unknown>>
    if (!UNENDED.includes(String(progress['state']))) return progress
    await sleep(10)
  }
}
