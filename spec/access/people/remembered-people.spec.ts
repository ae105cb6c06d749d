import { expect } from 'chai'
import { createAccess } from '../../../plugin/access/access.js'
import type { People } from '../../../plugin/access/people/people.js'
import { createAuthenticator } from '../../../plugin/access/sign-in/authenticate.js'
import { Forbidden, Unauthenticated } from '../../../plugin/core/errors.js'
import { countStatements } from '../../support/count-statements.js'
import { errorOf, withHouse } from '../../support/house.js'

const REMEMBERED = 2_000
const PASSWORD = 'correct horse'

describe('sign-ins that are remembered', () => {
  const house = withHouse()
  const build = () => {
    const { people, secrets, callers } = createAccess(house.accessDeps)
    const authenticator = createAuthenticator({ people, secrets, failuresPerAddress: 5 })
    const signIn = async (credentials: object, accountId?: string) => {
      const identity = await authenticator.identify({ remoteAddress: '192.0.2.1', ...credentials })
      return callers.callFor(identity, { source: 'spec', ...(accountId ? { accountId } : {}) })
    }
    return { people, signIn }
  }
  const credentials = () => house.access.credentials
  const costOf = (work: () => Promise<unknown>) => countStatements(house.storage.knex).during(work)
  const rolesOf = async (signingIn: Promise<{ roles: ReadonlySet<string> }>) => [...(await signingIn).roles]
  /** Like another process: nothing is told of it. */
  const elsewhere = (table: string) => house.storage.knex(house.storage.table(table))
  let number = 0
  let id = 0
  let token = ''
  let basic = { basic: { name: '', password: PASSWORD } }

  beforeEach('adds a person', async () => {
    house.clock.pass(REMEMBERED)
    const name = `Pat ${String.fromCharCode(97 + number++)}`
    id = await house.addPerson(name, ['specialist'])
    await credentials().setPassword(id, PASSWORD)
    token = await credentials().show(id)
    basic = { basic: { name: `${name.toLowerCase().replace(' ', '.')}@acme.example`, password: PASSWORD } }
  })

  it('cost no statement for two seconds', async () => {
    const { signIn } = build()
    for (const given of [{ token }, basic]) {
      expect(await costOf(() => signIn(given))).to.be.above(0)
      house.clock.pass(REMEMBERED - 1)
      expect(await costOf(() => signIn(given))).to.equal(0)
      house.clock.pass(1)
      expect(await costOf(() => signIn(given))).to.be.above(0)
    }
  })

  it('end at once in this process when the token is reset, the password set, or the person disabled or deleted', async () => {
    const { signIn } = build()
    await signIn({ token })
    const other = await credentials().reset(id)
    expect(await errorOf(signIn({ token }))).to.be.instanceOf(Unauthenticated)
    await signIn({ token: other })
    await signIn(basic)
    await credentials().setPassword(id, 'another horse')
    expect(await errorOf(signIn(basic))).to.be.instanceOf(Unauthenticated)
    await signIn({ token: other })
    await house.operations.save(await house.system(), 'person', id, { disabled: true })
    expect(await errorOf(signIn({ token: other }))).to.be.instanceOf(Unauthenticated)
  })

  it('show at once what this process changes of the person, its roles and its account', async () => {
    const { signIn } = build()
    expect(await rolesOf(signIn({ token }))).to.deep.equal(['specialist'])
    await house.permissions.add(await house.system(), id, 'acme', ['auditor'])
    expect(await rolesOf(signIn({ token }))).to.deep.equal(['auditor', 'specialist'])
    await house.permissions.revoke(await house.system(), id, 'acme', null)
    expect(await rolesOf(signIn({ token }))).to.deep.equal([])
    await house.operations.save(await house.system(), 'person', id, { name: 'Patricia' })
    expect((await signIn({ token })).actor?.name).to.equal('Patricia')
    await house.accounts.put({ id: 'acme', name: 'ACME', timeZone: 'Tokyo' })
    expect((await signIn({ token })).account.timeZone).to.equal('Tokyo')
    await house.accounts.put({ id: 'acme', name: 'ACME', timeZone: 'Amsterdam' })
    expect(await errorOf(signIn({ token }, 'globex'))).to.be.instanceOf(Forbidden)
    await house.permissions.add(await house.system('globex'), id, 'globex', ['auditor'])
    expect(await rolesOf(signIn({ token }, 'globex'))).to.deep.equal(['auditor'])
  })

  it('end within two seconds when another process takes them away', async () => {
    const { signIn } = build()
    for (const given of [{ token }, basic]) await signIn(given)
    await elsewhere('people').where({ id }).update({ disabled: 1 })
    await elsewhere('permissions').where({ person_id: id }).delete()
    for (const given of [{ token }, basic]) expect(await rolesOf(signIn(given))).to.deep.equal(['specialist'])
    house.clock.pass(REMEMBERED)
    for (const given of [{ token }, basic]) expect(await errorOf(signIn(given))).to.be.instanceOf(Unauthenticated)
  })

  it('never remember that credentials are wrong: those of another process work at once, and count as no failure', async () => {
    const { signIn } = build()
    await signIn(basic)
    const hash = await house.access.secrets.hashPassword('new in another process')
    await elsewhere('credentials').where({ person_id: id }).update({ password_hash: hash })
    await signIn({ basic: { ...basic.basic, password: 'new in another process' } })
    expect(await errorOf(signIn({ token: 'tomorrow' }))).to.be.instanceOf(Unauthenticated)
    await elsewhere('credentials')
      .where({ person_id: id })
      .update({ token_digest: house.access.secrets.digest('tomorrow') })
    expect((await signIn({ token: 'tomorrow' })).actor?.id).to.equal(id)
  })

  it('count wrong credentials as before', async () => {
    const { signIn } = build()
    await signIn(basic)
    const wrong = (index: number) => signIn({ basic: { ...basic.basic, password: `wrong ${index}` } })
    for (let index = 0; index < 5; index++) expect(await errorOf(wrong(index))).to.be.instanceOf(Unauthenticated)
    expect(await errorOf(wrong(5))).to.have.property('status', 429)
    await signIn(basic)
  })

  it('are not remembered when something changed while they were looked up', async () => {
    const { people } = build()
    const digest = house.access.secrets.digest(token)
    const looking = people.withTokenDigest(digest)
    house.storage.changes.tell(new Set([house.storage.table('people')]))
    expect((await looking)?.id).to.equal(id)
    expect(await costOf(() => people.withTokenDigest(digest))).to.equal(1)
    expect(await costOf(() => people.withTokenDigest(digest))).to.equal(0)
  })

  it('leave a copy of the roles with each call', async () => {
    const { signIn } = build()
    const call = await signIn({ token })
    ;(call.roles as Set<string>).add('account_owner')
    expect(await rolesOf(signIn({ token }))).to.deep.equal(['specialist'])
  })

  it('find people of transactions in them', async () => {
    const { people } = build()
    const roles = await people.rolesOf(id, 'acme')
    expect([...roles]).to.deep.equal(['specialist'])
    const stored: People['rolesOf'] = (...asked) => people.rolesOf(...asked)
    const { inTransaction } = await import('../../../plugin/storage/database/transaction.js')
    await inTransaction(house.storage, await house.system(), async (inside) => {
      await house.permissions.revoke(inside, id, 'acme', null)
      expect([...(await stored(id, 'acme', inside))]).to.deep.equal([])
    })
  })
})
