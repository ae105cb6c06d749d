import { randomBytes } from 'node:crypto'
import { expect } from 'chai'
import { createAuthenticator } from '../../../plugin/access/sign-in/authenticate.js'
import type { NewToken } from '../../../plugin/access/tokens/token-rows.js'
import { newSecretText } from '../../../plugin/access/tokens/token-text.js'
import { Forbidden, TooManyRequests, Unauthenticated } from '../../../plugin/core/errors.js'
import { countStatements } from '../../support/count-statements.js'
import { errorOf, withHouse } from '../../support/house.js'

describe('signing in with a token', () => {
  const house = withHouse()
  let pat = 0
  const build = (failuresPerAddress = 50, more: object = {}) =>
    createAuthenticator({ ...house.access, failuresPerAddress, ...more })
  const issue = async (more: Partial<NewToken> = {}) => {
    const limits = { readOnly: false, recordTypes: null, expiresAt: null, clientId: null }
    return house.access.tokens.issue({}, { kind: 'personal', personId: pat, name: 'build', ...limits, ...more })
  }
  const from = (more: object) => ({ remoteAddress: '192.0.2.1', ...more })
  /** Of the right form and checksum, but unknown. */
  const invented = () => {
    return newSecretText('personal', randomBytes)
  }

  afterEach(() => house.access.tokens.finished())
  before(async () => {
    pat = await house.addPerson('Pat')
  })

  it('works as user name with any password, as bearer, and as parameter, and tells which token it was', async () => {
    const { token, text } = await issue({ readOnly: true, recordTypes: ['request'] })
    const ways = [
      { basic: { name: text, password: 'x' } },
      { basic: { name: text, password: '' } },
      { bearer: text },
      { token: text },
    ]
    for (const credentials of ways) {
      const identity = await build().identify(from(credentials))
      expect(identity.signedInWith).to.equal('token')
      expect(identity.actor.id).to.equal(pat)
      expect(identity.token).to.deep.include({ id: token.id, kind: 'personal', name: 'build', readOnly: true })
      const call = await house.callers.callFor(identity, { source: 'spec' })
      expect(call.token).to.equal(identity.token)
    }
    await house.access.tokens.finished()
    const [stored] = await house.access.tokens.list({}, { personId: pat })
    expect(stored?.lastUsedAt).to.not.equal(null)
  })

  it('costs one statement, then none for two seconds, apart from the time of its use, which is stored once', async () => {
    const { text } = await issue()
    const authenticator = build()
    const costOf = countStatements(house.storage.knex).during
    const signIn = async () => {
      await authenticator.identify(from({ bearer: text }))
      await house.access.tokens.finished()
    }
    expect(await costOf(signIn)).to.equal(2)
    expect(await costOf(signIn)).to.equal(0)
    house.clock.pass(2_000)
    expect(await costOf(signIn)).to.equal(1)
  })

  it('refuses texts with a wrong checksum, and secrets of clients, without a lookup and without a word to the host', async () => {
    const { text } = await issue()
    const asked: unknown[] = []
    const byCredentials = async (credentials: object) => {
      asked.push(credentials)
      return { id: pat }
    }
    const changed = text.slice(0, -1) + (text.endsWith('a') ? 'b' : 'a')
    const wrong = [
      changed,
      'itsm_pat_',
      `${text}x`,
      text.toLowerCase(),
      newSecretText('client', (count) => Buffer.alloc(count, 1)),
    ]
    for (const authenticator of [build(), build(50, { byCredentials })]) {
      const cost = await countStatements(house.storage.knex).during(async () => {
        for (const bearer of wrong)
          expect(await errorOf(authenticator.identify(from({ bearer })))).to.be.instanceOf(Unauthenticated)
      })
      expect(cost).to.equal(0)
    }
    expect(asked).to.deep.equal([])
  })

  it('works beside a lookup of the host, which is asked for all other tokens', async () => {
    const { text } = await issue()
    const asked: unknown[] = []
    const byCredentials = async (credentials: object) => {
      asked.push(credentials)
      return null
    }
    const authenticator = build(50, { byCredentials })
    expect((await authenticator.identify(from({ bearer: text }))).actor.id).to.equal(pat)
    await errorOf(authenticator.identify(from({ bearer: 'token of the host' })))
    expect(asked).to.deep.equal([{ token: 'token of the host' }])
  })

  it('ends when it is revoked, when it expires, and when its person is disabled; enabling brings no token back', async () => {
    const authenticator = build()
    const isRefused = async (text: string) =>
      expect(await errorOf(authenticator.identify(from({ bearer: text })))).to.be.instanceOf(Unauthenticated)
    const revoked = await issue()
    const expiring = await issue({ expiresAt: new Date(house.clock.now().getTime() + 5_000) })
    const lasting = await issue()
    for (const { text } of [revoked, expiring, lasting]) await authenticator.identify(from({ bearer: text }))
    await house.access.tokens.revoke({}, { id: revoked.token.id })
    await isRefused(revoked.text)
    house.clock.pass(5_000)
    await isRefused(expiring.text)
    await authenticator.identify(from({ bearer: lasting.text }))
    await house.operations.save(await house.system(), 'person', pat, { disabled: true })
    await isRefused(lasting.text)
    await house.operations.save(await house.system(), 'person', pat, { disabled: false })
    await isRefused(lasting.text)
    expect(await house.access.tokens.list({}, { personId: pat })).to.deep.equal([])
  })

  it('is not offered to people who were disabled while they asked for a token', async () => {
    const una = await house.addPerson('Una')
    const call = await house.by(una)
    const ends = { expires_in_days: 1 }
    await house.personalTokens.create(call, { name: 'before', ...ends })
    await house.operations.save(await house.system(), 'person', una, { disabled: true })
    expect(await errorOf(house.personalTokens.create(call, { name: 'after', ...ends }))).to.be.instanceOf(Forbidden)
    await house.operations.save(await house.system(), 'person', una, { disabled: false })
    expect(await house.access.tokens.list({}, { personId: una })).to.deep.equal([])
  })

  it('counts unknown tokens of an address, API tokens or not, and still lets right ones in', async () => {
    const authenticator = build(4)
    const { text } = await issue()
    for (let guess = 0; guess < 2; guess += 1) {
      await errorOf(authenticator.identify(from({ bearer: invented() })))
      await errorOf(authenticator.identify(from({ bearer: `guess ${guess}` })))
    }
    expect(await errorOf(authenticator.identify(from({ bearer: invented() })))).to.be.instanceOf(TooManyRequests)
    expect(await errorOf(authenticator.identify(from({ bearer: 'guess 3' })))).to.be.instanceOf(TooManyRequests)
    expect((await authenticator.identify(from({ bearer: text }))).actor.id).to.equal(pat)
  })
})
