import { expect } from 'chai'
import { type Credentials, createAuthenticator } from '../../../plugin/access/sign-in/authenticate.js'
import { createCredentialStore } from '../../../plugin/access/tokens/credentials.js'
import { createSecrets, type Secrets } from '../../../plugin/access/tokens/secrets.js'
import { HookFailed, TooManyRequests, Unauthenticated } from '../../../plugin/core/errors.js'
import { errorOf, withHouse } from '../../support/house.js'

describe('signing in', () => {
  const house = withHouse()
  const real = createSecrets('a secret that only these specs know, and long')
  /** Hashing that costs nothing and is counted. */
  const cheap = () => {
    const compared: string[] = []
    const secrets: Secrets = {
      ...real,
      hashPassword: async (password) => `cheap$${Buffer.from(password).toString('hex')}$${Math.abs(compared.length)}`,
      async matchesPassword(password, hash) {
        compared.push(password)
        return hash.startsWith(`cheap$${Buffer.from(password).toString('hex')}$`)
      },
      async pretendToCompare() {
        compared.push('(nobody)')
        return false
      },
    }
    return { secrets, compared }
  }
  const build = (secrets: Secrets = cheap().secrets, failuresPerAddress = 50) => ({
    authenticator: createAuthenticator({ people: house.people, secrets, failuresPerAddress }),
    store: createCredentialStore(house.storage, secrets, house.clock),
  })
  const from = (more: object): Credentials => ({ remoteAddress: '192.0.2.1', ...more })
  const basic = (name: string, password: string) => from({ basic: { name, password } })
  let ines = 0
  let disabled = 0

  before(async () => {
    ines = await house.addPerson('Ines')
    disabled = await house.addPerson('Dirk')
    const { store } = build()
    for (const id of [ines, disabled]) await store.setPassword(id, 'correct horse')
    await house.operations.save(await house.system(), 'person', disabled, { disabled: true })
  })

  it('knows people by address and password, in any case of the address', async () => {
    const { authenticator } = build()
    for (const name of ['ines@acme.example', 'INES@Acme.example', ' ines@acme.example ']) {
      const identity = await authenticator.identify(basic(name, 'correct horse'))
      expect(identity).to.deep.include({ signedInWith: 'password' })
      expect(identity.actor).to.include({ id: ines, accountId: 'acme', email: 'ines@acme.example' })
    }
  })

  it('knows people by token: as user name, as parameter, as bearer', async () => {
    const { authenticator, store } = build()
    const token = await store.show(ines)
    for (const credentials of [basic(token, 'x'), basic(token, ''), from({ token }), from({ bearer: token })]) {
      const identity = await authenticator.identify(credentials)
      expect([identity.actor.id, identity.signedInWith]).to.deep.equal([ines, 'token'])
    }
  })

  it('challenges who brings nothing, and only those', async () => {
    const { authenticator } = build()
    const headers = async (credentials: Credentials) => {
      const error = await errorOf(authenticator.identify(credentials))
      expect(error).to.be.instanceOf(Unauthenticated)
      return (error as Unauthenticated).headers
    }
    expect(await headers(from({}))).to.deep.equal({ 'WWW-Authenticate': 'Basic realm="API"' })
    expect(await headers(basic('', ''))).to.have.property('WWW-Authenticate')
    expect(await headers(basic('ines@acme.example', 'wrong'))).to.deep.equal({})
  })

  it('refuses everything that is wrong', async () => {
    const { authenticator, store } = build()
    const token = await store.show(ines)
    const wrong = [
      basic('ines@acme.example', 'Correct horse'),
      basic('ines@acme.example', ''),
      basic('ines@acme.example', 'x'.repeat(2_000)),
      basic('nobody@acme.example', 'correct horse'),
      basic(`${token}0`, 'x'),
      from({ token: token.slice(1) }),
      from({ token: token.toUpperCase() }),
      from({ bearer: 'x'.repeat(5_000) }),
      from({ token: "' OR 1=1 --" }),
      from({ token: '\ud800' }),
      basic('dirk@acme.example', 'correct horse'),
    ]
    for (const credentials of wrong) {
      expect(await errorOf(authenticator.identify(credentials)), JSON.stringify(credentials)).to.be.instanceOf(Unauthenticated)
    }
  })

  it('does not take another letter for the same: inés is not ines', async () => {
    const { authenticator } = build()
    expect(await errorOf(authenticator.identify(basic('inés@acme.example', 'correct horse')))).to.be.instanceOf(Unauthenticated)
    expect(await house.people.find({ email: 'inés@acme.example' })).to.equal(null)
    expect(await house.people.find({ email: 'ines@acme.example', account: 'acme' })).to.include({ id: ines })
    expect(await house.people.find({ email: 'ines@acme.example', account: 'globex' })).to.equal(null)
  })

  it('refuses people who are disabled, with their tokens too, from that moment on', async () => {
    const { authenticator, store } = build()
    const tom = await house.addPerson('Tom')
    const token = await store.show(tom)
    await authenticator.identify(from({ token }))
    await house.operations.save(await house.system(), 'person', tom, { disabled: true })
    expect(await errorOf(authenticator.identify(from({ token })))).to.be.instanceOf(Unauthenticated)
    expect(await house.people.find({ id: tom })).to.equal(null)
  })

  it('finds the right one of several accounts that know the same address', async () => {
    const { authenticator, store } = build()
    const here = await house.addPerson('Both')
    const there = await house.add('person', { name: 'Both', primary_email: 'both@acme.example' }, { account: 'globex' })
    await store.setPassword(here, 'password here')
    await store.setPassword(there, 'password there')
    expect((await authenticator.identify(basic('both@acme.example', 'password here'))).actor.id).to.equal(here)
    expect((await authenticator.identify(basic('both@acme.example', 'password there'))).actor.id).to.equal(there)
  })

  it('hashes a password once and remembers that it was right, until it is changed', async () => {
    const { secrets, compared } = cheap()
    const { authenticator, store } = build(secrets)
    const rita = await house.addPerson('Rita')
    await store.setPassword(rita, 'first password')
    for (let call = 0; call < 3; call++) await authenticator.identify(basic('rita@acme.example', 'first password'))
    expect(compared).to.deep.equal(['first password'])
    await errorOf(authenticator.identify(basic('rita@acme.example', 'wrong password')))
    await errorOf(authenticator.identify(basic('rita@acme.example', 'wrong password')))
    // A wrong one stays wrong as long as the stored hash is the same.
    expect(compared).to.deep.equal(['first password', 'wrong password'])
    await store.setPassword(rita, 'second password')
    expect(await errorOf(authenticator.identify(basic('rita@acme.example', 'first password')))).to.be.instanceOf(
      Unauthenticated,
    )
    await authenticator.identify(basic('rita@acme.example', 'second password'))
    await store.setPassword(rita, null)
    expect(await errorOf(authenticator.identify(basic('rita@acme.example', 'second password')))).to.be.instanceOf(
      Unauthenticated,
    )
  })

  it('compares with something when nobody has the address, so that it takes as long', async () => {
    const { secrets, compared } = cheap()
    const { authenticator } = build(secrets)
    await errorOf(authenticator.identify(basic('nobody@acme.example', 'any password')))
    await house.addPerson('No Password')
    await errorOf(authenticator.identify(basic('no.password@acme.example', 'any password')))
    expect(compared).to.deep.equal(['(nobody)', '(nobody)'])
  })

  it('listens no longer to an address that guesses, and still to others', async () => {
    const { authenticator } = build(undefined, 3)
    for (let guess = 0; guess < 3; guess++) await errorOf(authenticator.identify(basic('ines@acme.example', `guess ${guess}`)))
    const error = await errorOf(authenticator.identify(basic('ines@acme.example', 'correct horse')))
    expect(error).to.be.instanceOf(TooManyRequests)
    expect(error.message).to.equal('Too many failed sign-ins from this address; try again in 15 minutes')
    expect(Number((error as TooManyRequests).headers['Retry-After'])).to.be.within(880, 900)
    const elsewhere = { ...basic('ines@acme.example', 'correct horse'), remoteAddress: '192.0.2.2' }
    expect((await authenticator.identify(elsewhere)).actor.id).to.equal(ines)
  })

  it('does not count calls without credentials, nor right ones', async () => {
    const { authenticator } = build(undefined, 2)
    for (let call = 0; call < 4; call++) {
      await errorOf(authenticator.identify(from({})))
      await authenticator.identify(basic('ines@acme.example', 'correct horse'))
    }
    expect(await errorOf(authenticator.identify(basic('ines@acme.example', 'guess')))).to.be.instanceOf(Unauthenticated)
  })

  describe('at the host', () => {
    const asking = (byCredentials: NonNullable<Parameters<typeof createAuthenticator>[0]['byCredentials']>) =>
      createAuthenticator({ people: house.people, secrets: real, failuresPerAddress: 50, byCredentials })

    it('takes the word of the host for the person, and nothing else', async () => {
      const given: unknown[] = []
      const authenticator = asking(async (credentials) => {
        given.push(credentials)
        return { email: 'INES@acme.example' }
      })
      expect((await authenticator.identify(basic('someone@host.example', 'pw'))).actor.id).to.equal(ines)
      expect((await authenticator.identify(from({ bearer: 'host token' }))).signedInWith).to.equal('token')
      expect(given).to.deep.equal([{ email: 'someone@host.example', password: 'pw' }, { token: 'host token' }])
    })

    it('refuses people that the host does not know, or that we do not know, or that are disabled', async () => {
      for (const key of [null, { id: 99_999 }, { email: 'nobody@acme.example' }, { id: disabled }]) {
        expect(await errorOf(asking(async () => key).identify(from({ token: 't' })))).to.be.instanceOf(Unauthenticated)
      }
    })

    it('takes ids of person records only, also as text: a host that mixes them up signs nobody in as somebody else', async () => {
      const identify = (id: unknown) => asking(async () => ({ id }) as { id: number }).identify(from({ token: 't' }))
      expect((await identify(String(ines))).actor.id).to.equal(ines)
      for (const id of [
        `${ines}ab-41`,
        `${ines}.2`,
        ` ${ines}`,
        `0${ines}`,
        ines + 0.2,
        Number.NaN,
        null,
        undefined,
        true,
        '',
        {},
        [ines],
      ])
        expect(await errorOf(identify(id)), String(id)).to.be.instanceOf(HookFailed)
      for (const key of [true, 'ines', {}, { email: 5 }, { email: 'ines@acme.example', account: 5 }])
        expect(
          await errorOf(asking(async () => key as never).identify(from({ token: 't' }))),
          JSON.stringify(key),
        ).to.be.instanceOf(HookFailed)
    })

    it('names the place when the host fails', async () => {
      const error = await errorOf(
        asking(async () => {
          throw new Error('directory is away')
        }).identify(from({ token: 't' })),
      )
      expect(error).to.be.instanceOf(HookFailed)
      expect(error.message).to.equal("The host's people.byCredentials failed: directory is away")
    })
  })
})
