import { expect } from 'chai'
import type Koa from 'koa'
import { koaBody } from 'koa-body'
import type { StoredClient } from '../../../plugin/access/oauth/clients.js'
import type { OAuth } from '../../../plugin/access/oauth/oauth.js'
import { TooManyRequests } from '../../../plugin/core/errors.js'
import { createApp } from '../../../plugin/http/app.js'
import type { HttpDeps } from '../../../plugin/http/deps.js'
import { oauthToken } from '../../../plugin/http/endpoints/oauth-token.js'
import { type Answer, type Sent, serving } from '../client.js'
import { ines, PASSWORD, stubs, TOKEN } from '../stubs.js'

const client: StoredClient = {
  ...{ id: 7, clientId: 'robot', personId: 1, name: 'Robot', readOnly: false, recordTypes: null },
  ...{ createdAt: new Date(), lastUsedAt: null },
}
const FORM = 'grant_type=client_credentials&client_id=robot&client_secret=right'
const FORM_TYPE = { 'Content-Type': 'application/x-www-form-urlencoded' }
const basic = (text: string) => ({ Authorization: `Basic ${Buffer.from(text).toString('base64')}` })

function stubOAuth(more: Partial<OAuth> = {}): OAuth {
  return {
    signIn: async (id, secret) => (id === 'robot' && secret === 'right' ? { client, actor: ines } : null),
    narrow: (_, scopes) => (scopes?.includes('unknown') ? null : { readOnly: scopes !== null, recordTypes: null }),
    issue: async (_, __, { readOnly }) => ({ text: 'itsm_oat_x', expiresIn: 60, scope: readOnly ? 'read_only' : null }),
    ...more,
  }
}

function build(oauth: Partial<OAuth> = {}, more: Partial<HttpDeps> = {}) {
  const counted: string[] = []
  const rateLimits: HttpDeps['rateLimits'] = {
    count: async (key) => {
      counted.push(key)
      return { limit: 3600, remaining: 3599, resetAt: 1_800_000_000, retryAfter: null }
    },
  }
  const made = stubs({ endpoints: [oauthToken({ oauth: stubOAuth(oauth) })], rateLimits, ...more })
  return { ...made, counted, app: createApp(made.deps) }
}

async function ask(sent: Sent = {}, path = '/v1/oauth/token', app: Koa = build().app): Promise<Answer> {
  return serving(app, ({ send }) =>
    send(path, { method: 'POST', body: FORM, ...sent, headers: { ...FORM_TYPE, ...sent.headers } }),
  )
}

/** The status and code of a refusal, which must be one that no cache keeps. */
async function refusal(sent: Sent, path?: string, app?: Koa): Promise<string> {
  const { status, headers, json } = await ask(sent, path, app)
  const { error, error_description: description, ...rest } = json as Record<string, unknown>
  expect(rest).to.deep.equal({})
  expect(description).to.be.a('string')
  expect([headers['cache-control'], headers['pragma']]).to.deep.equal(['no-store, no-transform', 'no-cache'])
  return [status, error, ...(headers['www-authenticate'] ? [headers['www-authenticate']] : [])].join(' ')
}

describe('http/endpoints/oauth-token', () => {
  it('gives a client its token, in the form of RFC 6749', async () => {
    const answer = await ask()
    expect([answer.status, answer.json]).to.deep.equal([
      200,
      { access_token: 'itsm_oat_x', token_type: 'bearer', expires_in: 60 },
    ])
    expect(answer.headers).to.include({
      ...{ 'cache-control': 'no-store, no-transform', pragma: 'no-cache', 'content-type': 'application/json; charset=utf-8' },
      ...{ 'x-ratelimit-limit': '3600' },
    })
    const limited = await ask({ body: `${FORM}&scope=read_only` })
    expect(limited.json).to.deep.include({ scope: 'read_only' })
    const inHeader = await ask({ body: 'grant_type=client_credentials', headers: basic('robot:right') })
    expect(inHeader.status).to.equal(200)
    expect((await ask({}, '/v1/oauth/token.json')).status).to.equal(200)
    expect((await ask({}, '/v1/oauth/token/')).status).to.equal(200)
  })

  it('refuses wrong credentials with 401, and names the scheme to clients that used it', async () => {
    for (const body of [FORM.replace('robot', 'other'), FORM.replace('right', 'wrong')]) {
      expect(await refusal({ body })).to.equal('401 invalid_client')
    }
    const challenged = '401 invalid_client Basic realm="OAuth client"'
    const body = 'grant_type=client_credentials'
    expect(await refusal({ body, headers: basic('robot:wrong') })).to.equal(challenged)
    expect(await refusal({ body, headers: { Authorization: 'Bearer itsm_oat_x' } })).to.equal(challenged)
    expect(await refusal({}, undefined, build({ issue: async () => null }).app)).to.equal('401 invalid_client')
  })

  it('refuses other grants and scopes that the client does not have', async () => {
    expect(await refusal({ body: FORM.replace('client_credentials', 'password') })).to.equal('400 unsupported_grant_type')
    expect(await refusal({ body: `${FORM}&scope=unknown` })).to.equal('400 invalid_scope')
    expect(await refusal({ body: `${FORM}&scope=a&scope=b` })).to.equal('400 invalid_request')
  })

  it('reads nothing but a form in UTF-8, of a few kilobytes', async () => {
    const json = { grant_type: 'client_credentials', client_id: 'robot', client_secret: 'right' }
    expect(await refusal({ body: json, headers: { 'Content-Type': 'application/json' } })).to.equal('400 invalid_request')
    expect(await refusal({ headers: { 'Content-Type': 'text/plain' } })).to.equal('400 invalid_request')
    expect(await refusal({ headers: { 'Content-Type': 'multipart/form-data; boundary=x' } })).to.equal('400 invalid_request')
    expect(await refusal({ body: '' })).to.equal('400 invalid_request')
    expect(await refusal({ body: Buffer.from([0x61, 0x3d, 0xff]) })).to.equal('400 invalid_request')
    expect(await refusal({ body: Buffer.from(FORM, 'utf16le') })).to.equal('400 invalid_request')
    expect(await refusal({ body: JSON.stringify(json) })).to.equal('400 invalid_request')
    expect(await refusal({ body: `${FORM}&x=${'x'.repeat(2 ** 14)}` })).to.equal('413 invalid_request')
    expect(await refusal({ body: 'a&'.repeat(2 ** 20), headers: { 'Transfer-Encoding': 'chunked' } })).to.equal(
      '413 invalid_request',
    )
    expect((await ask({ headers: { 'Content-Type': 'Application/X-WWW-Form-Urlencoded; charset=utf-8' } })).status).to.equal(
      200,
    )
  })

  it('takes no credentials from the URL', async () => {
    for (const query of [FORM, 'client_secret=right', 'api_token=TOKEN', 'access_token=x', 'scope=read_only']) {
      expect(await refusal({}, `/v1/oauth/token?${query}`), query).to.equal('400 invalid_request')
    }
    const body = 'grant_type=client_credentials'
    expect(await refusal({ body }, '/v1/oauth/token?_=1')).to.equal('401 invalid_client')
  })

  it('is not open to people, neither by password and token nor by the session of the host', async () => {
    const body = 'grant_type=client_credentials'
    for (const headers of [PASSWORD, TOKEN]) expect(await refusal({ body, headers })).to.match(/^401 invalid_client/)
    const asked: string[] = []
    const signedIn = async () => {
      asked.push('host')
      return ines
    }
    expect(await refusal({ body }, undefined, build({}, { signedIn }).app)).to.equal('401 invalid_client')
    expect(asked).to.deep.equal([])
  })

  it('is no script, and no other verb', async () => {
    const script = await ask({}, '/v1/oauth/token?callback=steal')
    expect([script.status, script.headers['content-type']]).to.deep.equal([200, 'application/json; charset=utf-8'])
    for (const path of ['/v1/oauth/token', `/v1/oauth/token?${FORM}`, `/v1/oauth/token?callback=steal&${FORM}`]) {
      expect((await ask({ method: 'GET', body: '' }, path)).text).to.not.include('itsm_oat_')
      expect((await ask({ method: 'GET', body: '', headers: TOKEN }, path)).text).to.not.include('itsm_oat_')
    }
    for (const method of ['PUT', 'PATCH', 'DELETE']) expect((await ask({ method, body: '' })).status).to.equal(401)
  })

  it('needs HTTPS', async () => {
    const { status, json } = await ask({}, undefined, build({}, { allowInsecure: false }).app)
    expect([status, json]).to.deep.equal([403, { message: 'Only HTTPS is supported' }])
  })

  it('counts right clients for their person, and all others for their address', async () => {
    const { app, counted } = build()
    await ask({}, undefined, app)
    await ask({ body: FORM.replace('right', 'wrong') }, undefined, app)
    await ask({ body: '' }, undefined, app)
    expect(counted).to.deep.equal(['person wdc 1', 'address 127.0.0.1', 'address 127.0.0.1'])
  })

  it('passes on that too many secrets were wrong', async () => {
    const signIn = async () => {
      throw new TooManyRequests(900, 'Too many failed sign-ins')
    }
    const { status, headers, json } = await ask({}, undefined, build({ signIn }).app)
    expect([status, headers['retry-after'], json]).to.deep.equal([429, '900', { message: 'Too many failed sign-ins' }])
  })

  it('logs no secrets', async () => {
    const issue = async () => {
      throw new Error('no luck')
    }
    const { app, logged } = build({ issue })
    const { status, json } = await ask({ headers: basic('robot:right'), body: 'grant_type=client_credentials' }, undefined, app)
    expect([status, json]).to.deep.equal([500, { message: 'Internal Server Error' }])
    expect(logged.map(([level]) => level)).to.deep.equal(['error'])
    expect(JSON.stringify(logged)).to.not.match(/right|Basic|client_credentials/)
  })

  it('acts in the account of the person, whatever account is chosen', async () => {
    const { app, calls } = build()
    expect((await ask({ headers: { 'X-SVC-Account': 'trusted' } }, undefined, app)).status).to.equal(200)
    expect(calls.at(-1)?.account.id).to.equal('wdc')
  })

  it('reads the form from a body parser of the host, and still sees what came twice', async () => {
    const { deps } = build()
    const app = createApp(deps)
    app.middleware.unshift(koaBody() as never)
    expect((await ask({}, undefined, app)).status).to.equal(200)
    for (const more of ['client_id=robot', 'scope=a&scope=b', 'a[b]=c', 'a[]=c&a[]=d']) {
      expect(await refusal({ body: `${FORM}&${more}` }, undefined, app), more).to.equal('400 invalid_request')
    }
    expect(
      await refusal({ body: { grant_type: 'x' }, headers: { 'Content-Type': 'application/json' } }, undefined, app),
    ).to.equal('400 invalid_request')
  })
})
