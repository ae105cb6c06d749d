import { expect } from 'chai'
import { createOAuth, type OAuth } from '../../../plugin/access/oauth/oauth.js'
import { createAuthenticator } from '../../../plugin/access/sign-in/authenticate.js'
import type { NewLimited } from '../../../plugin/access/tokens/limited-rows.js'
import { TooManyRequests, Unauthenticated } from '../../../plugin/core/errors.js'
import { countStatements } from '../../support/count-statements.js'
import { withHouse } from '../../support/house.js'

const HOUR = 3600_000
const HERE = '192.0.2.1'

describe('OAuth clients', () => {
  const house = withHouse()
  let pat = 0
  let number = 0
  let oauth: OAuth
  const build = (failuresPerAddress = 50) => {
    const { access, catalog, clock, storage } = house
    return createOAuth({ ...access, storage, catalog, clock, tokenLifetimeMs: HOUR, failuresPerAddress })
  }
  const add = async (more: Partial<NewLimited> = {}) =>
    house.access.clients.add({}, { personId: pat, name: 'robot', readOnly: false, recordTypes: null, ...more })
  const table = () => house.storage.knex(house.storage.table('oauth_clients'))
  const tokensOf = (clientId: number) => house.access.tokens.list({}, { clientId })
  const right = async (more?: Partial<NewLimited>) => {
    const { client, secret } = await add(more)
    const signIn = (address = HERE) => oauth.signIn(client.clientId, secret, address)
    const issue = async () => oauth.issue(await house.by(pat), client, client)
    return { client, secret, signIn, issue }
  }

  beforeEach('adds a person', async () => {
    house.clock.pass(2_000)
    pat = await house.addPerson(`Pat ${String.fromCharCode(97 + number++)}`)
    oauth = build()
  })

  it('sign in with an id and a secret, of which only a digest is stored', async () => {
    const { client, secret, signIn } = await right({ name: 'Ünïcode 🔑', readOnly: true, recordTypes: ['request'] })
    expect(secret).to.match(/^itsm_ocs_[0-9A-Za-z]{36}$/)
    expect(await house.access.clients.list({}, pat)).to.deep.equal([client])
    const found = await signIn()
    expect(found?.client).to.deep.equal(client)
    expect(found?.actor).to.include({ id: pat, accountId: 'acme' })
    const dump = JSON.stringify([await table(), await house.access.clients.list({}, pat)])
    for (const part of [secret, secret.slice(9, 39), secret.slice(9, 21)]) expect(dump).to.not.include(part)
  })

  it('do not with the secret of another client, a wrong one, or another spelling', async () => {
    const [mine, other] = [await right(), await right()]
    const { clientId } = mine.client
    const wrong = [
      ...[other.secret, mine.secret.toLowerCase(), `${mine.secret} `, mine.secret.slice(0, -1), `${mine.secret}0`, ''],
      ...['x'.repeat(10_000), '\0', mine.secret.replace('ocs', 'oat'), `itsm_ocs_${'0'.repeat(36)}`],
    ]
    for (const secret of wrong) expect(await oauth.signIn(clientId, secret, HERE), secret.slice(0, 60)).to.equal(null)
    const ids = [
      clientId.toUpperCase(),
      `${clientId} `,
      String(mine.client.id),
      '',
      '%',
      '\0',
      `${clientId}\0`,
      '😀',
      'x'.repeat(1_000),
    ]
    for (const id of ids) expect(await oauth.signIn(id, mine.secret, HERE), id.slice(0, 60)).to.equal(null)
    expect(await mine.signIn()).to.not.equal(null)
  })

  it('do not while their person is disabled', async () => {
    const { signIn } = await right()
    await house.operations.save(await house.system(), 'person', pat, { disabled: true })
    expect(await signIn()).to.equal(null)
  })

  it('cost one query, known or not, and none if the secret has a wrong checksum', async () => {
    const { client, secret, signIn } = await right()
    await signIn()
    await house.access.clients.finished()
    const statements = countStatements(house.storage.knex)
    expect(await statements.during(signIn)).to.equal(1)
    expect(await statements.during(() => oauth.signIn('nobody', secret, HERE))).to.equal(1)
    expect(await statements.during(() => oauth.signIn(client.clientId, `${secret.slice(0, -1)}_`, HERE))).to.equal(0)
  })

  it('are looked up without limit as long as they are right; the wrong ones of an address are limited', async () => {
    oauth = build(3)
    const { client, signIn } = await right()
    const other = await right()
    const wrong = async (address = HERE) => {
      try {
        return await oauth.signIn(client.clientId, other.secret, address)
      } catch (error) {
        return error instanceof TooManyRequests ? 'too many' : error
      }
    }
    const results: unknown[] = []
    for (let guess = 0; guess < 5; guess++) results.push(await wrong())
    expect(results).to.deep.equal([null, null, null, 'too many', 'too many'])
    for (let call = 0; call < 5; call++) expect(await signIn()).to.not.equal(null)
    expect(await wrong('192.0.2.2')).to.equal(null)
  })

  it('remember when they signed in last', async () => {
    const { client, signIn } = await right()
    await signIn()
    await house.access.clients.finished()
    const [stored] = await house.access.clients.list({}, pat)
    expect(stored).to.deep.equal({ ...client, lastUsedAt: house.clock.now() })
  })

  it('get tokens that act as their person, with their limits, for as long as the host says', async () => {
    const { client, issue } = await right({ readOnly: true, recordTypes: ['request', 'note'] })
    const token = await issue()
    expect(token).to.include({ expiresIn: 3_600, scope: 'read_only request note' })
    expect(token?.text).to.match(/^itsm_oat_/)
    const find = () => house.access.tokens.find(house.access.tokens.keyOf(token?.text ?? ''))
    const owner = await find()
    expect(owner?.actor.id).to.equal(pat)
    expect(owner?.token).to.deep.include({ kind: 'oauth', clientId: client.id, name: 'robot', readOnly: true })
    house.clock.pass(HOUR - 1)
    expect(await find()).to.not.equal(null)
    house.clock.pass(1)
    expect(await find()).to.equal(null)
  })

  it('have their tokens refused once the host does not offer OAuth any more', async () => {
    const { issue } = await right()
    const bearer = (await issue())?.text ?? ''
    const { people, secrets, tokens } = house.access
    const identify = (acceptsOAuth: boolean) =>
      createAuthenticator({ people, secrets, tokens, acceptsOAuth, failuresPerAddress: 50 })
        .identify({ bearer, remoteAddress: HERE })
        .catch((error) => error)
    expect(await identify(true)).to.deep.include({ signedInWith: 'token' })
    expect(await identify(false)).to.be.instanceOf(Unauthenticated)
  })

  it('that get a token for each call only keep the last hundred', async function () {
    this.timeout(30_000)
    const { client, issue } = await right()
    const texts: string[] = []
    for (let call = 0; call < 103; call++) texts.push((await issue())?.text ?? '')
    expect(await tokensOf(client.id)).to.have.length(100)
    const { tokens } = house.access
    const isValid = async (text: string | undefined) => (await tokens.find(tokens.keyOf(text ?? ''))) !== null
    expect([await isValid(texts[2]), await isValid(texts[3]), await isValid(texts.at(-1))]).to.deep.equal([false, true, true])
  })

  it('get no token once they are revoked, not even one that was being made', async () => {
    const { client, issue } = await right()
    await house.access.clients.remove({}, client.id)
    expect(await issue()).to.equal(null)
    expect(await tokensOf(client.id)).to.deep.equal([])
  })
})
