import { expect } from 'chai'
import { errorOf, withHouse } from '../../support/house.js'

describe('calls', () => {
  const house = withHouse()
  let ines = 0
  let plain = 0
  before(async () => {
    ines = await house.addPerson('Ines', ['account_owner', 'specialist'], { locale: 'nl', time_zone: 'Tokyo' })
    plain = await house.addPerson('Paul')
    await house.permissions.add(await house.system('globex'), ines, 'globex', ['auditor'])
  })

  it('are made in the account of the person, with its roles, language and zone', async () => {
    const call = await house.by(ines)
    expect([...call.roles]).to.have.members(['account_owner', 'account_administrator', 'specialist'])
    expect(call).to.deep.include({
      language: 'nl',
      zone: 'Asia/Tokyo',
      origin: 'api',
      now: '2026-11-21T09:30:00Z',
      trusted: ['globex'],
    })
    expect(call.account.id).to.equal('acme')
    expect(call.requestId).to.match(/^[0-9a-f-]{36}$/)
  })

  it('may be made in another account in which the person has a role, with those roles only', async () => {
    const call = await house.by(ines, { accountId: 'globex' })
    expect(call.account.id).to.equal('globex')
    expect([...call.roles]).to.deep.equal(['auditor'])
    expect(call.actor?.accountId).to.equal('acme')
  })

  it('are refused in accounts that are not there, or where the person has no role, trust or not', async () => {
    for (const accountId of ['nowhere', 'umbrella', '', 'ACME', "acme' --"]) {
      expect((await errorOf(house.by(ines, { accountId }))).name, accountId).to.equal('Forbidden')
    }
    expect((await errorOf(house.by(plain, { accountId: 'globex' }))).name).to.equal('Forbidden')
    expect((await house.by(plain, { accountId: 'acme' })).roles.size).to.equal(0)
  })

  it('are in the language that is wished for, when there is such a one', async () => {
    expect((await house.by(ines, { language: 'fr' })).language).to.equal('fr')
    expect((await house.by(ines, { language: 'klingon' })).language).to.equal('nl')
    expect((await house.by(plain, { language: 'klingon' })).language).to.equal('en-US')
    for (const language of ['nl-NL', 'NL', 'nl_NL', ' nl-BE '])
      expect((await house.by(plain, { language })).language, language).to.equal('nl')
    expect((await house.by(plain, { language: 'fr-ca' })).language).to.equal('fr-CA')
    expect((await house.by(plain, { language: 'fr-BE' })).language).to.equal('fr')
    expect((await house.callers.callFor(null, { source: 'spec', language: 'x'.repeat(9_000) })).language).to.equal('en-US')
  })

  it('are in the zone of the account for people without one', async () => {
    await house.storage.knex(house.storage.table('people')).where({ id: plain }).update({ time_zone: null })
    expect((await house.by(plain)).zone).to.equal('Europe/Amsterdam')
    await house.storage.knex(house.storage.table('people')).where({ id: plain }).update({ time_zone: 'Nowhere' })
    house.clock.pass(2_000) // until then the person is remembered
    expect((await house.by(plain)).zone).to.equal('UTC')
  })

  it('of nobody reach nothing', async () => {
    const call = await house.callers.callFor(null, { source: 'spec', language: 'de' })
    expect(call).to.deep.include({ actor: null, language: 'de', trusted: [] })
    expect(call.account.id).to.equal('')
    expect((await errorOf(house.operations.list(call, 'person', { parameters: [] }))).name).to.equal('Forbidden')
    expect((await errorOf(house.operations.read(call, 'person', plain))).name).to.equal('Forbidden')
    expect((await errorOf(house.operations.save(call, 'request', null, { subject: 's', category: 'other' }))).name).to.equal(
      'Forbidden',
    )
  })

  it('of the host and of the service say why, and need an account that is there', async () => {
    const call = await house.callers.pluginCall('timers', 'acme')
    expect(call).to.deep.include({ actor: null, acts: 'plugin', reason: 'timers', origin: 'job', setsReadOnly: true })
    expect(await house.system()).to.deep.include({ actor: null, acts: 'host', reason: 'spec', origin: 'host' })
    expect((await errorOf(house.system('nowhere'))).message).to.equal("There is no account 'nowhere'")
  })
})
