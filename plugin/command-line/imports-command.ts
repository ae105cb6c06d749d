/** `koa-itsm imports`: lists the imports of the account, stops one, and undoes one. */
import { join } from 'node:path'
import type { ApiWork, ExitCode } from './contract.js'
import { CallFailed, UsageError } from './errors.js'
import { type Entry, entriesOf, failuresIn, followImport, type Progress, writeFailures } from './follow-import.js'
import { countsOf, tableOf } from './screen.js'
import { withApi } from './settings.js'

export const importsCommand = withApi({
  usage: 'list | stop ID | undo ID',
  about: 'Lists the imports of the account, the newest first; stops one, or takes back what one has changed.',
  notes: [
    'stop: the rows that are being saved are the last ones. What was saved stays; undo takes it back.',
    'undo: records that somebody has changed since stay as they are. undo-ID.failures.csv names them, where ID is that of the undo.',
  ],
  examples: [
    'koa-itsm imports list',
    'koa-itsm imports list --limit 500 --json',
    'koa-itsm imports stop 17',
    'koa-itsm imports undo 17',
  ],
  options: { limit: { type: 'string', value: 'N', about: 'lists at most that many imports (default 20, at most 10,000)' } },
  async run(work) {
    const [action, id, ...more] = work.names
    if (action === 'list' && id === undefined) return list(work)
    if ((action === 'stop' || action === 'undo') && /^\d{1,15}$/.test(id ?? '') && more.length === 0) {
      return action === 'stop' ? stop(work, Number(id)) : undo(work, Number(id))
    }
    throw new UsageError('Say what to do: list, stop ID, or undo ID')
  },
})

/** Imports that are listed at most, and those on a page. */
const [MOST, PER_PAGE] = [10_000, 100]

async function list({ client, given, screen }: ApiWork): Promise<ExitCode> {
  const limit = Number(given['limit'] ?? 20)
  if (!Number.isInteger(limit) || limit < 1 || limit > MOST) throw new UsageError('--limit is a number from 1 to 10000')
  const entries = new Map<number, Entry>()
  for await (const entry of entriesOf(client, Math.min(PER_PAGE, limit))) {
    entries.set(entry.id, entry)
    if (entries.size === limit) break
  }
  const rows = [...entries.values()].map((one) => [
    String(one.id),
    one.type,
    one.file_name,
    one.created_by?.name ?? '',
    one.created_at,
    one.dry_run ? `${one.state} (dry run)` : one.state,
    `${one.line ?? 0}${one.lines === null ? '' : ` of ${one.lines}`}`,
    countsOf(one.results ?? {}),
    one.message ?? '',
  ])
  screen.list(rows.length === 0 ? 'No imports' : tableOf([HEADERS, ...rows]), [...entries.values()])
  return 0
}

const HEADERS = ['Id', 'Type', 'File', 'By', 'At', 'State', 'Line', 'Results', 'Message']

async function stop({ client, screen }: ApiWork, id: number): Promise<ExitCode> {
  await client.call('DELETE', `/imports/${id}`)
  screen.result(`Import ${id} stops`, { id, stopped: true })
  return 0
}

async function undo(work: ApiWork, id: number): Promise<ExitCode> {
  const { client, screen, surroundings } = work
  const { id: undoId, token } = await client.json<{ readonly token: string; readonly id: number }>(
    'POST',
    `/imports/${id}/undo`,
  )
  const end = await progressOf(work, { name: `undo of import ${id}`, token, undoId })
  const left = failuresIn(end)
  const target = join(surroundings.folder, `undo-${undoId}.failures.csv`)
  const failuresFile = left > 0 ? await writeFailures(work, async () => undoId, target) : null
  const { message, results = {}, state } = end
  const counts = countsOf(results) || 'there was nothing to undo'
  const texts = [
    `Undo of import ${id}: ${state === 'done' ? '' : `${message ?? 'error'}; `}${counts}`,
    ...(failuresFile ? [`  records that were left as they are: ${failuresFile}`] : []),
    ...(end.logfile ? [`  log: ${end.logfile}`] : []),
  ]
  screen.result(texts.join('\n'), {
    id,
    undo_id: undoId,
    state,
    message: message ?? null,
    results,
    failures_file: failuresFile,
  })
  return state === 'error' ? 2 : left > 0 ? 1 : 0
}

/** An undo that is asked for again may have ended long ago: then only the list of imports knows it. */
async function progressOf(
  work: ApiWork,
  { name, token, undoId }: { readonly name: string; readonly token: string; readonly undoId: number },
): Promise<Progress> {
  try {
    return await followImport(work, { token, name, lines: null })
  } catch (error) {
    if (!(error instanceof CallFailed) || error.status !== 404) throw error
    return work.client.json<Entry>('GET', `/imports/${undoId}`)
  }
}
