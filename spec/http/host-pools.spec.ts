/** Pools of hosts: tokens, OAuth, sessions, the console and all that can be read, on the pool of the README and on odd ones. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import Koa from 'koa'
import mount from 'koa-mount'
import { createPlugin, type Plugin, type PluginOptions } from '../../plugin/index.js'
import { testStore } from '../support/database.js'
import { hostPool, POOLS_OF_HOSTS } from '../support/host-pool.js'
import { type Mounted, withMounted } from '../support/mounted.js'
import type { OpenapiDocument } from '../support/openapi.js'
import { silent, TEST_SECRET } from '../support/settings.js'
import { settableClock } from '../support/webhooks.js'

const PAGE = { 'X-SVC-Session': '1' }

interface Answer {
  readonly status: number
  readonly text: string
  readonly headers: Headers
}
type Ask = (
  method: string,
  path: string,
  headers?: Record<string, string>,
  body?: object | string | FormData,
) => Promise<Answer>

describe('a desk on a pool of its host', function () {
  this.timeout(180_000)
  const clock = settableClock('2026-11-21T09:30:00Z')
  const options = { sessions: true, oauth: {}, console: true, docs: true, clock } satisfies Partial<PluginOptions>
  const mounted = withMounted('mounted under a prefix', options)
  /** What the desk on a pool of its own answers. */
  let paths: readonly string[] = []
  let expected: ReadonlyMap<string, Answer>

  before(async function () {
    if (testStore() !== 'server') this.skip()
    await serving(mounted, { url: mounted.database.url }, async (ask) => {
      await leaveTraces(mounted, ask)
      paths = await pathsToGet(mounted, ask)
      expected = await getAll(paths, ask, mounted)
    })
  })

  const onPool = async (title: string, work: (ask: Ask) => Promise<void>) => {
    const { url } = mounted.database
    const pool = hostPool(url, POOLS_OF_HOSTS[title]?.(url))
    try {
      await serving(mounted, { knex: pool }, work)
    } finally {
      await pool.destroy()
    }
  }

  // Every column is read on each of the pools in spec/storage/database/read-alike.spec.ts.
  for (const title of Object.keys(POOLS_OF_HOSTS).filter((_, index, all) => [0, all.length - 1].includes(index))) {
    it(`answers each GET of the document as on a pool of the plugin, ${title}`, () =>
      onPool(title, async (ask) => {
        const found = await getAll(paths, ask, mounted)
        const differ = paths.filter((path) => found.get(path)?.text !== expected.get(path)?.text)
        expect(differ.map((path) => `${path}: ${found.get(path)?.text.slice(0, 300)}`)).to.deep.equal([])
        const statuses = [...found.values()].map(({ status }) => status)
        expect(statuses.filter((status) => status >= 500)).to.deep.equal([])
        // Most of them have something to show.
        expect(statuses.filter((status) => status === 200).length / paths.length).to.be.greaterThan(0.8)
      }))
  }

  for (const title of Object.keys(POOLS_OF_HOSTS)) {
    it(`makes, uses, lists and revokes tokens, clients and sessions, ${title}`, () =>
      onPool(title, (ask) => keysOfPeople(mounted, ask)))
  }

  /** A desk on the same database that nobody tells from the others. */
  async function serving(
    { baseUrl }: Mounted,
    database: PluginOptions['database'],
    work: (ask: Ask) => Promise<void>,
  ): Promise<void> {
    const own = { baseUrl, allowInsecure: true, secret: TEST_SECRET, rateLimit: { burst: false as const }, log: silent }
    const itsm = createPlugin({ ...own, ...options, database })
    const server = await listening(itsm)
    const { port } = server.address() as AddressInfo
    try {
      await work(async (method, path, headers = {}, body) => {
        const isJson = typeof body === 'object' && !(body instanceof FormData)
        const json = isJson ? { 'Content-Type': 'application/json' } : {}
        const sent = isJson ? JSON.stringify(body) : ((body as string | FormData | undefined) ?? null)
        const url = `http://127.0.0.1:${port}${new URL(baseUrl).pathname}${path}`
        const answer = await fetch(url, { method, headers: { ...json, ...headers }, body: sent, redirect: 'manual' })
        return { status: answer.status, text: await answer.text(), headers: answer.headers }
      })
    } finally {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await itsm.stop()
    }
  }
})

async function listening(itsm: Plugin): Promise<Server> {
  const server = createServer(new Koa().use(mount('/desk/api', itsm.app)).callback())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

/** Something in the tables that the world leaves empty. */
async function leaveTraces(mounted: Mounted, ask: Ask): Promise<void> {
  const owen = await pageOf(mounted, ask, '@owen')
  const form = new FormData()
  form.append('type', 'sites')
  form.append('file', new Blob(['Name\nLeft by a file\n']), 'sites.csv')
  expect((await ask('POST', '/import', owen, form)).status).to.be.lessThan(300)
  expect((await ask('POST', '/export', owen, { type: 'sites' })).status).to.be.lessThan(300)
  expect((await ask('POST', '/me/tokens', owen, { name: 'stays' })).status).to.equal(201)
  expect((await ask('POST', '/me/oauth_clients', owen, { name: 'stays' })).status).to.equal(201)
}

async function keysOfPeople(mounted: Mounted, ask: Ask): Promise<void> {
  const page = await pageOf(mounted, ask, '@lea')
  const made = async (path: string, body: object) => {
    const answer = await ask('POST', path, page, body)
    expect(answer.status, answer.text).to.equal(201)
    return JSON.parse(answer.text)
  }
  const isLea = async (headers: Record<string, string>) => {
    const { status, text } = await ask('GET', '/me', headers)
    return status === 200 ? JSON.parse(text).id === mounted.world.id('@lea') : status
  }
  expect(await isLea(page)).to.equal(true)
  expect((await ask('GET', '/../console')).status).to.be.lessThan(400)

  const token = await made('/me/tokens', { name: 'report', expires_in_days: 90 })
  expect(await isLea({ Authorization: `Bearer ${token.token}` })).to.equal(true)
  const client = await made('/me/oauth_clients', { name: 'robot', read_only: true })
  const form = new URLSearchParams({
    ...{ grant_type: 'client_credentials', client_id: client.client_id, client_secret: client.client_secret },
  })
  const granted = await ask('POST', '/oauth/token', { 'Content-Type': 'application/x-www-form-urlencoded' }, `${form}`)
  expect(granted.status, granted.text).to.equal(200)
  expect(await isLea({ Authorization: `Bearer ${JSON.parse(granted.text).access_token}` })).to.equal(true)

  for (const [path, { id }] of [['tokens', token] as const, ['oauth_clients', client] as const]) {
    const listed = await ask('GET', `/me/${path}`, page)
    expect(JSON.parse(listed.text)[0], listed.text).to.include({ id, created_at: '2026-11-21T10:30:00+01:00' })
    expect((await ask('DELETE', `/me/${path}/${id}`, page)).status).to.equal(204)
  }
  expect(await isLea({ Authorization: `Bearer ${token.token}` })).to.equal(401)
  expect((await ask('DELETE', '/session', page)).status).to.equal(204)
  expect(await isLea(page)).to.equal(401)
}

/** The headers of a page of the console, after its sign-in. */
async function pageOf({ world }: Mounted, ask: Ask, name: string): Promise<Record<string, string>> {
  const answer = await ask('POST', '/session', PAGE, world.signIn(name))
  expect(answer.status, answer.text).to.equal(201)
  return { ...PAGE, Cookie: String(answer.headers.get('set-cookie')).replace(/;.*/, '') }
}

/** Each GET of the document, at the first record of each list. */
async function pathsToGet(mounted: Mounted, ask: Ask): Promise<readonly string[]> {
  const page = await pageOf(mounted, ask, '@owen')
  const document = JSON.parse((await ask('GET', '/openapi.json')).text) as OpenapiDocument
  const firsts = new Map<string, string>()
  const firstOf = async (list: string): Promise<string> => {
    const { status, text } = await ask('GET', list, page)
    const [first] = status === 200 && text.startsWith('[') ? JSON.parse(text) : []
    return String(first?.id ?? first?.token ?? 1)
  }
  const paths: string[] = []
  for (const [path, operations] of Object.entries(document.paths)) {
    // Each answer has a key of its own.
    if (!('get' in operations) || path === '/attachments/storage') continue
    let filled = ''
    for (const part of path.split('/').slice(1)) {
      if (part.startsWith('{') && !firsts.has(filled)) firsts.set(filled, await firstOf(filled))
      filled += `/${part.startsWith('{') ? firsts.get(filled) : part}`
    }
    paths.push(filled)
  }
  return paths
}

async function getAll(paths: readonly string[], ask: Ask, mounted: Mounted): Promise<ReadonlyMap<string, Answer>> {
  const page = await pageOf(mounted, ask, '@owen')
  const found = new Map<string, Answer>()
  for (const path of paths) found.set(path, await ask('GET', path, page))
  return found
}
