import { expect } from 'chai'
import { createApp } from '../../../plugin/http/app.js'
import { withMounted } from '../../support/mounted.js'
import { serving } from '../client.js'
import { ines, PASSWORD, stubs, TOKEN } from '../stubs.js'

const ME = { id: 1, name: 'one', account: { id: 'wdc', name: 'WDC' } }

describe('http/endpoints/me', () => {
  it('shows the person with the account, and the API token only to those who gave their password', async () => {
    const { deps, asked } = stubs()
    await serving(createApp(deps), async ({ send }) => {
      expect((await send('/v1/me', { headers: PASSWORD })).json).to.deep.equal({ ...ME, api_token: 'token of 1' })
      expect((await send('/v1/me', { headers: TOKEN })).json).to.deep.equal(ME)
      expect(asked[0]).to.deep.equal(['read', 'person', 1])
    })
  })

  it('keeps the token from a session of the host', async () => {
    const { deps } = stubs({ signedIn: async () => ines })
    await serving(createApp(deps), async ({ send }) => {
      expect((await send('/v1/me')).json).to.deep.equal(ME)
    })
  })

  it('acts in the account of the own record, whatever account is chosen', async () => {
    const { deps, calls } = stubs()
    await serving(createApp(deps), async ({ send }) => {
      expect((await send('/v1/me', { headers: { ...TOKEN, 'X-SVC-Account': 'trusted' } })).json).to.deep.equal(ME)
      expect(calls.at(-1)?.account.id).to.equal('wdc')
      expect((await send('/v1/me', { headers: { ...TOKEN, 'X-SVC-Account': 'other' } })).status).to.equal(403)
    })
  })

  it('makes a new token', async () => {
    const { deps } = stubs()
    await serving(createApp(deps), async ({ send }) => {
      const reset = (headers: Record<string, string>) => send('/v1/me/reset_api_token', { method: 'POST', headers })
      expect((await reset(PASSWORD)).json).to.deep.equal({ ...ME, api_token: 'new token of 1' })
      expect((await reset(TOKEN)).json).to.deep.equal(ME)
    })
  })

  it('offers nothing else', async () => {
    const { deps } = stubs()
    await serving(createApp(deps), async ({ send }) => {
      expect((await send('/v1/me')).status).to.equal(401)
      expect((await send('/v1/me', { method: 'PATCH', headers: PASSWORD, body: {} })).status).to.equal(404)
    })
  })
})

describe('who is there to call', () => {
  const mounted = withMounted()
  const basic = (name: string, password: string) => ({
    Authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`,
  })
  const withPassword = (name: string) => {
    const { email, password } = mounted.world.signIn(name)
    return basic(email, password)
  }

  it('gets its own person record in full, and the account', async () => {
    const person = await mounted.ask('@lea', 'GET', `/people/${mounted.world.id('@lea')}`)
    const me = await mounted.ask('@lea', 'GET', '/me')
    const account = { id: 'widgets', name: 'Widget Corporation' }
    expect(me.json).to.deep.equal({ ...(person.json as object), account })
    expect((await mounted.ask('@lea', 'GET', '/me.json')).json).to.deep.equal(me.json)
    expect((await mounted.ask('@lea', 'GET', '/me/')).json).to.deep.equal(me.json)
    const told = await mounted.ask(null, 'GET', '/me', undefined, withPassword('@lea'))
    expect(told.json).to.deep.equal({ ...(me.json as object), api_token: mounted.world.token('@lea') })
  })

  it('is found among the people, too, and can go on from there', async () => {
    for (const headers of [{}, withPassword('@lea')]) {
      const as = 'Authorization' in headers ? null : '@lea'
      const me = await mounted.ask(as, 'GET', '/me', undefined, headers)
      for (const path of ['/people/me', '/people/me/', '/people/me.json', '/people/me?per_page=100']) {
        const answer = await mounted.ask(as, 'GET', path, undefined, headers)
        expect([answer.status, answer.json], path).to.deep.equal([200, me.json])
      }
    }
    const { id } = (await mounted.ask('@lea', 'GET', '/people/me')).json as { id: number }
    expect((await mounted.ask('@lea', 'GET', `/people/${id}/teams`)).status).to.equal(200)
    expect((await mounted.ask(null, 'GET', '/people/me')).status).to.equal(401)
    for (const method of ['PATCH', 'POST', 'DELETE']) {
      expect((await mounted.ask('@owen', method, '/people/me', {})).status, method).to.equal(404)
    }
  })

  it('sees what only the person itself sees', async () => {
    expect((await mounted.ask('@ines', 'GET', '/me')).json).to.have.property('cost_per_hour', '45.5')
  })

  it('changes nothing here, and makes or removes nobody', async () => {
    for (const method of ['PATCH', 'PUT', 'POST', 'DELETE']) {
      expect((await mounted.ask('@lea', method, '/me', {})).status, method).to.equal(404)
    }
    expect((await mounted.ask('@lea', 'GET', '/me/reset_api_token')).status).to.equal(404)
  })

  it('has another token at once, which only a password reveals', async () => {
    const old = mounted.world.token('@eva')
    const silent = await mounted.ask('@eva', 'POST', '/me/reset_api_token')
    expect(silent.status).to.equal(200)
    expect(silent.json).to.have.property('id', mounted.world.id('@eva'))
    expect(silent.json).to.not.have.property('api_token')
    expect((await mounted.ask(null, 'GET', '/me', undefined, basic(old, 'x'))).status).to.equal(401)
    const told = await mounted.ask(null, 'GET', '/me', undefined, withPassword('@eva'))
    const { api_token } = told.json as { api_token: string }
    expect(api_token).to.not.equal(old)
    const reset = await mounted.ask(null, 'POST', '/me/reset_api_token', undefined, withPassword('@eva'))
    const again = (reset.json as { api_token: string }).api_token
    expect([old, api_token]).to.not.include(again)
    expect((await mounted.ask(null, 'GET', '/me', undefined, basic(api_token, 'x'))).status).to.equal(401)
    expect((await mounted.ask(null, 'GET', '/me', undefined, basic(again, 'x'))).status).to.equal(200)
  })

  it('has a line for each new password and token in the audit trail, which contains neither', async () => {
    const id = mounted.world.id('@lea')
    const password = 'a new horse for Lea'
    await mounted.itsm.credentials.setPassword(id, password)
    const own = basic(mounted.world.signIn('@lea').email, password)
    const reset = await mounted.ask(null, 'POST', '/me/reset_api_token', undefined, own)
    const trail = await mounted.ask('@owen', 'GET', `/people/${id}/audit?fields=origin,cause,changes,created_by&per_page=2`)
    const [token, first] = trail.json as readonly Record<string, unknown>[]
    expect(token).to.deep.include({ origin: 'api', cause: null, changes: { api_token: [null, null] } })
    expect(token?.['created_by']).to.include({ id })
    expect(first).to.deep.include({ origin: 'host', created_by: null, changes: { password: [null, null] } })
    expect(first).to.have.property('cause', 'host: credentials.setPassword')
    const stored = JSON.stringify(await mounted.database.knex('itsm_audit_lines').where({ owner_id: id }))
    for (const secret of [password, (reset.json as { api_token: string }).api_token]) expect(stored).to.not.include(secret)
  })
})
