import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { after, afterEach, before, beforeEach, describe, it } from 'mocha'
import { programs, type Running } from './support/programs.js'
import { startReceiver } from './support/receiver.js'

/** Programs start slowly on a busy machine; nothing here waits longer than it has to. */
const PATIENCE = 90_000

describe('the examples', function () {
  this.timeout(PATIENCE)
  let folder: string
  const { run, runScript, end } = programs()
  /** The data folder of a desk that was started once, and what that printed: making one takes seconds. */
  let used: { readonly data: string; readonly output: string; readonly token: string; readonly made: unknown }

  before('starts a desk for the first time', async () => {
    folder = mkdtempSync(join(tmpdir(), 'itsm-examples-'))
    const data = join(folder, 'data')
    const { call, desk, token } = await startedDesk(runScript('start', { PORT: '0', DATA_DIR: data }))
    const made = await call('/requests', { subject: 'Remember me', category: 'other', service_instance_id: 1 })
    expect(await desk.stop()).to.equal(0)
    used = { data, output: desk.output, token, made: made['id'] }
  })

  after(() => rmSync(join(used.data, '..'), { recursive: true, force: true }))

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'itsm-examples-'))
  })

  afterEach(async () => {
    await end()
    rmSync(folder, { recursive: true, force: true })
  })

  async function startedDesk(desk: Running) {
    await desk.prints(/Ctrl\+C stops/)
    const [, baseUrl = ''] = await desk.prints(/Base URL +(\S+)/)
    const [, token = ''] = await desk.prints(/API token +(\S+)/)
    return { desk, baseUrl, call: clientOf(baseUrl, token), token }
  }

  describe('standalone', () => {
    const { run: runShared, end: endShared } = programs()
    const start = async () => {
      return startedDesk(runShared('standalone/main', { PORT: '0', DATA_DIR: used.data }))
    }
    /** One desk for all that needs one that is running. */
    let shared: Awaited<ReturnType<typeof start>>
    before('starts it again', async () => {
      shared = await start()
    })
    after('kills it', endShared)

    async function endsOn(signal: NodeJS.Signals, desk: Running) {
      expect(await desk.stop(signal)).to.equal(0)
      expect(desk.output).to.contain('Stopped')
      expect(existsSync(join(used.data, 'running.json'))).to.equal(false)
    }

    it('prints a base URL, a user, its token and five commands that work', async () => {
      const { desk, baseUrl, call } = shared
      expect(desk.output).to.match(/User +owen@widgets\.example/)
      expect(await call('/me')).to.include({ name: 'Owen Wright', primary_email: 'owen@widgets.example' })
      const commands = desk.output.split('\n').filter((line) => line.startsWith('  curl '))
      expect(commands).to.have.length(5)
      for (const command of commands) expect(await paste(command), command).to.match(/^[[{](?!"message")/)
      expect(await (await fetch(new URL('/', baseUrl))).text()).to.contain(baseUrl)
    })

    it('goes on with what was there when it was started before, with the same token', async () => {
      expect(used.output).to.contain('first start')
      expect(shared.desk.output).not.to.contain('first start')
      expect(shared.token).to.equal(used.token)
      expect(await shared.call(`/requests/${used.made}`)).to.include({ subject: 'Remember me' })
    })

    it('keeps its secret where only its user can read it', () => {
      expect(statSync(join(used.data, 'secret')).mode & 0o777).to.equal(0o600)
    })

    it('is what csv-import imports into: it shows the counts, and the rows that were refused', async () => {
      const path = join(folder, 'people.csv')
      writeFileSync(path, 'Primary Email,Name,Site\nnew@widgets.example,New,Utrecht\nlost@widgets.example,Lost,Atlantis\n')
      const client = run('csv-import/main', { ITSM_URL: shared.baseUrl, ITSM_TOKEN: shared.token }, ['people', path])
      expect(await client.ends(), client.output).to.equal(1)
      expect(client.output)
        .to.match(/done/)
        .and.to.match(/created: 1/)
        .and.to.match(/failures: 1/)
      expect(client.output).to.contain('line 3').and.to.contain('"Atlantis"')
    })

    it('is what the demo uses, which takes its webhooks away again', async () => {
      const rows = Array.from({ length: 150 }, (_, index) => `a.${index}@widgets.example,Aaron ${index},Bangalore`)
      writeFileSync(join(folder, 'many.csv'), ['Primary Email,Name,Site', ...rows, ''].join('\n'))
      const demo = run('standalone/demo', { DATA_DIR: used.data, PORT: '0', DEMO_CSV: join(folder, 'many.csv') })
      expect(await demo.ends(), demo.output).to.equal(0)
      expect(demo.output).to.contain('Using your running desk').and.to.contain(shared.baseUrl)
      expect(await shared.call('/webhooks?name=!Pager')).to.deep.equal([])
    })

    it('ends by itself on SIGTERM, starts again, however many people were imported, and ends on SIGINT', async () => {
      await endsOn('SIGTERM', shared.desk)
      const { desk } = await start()
      expect(desk.output).to.match(/User +owen@widgets\.example/)
      await endsOn('SIGINT', desk)
    })
  })

  it('the demo starts a desk of its own, shows every delivery that it causes, and leaves nothing behind', async () => {
    const rows = Array.from({ length: 30 }, (_, index) => `demo.${index}@widgets.example,Demo ${index},Bangalore`)
    const file = join(folder, 'few.csv')
    writeFileSync(file, ['Primary Email,Name,Site', ...rows, ''].join('\n'))
    const demo = runScript('demo', { DATA_DIR: join(folder, 'none'), DEMO_CSV: file, TMPDIR: folder })
    expect(await demo.ends(), demo.output).to.equal(0)
    expect(demo.output)
      .to.match(/created +30\n/)
      .and.to.match(/failures +0\n/)
    expect(demo.output)
      .to.match(/person\.create +30\n/)
      .and.to.match(/request\.create +24\n/)
    expect(demo.output).to.contain('payload[previous_status]')
    expect(existsSync(join(folder, 'none'))).to.equal(false)
  })

  it('chat-channel: tells a chat of a new request, once it answers', async () => {
    const receiver = await startReceiver({
      answer: (_request, index) => (index === 0 ? { status: 429, headers: { 'retry-after': '1' } } : 200),
    })
    const host = run('chat-channel/main', { CHAT_URL: `${receiver.url}/room` })
    await host.prints(/A request was created/)
    await receiver.gets(2)
    expect(await host.stop()).to.equal(0)
    await receiver.close()
    const texts = receiver.received.map(({ raw }) => JSON.parse(raw))
    expect(texts[0]).to.deep.equal({ channel: '#desk', text: 'Request 1 is new: The printer is on fire' })
    expect(texts[1]).to.deep.equal(texts[0])
  })

  it('queue-channel: publishes every event in order, with what changed', async () => {
    const host = run('queue-channel/main', {})
    await host.prints(/person\.update/)
    expect(await host.stop()).to.equal(0)
    const lines = host.output.split('\n').filter((line) => line.startsWith('itsm.acme.person'))
    expect(lines[0]).to.match(/^itsm\.acme\.person itsm-\d+ \{"name":"person\.create"/)
    expect(lines[1]).to.match(/"changes":\{"name":\["Ines","Ines Álvarez"\]\}\}$/)
  })

  it('mount-in-koa: the interface and the routes of the host stand side by side', async () => {
    const port = await freePort()
    const host = run('mount-in-koa/main', { PORT: String(port) })
    const [, token = '', url = ''] = await host.prints(/curl -u (\w+):x (\S+)\/me/)
    expect(await clientOf(url, token)('/me')).to.include({ primary_email: 'ines@acme.example' })
    expect(await (await fetch(`http://127.0.0.1:${port}/hello`)).text()).to.contain('your own')
    expect(await host.stop()).to.equal(0)
  })

  it('extra-record: a type of the host has routes, lists and enumerations', async () => {
    const host = run('extra-record/main', { PORT: String(await freePort()) })
    const [, token = '', url = ''] = await host.prints(/curl -u (\w+):x (\S+)\/vehicles/)
    const call = clientOf(url, token)
    expect(await call('/vehicles/driven_by_me')).to.have.nested.property('[0].plate', 'K-OA-1')
    expect(await call('/vehicles', { name: 'Bus', plate: 'K-OA-2' })).to.include({ fuel: 'electric' })
    expect(await call('/enums')).to.have.property('vehicle.fuel')
    expect(await call('/vehicles/1/tasks')).to.deep.equal([])
    expect(await call('/tasks?vehicle=1&status=parked')).to.deep.equal([])
    await host.prints(/Vehicle 2 joined the fleet of acme/)
    expect(await host.stop()).to.equal(0)
  })

  it('fleet-map: the console has the page of the host, and serves its module', async () => {
    const host = run('fleet-map/main', { PORT: String(await freePort()) })
    const [, url = ''] = await host.prints(/Look at (\S+)\/fleet-map as/)
    const settings = /name="settings" content="([^"]*)"/.exec(await (await fetch(`${url}/fleet-map`)).text())?.[1] ?? ''
    const [page] = JSON.parse(settings.replaceAll('&quot;', '"')).pages
    expect(page).to.deep.include({ path: '/fleet-map', title: { en: 'Fleet map', nl: 'Wagenparkkaart' } })
    const module = await fetch(new URL(page.script, url))
    expect(module.headers.get('content-type')).to.equal('text/javascript; charset=utf-8')
    expect(await module.text()).to.contain('export default function fleetMap')
    expect(await host.stop()).to.equal(0)
  })

  it('one-transaction: the books of the host agree with the requests', async () => {
    const host = run('one-transaction/main', { PORT: String(await freePort()) })
    await host.prints(/Ordered: request 1\n/)
    await host.prints(/Not ordered: over the budget/)
    const [, token = '', origin = ''] = await host.prints(/curl -u (\w+):x .*(http:\S+)\/v1\/requests\/1/)
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const body = '{"status": "completed", "completion_reason": "solved", "note": "Delivered."}'
    const completed = await fetch(`${origin}/v1/requests/1`, { method: 'PATCH', headers, body })
    expect(completed.status, await completed.text()).to.equal(200)
    const books = (await (await fetch(`${origin}/books`)).json()) as Record<string, object[]>
    const { ledger = [], orders } = books
    expect(orders).to.deep.equal([{ request_id: 1, amount: 80 }])
    expect(ledger).to.have.length(2)
    expect(ledger[1]).to.include({ request_id: 1, status: 'completed', person_id: 1 })
    expect(await host.stop()).to.equal(0)
  })

  it('single-sign-on: who is signed in at the host needs no credentials, and nobody else gets in', async () => {
    const host = run('single-sign-on/main', { PORT: String(await freePort()) })
    const [, signIn = ''] = await host.prints(/'(http:\S+\/sign-in\S+)'/)
    const me = new URL('/api/v1/me', signIn)
    expect((await fetch(me)).status).to.equal(401)
    const cookies = (await fetch(signIn)).headers.getSetCookie().map((cookie) => cookie.split(';')[0])
    expect(await (await fetch(me, { headers: { cookie: cookies.join('; ') } })).json()).to.include({ name: 'Ines Álvarez' })
    const forged = cookies[0]?.replace('ines', 'owen') ?? ''
    expect((await fetch(me, { headers: { cookie: [forged, ...cookies.slice(1)].join('; ') } })).status).to.equal(401)
    expect(await host.stop()).to.equal(0)
  })

  it('oauth-client: an integration creates a request with a token of its client', async () => {
    const host = run('oauth-client/main', { PORT: String(await freePort()) })
    await host.prints(/'A disk is full' was created by Monitoring/)
    const [, url = '', ...parts] = await host.prints(/curl (\S+)\/oauth\/token -d (\S+) -d (\S+) -d (\S+)/)
    const response = await fetch(`${url}/oauth/token`, { method: 'POST', body: new URLSearchParams(parts.join('&')) })
    const { access_token: token, scope } = (await response.json()) as { access_token: string; scope: string }
    expect(scope).to.equal('request')
    expect(await clientOf(url, token)('/requests')).to.have.nested.property('[0].subject', 'A disk is full')
    expect(await host.stop()).to.equal(0)
  })

  it('metrics: counts calls by route, and tells how far the background is behind', async () => {
    const host = run('metrics/main', { PORT: String(await freePort()) })
    const [, url = ''] = await host.prints(/(http:\S+\/metrics)/)
    await fetch(new URL('/v1/requests/17', url))
    const text = await (await fetch(url)).text()
    expect(text).to.match(/itsm_request_seconds_count\{method="GET",route="\/v1\/requests\/:id",status="401"\} 1/)
    expect(text).to.match(/itsm_behind_seconds\{work="events"\} \d/)
    expect(text).to.match(/itsm_jobs\{name="sweep",failed="false"\} \d/)
    expect(await host.stop()).to.equal(0)
  })

  it('tracing: takes the trace of the caller over, for the call and its statements', async () => {
    const host = run('tracing/main', { PORT: String(await freePort()) })
    const [, url = ''] = await host.prints(/(http:\S+\/v1)/)
    const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
    const headers = { traceparent: `00-${trace}-00f067aa0ba902b7-01`, authorization: `Basic ${btoa('nobody@acme.example:x')}` }
    await fetch(`${url}/requests/17`, { headers })
    await host.prints(new RegExp(`"GET /v1/requests/:id","trace":"${trace}","in":"00f067aa0ba902b7"`))
    const spans = host.output.split('\n').filter((line) => line.includes(trace))
    expect(spans[0]).to.match(/"name":"select".*"db\.query\.text":"select/i)
    expect(await host.stop()).to.equal(0)
  })

  it('webhook-receiver: says what has happened, once, and only to those who know the secret', async () => {
    const receiver = run('webhook-receiver/main', { PORT: String(await freePort()), HOOK_SECRET: 'open sesame' })
    const [, uri = ''] = await receiver.prints(/Listening at (\S+)secret=/)
    const body = new URLSearchParams({ webhook_id: '3', event: 'request.create', object_id: '7', person_name: 'Ines' })
    body.set('payload[audit_line_id]', '11')
    const headers = { link: '<https://desk.example/v1/requests/7>; rel="resource"' }
    const post = async (secret: string) =>
      (await fetch(`${uri}secret=${encodeURIComponent(secret)}`, { method: 'POST', body, headers })).status
    expect(await post('guess')).to.equal(403)
    expect(await post('open sesame')).to.equal(200)
    expect(await post('open sesame')).to.equal(200)
    await receiver.prints(/request\.create 7 by Ines: https:\/\/desk\.example\/v1\/requests\/7/)
    expect(await receiver.stop()).to.equal(0)
    expect(receiver.output.match(/request\.create/g)).to.have.length(1)
  })
})

type Answer = Record<string, unknown>

/** GET without a body, else POST. */
function clientOf(baseUrl: string, token: string) {
  return async (path: string, body?: object): Promise<Answer> => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
    const response = await fetch(baseUrl + path, body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers })
    const answer = (await response.json()) as Answer
    expect(response.ok, JSON.stringify(answer)).to.equal(true)
    return answer
  }
}

/** What a shell prints for a command. */
async function paste(command: string): Promise<string> {
  const shell = spawn('sh', ['-c', command], { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  for await (const chunk of shell.stdout) output += chunk
  return output
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const port = portOf(probe)
  probe.close()
  await once(probe, 'close')
  return port
}

function portOf(server: ReturnType<typeof createServer>): number {
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('The server has no port')
  return address.port
}
