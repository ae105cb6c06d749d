/** Requests that name the person whose page they come from: nobody else is let in, whatever the credentials. */
import { expect } from 'chai'
import Koa from 'koa'
import { after, before, describe, it } from 'mocha'
import { type TestDesk, testDesk } from '../../plugin/testing/index.js'
import { silent } from '../support/settings.js'

const PAGE = { 'X-SVC-Session': '1' }

describe('http/requests/named-person', function () {
  this.timeout(60_000)
  let desk: TestDesk
  before(async () => {
    desk = await testDesk({
      sessions: true,
      log: silent,
      headerPrefixes: ['X-SVC-', 'X-Old-'],
      signIn: { failuresPerAddress: 1_000 },
      people: { signedIn: async (ctx) => (ctx.get('X-User') === '' ? null : { email: ctx.get('X-User') }) },
      app: (itsm) =>
        Object.assign(new Koa(), { silent: true })
          .use(async (ctx, next) => {
            if (ctx.path !== '/dashboard') return next()
            const caller = await itsm.signedIn(ctx)
            ctx.body = { name: caller?.person.name ?? null }
          })
          .use(itsm.middleware),
    })
  })
  after(() => desk.close())

  const send = (path: string, init: RequestInit = {}) => fetch(desk.baseUrl.replace(/\/v1$/, '') + path, init)
  const idOf = (name: string) => String(desk.world.id(name))
  const cookieOf = async (name: string) => {
    const headers = { ...PAGE, 'Content-Type': 'application/json' }
    const response = await send('/v1/session', { method: 'POST', headers, body: JSON.stringify(desk.world.signIn(name)) })
    return String(response.headers.getSetCookie().at(-1)).replace(/;.*/, '')
  }
  const basic = (name: string, password: string) => `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`

  /** Each way to sign in: the headers, and what is added to the path. */
  const ways: Record<string, (name: string) => Promise<readonly [headers: Record<string, string>, query: string]>> = {
    'the session of a page': async (name) => [{ ...PAGE, Cookie: await cookieOf(name) }, ''],
    'a password': async (name) => {
      const { email, password } = desk.world.signIn(name)
      return [{ Authorization: basic(email, password) }, '']
    },
    'a token': async (name) => [{ Authorization: `Bearer ${desk.world.token(name)}` }, ''],
    'a token in the query': async (name) => [{}, `?api_token=${desk.world.token(name)}`],
    'the host': async (name) => [{ 'X-User': desk.world.signIn(name).email }, ''],
  }

  for (const [title, way] of Object.entries(ways)) {
    it(`is the one that ${title} signs in, on our routes and on those of the host`, async () => {
      const [headers, query] = await way('@lea')
      for (const path of [`/v1/me${query}`, `/dashboard${query}`, `/v1/sites${query}`]) {
        const statusFor = async (more: Record<string, string>) =>
          (await send(path, { headers: { ...headers, ...more } })).status
        expect(await statusFor({}), path).to.equal(200)
        expect(await statusFor({ 'X-SVC-Person': idOf('@lea') }), path).to.equal(200)
        expect(await statusFor({ 'x-old-person': ` ${idOf('@lea')} ` }), path).to.equal(200)
        expect(await statusFor({ 'X-SVC-Person': idOf('@sam') }), path).to.equal(401)
      }
    })
  }

  it('is nobody else: the answer says no more than that of wrong credentials, and browsers do not ask for a password', async () => {
    const response = await send('/v1/me', {
      headers: { Authorization: `Bearer ${desk.world.token('@lea')}`, 'X-SVC-Person': idOf('@sam') },
    })
    expect([response.status, await response.json()]).to.deep.equal([401, { message: 'access credentials required' }])
    expect(response.headers.get('WWW-Authenticate')).to.equal(null)
    expect(response.headers.get('Vary')).to.include('X-SVC-Person')
  })

  it('is written as the API writes ids: whatever else is sent names nobody', async () => {
    const id = idOf('@lea')
    const others = [
      '',
      '0',
      `0${id}`,
      `+${id}`,
      `${id}.0`,
      `-${id}`,
      `${id}, ${id}`,
      'undefined',
      'null',
      '*',
      'NaN',
      'x'.repeat(4_000),
    ]
    for (const value of others) {
      const headers = { Authorization: `Bearer ${desk.world.token('@lea')}`, 'X-SVC-Person': value }
      expect((await send('/v1/me', { headers })).status, value).to.equal(401)
      expect((await send('/dashboard', { headers })).status, value).to.equal(401)
    }
  })

  it('is asked for where nobody needs to sign in, too', async () => {
    for (const path of ['/v1', '/v1/openapi.json', '/dashboard']) {
      expect((await send(path)).status, path).to.equal(200)
      expect((await send(path, { headers: { 'X-SVC-Person': 'undefined' } })).status, path).to.equal(401)
      expect((await send(path, { headers: { 'X-SVC-Person': idOf('@lea') } })).status, path).to.equal(401)
    }
  })

  it('writes nothing for anybody else', async () => {
    const Cookie = await cookieOf('@sam')
    const post = (person: string) =>
      send('/v1/requests', {
        method: 'POST',
        headers: { ...PAGE, Cookie, 'Content-Type': 'application/json', 'X-SVC-Person': person },
        body: JSON.stringify({ subject: 'From the page of Lea', category: 'other' }),
      })
    const bySubject = async () => {
      const headers = { Authorization: `Bearer ${desk.world.token('@sam')}` }
      const found = await send('/v1/requests?subject=From%20the%20page%20of%20Lea', { headers })
      return ((await found.json()) as unknown[]).length
    }
    expect((await post(idOf('@lea'))).status).to.equal(401)
    expect(await bySubject()).to.equal(0)
    expect((await post(idOf('@sam'))).status).to.equal(201)
    expect(await bySubject()).to.equal(1)
  })
})
