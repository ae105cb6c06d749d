/** `koa-itsm imports`: lists the imports of the account, and stops one. */
import { type Command, UsageError, type Work } from './contract.js'
import { tableOf } from './screen.js'

interface Entry {
  readonly id: number
  readonly type: string
  readonly file_name: string
  readonly created_by: { readonly name: string } | null
  readonly dry_run: boolean
  readonly state: string
  readonly line: number
  readonly lines: number | null
  readonly results: { readonly [counter: string]: number }
  readonly message: string | null
  readonly created_at: string
}

export const importsCommand: Command = {
  usage: 'list | stop ID',
  about: 'Lists the imports of the account, the newest first, or stops one after the rows that are being saved.',
  examples: ['koa-itsm imports list', 'koa-itsm imports stop 17'],
  options: { limit: { type: 'string', value: 'N', about: 'at most that many imports (default 20, at most 100)' } },
  async run(work) {
    const [action, id, ...more] = work.names
    if (action === 'list' && id === undefined) await list(work)
    else if (action === 'stop' && /^\d{1,15}$/.test(id ?? '') && more.length === 0) await stop(work, Number(id))
    else throw new UsageError('Say what to do: list, or stop ID')
    return 0
  },
}

async function list({ client, given, screen }: Work): Promise<void> {
  const limit = Number(given['limit'] ?? 20)
  if (!Number.isInteger(limit) || limit < 1 || limit > 100) throw new UsageError('--limit is a number from 1 to 100')
  const entries = (await (await client.call('GET', `/imports?per_page=${limit}`)).json()) as readonly Entry[]
  const rows = entries.map((one) => [
    String(one.id),
    one.type,
    one.file_name,
    one.created_by?.name ?? '',
    one.created_at,
    one.dry_run ? `${one.state} (dry run)` : one.state,
    `${one.line}${one.lines === null ? '' : ` of ${one.lines}`}`,
    Object.entries(one.results)
      .filter(([, count]) => count > 0)
      .map(([counter, count]) => `${counter} ${count}`)
      .join(', '),
    one.message ?? '',
  ])
  screen.result(tableOf([HEADERS, ...rows]), entries)
}

const HEADERS = ['Id', 'Type', 'File', 'By', 'At', 'State', 'Line', 'Results', 'Message']

async function stop({ client, screen }: Work, id: number): Promise<void> {
  await client.call('DELETE', `/imports/${id}`)
  screen.result(`Import ${id} stops`, { id, stopped: true })
}
