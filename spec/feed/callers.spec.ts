/** Who may read the feed, and what a token with the scope `feed` opens. */
import { expect } from 'chai'
import { feedOf, followed, relayEvents, type Told } from '../support/feed.js'
import { type Reply, withMounted } from '../support/mounted.js'

const PASSWORD = 'correct horse battery'

describe('callers of GET /feed', () => {
  const mounted = withMounted('mounted under a prefix', { oauth: {} })
  const { ask } = mounted
  const id = (name: string) => mounted.world.id(name)

  const signIn = async (name: string): Promise<Record<string, string>> => {
    await mounted.itsm.credentials.setPassword(id(name), PASSWORD)
    const email = String(mounted.world.record(name).body['primary_email'])
    return { Authorization: `Basic ${Buffer.from(`${email}:${PASSWORD}`).toString('base64')}` }
  }
  const tokenOf = async (name: string, limits: object): Promise<string> => {
    const { json, text } = await ask(null, 'POST', '/me/tokens', { name: 'spec', ...limits }, await signIn(name))
    const { token } = json as { token?: string }
    if (token === undefined) throw new Error(text)
    return token
  }
  const by = (token: string, method: string, path: string, body?: object): Promise<Reply> =>
    ask(null, method, path, body, { Authorization: `Bearer ${token}` })
  const feedBy = (token: string) => followed((path) => by(token, 'GET', path), '/feed?after=0')

  before('has something to tell', async () => {
    for (const table of ['outbox', 'messages']) await mounted.database.knex(mounted.database.storage.table(table)).delete()
    await ask('@sam', 'PATCH', `/requests/${id('@forgotten-password')}`, { subject: 'Forgot it again', note: 'Again?' })
    await ask('@sam', 'PATCH', `/requests/${id('@mail-is-slow')}`, { subject: 'Mail is slower' })
    await ask('@owen', 'PATCH', `/teams/${id('@service-desk')}`, { name: 'The Service Desk' })
    const { json } = await ask('@owen', 'POST', '/webhooks', { event: 'request.create', uri: 'https://hooks.example/x' })
    await ask('@owen', 'DELETE', `/webhooks/${(json as { id: number }).id}`)
    const host = mounted.itsm.asSystem('the night shift', 'widgets')
    await host.update('request', id('@forgotten-password'), { subject: 'Forgot it at night' })
    await relayEvents(mounted.database.storage)
  })

  it('are account administrators', async () => {
    expect((await feedOf(mounted, '@owen')).length).to.equal(6)
    for (const name of ['@sam', '@audrey', '@hank', '@marc']) {
      const { status, json } = await ask(name, 'GET', '/feed?after=nonsense')
      expect([status, json], name).to.deep.equal([403, { message: 'Forbidden' }])
    }
    expect((await ask(null, 'GET', '/feed')).status).to.equal(401)
    // Roles apply in the account that the header names.
    expect((await ask('@pat', 'GET', '/feed', undefined, { 'X-SVC-Account': 'widgets' })).status).to.equal(403)
  })

  it('are tokens of administrators that are not limited to types', async () => {
    expect(await feedBy(await tokenOf('@owen', { read_only: true }))).to.deep.equal(await feedOf(mounted, '@owen'))
    expect((await by(await tokenOf('@owen', { record_types: ['request'] }), 'GET', '/feed')).status).to.equal(403)
    expect((await by(await tokenOf('@sam', {}), 'GET', '/feed')).status).to.equal(403)
  })

  it('are tokens with the scope, which see what their person sees', async () => {
    const ofOwen = await tokenOf('@owen', { record_types: ['feed'] })
    expect(await feedBy(ofOwen)).to.deep.equal(await feedOf(mounted, '@owen'))
    const ofHank = await feedBy(await tokenOf('@hank', { record_types: ['feed'] }))
    const requests = ofHank.filter(({ type }) => type === 'request')
    expect([...new Set(requests.map(({ object_id }) => object_id))]).to.deep.equal([id('@forgotten-password')])
    expect(requests.map(({ event }) => event)).to.include('request.note-added')
    expect(
      ofHank.filter((one: Told) => one.changes ?? one.cause ?? one.person_name ?? one.payload?.['audit_line_id']),
    ).to.deep.equal([])
    expect(ofHank.map(({ type }) => type)).to.not.include('webhook')
    const ofSam = await feedBy(await tokenOf('@sam', { record_types: ['feed'] }))
    expect(ofSam.filter(({ type, changes }) => type === 'request' && changes).length).to.be.above(1)
    expect(ofSam.map(({ cause }) => cause)).to.include('host: the night shift')
  })

  it('with the scope alone get nothing else', async () => {
    const token = await tokenOf('@owen', { record_types: ['feed'] })
    for (const path of ['/requests', '/me', '/account', '/audit_lines', '/notes', '/me/tokens', `/requests/${id('@praise')}`])
      expect((await by(token, 'GET', path)).status, path).to.equal(403)
    expect((await by(token, 'POST', '/requests', { subject: 'x' })).status).to.equal(403)
    expect((await by(token, 'PATCH', `/requests/${id('@praise')}`, { subject: 'x' })).status).to.equal(403)
    expect((await by(token, 'POST', '/feed', {})).status).to.be.within(403, 404)
    // What is open without any credentials.
    expect((await by(token, 'GET', '/')).status).to.equal(200)
  })

  it('with further scopes get the messages of these types, and their records', async () => {
    const token = await tokenOf('@owen', { record_types: ['feed', 'team'] })
    expect((await feedBy(token)).map(({ type }) => type)).to.deep.equal(['team'])
    expect((await feedBy(token))[0]?.changes).to.have.property('name')
    expect((await by(token, 'GET', '/teams')).status).to.equal(200)
    expect((await by(token, 'GET', '/requests')).status).to.equal(403)
  })

  it('are clients of OAuth with the scope', async () => {
    const made = await ask(null, 'POST', '/me/oauth_clients', { name: 'Reader' }, await signIn('@owen'))
    const { client_id, client_secret } = made.json as Record<string, string>
    const form = (scope: string) =>
      Buffer.from(
        new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret, scope } as Record<
          string,
          string
        >).toString(),
      )
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
    const granted = (await ask(null, 'POST', '/oauth/token', form('feed'), headers)).json as Record<string, string>
    expect(granted['scope']).to.equal('feed')
    expect(await feedBy(granted['access_token'] ?? '')).to.deep.equal(await feedOf(mounted, '@owen'))
    expect((await by(granted['access_token'] ?? '', 'GET', '/requests')).status).to.equal(403)
    expect((await ask(null, 'POST', '/oauth/token', form('feeds'), headers)).status).to.equal(400)
    const few = await ask(null, 'POST', '/me/oauth_clients', { name: 'Few', record_types: ['request'] }, await signIn('@owen'))
    const other = few.json as Record<string, string>
    const more = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: other['client_id'] ?? '',
      client_secret: other['client_secret'] ?? '',
      scope: 'feed',
    })
    expect((await ask(null, 'POST', '/oauth/token', Buffer.from(more.toString()), headers)).status).to.equal(400)
  })
})

describe('GET /feed with a scope of the host', () => {
  const mounted = withMounted('mounted under a prefix', {
    scope: ({ type }, decide) => {
      if (type === 'request') return { subject: 'Seen' }
      return type === 'webhook' ? { uri: 'https://hooks.example/seen' } : decide()
    },
  })

  it('has neither the records that it hides, nor removed ones that it may have hidden', async () => {
    const { ask, database } = mounted
    for (const table of ['outbox', 'messages']) await database.knex(database.storage.table(table)).delete()
    const made = await ask('@owen', 'POST', '/webhooks', { event: 'request.create', uri: 'https://hooks.example/seen' })
    const { id } = made.json as { id: number }
    expect((await ask('@owen', 'DELETE', `/webhooks/${id}`)).status).to.equal(204)
    for (const subject of ['Seen', 'Hidden']) await ask('@owen', 'POST', '/requests', { subject, category: 'other' })
    await relayEvents(database.storage)
    const all = await feedOf(mounted, '@owen')
    expect(all.map(({ event, changes }) => [event, changes?.['subject']])).to.deep.equal([['request.create', [null, 'Seen']]])
  })
})
