/** Sessions of pages beside what a host has: its own routes, sessions, cookies and passwords, and another plugin. */
import { once } from 'node:events'
import { expect } from 'chai'
import Koa from 'koa'
import { after, before, describe, it } from 'mocha'
import { cookieName } from '../../plugin/http/requests/session-cookie.js'
import { createPlugin, type Plugin } from '../../plugin/index.js'
import { type TestDesk, testDesk } from '../../plugin/testing/index.js'
import { withMounted } from '../support/mounted.js'
import { silent, TEST_SECRET } from '../support/settings.js'

const PAGE = { 'X-SVC-Session': '1' }
const HERE = 'https://desk.example'

describe('sessions in a host', function () {
  this.timeout(60_000)
  const [logged, told]: [unknown[], unknown[]] = [[], []]
  const log = Object.fromEntries(
    ['debug', 'info', 'warn', 'error'].map((level) => [level, (...line: unknown[]) => void logged.push(line)]),
  ) as unknown as typeof silent
  let desk: TestDesk

  before(async () => {
    desk = await testDesk({
      sessions: true,
      log,
      logRequests: true,
      observe: { request: (facts) => void told.push(facts), statement: (facts) => void told.push(facts) },
      people: { signedIn: async (ctx) => (ctx.get('X-User') === '' ? null : { email: ctx.get('X-User') }) },
      app: (itsm) =>
        Object.assign(new Koa(), { silent: true })
          .use(async (ctx, next) => {
            ctx.append('Set-Cookie', 'of_host=1')
            if (ctx.path !== '/dashboard') return next()
            const caller = await itsm.signedIn(ctx)
            ctx.body = caller ? { by: caller.by, limits: caller.limits, name: caller.person.name } : null
            ctx.status = caller ? 200 : 404
          })
          .use(itsm.middleware),
    })
  })
  after(() => desk.close())

  const send = (path: string, init: RequestInit = {}) => fetch(desk.baseUrl.replace(/\/v1$/, '') + path, init)
  const signIn = (name: string) => {
    const headers = { ...PAGE, 'Content-Type': 'application/json' }
    return send('/v1/session', { method: 'POST', headers, body: JSON.stringify(desk.world.signIn(name)) })
  }
  const cookieOf = (response: Response) => String(response.headers.getSetCookie().at(-1)).replace(/;.*/, '')
  const nameIn = async (path: string, headers: Record<string, string>) => {
    const response = await send(path, { headers })
    return response.ok ? ((await response.json()) as { name: string }).name : response.status
  }

  it('keep the cookies of the host', async () => {
    const response = await signIn('@lea')
    expect([response.status, response.headers.getSetCookie().length]).to.deep.equal([201, 2])
    expect(response.headers.getSetCookie()[0]).to.equal('of_host=1')
    const gone = await send('/v1/session', { method: 'DELETE', headers: { ...PAGE, Cookie: cookieOf(response) } })
    expect(gone.headers.getSetCookie().map((one) => one.replace(/=.*/, ''))).to.deep.equal(['of_host', '__Host-itsm'])
  })

  it('sign in on routes of the host, with the header alone', async () => {
    const Cookie = cookieOf(await signIn('@lea'))
    const response = await send('/dashboard', { headers: { ...PAGE, Cookie } })
    const { name } = desk.world.record('@lea').body as { name: string }
    expect(await response.json()).to.deep.equal({ by: 'session', limits: null, name })
    expect(await nameIn('/dashboard', { Cookie })).to.equal(404)
    expect(await nameIn('/dashboard', { ...PAGE, Cookie, 'Sec-Fetch-Site': 'same-site' })).to.equal(404)
  })

  it('come before the session of the host, which is not asked about one that has ended', async () => {
    const Cookie = cookieOf(await signIn('@lea'))
    const [lea, sam] = ['@lea', '@sam'].map((name) => (desk.world.record(name).body as { name: string }).name)
    const ofHost = { 'X-User': desk.world.signIn('@sam').email }
    expect(await nameIn('/v1/me', { ...PAGE, Cookie, ...ofHost })).to.equal(lea)
    expect(await nameIn('/v1/me', { Cookie, ...ofHost })).to.equal(sam)
    expect(await nameIn('/v1/me', { ...PAGE, ...ofHost })).to.equal(sam)
    await send('/v1/session', { method: 'DELETE', headers: { ...PAGE, Cookie } })
    expect(await nameIn('/v1/me', { ...PAGE, Cookie, ...ofHost })).to.equal(401)
    expect((await send('/dashboard', { headers: { ...PAGE, Cookie, ...ofHost } })).status).to.equal(401)
    expect(await nameIn('/v1/me', { Cookie, ...ofHost })).to.equal(sam)
  })

  it('are in no log, and in no facts', async () => {
    const text = cookieOf(await signIn('@lea')).replace(/.*=/, '')
    expect(text).to.match(/^itsm_ses_/)
    const { password } = desk.world.signIn('@lea')
    const all = JSON.stringify([logged, told])
    expect(all).to.include('/v1/session')
    for (const secret of ['itsm_ses_', text.slice(9), password]) expect(all).to.not.include(secret)
  })
})

describe('sessions of people with passwords of the host', () => {
  const asked: object[] = []
  const mounted = withMounted('bare', {
    sessions: true,
    people: {
      byCredentials: async (given) => {
        asked.push(given)
        return 'password' in given && given.password === 'theirs' ? { email: given.email } : null
      },
    },
  })

  it('begin with what the host says, and are not asked about again', async () => {
    const { email, password } = mounted.world.signIn('@lea')
    const post = (body: object) => mounted.ask(null, 'POST', '/session', body, PAGE)
    expect((await post({ email, password })).status).to.equal(401)
    expect((await post({ email: mounted.world.token('@lea'), password: 'theirs' })).status).to.equal(401)
    const begun = await post({ email, password: 'theirs' })
    expect(begun.status, begun.text).to.equal(201)
    expect(asked).to.deep.equal([
      { email, password },
      { email, password: 'theirs' },
    ])
    const Cookie = String(begun.headers['set-cookie']).replace(/;.*/, '')
    expect((await mounted.ask(null, 'GET', '/me', undefined, { ...PAGE, Cookie })).status).to.equal(200)
    expect((await mounted.ask(null, 'GET', '/me', undefined, { ...PAGE, Cookie: `${Cookie}x` })).status).to.equal(401)
    expect(asked).to.have.length(2)
  })
})

describe('sessions in several processes', () => {
  const mounted = withMounted('bare', { sessions: true })
  let other: Plugin

  before(() => {
    const { baseUrl } = mounted
    const options = { baseUrl, secret: TEST_SECRET, log: silent, allowInsecure: true, sessions: true }
    other = createPlugin({ ...options, database: { knex: mounted.database.knex } })
  })
  after(() => other.stop())

  it('work in each of them, and end in each: at once where it is told, or after two seconds', async () => {
    const begun = await mounted.ask(null, 'POST', '/session', mounted.world.signIn('@lea'), PAGE)
    const headers = { ...PAGE, Cookie: String(begun.headers['set-cookie']).replace(/;.*/, '') }
    const host = new Koa().use(other.middleware)
    const server = host.listen(0, '127.0.0.1')
    await once(server, 'listening')
    try {
      const { port } = server.address() as { port: number }
      const there = async () => (await fetch(`http://127.0.0.1:${port}/v1/me`, { headers })).status
      expect(await there()).to.equal(200)
      expect((await mounted.ask(null, 'DELETE', '/session', undefined, headers)).status).to.equal(204)
      expect((await mounted.ask(null, 'GET', '/me', undefined, headers)).status).to.equal(401)
      other.forget()
      expect(await there()).to.equal(401)
    } finally {
      server.closeAllConnections()
      server.close()
    }
  })
})

describe('the cookie of a session', () => {
  it('has a name for each base URL', async () => {
    const names: Readonly<Record<string, string>> = {
      [`${HERE}/v1`]: '__Host-itsm',
      [`${HERE}/api/v1`]: '__Host-itsm-api',
      [`${HERE}/desk/api/v1`]: '__Host-itsm-desk-api',
      [`${HERE}/d%C3%A9sk/a;b=c/v1`]: '__Host-itsm-d-C3-A9sk-a-b-c',
    }
    for (const [baseUrl, name] of Object.entries(names)) expect(cookieName(baseUrl)).to.equal(name)
  })
})
