/** OAuth clients as an integration uses them: made by a person, signed in by their secret, calling with their token. */
import { expect } from 'chai'
import type { Log } from '../../../plugin/core/log.js'
import { type Mounted, type Reply, withMounted } from '../../support/mounted.js'

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }
const basic = (name: string, password: string) => `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`

interface Client {
  readonly id: number
  readonly client_id: string
  readonly client_secret: string
}

/** What the specs do with clients. */
function clientsOf(mounted: Mounted) {
  const password = (name: string) => {
    const { email, password: secret } = mounted.world.signIn(name)
    return { Authorization: basic(email, secret) }
  }
  const manage = (name: string, method: string, path = '', body?: object): Promise<Reply> =>
    mounted.ask(null, method, `/me/oauth_clients${path}`, body, password(name))
  const make = async (name: string, body: object = { name: 'robot' }): Promise<Client> => {
    const made = await manage(name, 'POST', '', body)
    expect([made.status, made.text]).to.satisfy(([status]: [number]) => status === 201)
    return made.json as Client
  }
  const token = (client: Client, more: Record<string, string> = {}): Promise<Reply> => {
    const form = { grant_type: 'client_credentials', client_id: client.client_id, client_secret: client.client_secret, ...more }
    return mounted.ask(null, 'POST', '/oauth/token', Buffer.from(String(new URLSearchParams(form))), FORM)
  }
  const bearer = async (client: Client, more: Record<string, string> = {}) => {
    const { json } = await token(client, more)
    return { Authorization: `Bearer ${(json as { access_token: string }).access_token}` }
  }
  return { password, manage, make, token, bearer }
}

describe('OAuth clients of people', () => {
  const logged: [string, object, string][] = []
  const entry = (level: string) => (details: object, message: string) => void logged.push([level, details, message])
  const log = { debug: entry('debug'), info: entry('info'), warn: entry('warn'), error: entry('error') } as Log
  const mounted = withMounted('mounted under a prefix', { oauth: { tokenLifetimeMs: 600_000 }, log })
  const { bearer, make, manage, password, token } = clientsOf(mounted)

  it('call with a token as the person who made them', async () => {
    const client = await make('@lea')
    const answer = await token(client)
    expect(answer.status).to.equal(200)
    const { access_token: text, ...rest } = answer.json as { access_token: string }
    expect(rest).to.deep.equal({ token_type: 'bearer', expires_in: 600 })
    const me = (await mounted.ask('@lea', 'GET', '/me')).json
    for (const headers of [{ Authorization: `Bearer ${text}` }, { Authorization: basic(text, 'x') }]) {
      const called = await mounted.ask(null, 'GET', '/me', undefined, headers)
      expect([called.status, called.json]).to.deep.equal([200, me])
    }
    const made = await mounted.ask(
      null,
      'POST',
      '/requests',
      { subject: 'By a robot', category: 'other' },
      await bearer(client),
    )
    expect(made.status, made.text).to.equal(201)
    expect((made.json as { created_by: { id: number } }).created_by.id).to.equal(mounted.world.id('@lea'))
  })

  it('are not made again by a repeated request, whose secret is lost; tokens are', async () => {
    const headers = { ...password('@lea'), 'Idempotency-Key': 'key-of-a-client' }
    const first = await mounted.ask(null, 'POST', '/me/oauth_clients', { name: 'once' }, headers)
    const again = await mounted.ask(null, 'POST', '/me/oauth_clients', { name: 'once' }, headers)
    expect([first.status, again.status]).to.deep.equal([201, 422])
    expect(again.text).to.not.include('itsm_ocs_')
    const { client_id: id, client_secret: secret } = first.json as Client
    const form = Buffer.from(`grant_type=client_credentials&client_id=${id}&client_secret=${secret}`)
    const repeat = () => mounted.ask(null, 'POST', '/oauth/token', form, { ...FORM, 'Idempotency-Key': 'key of a token' })
    const [one, other] = [await repeat(), await repeat()]
    expect([one.status, other.status]).to.deep.equal([200, 200])
    expect(one.text).to.not.equal(other.text)
    const tables = ['idempotency_keys', 'tokens', 'oauth_clients'].map((table) => mounted.database.storage.table(table))
    const rows = await Promise.all(tables.map((table) => mounted.database.knex(table)))
    expect(JSON.stringify(rows)).to.not.match(/itsm_o[ca][st]_/)
  })

  it('are listed without their secret, and revoked with their tokens', async () => {
    const client = await make('@lea', { name: ' Monitoring ', read_only: true, record_types: ['request', 'request'] })
    const { client_secret: secret, ...shown } = client
    expect(secret).to.match(/^itsm_ocs_/)
    expect(shown).to.deep.include({ name: 'Monitoring', read_only: true, record_types: ['request'], last_used_at: null })
    const listed = await manage('@lea', 'GET')
    expect(listed.headers['x-pagination-total-entries']).to.equal(String((listed.json as Client[]).length))
    expect((listed.json as Client[])[0]).to.deep.equal(shown)
    expect(listed.text).to.not.include('itsm_ocs_')
    expect((await manage('@lea', 'GET', `/${client.id}`)).json).to.deep.equal(shown)
    const headers = await bearer(client)
    expect((await mounted.ask(null, 'GET', '/me', undefined, headers)).status).to.equal(200)
    expect((await manage('@lea', 'DELETE', `/${client.id}`)).status).to.equal(204)
    expect((await mounted.ask(null, 'GET', '/me', undefined, headers)).status).to.equal(401)
    expect((await token(client)).status).to.equal(401)
    expect((await manage('@lea', 'DELETE', `/${client.id}`)).status).to.equal(404)
    expect(((await manage('@lea', 'GET')).json as Client[]).map(({ id }) => id)).to.not.include(client.id)
  })

  it('may do what their limits allow, and their tokens what is narrowed', async () => {
    const reader = await make('@lea', { name: 'reader', read_only: true, record_types: ['request', 'person'] })
    expect((await token(reader)).json).to.deep.include({ scope: 'read_only request person' })
    const headers = await bearer(reader)
    expect((await mounted.ask(null, 'GET', '/requests', undefined, headers)).status).to.equal(200)
    expect((await mounted.ask(null, 'POST', '/requests', { subject: 'No' }, headers)).status).to.equal(403)
    expect((await mounted.ask(null, 'GET', '/teams', undefined, headers)).status).to.equal(403)
    const narrow = await bearer(reader, { scope: 'request' })
    expect((await mounted.ask(null, 'GET', '/requests', undefined, narrow)).status).to.equal(200)
    expect((await mounted.ask(null, 'GET', '/people', undefined, narrow)).status).to.equal(403)
    for (const scope of ['team', 'request team', 'vehicle', 'write']) {
      const refused = await token(reader, { scope })
      expect([refused.status, (refused.json as { error: string }).error], scope).to.deep.equal([400, 'invalid_scope'])
    }
  })

  it('are made and revoked only with a password', async () => {
    const client = await make('@lea')
    const ids = async () => ((await manage('@lea', 'GET')).json as Client[]).map(({ id }) => id)
    const before = await ids()
    const tokens = [await bearer(client), { Authorization: `Bearer ${mounted.world.token('@lea')}` }]
    for (const headers of tokens) {
      for (const [method, path] of [
        ['GET', ''],
        ['POST', ''],
        ['DELETE', `/${client.id}`],
      ] as const) {
        const refused = await mounted.ask(
          null,
          method,
          `/me/oauth_clients${path}`,
          method === 'POST' ? { name: 'x' } : undefined,
          headers,
        )
        expect(refused.status, `${method} ${path}`).to.equal(403)
      }
    }
    const own = await mounted.ask(
      null,
      'POST',
      '/me/oauth_clients',
      { name: 'x' },
      { Authorization: `Bearer ${client.client_secret}` },
    )
    expect(own.status).to.equal(401)
    expect(await ids()).to.deep.equal(before)
  })

  it('are nobody else’s, and their secret opens nothing but the token', async () => {
    const client = await make('@lea')
    expect((await manage('@ines', 'DELETE', `/${client.id}`)).status).to.equal(404)
    expect(((await manage('@ines', 'GET')).json as Client[]).map(({ id }) => id)).to.not.include(client.id)
    const { client_id: id, client_secret: secret } = client
    for (const headers of [
      { Authorization: `Bearer ${secret}` },
      { Authorization: basic(secret, 'x') },
      { Authorization: basic(id, secret) },
    ])
      expect((await mounted.ask(null, 'GET', '/me', undefined, headers)).status).to.equal(401)
    expect((await mounted.ask(null, 'GET', `/me?api_token=${secret}`)).status).to.equal(401)
  })

  it('are listed and revoked by administrators of the account of their person', async () => {
    const client = await make('@lea', { name: 'left behind' })
    const headers = await bearer(client)
    const path = `/people/${mounted.world.id('@lea')}/oauth_clients`
    const listed = await mounted.ask('@owen', 'GET', path)
    expect((listed.json as Client[])[0]).to.deep.include({ id: client.id, name: 'left behind' })
    expect(listed.text).to.not.include('itsm_ocs_')
    for (const [name, status] of [
      ['@sam', 403],
      ['@paula', 403],
      ['@stan', 404],
    ] as const) {
      expect((await mounted.ask(name, 'GET', path)).status, name).to.equal(status)
      expect((await mounted.ask(name, 'DELETE', `${path}/${client.id}`)).status, name).to.equal(status)
    }
    const ofAnother = `/people/${mounted.world.id('@sam')}/oauth_clients/${client.id}`
    expect((await mounted.ask('@owen', 'DELETE', ofAnother)).status).to.equal(404)
    expect((await mounted.ask('@owen', 'POST', path, { name: 'x' })).status).to.equal(404)
    expect((await mounted.ask('@owen', 'DELETE', `${path}/${client.id}`)).status).to.equal(204)
    expect((await mounted.ask(null, 'GET', '/me', undefined, headers)).status).to.equal(401)
    expect((await token(client)).status).to.equal(401)
  })

  it('and their tokens are refused while their person is disabled', async () => {
    const client = await make('@eva')
    const headers = await bearer(client)
    const disable = (disabled: boolean) => mounted.ask('@owen', 'PATCH', `/people/${mounted.world.id('@eva')}`, { disabled })
    expect((await disable(true)).status).to.equal(200)
    expect((await mounted.ask(null, 'GET', '/me', undefined, headers)).status).to.equal(401)
    expect((await token(client)).status).to.equal(401)
    expect((await disable(false)).status).to.equal(200)
    expect((await mounted.ask(null, 'GET', '/me', undefined, headers)).status).to.equal(401)
    expect((await token(client)).status).to.equal(200)
  })

  it('have a name and limits that make sense', async () => {
    const wrong: [object, unknown][] = [
      [{}, [['name', "Name can't be blank"]]],
      [{ name: ' ' }, [['name', "Name can't be blank"]]],
      [{ name: 'a\0b' }, [['name', 'Name is invalid']]],
      [{ name: ['x'] }, [['name', 'Name is invalid']]],
      [{ name: 'x', expires_at: '2030-01-01' }, [['expires_at', 'Expires at is not a known field']]],
      [{ name: 'x'.repeat(129) }, [['name', 'Name is too long (maximum is 128 characters)']]],
      [{ name: 'x', read_only: 'maybe' }, [['read_only', 'Read only is invalid']]],
      [{ name: 'x', record_types: 'note' }, [['record_types', 'Record types is not included in the list']]],
      [{ name: 'x', record_types: [] }, [['record_types', "Record types can't be blank"]]],
      [{ name: 'x', record_types: ['request', 'spaceship'] }, [['record_types', 'Record types is not included in the list']]],
      [{ name: 'x', record_types: [{}] }, [['record_types', 'Record types is not included in the list']]],
    ]
    for (const [body, errors] of wrong) {
      const refused = await manage('@sam', 'POST', '', body)
      expect([refused.status, (refused.json as { errors: unknown }).errors], JSON.stringify(body)).to.deep.equal([422, errors])
    }
    expect((await make('@lea', { name: '😀'.repeat(128) })).id).to.be.above(0)
  })

  it('stand in the audit trail and the log, without any secret', async () => {
    const client = await make('@ines', { name: 'Audited' })
    await token(client)
    await manage('@ines', 'DELETE', `/${client.id}`)
    const lines = await mounted.ask('@owen', 'GET', `/people/${mounted.world.id('@ines')}/audit`)
    const named = `Audited (${client.client_id})`
    const changes = (lines.json as { changes: object }[]).map(({ changes: change }) => change)
    expect(changes).to.deep.include.members([{ oauth_clients: [null, named] }, { oauth_clients: [named, null] }])
    const messages = logged.filter(([, details]) => (details as { clientId?: string }).clientId === client.client_id)
    expect(messages.map(([level, , message]) => [level, message])).to.deep.equal([
      ['info', 'An OAuth client was made'],
      ['info', 'An OAuth client was revoked'],
    ])
    expect(lines.text + JSON.stringify(logged)).to.not.match(/itsm_o[ca][st]_/)
  })

  it('are at most fifty', async function () {
    this.timeout(30_000)
    const made: number[] = []
    let last: Reply
    do {
      last = await manage('@hank', 'POST', '', { name: `robot ${made.length}` })
      if (last.status === 201) made.push((last.json as Client).id)
    } while (last.status === 201 && made.length < 60)
    expect([made.length, last.status]).to.deep.equal([50, 422])
    expect(JSON.stringify(last.json)).to.include('Too many entries in OAuth clients (maximum is 50)')
    await manage('@hank', 'DELETE', `/${made[0]}`)
    expect((await manage('@hank', 'POST', '', { name: 'again' })).status).to.equal(201)
  })

  it('are in the OpenAPI document, with the scopes', async () => {
    const { json } = await mounted.ask(null, 'GET', '/openapi.json')
    const document = json as {
      paths: Record<string, unknown>
      security: object[]
      components: { securitySchemes: Record<string, { flows: { clientCredentials: { tokenUrl: string; scopes: object } } }> }
    }
    expect(document.paths).to.include.keys('/oauth/token', '/me/oauth_clients', '/me/oauth_clients/{id}')
    expect(document.security).to.deep.include({ oauth: [] })
    const { post } = document.paths['/oauth/token'] as { post: { security: object[] } }
    expect(post.security).to.deep.equal([{}])
    expect(JSON.stringify(post)).to.not.match(/idempotency/i)
    const flow = document.components.securitySchemes['oauth']?.flows.clientCredentials
    expect(flow?.tokenUrl).to.equal(`${mounted.baseUrl}/oauth/token`)
    expect(flow?.scopes).to.include.keys('read_only', 'request', 'person')
  })
})

describe('OAuth', () => {
  const mounted = withMounted('mounted under a prefix')
  const { manage } = clientsOf(mounted)

  it('is off by default: the paths do not exist', async () => {
    for (const method of ['GET', 'POST']) {
      expect((await manage('@lea', method)).status).to.equal(404)
      expect((await mounted.ask('@lea', method, '/oauth/token')).status).to.equal(404)
    }
    const document = (await mounted.ask(null, 'GET', '/openapi.json')).text
    expect(document).to.not.match(/oauth/i)
  })
})
