import { expect } from 'chai'
import type { Credentials } from '../../../plugin/access/sign-in/authenticate.js'
import { HookFailed } from '../../../plugin/core/errors.js'
import { createApp } from '../../../plugin/http/app.js'
import { serving } from '../client.js'
import { type authenticator, ines, PASSWORD, stubs, TOKEN } from '../stubs.js'

const basic = (text: string) => ({ Authorization: `Basic ${Buffer.from(text).toString('base64')}` })

/** The credentials that reach the authenticator, without the address. */
async function credentialsOf(path: string, headers: Record<string, string>) {
  const seen: Partial<Credentials>[] = []
  const spying: typeof authenticator = {
    identify: async ({ remoteAddress, ...rest }) => {
      seen.push(rest)
      return { actor: ines, signedInWith: 'token' }
    },
  }
  const { deps } = stubs({ authenticator: spying })
  await serving(createApp(deps), ({ send }) => send(path, { headers }))
  return seen
}

describe('http/middleware/authenticate', () => {
  it('finds credentials in all places that clients put them', async () => {
    expect(await credentialsOf('/v1/requests', basic('a@b.example:p:w ü'))).to.deep.equal([
      { basic: { name: 'a@b.example', password: 'p:w ü' } },
    ])
    expect(await credentialsOf('/v1/requests', basic('TOKEN:x'))).to.deep.equal([{ basic: { name: 'TOKEN', password: 'x' } }])
    expect(await credentialsOf('/v1/requests', basic('TOKEN'))).to.deep.equal([{ basic: { name: 'TOKEN', password: '' } }])
    expect(await credentialsOf('/v1/requests', { Authorization: 'bearer  abc' })).to.deep.equal([{ bearer: 'abc' }])
    expect(await credentialsOf('/v1/requests?api_token=abc', {})).to.deep.equal([{ token: 'abc' }])
    expect(await credentialsOf('/v1/requests?api_token=abc', { Authorization: 'Negotiate x' })).to.deep.equal([
      { token: 'abc' },
    ])
  })

  it('asks for credentials only where none were sent', async () => {
    const { deps } = stubs()
    await serving(createApp(deps), async ({ send }) => {
      const none = await send('/v1/requests')
      expect([none.status, none.json]).to.deep.equal([401, { message: 'access credentials required' }])
      expect(none.headers['www-authenticate']).to.equal('Basic realm="API"')
      for (const headers of [basic('ines@wdc.example:wrong'), { Authorization: 'Digest x' }, { Authorization: 'Basic' }]) {
        const wrong = await send('/v1/requests', { headers })
        expect([wrong.status, wrong.json]).to.deep.equal([401, { message: 'access credentials required' }])
        expect(wrong.headers).to.not.have.property('www-authenticate')
      }
    })
  })

  it('does not say which paths exist to anonymous callers', async () => {
    const { deps } = stubs()
    await serving(createApp(deps), async ({ send }) => {
      expect((await send('/v1/nothing')).status).to.equal(401)
      expect((await send('/v1/nothing', { headers: TOKEN })).status).to.equal(404)
    })
  })

  it('refuses wrong credentials also where none are needed', async () => {
    const { deps } = stubs()
    await serving(createApp(deps), async ({ send }) => {
      expect((await send('/v1', { headers: basic('nobody:x') })).status).to.equal(401)
      expect((await send('/v1', { headers: PASSWORD })).status).to.equal(200)
    })
  })

  it('believes the host about who is signed in, when the request says nothing itself', async () => {
    const { deps, calls } = stubs({ signedIn: async (ctx) => (ctx.get('X-Session') === 'ok' ? ines : null) })
    await serving(createApp(deps), async ({ send }) => {
      expect((await send('/v1/requests', { headers: { 'X-Session': 'ok' } })).status).to.equal(200)
      expect(calls[0]?.actor).to.deep.equal(ines)
      expect((await send('/v1/requests')).status).to.equal(401)
      expect((await send('/v1/requests', { headers: { 'X-Session': 'ok', ...basic('x:y') } })).status).to.equal(401)
    })
  })

  it('never takes a failure of the host for a yes, and says where it happened', async () => {
    const signedIn = async () => {
      throw new HookFailed('people.signedIn', new Error('session store is away'))
    }
    const { deps, logged } = stubs({ signedIn })
    await serving(createApp(deps), async ({ send }) => {
      const { status, json } = await send('/v1/requests')
      expect([status, json]).to.deep.equal([500, { message: 'Internal Server Error' }])
      expect(String(logged[0]?.[1]['err'])).to.include("The host's people.signedIn failed: session store is away")
    })
  })
})
