/** The same event, a thousand times at once, from 50 connections to two processes on one database. */
import { Agent, createServer, type IncomingHttpHeaders, request, type Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
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

  interface Answer {
    readonly status: number
    readonly id: number
    readonly headers: IncomingHttpHeaders
  }

  const send = (query: string, port: number, agent?: Agent) =>
    new Promise<Answer>((resolve, reject) => {
      const options = { ...(agent && { agent }), port, method: 'POST', headers: { authorization: `Bearer ${token}` } }
      const sent = request({ ...options, host: '127.0.0.1', path: `/api/v1/events?${query}` }, (incoming) => {
        const { headers, statusCode: status = 0 } = incoming
        const chunks: Buffer[] = []
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
        incoming.on('error', reject)
        incoming.on('end', () => resolve({ status, headers, id: Number(JSON.parse(Buffer.concat(chunks).toString())['id']) }))
      })
      sent.on('error', reject)
      sent.end()
    })

  /** Sends the queries in turn to the two processes; returns how often each status came, and the ids. */
  const storm = async (queries: readonly string[], ports: readonly [number, number] = [portOf(server), child.port]) => {
    const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS / 2 })
    const answers = await Promise.all(queries.map((query, index) => send(query, ports[index % 2] ?? 0, agent)))
    agent.destroy()
    const statuses: Record<number, number> = {}
    for (const { status } of answers) statuses[status] = (statuses[status] ?? 0) + 1
    return { answers, statuses, ids: new Set(answers.map(({ id }) => id)) }
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

  it('gets through within the rate limit: whoever waits as told loses nothing', async () => {
    const perHour = 1_000_000
    const limited = pluginWith({ perHour, burst: 20, burstMs: 1_500 })
    const other = await serve(limited)
    try {
      const port = portOf(other)
      let waiting = Array.from({ length: 70 }, (_, index) => `ci=SRV-1&source=Burst&subject=Down&note=Reading%20${index}`)
      const created: number[] = []
      let accepted = 0
      for (let round = 0; waiting.length > 0 && round < 10; round += 1) {
        const { answers } = await storm(waiting, [port, port])
        const refused = answers.flatMap((answer, index) => (answer.status === 429 ? [{ ...answer, index }] : []))
        for (const { id, status } of answers) {
          if (status === 201) created.push(id)
          if (status !== 429) expect(status).to.be.oneOf([200, 201])
        }
        // More if the window ends while they are sent.
        expect(answers.length - refused.length).to.be.at.least(Math.min(20, answers.length))
        accepted += answers.length - refused.length
        expect(Math.min(...answers.map(({ headers }) => Number(headers['x-ratelimit-remaining'])))).to.equal(perHour - accepted)
        waiting = refused.map(({ index }) => waiting[index] ?? '')
        if (refused.length === 0) break
        const seconds = refused.map(({ headers }) => Number(headers['retry-after']))
        for (const one of seconds) expect(one).to.be.within(1, 2)
        for (const { headers } of refused) {
          expect(headers['x-ratelimit-limit']).to.equal(String(perHour))
          expect(Number(headers['x-ratelimit-reset']) * 1_000).to.be.within(Date.now(), Date.now() + 3_601_000)
        }
        await sleep(Math.max(...seconds) * 1_000)
        // The first one after that time gets through.
        const [first = '', ...others] = waiting
        expect((await send(first, port)).status).to.equal(200)
        accepted += 1
        waiting = others
        await sleep(1_500)
      }
      expect([created.length, waiting]).to.deep.equal([1, []])
      const notes = await notesOf(Number(created[0]))
      expect(new Set(notes.map(({ text }) => text)).size).to.equal(70)
      expect(notes).to.have.length(70)
    } finally {
      other.close()
      await limited.stop()
    }
  })
})
