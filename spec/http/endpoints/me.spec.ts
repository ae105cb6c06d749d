import { expect } from 'chai'
import { createApp } from '../../../plugin/http/app.js'
import { serving } from '../client.js'
import { ines, PASSWORD, stubs, TOKEN } from '../stubs.js'

const ME = { id: 1, name: 'one', account: { id: 'wdc', name: 'WDC' } }

describe('http/endpoints/me', () => {
  it('shows the person with the account, and the API token only to those who gave their password', async () => {
    const { parts, asked } = stubs()
    await serving(createApp(parts), async ({ send }) => {
      expect((await send('/v1/me', { headers: PASSWORD })).json).to.deep.equal({ ...ME, api_token: 'token of 1' })
      expect((await send('/v1/me', { headers: TOKEN })).json).to.deep.equal(ME)
      expect(asked[0]).to.deep.equal(['read', 'person', 1])
    })
  })

  it('keeps the token from a session of the host', async () => {
    const { parts } = stubs({ signedIn: async () => ines })
    await serving(createApp(parts), async ({ send }) => {
      expect((await send('/v1/me')).json).to.deep.equal(ME)
    })
  })

  it('acts in the account of the own record, whatever account is chosen', async () => {
    const { parts, calls } = stubs()
    await serving(createApp(parts), async ({ send }) => {
      expect((await send('/v1/me', { headers: { ...TOKEN, 'X-SVC-Account': 'trusted' } })).json).to.deep.equal(ME)
      expect(calls[0]?.account.id).to.equal('wdc')
    })
  })

  it('makes a new token', async () => {
    const { parts } = stubs()
    await serving(createApp(parts), async ({ send }) => {
      const reset = (headers: Record<string, string>) => send('/v1/me/reset_api_token', { method: 'POST', headers })
      expect((await reset(PASSWORD)).json).to.deep.equal({ ...ME, api_token: 'new token of 1' })
      expect((await reset(TOKEN)).json).to.deep.equal(ME)
    })
  })

  it('offers nothing else', async () => {
    const { parts } = stubs()
    await serving(createApp(parts), async ({ send }) => {
      expect((await send('/v1/me')).status).to.equal(401)
      expect((await send('/v1/me', { method: 'PATCH', headers: PASSWORD, body: {} })).status).to.equal(404)
    })
  })
})
