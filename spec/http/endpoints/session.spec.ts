/** Sessions as a page uses them: begun with a password, kept in a cookie, and of no effect without a header. */
import { expect } from 'chai'
import type { PluginOptions } from '../../../plugin/index.js'
import { type Mounted, type Mounting, type Reply, withMounted } from '../../support/mounted.js'
import { type SettableClock, settableClock } from '../../support/webhooks.js'

const HOUR = 3600_000
const PAGE = { 'X-SVC-Session': '1' }
const NAME = '__Host-itsm-desk-api'
const DENIED = { message: 'access credentials required' }
const NEEDS = { message: 'Only for pages of the same origin, with the header X-SVC-Session: 1' }

/** What the specs do with sessions. */
function pagesOf(mounted: Mounted) {
  const send = (method: string, path: string, headers: Record<string, string>, body?: object | Buffer) =>
    mounted.ask(null, method, path, body, headers)
  const post = (body?: object | Buffer, headers: Record<string, string> = PAGE) => send('POST', '/session', headers, body)
  const signIn = (name: string, headers: Record<string, string> = PAGE) => post(mounted.world.signIn(name), headers)
  /** The headers of a page in which a person has signed in. */
  const pageOf = async (name: string): Promise<Record<string, string>> => ({ ...PAGE, Cookie: cookieIn(await signIn(name)) })
  const me = (headers: Record<string, string>, query = '') => send('GET', `/me${query}`, headers)
  const nameOf = async (headers: Record<string, string>) => {
    const { json, status } = await me(headers)
    return status === 200 ? (json as { name: string }).name : status
  }
  return { send, post, signIn, pageOf, me, nameOf }
}

/** The cookie of a response, as a browser sends it. */
function cookieIn({ status, text, headers }: Reply): string {
  expect(status, text).to.equal(201)
  return String([headers['set-cookie']].flat()[0]).replace(/;.*/, '')
}

function withPages(options: Partial<PluginOptions> = {}, mounting?: Mounting) {
  const clock: SettableClock = settableClock('2026-11-21T09:30:00Z')
  const mounted = withMounted(mounting, { sessions: true, clock, ...options })
  return { mounted, clock, ...pagesOf(mounted) }
}

describe('Sessions of pages', () => {
  const { mounted, clock, me, nameOf, pageOf, post, send, signIn } = withPages({
    oauth: {},
    headerPrefixes: ['X-SVC-', 'X-Old-'],
    signIn: { failuresPerAddress: 1_000 },
  })
  const basic = (name: string) => {
    const { email, password } = mounted.world.signIn(name)
    return { Authorization: `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}` }
  }
  const setPassword = (name: string, password: string | null) =>
    mounted.itsm.credentials.setPassword(mounted.world.id(name), password)

  it('begin with the password, in a cookie that no script reads, and tell who has signed in', async () => {
    const answer = await signIn('@lea')
    expect(answer.status, answer.text).to.equal(201)
    const { id, name, primary_email, account } = (await mounted.ask('@lea', 'GET', '/me')).json as Record<string, unknown>
    const { expires_at, ...rest } = answer.json as Record<string, unknown>
    expect(rest).to.deep.equal({ id, name, primary_email, account })
    expect(Date.parse(String(expires_at))).to.equal(clock.now().getTime() + 8 * HOUR)
    expect(answer.text).to.not.match(/itsm_ses_|api_token/)
    const { 'set-cookie': set, 'cache-control': caching, location } = answer.headers
    expect([set].flat()).to.have.length(1)
    expect(String(set)).to.match(/^__Host-itsm-desk-api=itsm_ses_[0-9A-Za-z]{36}; Path=\/; Secure; HttpOnly; SameSite=Strict$/)
    expect([caching, location]).to.deep.equal(['no-store', `${mounted.baseUrl}/session`])
    const page = { ...PAGE, Cookie: cookieIn(answer) }
    const called = await me(page)
    expect([called.status, (called.json as { id: number }).id]).to.deep.equal([200, id])
    expect(called.text).to.not.include('api_token')
    expect(called.headers['vary']).to.match(/X-SVC-Session.*Cookie.*Sec-Fetch-Site/)
    for (const headers of [{ 'X-Old-Session': '1' }, { 'x-svc-session': '1', 'X-Old-Session': '0' }])
      expect((await me({ ...headers, Cookie: page.Cookie })).status).to.equal(200)
  })

  it('change records as their person, in the account that the header names', async () => {
    const page = await pageOf('@lea')
    const made = await send('POST', '/requests', page, { subject: 'By a page', category: 'other' })
    expect(made.status, made.text).to.equal(201)
    expect((made.json as { created_by: { id: number } }).created_by.id).to.equal(mounted.world.id('@lea'))
    expect((await me({ ...page, 'X-SVC-Account': 'nowhere' })).status).to.equal(403)
  })

  it('do not begin with a wrong password, an unknown address, or a token in its place', async () => {
    const { email, password } = mounted.world.signIn('@lea')
    const token = mounted.world.token('@lea')
    const wrong = [
      ...[
        { email, password: 'wrong' },
        { email: 'nobody@widgets.example', password },
        { email: token, password: 'x' },
      ],
      ...[
        { email: `${token}@`, password: 'x' },
        { email: 'lea', password },
        { email: `${email}\0`, password },
      ],
      { email: `${email}\ud800`, password },
    ]
    for (const body of wrong) {
      const answer = await post(body)
      expect([answer.status, answer.json], JSON.stringify(body)).to.deep.equal([401, DENIED])
      expect(answer.headers).to.not.have.any.keys('set-cookie', 'www-authenticate')
      expect(answer.headers['cache-control']).to.equal('no-store')
    }
    expect((await post({ email: ` ${email.toUpperCase()} `, password })).status).to.equal(201)
  })

  it('refuse bodies that are no address and password, cheaply', async () => {
    const { email, password } = mounted.world.signIn('@lea')
    const refused: readonly [body: object | Buffer | undefined, status: number, fields?: readonly string[]][] = [
      [undefined, 422, ['email', 'password']],
      [{}, 422, ['email', 'password']],
      [{ email, password, api_token: 'x' }, 422, ['api_token']],
      [{ email: [email], password: { password } }, 422, ['email', 'password']],
      [{ email: null, password: true }, 422, ['email', 'password']],
      [{ email: `${'x'.repeat(300)}@x`, password: 'x'.repeat(1_025) }, 422, ['email', 'password']],
      [JSON.parse(`{ "email": "${email}", "password": "x", "__proto__": {}, "constructor": {} }`), 422, ['constructor']],
      [[{ email, password }], 400],
      [Buffer.from('{'), 400],
      [Buffer.from([0x7b, 0xff, 0x7d]), 400],
      [Buffer.from(`email=${email}&password=${password}`), 400],
      [{ email, password, more: 'x'.repeat(2 ** 14) }, 413],
    ]
    for (const [body, status, fields] of refused) {
      const answer = await post(body)
      expect(answer.status, answer.text).to.equal(status)
      const { errors } = answer.json as { errors?: readonly (readonly [string, string])[] }
      expect(errors?.map(([field]) => field)).to.deep.equal(fields)
      expect(answer.headers).to.not.have.property('set-cookie')
    }
  })

  it('need the header, which pages of other origins cannot send', async () => {
    const page = await pageOf('@lea')
    const { Cookie = '' } = page
    for (const headers of [{}, { 'X-SVC-Session': '0' }, { 'X-SVC-Session': '' }, { 'X-Other-Session': '1' }]) {
      expect([(await signIn('@lea', headers)).status, (await signIn('@lea', headers)).json]).to.deep.equal([403, NEEDS])
      const ignored = await me({ ...headers, Cookie })
      expect([ignored.status, ignored.json]).to.deep.equal([401, DENIED])
      expect(ignored.headers['www-authenticate']).to.equal('Basic realm="API"')
      expect((await send('GET', '/enums', { ...headers, Cookie: `${NAME}=wrong` })).status).to.equal(200)
      expect((await send('DELETE', '/session', { ...headers, Cookie })).status).to.equal(403)
    }
    for (const site of ['cross-site', 'same-site', ' Cross-Site ']) {
      expect((await signIn('@lea', { ...PAGE, 'Sec-Fetch-Site': site })).status).to.equal(403)
      expect((await me({ ...page, 'Sec-Fetch-Site': site })).status).to.equal(401)
      expect((await send('DELETE', '/session', { ...page, 'Sec-Fetch-Site': site })).status).to.equal(403)
    }
    for (const Origin of ['https://evil.example', 'null', new URL(mounted.baseUrl).origin.replace('//', '//x.')]) {
      expect((await signIn('@lea', { ...PAGE, Origin })).status, Origin).to.equal(403)
      expect((await me({ ...page, Origin })).status, Origin).to.equal(401)
      expect((await send('DELETE', '/session', { ...page, Origin })).status, Origin).to.equal(403)
    }
    const { origin, host } = new URL(mounted.baseUrl)
    for (const headers of [{ Origin: origin }, { Origin: `https://${host}`, Host: host }])
      expect((await me({ ...page, ...headers })).status).to.equal(200)
    for (const site of ['same-origin', 'none']) expect((await me({ ...page, 'Sec-Fetch-Site': site })).status).to.equal(200)
  })

  it('do not make browsers ask for a password by themselves', async () => {
    for (const headers of [PAGE, { ...PAGE, Cookie: `${NAME}=wrong` }]) {
      const answer = await me(headers)
      expect([answer.status, answer.json]).to.deep.equal([401, DENIED])
      expect(answer.headers).to.not.have.property('www-authenticate')
    }
  })

  it('give way to credentials in the request', async () => {
    const page = await pageOf('@lea')
    expect(await nameOf({ ...page, ...basic('@sam') })).to.equal(await nameOf(basic('@sam')))
    expect((await me(page, `?api_token=${mounted.world.token('@sam')}`)).text).to.include('"name":"Sam')
    expect(await nameOf({ ...page, Authorization: 'Bearer wrong' })).to.equal(401)
    expect(await nameOf({ ...basic('@sam'), ...PAGE, Cookie: `${NAME}=wrong` })).to.equal(await nameOf(basic('@sam')))
  })

  it('never sign in for JSON-P', async () => {
    const page = { ...(await pageOf('@lea')), 'Sec-Fetch-Site': 'same-origin' }
    expect((await me(page)).status).to.equal(200)
    const { text } = await me(page, '?callback=show')
    expect(text).to.include('"status":401').and.not.include('Lea')
  })

  it('are in no other place than the cookie', async () => {
    const page = await pageOf('@lea')
    const text = String(page['Cookie']).slice(NAME.length + 1)
    const ways: Record<string, string>[] = [
      { Authorization: `Bearer ${text}` },
      { Authorization: `Basic ${Buffer.from(`${text}:x`).toString('base64')}` },
    ]
    for (const headers of ways) expect((await me(headers)).status).to.equal(401)
    expect((await me({}, `?api_token=${text}`)).status).to.equal(401)
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
    const grant = `grant_type=client_credentials&client_id=x&client_secret=${text}`
    expect((await send('POST', '/oauth/token', { ...form, ...page }, Buffer.from(grant))).status).to.equal(401)
    const pat = await send('POST', '/me/tokens', page, { name: 'mine' })
    expect((await me({ ...PAGE, Cookie: `${NAME}=${(pat.json as { token: string }).token}` })).status).to.equal(401)
    expect((await me({ ...PAGE, Cookie: `${NAME}=${mounted.world.token('@lea')}` })).status).to.equal(401)
  })

  it('are as good as the password for what tokens may not do', async () => {
    const page = await pageOf('@lea')
    const made = await send('POST', '/me/tokens', page, { name: 'of a page' })
    expect(made.status, made.text).to.equal(201)
    expect((await send('POST', '/me/oauth_clients', page, { name: 'of a page' })).status).to.equal(201)
    expect((await send('GET', '/me/tokens', page)).status).to.equal(200)
  })

  it('take one cookie of the right form, beside any others', async () => {
    const page = await pageOf('@lea')
    const { Cookie = '' } = page
    const changed = Cookie.replace(/.$/, (last) => (last === '0' ? '1' : '0'))
    const wrong = [
      ...[`${Cookie}; ${Cookie}`, `${NAME}=; ${Cookie}`, changed, `${Cookie}x`, `${NAME}="${Cookie.slice(NAME.length + 1)}"`],
      ...[`${NAME}=`, `${NAME}=${'x'.repeat(8_000)}`, `${NAME}=%00`, `${NAME}=\xff\xfe`, Cookie.replace('_', '%5F')],
    ]
    for (const cookie of wrong) expect((await me({ ...PAGE, Cookie: cookie })).status, cookie.slice(0, 90)).to.equal(401)
    for (const cookie of [`a=b; ${Cookie};`, `${NAME}x=1;${Cookie} ; =; x`, `;;${Cookie}`])
      expect((await me({ ...PAGE, Cookie: cookie })).status, cookie).to.equal(200)
    for (const cookie of [Cookie.toLowerCase().replace('=', 'x='), 'x', '', Cookie.replace('__Host-', '')])
      expect((await me({ ...PAGE, Cookie: cookie })).json, cookie).to.deep.equal(DENIED)
  })

  it('end at once with DELETE, which takes the cookie away and never fails', async () => {
    const page = await pageOf('@lea')
    const other = await pageOf('@lea')
    expect(await nameOf(page)).to.be.a('string')
    const gone = `${NAME}=; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=0`
    for (const headers of [
      page,
      page,
      PAGE,
      { ...PAGE, Cookie: `${NAME}=wrong` },
      { ...PAGE, Authorization: 'Bearer wrong' },
    ]) {
      const answer = await send('DELETE', '/session', headers)
      expect([answer.status, answer.text]).to.deep.equal([204, ''])
      expect([answer.headers['set-cookie']].flat()).to.deep.equal([gone])
      expect(answer.headers['cache-control']).to.equal('no-store')
    }
    expect([await nameOf(page), typeof (await nameOf(other))]).to.deep.equal([401, 'string'])
    const again = await signIn('@lea', page)
    expect(again.status, 'with the cookie that has ended').to.equal(201)
    for (const method of ['GET', 'PATCH']) expect((await send(method, '/session', other)).status, method).to.equal(404)
  })

  it('end without use, and after a day', async () => {
    const page = await pageOf('@lea')
    clock.pass(8 * HOUR - 1)
    expect(await nameOf(page)).to.be.a('string')
    const idle = await pageOf('@lea')
    clock.pass(8 * HOUR)
    expect(await nameOf(idle)).to.equal(401)
    const anonymous = await send('GET', '/enums', idle)
    expect([anonymous.status, anonymous.json]).to.deep.equal([401, DENIED])
    expect((await send('GET', '/enums', { Cookie: idle['Cookie'] ?? '' })).status).to.equal(200)
  })

  it('end when the password is changed or removed, and when the person is disabled', async () => {
    const { password } = mounted.world.signIn('@lea')
    for (const next of ['quite another password', null]) {
      const page = await pageOf('@lea')
      expect(await nameOf(page)).to.be.a('string')
      await setPassword('@lea', next)
      expect(await nameOf(page)).to.equal(401)
      expect((await signIn('@lea')).status).to.equal(401)
      await setPassword('@lea', password)
    }
    const page = await pageOf('@lea')
    const { update } = mounted.itsm.asSystem('spec', 'widgets')
    await update('person', mounted.world.id('@lea'), { disabled: true })
    expect([await nameOf(page), (await signIn('@lea')).status]).to.deep.equal([401, 401])
    await update('person', mounted.world.id('@lea'), { disabled: false })
    expect(await nameOf(page)).to.equal(401)
  })

  it('are twenty for a person', async () => {
    const pages: Record<string, string>[] = []
    for (let count = 0; count < 21; count += 1) pages.push(await pageOf('@lea'))
    expect([await nameOf(pages[0] ?? {}), typeof (await nameOf(pages[1] ?? {}))]).to.deep.equal([401, 'string'])
  })

  it('are described in the document, with the header that they need', async () => {
    const { json } = await mounted.ask(null, 'GET', '/openapi.json')
    const document = json as {
      security: object[]
      paths: Record<string, { post: { security: object[] } }>
      components: { securitySchemes: Record<string, object> }
    }
    expect(document.security).to.deep.include({ session: [], of_page: [] })
    expect(document.components.securitySchemes['session']).to.include({ type: 'apiKey', in: 'cookie', name: NAME })
    expect(document.components.securitySchemes['of_page']).to.include({ type: 'apiKey', in: 'header', name: 'X-SVC-Session' })
    expect(document.paths['/session']?.post.security).to.deep.equal([{}])
  })

  it('leave nothing in the database that would sign in', async () => {
    const page = await pageOf('@lea')
    const table = mounted.database.storage.table('sessions')
    const rows = JSON.stringify(await mounted.database.knex(table))
    expect(rows).to.include('digest').and.not.include(String(page['Cookie']).slice(-30))
  })
})

describe('Sessions, over HTTPS only', () => {
  const { post } = withPages({ allowInsecure: false, baseUrl: 'https://desk.example/v1' })

  it('do not begin without it', async () => {
    const answer = await post({ email: 'lea@widgets.example', password: 'x' })
    expect([answer.status, answer.json]).to.deep.equal([403, { message: 'Only HTTPS is supported' }])
  })
})

describe('Guessing passwords at /session', () => {
  const { mounted, post, signIn } = withPages({ signIn: { failuresPerAddress: 5 } })

  it('is limited like guessing anywhere else', async () => {
    const { email } = mounted.world.signIn('@lea')
    const statuses: number[] = []
    for (let count = 0; count < 7; count += 1) statuses.push((await post({ email, password: `wrong ${count}` })).status)
    expect(statuses).to.deep.equal([401, 401, 401, 401, 401, 429, 429])
    const refused = await signIn('@sam')
    expect([refused.status, Number(refused.headers['retry-after']) > 1]).to.deep.equal([429, true])
  })
})

describe('Sessions that have ended', () => {
  const { mounted, nameOf, pageOf, send, signIn } = withPages({ signIn: { failuresPerAddress: 3 } })

  it('do not count as guessing, so that nobody else at the address is locked out', async () => {
    const page = await pageOf('@lea')
    await send('DELETE', '/session', page)
    for (let count = 0; count < 10; count += 1) expect(await nameOf(page)).to.equal(401)
    expect((await signIn('@sam')).status).to.equal(201)
    expect((await mounted.ask('@sam', 'GET', '/me')).status).to.equal(200)
  })
})

describe('Sessions behind a body parser of the host', () => {
  const { mounted, nameOf, pageOf, post } = withPages({}, 'behind a body parser of the host')

  it('begin with what it has read', async () => {
    expect(await nameOf(await pageOf('@lea'))).to.be.a('string')
    expect((await post({ email: 'x@y', password: ['x'] })).status).to.equal(422)
    expect((await post({ ...mounted.world.signIn('@lea'), more: 'x'.repeat(2 ** 14) })).status).to.equal(413)
  })
})

describe('Sessions, by default', () => {
  const mounted = withMounted()
  const { me, post, send } = pagesOf(mounted)

  it('are off: the path does not exist, and a cookie has no effect', async () => {
    const token = { Authorization: `Bearer ${mounted.world.token('@lea')}`, ...PAGE }
    for (const method of ['POST', 'DELETE']) expect((await send(method, '/session', token)).status).to.equal(404)
    expect((await post(mounted.world.signIn('@lea'))).status).to.equal(401)
    const answer = await me({ ...PAGE, Cookie: `${NAME}=itsm_ses_${'0'.repeat(36)}` })
    // Pages sign people in themselves, also with tokens: a browser must not ask for a password.
    expect([answer.status, answer.headers['www-authenticate']]).to.deep.equal([401, undefined])
    expect((await mounted.ask(null, 'GET', '/me')).headers['www-authenticate']).to.equal('Basic realm="API"')
    expect((await send('GET', '/enums', { ...PAGE, Cookie: `${NAME}=wrong` })).status).to.equal(200)
    expect((await mounted.ask(null, 'GET', '/openapi.json')).text).to.not.match(/"\/session"|itsm_ses|__Host/)
  })
})
