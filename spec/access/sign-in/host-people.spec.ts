import { expect } from 'chai'
import { personNamed } from '../../../plugin/access/sign-in/host-people.js'
import { TimedOut } from '../../../plugin/core/errors.js'
import { createAskHost } from '../../../plugin/core/waiting/ask-host.js'
import { errorOf, withHouse } from '../../support/house.js'

describe('The person that a host names', () => {
  const house = withHouse()
  const ask = createAskHost(100)
  let ada = 0
  let gone = 0
  before(async () => {
    ada = await house.addPerson('Ada')
    gone = await house.addPerson('Gone', [], { disabled: true })
    await house.add('person', { name: 'Twin', primary_email: 'twin@acme.example' })
    await house.add('person', { name: 'Twin', primary_email: 'twin@acme.example' }, { account: 'globex' })
  })
  type FindById = Parameters<typeof personNamed>[0]['byId']
  const find = async (given: unknown, byId?: FindById, account?: string) =>
    (await personNamed({ people: house.people, ask, byId }, given as never, account)()).id
  const said = async (given: unknown, byId?: FindById, account?: string) =>
    (await errorOf((async () => find(given, byId, account))())).message

  it('is found by id, by e-mail address in any spelling, and by key', async () => {
    for (const given of [ada, 'ada@acme.example', ' Ada@ACME.example ', { id: ada }, { email: 'ada@acme.example' }]) {
      expect(await find(given), JSON.stringify(given)).to.equal(ada)
    }
    expect(await find({ email: 'ada@acme.example', account: 'acme' })).to.equal(ada)
  })

  it('is found by an id of the host, which is asked before an e-mail address counts', async () => {
    const asked: string[] = []
    const byId: FindById = async (id) => {
      asked.push(id)
      return id === 'u-1' || id === 'boss@elsewhere.example' ? { id: ada } : null
    }
    expect(await find('u-1', byId)).to.equal(ada)
    expect(await find('boss@elsewhere.example', byId)).to.equal(ada)
    expect(await find('ada@acme.example', byId)).to.equal(ada)
    expect(await find(ada, byId)).to.equal(ada)
    expect(asked).to.deep.equal(['u-1', 'boss@elsewhere.example', 'ada@acme.example'])
  })

  it('is the one of the account, when people of several accounts have the address', async () => {
    const actor = await personNamed({ people: house.people, ask }, 'twin@acme.example', 'globex')()
    expect(actor.accountId).to.equal('globex')
    expect(await said('twin@acme.example')).to.equal(
      "as('twin@acme.example'): people of several accounts (acme, globex) have this e-mail address; pass { email, account }",
    )
    expect(await said('twin@acme.example', undefined, 'umbrella')).to.include('people of several accounts')
  })

  it('is missed with the reason', async () => {
    const none: FindById = async () => null
    expect(await said(999_999)).to.equal('as(999999): there is no enabled person with the id 999999')
    expect(await said(gone)).to.equal(`as(${gone}): there is no enabled person with the id ${gone}`)
    expect(await said('bob@acme.example')).to.equal(
      "as('bob@acme.example'): there is no enabled person with this e-mail address",
    )
    expect(await said('bob@acme.example', none)).to.equal(
      "as('bob@acme.example'): there is no enabled person with this e-mail address, and people.byId returned null",
    )
    expect(await said('u-1')).to.equal("as('u-1'): an id of yours needs the option people.byId")
    expect(await said('u-1', none)).to.equal("as('u-1'): people.byId returned null")
    expect(await said('u-1', async () => ({ email: 'x@y.example', account: 'acme' }))).to.equal(
      "as('u-1'): there is no enabled person with the e-mail address x@y.example in the account 'acme', which people.byId returned",
    )
    expect(await said({ email: 'x@y.example' })).to.equal(
      'as({ … }): there is no enabled person with the e-mail address x@y.example',
    )
  })

  it('cannot be nothing, or anything', async () => {
    for (const given of [undefined, null, '', '  ', Number.NaN, 1.5, {}, [], { id: '12ab' }, { mail: 'a@b' }]) {
      expect(await said(given), JSON.stringify(given)).to.include('A person must be { id } of the person record')
    }
  })

  it('is not found when the host answers nonsense, or fails', async () => {
    expect(await said('u-1', async () => 'ada' as never)).to.equal(
      "The host's people.byId failed: A person must be { id } of the person record, { email, account? } or { source, sourceID, account? }",
    )
    const failing: FindById = async () => {
      throw new Error('no directory')
    }
    expect(await said('u-1', failing)).to.equal("The host's people.byId failed: no directory")
    const late = await errorOf(personNamed({ people: house.people, ask, byId: () => new Promise(() => {}) }, 'u-1')())
    expect(late).to.be.instanceOf(TimedOut)
    expect(String(late.cause)).to.include("The host's people.byId failed: no answer within 100 ms")
  })
})
