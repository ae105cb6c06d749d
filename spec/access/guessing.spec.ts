import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { type Authenticator, type Credentials, createAuthenticator } from '../../plugin/access/sign-in/authenticate.js'
import { type FindByCredentials, HASHES_AT_ONCE, hashesAtOnce } from '../../plugin/access/sign-in/sign-in-sources.js'
import { createCredentialStore } from '../../plugin/access/tokens/credentials.js'
import { createSecrets, type Secrets } from '../../plugin/access/tokens/secrets.js'
import { TimedOut, TooManyRequests, Unauthenticated } from '../../plugin/core/errors.js'
import { networkOf } from '../../plugin/core/network-of.js'
import { createAskHost } from '../../plugin/core/waiting/ask-host.js'
import { errorOf, withHouse } from '../support/house.js'

const LIMIT = 50
const TOO_MANY = /^Too many failed sign-ins from this address; try again in 15 minutes$/

describe('guessing', () => {
  const house = withHouse()
  let ines = 0
  let token = ''

  /** Comparisons that take a while, as hashes do, and are counted. */
  function counting() {
    const seen = { compared: 0, now: 0, atOnce: 0 }
    const during = async <T>(result: T): Promise<T> => {
      seen.compared += 1
      seen.now += 1
      seen.atOnce = Math.max(seen.atOnce, seen.now)
      await sleep(3)
      seen.now -= 1
      return result
    }
    const secrets: Secrets = {
      ...createSecrets('a secret that only these specs know, and long'),
      hashPassword: async (password) => `plain$${password}`,
      matchesPassword: (password, hash) => during(hash === `plain$${password}`),
      pretendToCompare: () => during(false as const),
    }
    return { seen, secrets, during }
  }
  function build(failuresPerAddress = LIMIT, byCredentials?: FindByCredentials, hostWithin?: number) {
    const { seen, secrets } = counting()
    const host = { ...(byCredentials ? { byCredentials } : {}), ...(hostWithin ? { ask: createAskHost(hostWithin) } : {}) }
    return { seen, authenticator: createAuthenticator({ people: house.people, secrets, failuresPerAddress, ...host }) }
  }
  const from = (more: object, remoteAddress = '192.0.2.1'): Credentials => ({ remoteAddress, ...more })
  const basic = (name: string, password: string, address?: string) => from({ basic: { name, password } }, address)
  const guesses = (authenticator: Authenticator, count: number, credentials: (guess: number) => Credentials) =>
    Promise.all(Array.from({ length: count }, (_, guess) => errorOf(authenticator.identify(credentials(guess)))))
  const wrongPassword = (guess: number) => basic('ines@acme.example', `guess ${guess}`)
  const right = basic('ines@acme.example', 'correct horse')

  before(async () => {
    ines = await house.addPerson('Ines')
    const { secrets } = counting()
    const store = createCredentialStore(house.storage, secrets, house.clock)
    await store.setPassword(ines, 'correct horse')
    token = await store.show(ines)
    await store.setPassword(await house.addPerson('Owen'), 'battery staple')
  })

  it('is limited also when it comes side by side: 600 guesses are 50 comparisons, at most two at a time', async () => {
    const { seen, authenticator } = build()
    const errors = await guesses(authenticator, 600, wrongPassword)
    expect(seen).to.deep.equal({ compared: LIMIT, now: 0, atOnce: HASHES_AT_ONCE })
    const refused = errors.filter((error) => error instanceof TooManyRequests)
    expect(refused).to.have.length(600 - LIMIT)
    expect(errors.filter((error) => error instanceof Unauthenticated)).to.have.length(LIMIT)
    for (const error of refused) expect(error.message).to.match(TOO_MANY)
  })

  it('leaves a processor, and half of the threads, to everybody else', () => {
    const cases = [
      [1, 4],
      [2, 4],
      [3, 4],
      [64, 4],
      [64, 1],
      [64, 2],
      [64, 128],
    ] as const
    expect(cases.map(([processors, threads]) => hashesAtOnce(processors, threads))).to.deep.equal([1, 1, 2, 2, 1, 1, 2])
  })

  it('keeps nobody waiting who has a token, and does not shut out tokens of that address', async () => {
    const { seen, authenticator } = build()
    const attack = guesses(authenticator, 600, wrongPassword)
    await sleep(5)
    expect((await authenticator.identify(from({ token }))).actor.id).to.equal(ines)
    expect(seen.compared).to.be.below(LIMIT)
    await attack
    expect((await authenticator.identify(from({ bearer: token }))).actor.id).to.equal(ines)
    expect((await authenticator.identify(basic(token, 'x'))).actor.id).to.equal(ines)
  })

  it('lets others take turns with the address that guesses', async () => {
    const { seen, authenticator } = build()
    const attack = guesses(authenticator, 600, wrongPassword)
    await sleep(5)
    await authenticator.identify(basic('ines@acme.example', 'correct horse', '192.0.2.2'))
    expect(seen.compared).to.be.below(LIMIT / 2)
    await attack
  })

  it('costs remembered passwords nothing: they work although the address is over the limit', async () => {
    const { seen, authenticator } = build(3)
    await authenticator.identify(right)
    await guesses(authenticator, 10, (guess) => basic('owen@acme.example', `guess ${guess}`))
    const before = seen.compared
    expect((await authenticator.identify(right)).actor.id).to.equal(ines)
    expect(seen.compared).to.equal(before)
    expect((await errorOf(authenticator.identify(basic('owen@acme.example', 'battery staple')))).message).to.match(TOO_MANY)
  })

  it('does not find out remembered passwords beyond the limit', async () => {
    const { authenticator } = build(5)
    await authenticator.identify(right)
    await authenticator.identify(basic('owen@acme.example', 'battery staple', '192.0.2.9'))
    await guesses(authenticator, 80, wrongPassword)
    expect((await authenticator.identify(right)).actor.id).to.equal(ines)
    // Owen is remembered, but not from this address.
    expect((await errorOf(authenticator.identify(basic('owen@acme.example', 'battery staple')))).message).to.match(TOO_MANY)
    // Whoever shares the address of Ines has 100 more tries for her password, and none after that.
    await guesses(authenticator, 80, (guess) => wrongPassword(100 + guess))
    expect((await errorOf(authenticator.identify(right))).message).to.match(TOO_MANY)
    expect((await authenticator.identify(basic('ines@acme.example', 'correct horse', '192.0.2.9'))).actor.id).to.equal(ines)
  })

  it('counts what is sent several times as one try, and compares it once', async () => {
    const { seen, authenticator } = build(3)
    const all = await Promise.all(Array.from({ length: 30 }, () => authenticator.identify(right)))
    expect([all.length, seen.compared]).to.deep.equal([30, 1])
    for (const email of ['ines@acme.example', 'nobody@acme.example']) {
      const before = seen.compared
      const old = basic(email, 'an old password')
      await guesses(authenticator, 30, () => old)
      for (let call = 0; call < 30; call++) expect(await errorOf(authenticator.identify(old))).to.be.instanceOf(Unauthenticated)
      expect(seen.compared, email).to.equal(before + 1)
    }
    expect(await errorOf(authenticator.identify(wrongPassword(1)))).to.be.instanceOf(Unauthenticated)
    expect(await errorOf(authenticator.identify(wrongPassword(2)))).to.be.instanceOf(TooManyRequests)
  })

  it('gives back the tries of those who were right', async () => {
    const { authenticator } = build(2)
    const names = Array.from({ length: 6 }, (_, index) => `Right ${String.fromCharCode(65 + index)}`)
    const { secrets } = counting()
    const store = createCredentialStore(house.storage, secrets, house.clock)
    for (const name of names) await store.setPassword(await house.addPerson(name), `password of ${name}`)
    for (const name of names) {
      await authenticator.identify(basic(`${name.toLowerCase().replace(' ', '.')}@acme.example`, `password of ${name}`))
    }
  })

  it('says at once when too many are waiting, with a short Retry-After', async () => {
    const { seen, authenticator } = build(10_000)
    const errors = await guesses(authenticator, 200, wrongPassword)
    const refused = errors.filter((error) => error instanceof TooManyRequests)
    // One or two are compared and fifty wait; meanwhile more come, one after the other, from the database.
    expect(refused).to.have.length.within(50, 200 - 50 - HASHES_AT_ONCE)
    expect(refused[0]).to.deep.include({ message: 'Too many sign-ins at once; try again in 2 seconds' })
    expect(refused[0]?.headers).to.deep.equal({ 'Retry-After': '2' })
    expect(seen).to.include({ compared: 200 - refused.length, atOnce: HASHES_AT_ONCE })
  })

  it('leaves a right token without another digest: it is looked up by the one that is remembered, and fails when it is revoked', async () => {
    const { secrets } = counting()
    const [digests, looked]: [string[], string[]] = [[], []]
    const digest = (text: string) => {
      digests.push(text)
      return secrets.digest(text)
    }
    let isRevoked = false
    const withTokenDigest = (key: string) => {
      looked.push(key)
      return isRevoked ? Promise.resolve(null) : house.people.withTokenDigest(key)
    }
    const people = { ...house.people, withTokenDigest }
    const authenticator = createAuthenticator({ people, secrets: { ...secrets, digest }, failuresPerAddress: LIMIT })
    await authenticator.identify(from({ token }))
    const first = digests.length
    for (let call = 0; call < 3; call += 1) expect((await authenticator.identify(from({ token }))).actor.id).to.equal(ines)
    expect(digests.length).to.equal(first)
    expect([...new Set(looked)]).to.deep.equal([secrets.digest(token)])
    isRevoked = true
    expect(await errorOf(authenticator.identify(from({ token })))).to.be.instanceOf(Unauthenticated)
  })

  it('of tokens is limited on its own: an old token shuts nobody out', async () => {
    const { authenticator } = build()
    const errors = await guesses(authenticator, 200, (guess) => from({ token: `old ${guess}` }))
    expect(errors.filter((error) => error instanceof Unauthenticated)).to.have.length(LIMIT)
    for (const error of errors.filter((one) => !(one instanceof Unauthenticated))) expect(error.message).to.match(TOO_MANY)
    expect((await authenticator.identify(right)).actor.id).to.equal(ines)
    expect((await authenticator.identify(from({ token }))).actor.id).to.equal(ines)
    // Also while the old one is sent on and on.
    const attack = guesses(authenticator, 150, (guess) => from({ token: `old ${guess}` }))
    expect((await authenticator.identify(from({ token }))).actor.id).to.equal(ines)
    await attack
  })

  it('does not get further with other addresses of the same IPv6 network', async () => {
    const { authenticator } = build(3)
    await guesses(authenticator, 10, (guess) => basic('ines@acme.example', `guess ${guess}`, `2001:db8:1:2::${guess}`))
    const here = basic('ines@acme.example', 'correct horse', '2001:db8:1:2:aaaa::1')
    expect(await errorOf(authenticator.identify(here))).to.be.instanceOf(TooManyRequests)
    await authenticator.identify(basic('ines@acme.example', 'correct horse', '2001:db8:1:3::1'))
    expect(['::ffff:192.0.2.1', '192.0.2.1', '', 'unix'].map(networkOf)).to.deep.equal(['192.0.2.1', '192.0.2.1', '', 'unix'])
  })

  describe('at a host', () => {
    function asking(failuresPerAddress = LIMIT) {
      const { seen, during } = counting()
      const known: FindByCredentials = (given) => {
        const isRight = 'token' in given ? given.token === 'host token' : given.password === 'host password'
        return during(isRight ? { id: ines } : null)
      }
      return { seen, authenticator: build(failuresPerAddress, known).authenticator }
    }

    it('is bounded: 600 guesses ask the host 50 times, four at a time', async () => {
      const { seen, authenticator } = asking()
      await guesses(authenticator, 600, wrongPassword)
      expect(seen).to.deep.equal({ compared: LIMIT, now: 0, atOnce: 4 })
    })

    it('shuts out neither right tokens nor passwords that were right before', async () => {
      const { authenticator } = asking(3)
      await authenticator.identify(basic('ines@acme.example', 'host password'))
      await guesses(authenticator, 10, wrongPassword)
      await guesses(authenticator, 10, (guess) => from({ token: `old ${guess}` }))
      expect((await authenticator.identify(from({ token: 'host token' }))).actor.id).to.equal(ines)
      expect((await authenticator.identify(basic('ines@acme.example', 'host password'))).actor.id).to.equal(ines)
    })

    it('hands over the token itself, also when it was right before', async () => {
      const given: unknown[] = []
      const { authenticator } = build(LIMIT, async (credentials) => {
        given.push(credentials)
        return { id: ines }
      })
      for (let call = 0; call < 3; call += 1) await authenticator.identify(from({ token: 'host token' }))
      expect(given).to.deep.equal(Array(3).fill({ token: 'host token' }))
    })

    it('is asked again for what is remembered: what it takes back is wrong at once', async () => {
      let isRight = true
      const { authenticator } = build(LIMIT, async () => (isRight ? { id: ines } : null))
      for (const credentials of [right, from({ token: 'host token' })]) {
        isRight = true
        await authenticator.identify(credentials)
        isRight = false
        expect(await errorOf(authenticator.identify(credentials))).to.be.instanceOf(Unauthenticated)
      }
    })

    it('does not pay for a host that fails', async () => {
      let fails = true
      const { authenticator } = build(2, async () => {
        if (fails) throw new Error('directory is away')
        return { id: ines }
      })
      await guesses(authenticator, 10, (guess) => basic('ines@acme.example', `password ${guess}`))
      fails = false
      expect((await authenticator.identify(right)).actor.id).to.equal(ines)
    })

    it('does not pay for a host that never answers: the same credentials work as soon as it does', async () => {
      let isSilent = true
      const byCredentials: FindByCredentials = () => (isSilent ? new Promise(() => {}) : Promise.resolve({ id: ines }))
      const { authenticator } = build(2, byCredentials, 30)
      for (const credentials of [right, from({ token: 'host token' })]) {
        isSilent = true
        for (const error of await guesses(authenticator, 10, () => credentials)) {
          expect(error).to.be.instanceOf(TimedOut)
          expect((error.cause as Error).message).to.equal("The host's people.byCredentials failed: no answer within 30 ms")
        }
        isSilent = false
        expect((await authenticator.identify(credentials)).actor.id).to.equal(ines)
      }
    })
  })
})
