/**
 * `npm run bench -- import`: rows per second of imports, dry runs and exports by type, beside `LOAD DATA` of the same file into a
 * plain table. The rows are those of `fixtures/imports`, each with other unique values.
 */
import { createReadStream, readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import Koa from 'koa'
import mysql from 'mysql2/promise'
import { csvLine } from '../../plugin/core/text/csv.js'
import { decode } from '../../plugin/imports/file/decode.js'
import { parseRows } from '../../plugin/imports/file/parse.js'
import { loadWorld, readFixtures, type World } from '../../plugin/testing/index.js'
import { rowsOfCsv } from '../support/csv.js'
import { plugin } from './seed.js'

const ROWS = 2000
/** So often the server loads them: once would take a few milliseconds, and mean nothing. */
const TIMES = 20
/** Headers whose cells are another one in each row. */
const UNIQUE = ['source id', 'name', 'label', 'primary email', 'serial number', 'support id', 'subject']
/**
 * People come first, because the others are compared with them. Agreements come last: each of those here covers the person of all
 * requests. All tasks are of one change, and all project tasks of one project, whose workflow grows with each chunk.
 */
const TYPES = [
  ...['people', 'sites', 'teams', 'skill_pools', 'services', 'service_instances', 'service_offerings', 'contracts', 'requests'],
  ...['products', 'cis', 'task_templates', 'change_templates', 'request_templates', 'projects', 'project_tasks', 'releases'],
  ...['changes', 'tasks', 'problems', 'slas'],
]
const ADMIN = '@owen'

interface Place {
  readonly base: string
  readonly headers: Record<string, string>
}

/** Prints a line for each type. @param only the types to weigh; if empty, all */
export async function weighImports(url: string, only: readonly string[] = []): Promise<void> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  const itsm = plugin(url, base)
  await itsm.migrate()
  const world = await loadWorld(itsm, readFixtures('fixtures').world)
  server.on('request', new Koa().use(itsm.middleware).callback())
  await itsm.start()
  const place = { base, headers: { authorization: `Basic ${Buffer.from(`${world.token(ADMIN)}:x`).toString('base64')}` } }
  const connection = await mysql.createConnection({ uri: url })
  console.log('type: rows per second (and their share of LOAD DATA, per mille): create, again unchanged, dry run, export')
  try {
    for (const type of only.length > 0 ? only : TYPES) {
      const file = await manyRows(type, world)
      const plain = (ROWS * TIMES) / (await fastestLoad(connection, file))
      // Until the compiler has seen everything: a dry run stores nothing.
      for (const _ of [1, 2]) await importRate(place, type, file, { dry_run: 'true' })
      const created = await importRate(place, type, file)
      const unchanged = await importRate(place, type, file)
      const dry = await importRate(place, type, file, { dry_run: 'true' })
      const exported = await exportRate(place, type)
      const share = (rate: number) => `${rate.toFixed(0)} (${((1000 * rate) / plain).toFixed(1)})`
      console.log(`${type}: ${[created, unchanged, dry, exported].map(share).join(', ')}`)
    }
  } finally {
    await connection.end()
    server.close()
    server.closeAllConnections()
    await itsm.stop()
  }
}

/** The first row of a fixture of a type, many times. */
async function manyRows(type: string, world: World): Promise<string> {
  const folder = `fixtures/imports/${type}`
  const names = readdirSync(folder).filter((name) => name.endsWith('.csv'))
  const path = `${folder}/${names.find((name) => name === 'every-column.csv') ?? names.at(-1)}`
  const rows: (readonly string[])[] = []
  for await (const { cells } of parseRows(decode(createReadStream(path)))) rows.push(cells)
  const [headers = [], first = []] = rows
  const idOf = (_: string, name: string) => String(world.id(name))
  const cells = headers.map((header, index) => ({ header, cell: (first[index] ?? '').replace(/\{\{(.+?)\}\}/g, idOf) }))
  const columns = [...cells.filter(({ header }) => !/^(id|source|source id)$/i.test(header)), ...SOURCE]
  const all = Array.from({ length: ROWS }, (_, n) => columns.map((one) => cellOf(one, n)))
  return [columns.map(({ header }) => header), ...all].map(csvLine).join('')
}

const SOURCE = [
  { header: 'Source', cell: 'Bench' },
  { header: 'Source ID', cell: 'row' },
]

function cellOf({ cell, header }: { readonly header: string; readonly cell: string }, n: number): string {
  if (!UNIQUE.includes(header.toLowerCase()) || cell === '') return cell
  return header.toLowerCase() === 'primary email' ? `row${n}@widgets.example` : `${cell} ${n}`
}

async function importRate(
  { base, headers }: Place,
  type: string,
  file: string,
  more: Record<string, string> = {},
): Promise<number> {
  const form = new FormData()
  for (const [part, value] of Object.entries({ type, ...more })) form.set(part, value)
  form.set('file', new Blob([file], { type: 'text/csv' }), `${type}.csv`)
  let end: Record<string, unknown> = {}
  const took = await seconds(async () => {
    const { token } = (await (await fetch(`${base}/import`, { method: 'POST', headers, body: form })).json()) as {
      token: string
    }
    end = await ended(`${base}/import/${token}`, headers)
  })
  const { created, failures, unchanged, updated } = end['results'] as Record<string, number>
  if (end['state'] !== 'done' || failures) {
    const log = await (await fetch(String(end['logfile']))).text()
    console.log(`${type}: not all rows were imported: ${log.slice(0, 500)}`)
  }
  return (Number(created) + Number(updated) + Number(unchanged)) / took
}

async function exportRate({ base, headers }: Place, type: string): Promise<number> {
  let rows = 0
  const took = await seconds(async () => {
    const body = JSON.stringify({ type })
    const asked = await fetch(`${base}/export`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
    })
    const end = await ended(`${base}/export/${((await asked.json()) as { token: string }).token}`, headers)
    rows = (await rowsOfCsv(await (await fetch(String(end['url']))).text())).length - 1
  })
  return rows / took
}

async function ended(address: string, headers: Record<string, string>): Promise<Record<string, unknown>> {
  for (;;) {
    const progress = (await (await fetch(address, { headers })).json()) as Record<string, unknown>
    if (progress['state'] === 'done' || progress['state'] === 'error') return progress
    await sleep(20)
  }
}

/** Seconds in which the server loads the rows of the file, `TIMES` times, into a table with their columns: the best of three. */
async function fastestLoad(connection: mysql.Connection, file: string): Promise<number> {
  const end = file.indexOf('\r\n') + 2
  const [header, rows] = [Buffer.from(file.slice(0, end)), Buffer.from(file.slice(end))]
  const width = (await rowsOfCsv(file.slice(0, end)))[0]?.length ?? 1
  const names = Array.from({ length: width }, (_, index) => `c${index}`)
  const times: number[] = []
  for (const _ of [1, 2, 3]) {
    await connection.query(
      `create table plain (id bigint primary key auto_increment, ${names.map((name) => `${name} text`).join(', ')})`,
    )
    const load = () =>
      connection.query({
        sql: `load data local infile 'rows' into table plain fields terminated by ',' optionally enclosed by '"' lines terminated by '\\r\\n' ignore 1 lines (${names.join(', ')})`,
        infileStreamFactory: () => Readable.from([header, ...Array.from({ length: TIMES }, () => rows)]),
      })
    try {
      times.push(await seconds(async () => void (await load())))
    } finally {
      await connection.query('drop table plain')
    }
  }
  return Math.min(...times)
}

async function seconds(work: () => Promise<void>): Promise<number> {
  const begin = performance.now()
  await work()
  return (performance.now() - begin) / 1000
}
