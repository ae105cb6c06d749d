/** Two processes on one database: what one of them takes away is gone in the other within two seconds. */
import { createServer, type Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import Koa from 'koa'
import mount from 'koa-mount'
import { createPlugin, type Plugin } from '../../plugin/index.js'
import { type ChildHost, startChildHost } from '../support/child-host.js'
import { testStore, withDatabase } from '../support/database.js'

const WITHIN = 2_000

describe('sign-ins in two processes', function () {
  this.timeout(60_000)
  if (testStore() === 'embedded') return
  const database = withDatabase({ migrated: false })
  let child: ChildHost
  let here: Plugin
  let server: Server

  before(async () => {
    child = await startChildHost(database.url)
    here = createPlugin({
      baseUrl: 'http://127.0.0.1/api/v1',
      allowInsecure: true,
      secret: 'a secret of the specs, 32 characters or more',
      database: { url: database.url },
      rateLimit: { perHour: 1_000_000, burst: false },
    })
    server = createServer(new Koa().use(mount('/api', here.app)).callback())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  })
  after(async () => {
    server?.close()
    await here?.stop()
    await child?.kill()
  })

  const portHere = () => Number(Object(server.address()).port)
  const statusAt = async (port: number, token: string, path: string) => {
    const headers = { authorization: `Bearer ${token}`, connection: 'close' }
    const { status } = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, { headers })
    return status
  }
  const system = () => here.asSystem('the specs need people', 'acme')
  const addPerson = async (name: string) => {
    const { id } = await system().create('person', { name, primary_email: `${name.toLowerCase()}@acme.example` })
    await here.grant(Number(id), 'acme', ['account_administrator'])
    return { id: Number(id), token: await here.credentials.apiToken(Number(id)) }
  }
  const both = async (token: string, path: string) => [
    await statusAt(portHere(), token, path),
    await statusAt(child.port, token, path),
  ]

  it('end for a person who is disabled', async () => {
    const { id, token } = await addPerson('Pia')
    expect(await both(token, '/me')).to.deep.equal([200, 200])
    await system().update('person', id, { disabled: true })
    const since = Date.now()
    expect(await statusAt(portHere(), token, '/me')).to.equal(401)
    await sleep(since + WITHIN - Date.now())
    expect(await statusAt(child.port, token, '/me')).to.equal(401)
  })

  it('lose the roles that are taken away', async () => {
    const { id, token } = await addPerson('Rob')
    expect(await both(token, '/webhooks')).to.deep.equal([200, 200])
    expect((await child.call('DELETE', `/people/${id}/permissions`)).status).to.equal(204)
    const since = Date.now()
    expect(await statusAt(child.port, token, '/webhooks')).to.equal(403)
    await sleep(since + WITHIN - Date.now())
    expect(await both(token, '/webhooks')).to.deep.equal([403, 403])
  })

  it('end for a token that is reset, and the new one works at once', async () => {
    const { token } = await addPerson('Tom')
    expect(await both(token, '/me')).to.deep.equal([200, 200])
    const headers = { authorization: `Bearer ${token}` }
    const answer = await fetch(`http://127.0.0.1:${child.port}/api/v1/me/reset_api_token`, { method: 'POST', headers })
    expect(answer.status).to.equal(200)
    const since = Date.now()
    expect(await statusAt(child.port, token, '/me')).to.equal(401)
    await sleep(since + WITHIN - Date.now())
    expect(await both(token, '/me')).to.deep.equal([401, 401])
  })
})
