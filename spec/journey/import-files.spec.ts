/** Every file of fixtures/imports goes through the whole service: upload, job, records, log, progress. */
import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import type { Knex } from 'knex'
import Koa from 'koa'
import { createPlugin, type Plugin } from '../../plugin/index.js'
import { importKinds } from '../../plugin/schema/derive/import-kinds.js'
import { loadWorld, type World, type WorldFile } from '../../plugin/testing/index.js'
import { rowsOfCsv } from '../support/csv.js'
import { withDatabase } from '../support/database.js'

interface Case {
  readonly name: string
  readonly type: string
  readonly progress: { readonly state: string; readonly message?: string; readonly results: object }
  /** Lines without the time; those at the start and the end of every log are left out. */
  readonly log: readonly string[]
  /** Some fields of records that must be there; references by name. */
  readonly records: readonly Readonly<Record<string, unknown>>[]
}

const FOLDER = 'fixtures/imports'
const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.json') && file.includes('/'))
  .map((file) => `${FOLDER}/${file}`)
  .sort()

describe('Imports', () => {
  const database = withDatabase()
  // A block of its own: the service stops before its database goes away.
  describe('of a file', () => importFiles(() => database.knex))
})

function importFiles(knex: () => Knex): void {
  let server: Server
  let itsm: Plugin
  let world: World
  let address = ''

  before(async () => {
    const host = new Koa()
    server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const port = (server.address() as { port: number }).port
    address = `http://127.0.0.1:${port}/v1`
    itsm = createPlugin({
      baseUrl: address,
      allowInsecure: true,
      secret: 'a secret of the specs, 32 characters or more',
      database: { knex: knex() },
      rateLimit: { burst: false },
      sendMail: async () => {},
    })
    world = await loadWorld(itsm, JSON.parse(readFileSync('fixtures/world.json', 'utf8')) as WorldFile)
    host.use(itsm.middleware)
    server.on('request', host.callback())
    await itsm.start()
  })
  after(async () => {
    await itsm?.stop()
    server?.closeAllConnections()
    server?.close()
  })

  const get = async (path: string) => {
    const response = await fetch(`${address}${path}`, { headers: { authorization: `Bearer ${world.token('@owen')}` } })
    return { response, body: (await response.json()) as Record<string, unknown> }
  }

  /** Replaces `{{patch-servers}}` by the id of that record of the world: some types are named by their ids. */
  const withIds = (bytes: Buffer) =>
    bytes.includes('{{') ? bytes.toString().replace(/\{\{(.+?)\}\}/g, (_, name: string) => String(world.id(name))) : bytes

  /** The record with the values of a case, as a client sees it, with its links. */
  const find = async (type: string, expected: Readonly<Record<string, unknown>>) => {
    const record = importKinds(itsm.catalog).find((kind) => kind.type === type)?.record
    const key = expected[record?.import?.key ?? ''] === undefined ? (record?.title ?? 'name') : String(record?.import?.key)
    const { body } = await get(`/${record?.path}?${key}=${encodeURIComponent(String(expected[key]))}`)
    const [found] = body as unknown as { id: number }[]
    expect(found, `${type} with ${key} ${expected[key]}`).to.be.an('object')
    const { body: full } = await get(`/${record?.path}/${found?.id}`)
    for (const link of [...(record?.links.keys() ?? []), ...(record?.children.keys() ?? [])]) {
      if (link in expected)
        full[link] = ((await get(`/${record?.path}/${found?.id}/${link}`)).body as unknown as object[]) ?? []
    }
    return full
  }

  for (const file of files) {
    const expected = JSON.parse(readFileSync(file, 'utf8')) as Case
    it(`${file}: ${expected.name}`, async () => {
      const form = new FormData()
      form.set('type', expected.type)
      form.set('file', new Blob([withIds(readFileSync(file.replace(/json$/, 'csv')))], { type: 'text/csv' }), 'file.csv')
      const headers = { authorization: `Bearer ${world.token('@owen')}` }
      const submitted = await fetch(`${address}/import`, { method: 'POST', headers, body: form })
      const { token } = (await submitted.json()) as { token: string }
      expect(submitted.status).to.equal(200)

      let progress = (await get(`/import/${token}`)).body
      while (progress['state'] === 'queued' || progress['state'] === 'processing') {
        await sleep(20)
        progress = (await get(`/import/${token}`)).body
      }
      const { logfile, ...rest } = progress
      expect(rest).to.deep.equal(expected.progress)

      const log = await fetch(String(logfile))
      const lines = (await log.text()).trimEnd().split('\n')
      const said = lines.map((line) => line.replace(/^\S+ /, '')).filter((line) => !line.startsWith('INFORMATION'))
      expect(said).to.deep.equal(expected.log)

      const [entry] = (await get('/imports?per_page=1')).body as unknown as { id: number; token: string }[]
      expect(entry).to.deep.include({ token, type: expected.type, state: rest['state'], results: rest['results'] })
      const failures = await fetch(`${address}/imports/${entry?.id}/failures`, { headers })
      const [, ...failed] = await rowsOfCsv(await failures.text())
      const failedLines = failed.flatMap((cells) => (cells.at(-1) === '' ? [] : [cells.at(-3)]))
      const errors = said.flatMap((line) => /^ERROR line (\d+):/.exec(line)?.[1] ?? [])
      expect(failedLines).to.include.members(errors)
      expect(failedLines).to.have.lengthOf(counted(rest['results'], 'failures') + counted(rest['results'], 'errors'))
      for (const values of expected.records) {
        const found = await find(expected.type, values)
        for (const [field, value] of Object.entries(values)) expect(named(found[field]), field).to.deep.equal(value)
      }
    })
  }

  it('is named by its number in audit lines, and never by the token that opens its progress', async () => {
    const causes: string[] = await knex()('itsm_audit_lines').where({ origin: 'import' }).distinct('cause').pluck('cause')
    const ids: number[] = await knex()('itsm_imports').pluck('id')
    const ofImports = causes.filter((cause) => cause.startsWith('import'))
    expect(ofImports).to.not.deep.equal([])
    for (const cause of ofImports) expect(ids.map((id) => `import ${id}`)).to.include(cause)
  })
}

function counted(results: unknown, counter: string): number {
  return Number((results as Record<string, number>)[counter])
}

/** How references show their records, apart from the id. */
const TITLES = ['name', 'subject', 'label', 'reference']

/** A reference by its name, links as names in order, sub-records without their ids. */
function named(value: unknown): unknown {
  if (Array.isArray(value) && value.every((one) => one?.integration !== undefined))
    return value.map(({ id: _, ...part }) => part)
  if (Array.isArray(value)) return value.map(named).sort()
  const title = TITLES.find((name) => typeof value === 'object' && value !== null && 'id' in value && name in value)
  return title === undefined ? value : (value as Record<string, unknown>)[title]
}
