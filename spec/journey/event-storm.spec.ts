/** The same event, a thousand times at once, from 50 connections to two processes on one database. */
import { Agent, createServer, request, type Server } from 'node:http'
import { expect } from 'chai'
import Koa from 'koa'
import mount from 'koa-mount'
import { createPlugin, type Plugin, type PluginOptions } from '../../plugin/index.js'
import { type ChildHost, startChildHost } from '../support/child-host.js'
import { testStore, withDatabase } from '../support/database.js'

const EVENTS = 1_000
const CONNECTIONS = 50

describe('a storm of events to two processes', function () {
  this.timeout(120_000)
  if (testStore() === 'embedded') return
  const database = withDatabase({ migrated: false })
  let child: ChildHost
  let here: Plugin
  let server: Server
  let token = ''

  const pluginWith = (rateLimit: NonNullable<PluginOptions['rateLimit']>) =>
    createPlugin({
      baseUrl: 'http://127.0.0.1/api/v1',
      allowInsecure: true,
      secret: 'a secret of the specs, 32 characters or more',
      database: { url: database.url },
      rateLimit,
    })
  const serve = async ({ app }: Plugin) => {
    const made = createServer(new Koa().use(mount('/api', app)).callback())
    await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve))
    return made
  }

  before(async () => {
    child = await startChildHost(database.url)
    here = pluginWith({ perHour: 1_000_000, burst: false })
    server = await serve(here)
    const system = here.asSystem('the specs need a monitoring tool', 'acme')
    const add = async (type: string, body: object) => Number((await system.create(type, body))['id'])
    const tool = await add('person', { name: 'Tool', primary_email: 'tool@acme.example' })
    await here.grant(tool, 'acme', ['specialist'])
    token = await here.credentials.apiToken(tool)
    const team = await add('team', { name: 'Servers', member_ids: [tool] })
    const provider = await add('organization', { name: 'Acme' })
    const service = await add('service', { name: 'Mail', provider_id: provider, support_team_id: team })
    const instance = await add('service_instance', { name: 'Mail Europe', service_id: service })
    const category = await add('product_category', { group: 'Hardware', name: 'Server', rule_set: 'server' })
    const product = await add('product', { brand: 'A', model: 'B', category_id: category, support_team_id: team })
    const body = { label: 'SRV-1', product_id: product, status: 'in_production', service_instance_ids: [instance] }
    await add('ci', body)
  })
  after(async () => {
    server?.close()
    await here?.stop()
    await child?.kill()
  })

  const portOf = (one: Server) => Number(Object(one.address()).port)

  /** Sends the queries in turn to the two processes; returns how often each status came, and the ids. */
  const storm = async (queries: readonly string[], ports: readonly [number, number] = [portOf(server), child.port]) => {
    const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS / 2 })
    const send = (query: string, index: number) =>
      new Promise<{ status: number; id: number }>((resolve, reject) => {
        const options = { agent, port: ports[index % 2], method: 'POST', headers: { authorization: `Bearer ${token}` } }
        const sent = request({ ...options, host: '127.0.0.1', path: `/api/v1/events?${query}` }, (incoming) => {
          const chunks: Buffer[] = []
          incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
          incoming.on('error', reject)
          incoming.on('end', () => {
            resolve({ status: incoming.statusCode ?? 0, id: Number(JSON.parse(Buffer.concat(chunks).toString())['id']) })
          })
        })
        sent.on('error', reject)
        sent.end()
      })
    const answers = await Promise.all(queries.map(send))
    agent.destroy()
    const statuses: Record<number, number> = {}
    for (const { status } of answers) statuses[status] = (statuses[status] ?? 0) + 1
    return { statuses, ids: new Set(answers.map(({ id }) => id)) }
  }
  const notesOf = (id: number) => database.knex(database.storage.table('notes')).where({ owner_type: 'request', owner_id: id })

  it('makes one request with one note', async () => {
    const { ids, statuses } = await storm(
      Array.from({ length: EVENTS }, () => 'ci=SRV-1&source=Nagios&subject=Down&note=No%20answer'),
    )
    expect(statuses).to.deep.equal({ 200: EVENTS - 1, 201: 1 })
    expect(ids.size).to.equal(1)
    expect(await notesOf(Number([...ids][0]))).to.have.length(1)
  })

  it('adds each new note once', async () => {
    const queries = Array.from({ length: 200 }, (_, index) => `ci=SRV-1&source=Nagios&subject=Down&note=Note%20${index % 4}`)
    const { ids, statuses } = await storm(queries)
    expect(statuses).to.deep.equal({ 200: 200 })
    expect(await notesOf(Number([...ids][0]))).to.have.length(5)
  })

  it('makes one request without an item, too', async () => {
    const { ids, statuses } = await storm(Array.from({ length: 200 }, () => 'source=Doors&subject=Door%20open&note=Room%202'))
    expect(statuses).to.deep.equal({ 200: 199, 201: 1 })
    expect(ids.size).to.equal(1)
  })

  it('makes the next request only when the first one is completed', async () => {
    const done = 'ci=SRV-1&source=Nagios&subject=Up&status=completed&completion_reason=gone'
    const { statuses } = await storm([done])
    expect(statuses).to.deep.equal({ 200: 1 })
    const next = await storm(Array.from({ length: 100 }, () => 'ci=SRV-1&source=Nagios&subject=Down'))
    expect(next.statuses).to.deep.equal({ 200: 99, 201: 1 })
  })

  it('gets through within the rate limit, and is told when it does not', async () => {
    const limited = pluginWith({ perHour: 1_000_000 })
    const other = await serve(limited)
    try {
      const queries = Array.from({ length: 60 }, () => 'ci=SRV-1&source=Burst&subject=Down')
      const { statuses } = await storm(queries, [portOf(other), portOf(other)])
      expect(statuses[201]).to.equal(1)
      expect(statuses[429]).to.be.greaterThan(0)
      expect(Number(statuses[200]) + Number(statuses[429])).to.equal(59)
    } finally {
      other.close()
      await limited.stop()
    }
  })
})
