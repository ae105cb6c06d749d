import { expect } from 'chai'
import { createOAuth } from '../../../plugin/access/oauth/oauth.js'
import type { Call } from '../../../plugin/core/call.js'
import { Forbidden, Invalid } from '../../../plugin/core/errors.js'
import { MAX_CLIENTS } from '../../../plugin/operations/people/oauth-clients.js'
import { withHouse } from '../../support/house.js'

describe('OAuth clients side by side', () => {
  const house = withHouse()
  let number = 0
  let pat = 0
  let call: Call

  beforeEach('adds a person', async () => {
    pat = await house.addPerson(`Pat ${String.fromCharCode(97 + number++)}`)
    call = await house.by(pat)
  })

  it('are not more than the maximum, also when they are made at once', async function () {
    this.timeout(60_000)
    const results = await Promise.allSettled(
      Array.from({ length: MAX_CLIENTS + 10 }, (_, index) => house.oauthClients.create(call, { name: `robot ${index}` })),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).to.have.length(MAX_CLIENTS)
    const refused = results.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
    expect(refused.every((error) => error instanceof Invalid)).to.equal(true)
    expect(await house.oauthClients.list(call)).to.have.length(MAX_CLIENTS)
  })

  it('leave no token behind that was made while they were revoked', async function () {
    this.timeout(60_000)
    const { access, catalog, clock, storage } = house
    const oauth = createOAuth({ ...access, storage, catalog, clock, tokenLifetimeMs: 3600_000, failuresPerAddress: 50 })
    const issued: boolean[] = []
    for (let round = 0; round < 5; round++) {
      const { id } = await house.oauthClients.create(call, { name: 'robot' })
      const [client] = await access.clients.list({}, pat)
      if (!client) throw new Error('There is no client')
      const issue = async () => void issued.push((await oauth.issue(await house.by(pat), client, client)) !== null)
      await Promise.all([
        ...Array.from({ length: 6 }, issue),
        house.oauthClients.revoke(call, id),
        ...Array.from({ length: 6 }, issue),
      ])
      expect(await access.tokens.list({}, { clientId: id })).to.deep.equal([])
      expect(await oauth.issue(await house.by(pat), client, client)).to.equal(null)
    }
    expect([issued.length, issued.includes(false)]).to.deep.equal([60, true])
  })

  it('are not for callers with a token that can be limited', async () => {
    const token = { id: 1, kind: 'oauth', clientId: 1, name: 'x', readOnly: false, recordTypes: null } as const
    const limited: Call = { ...call, token }
    for (const work of [
      () => house.oauthClients.create(limited, { name: 'x' }),
      () => house.oauthClients.list(limited),
      () => house.oauthClients.read(limited, 1),
      () => house.oauthClients.revoke(limited, 1),
    ])
      expect(await work().catch((error) => error)).to.be.instanceOf(Forbidden)
  })
})
