/** `koa-itsm export`: writes a CSV file for each type. */
import { createWriteStream, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { untilEnd } from './client.js'
import { type Command, type ExitCode, UsageError, type Work } from './contract.js'
import { number } from './screen.js'

interface Progress {
  readonly state: string
  readonly line?: number
  readonly url?: string
  readonly message?: string
}

export const exportCommand: Command = {
  usage: 'TYPE,TYPE… [-o DIR]',
  about: 'Exports types to CSV files, which can be imported again. The rows are those that the person may read.',
  examples: ['koa-itsm export people,cis -o backup', 'koa-itsm export requests --from 2026-11-01T00:00:00Z'],
  options: {
    output: { type: 'string', short: 'o', value: 'DIR', about: 'folder for the files (default: this one)' },
    from: { type: 'string', value: 'DATETIME', about: 'only records that have changed since then' },
  },
  async run(work) {
    const types = work.names.flatMap((name) => name.split(',')).filter((name) => name !== '')
    if (types.length === 0) throw new UsageError('Name at least one type')
    let code: ExitCode = 0
    for (const type of new Set(types)) if (!(await exportType(work, type))) code = 2
    return code
  },
}

/** @returns false if the file could not be written */
async function exportType({ client, given, screen }: Work, type: string): Promise<boolean> {
  const { from, output = '.' } = given
  const asked = await client.call('POST', '/export', { type, ...(from !== undefined && { from }) })
  if (asked.status === 204) {
    screen.result(`${type}: nothing has changed`, { type, state: 'unchanged', file: null })
    return true
  }
  const { token } = (await asked.json()) as { readonly token: string }
  const end = await untilEnd<Progress>(client, `/export/${token}`, ({ line = 0, state }) => {
    screen.progress(`${type}: ${state === 'queued' ? 'waits for other exports' : `${number(line)} lines`}`)
  })
  if (end.state === 'error' || end.url === undefined) {
    screen.result(`${type}: ${end.message ?? 'error'}`, { type, state: 'error', message: end.message ?? null, file: null })
    return false
  }
  mkdirSync(String(output), { recursive: true })
  const file = join(String(output), `${type}.csv`)
  const { body } = await client.download(end.url)
  await pipeline(Readable.fromWeb((body ?? new Blob([]).stream()) as ReadableStream), createWriteStream(file))
  screen.result(`${type}: ${file}`, { type, state: 'done', file })
  return true
}
