import { expect } from 'chai'
import { errorOf, withHouse } from '../../support/house.js'

describe('accounts', () => {
  const house = withHouse()
  const row = async (id: string) => (await house.table('accounts')).find((one) => one['id'] === id)

  it('are made with what is given, and the defaults', async () => {
    expect(await house.accounts.put({ id: 'new-one', name: 'New' })).to.deep.equal({
      id: 'new-one',
      name: 'New',
      locale: 'en-US',
      timeZone: 'UTC',
      organizationId: null,
      directoryAccountId: null,
      plan: 'standard',
      currency: 'USD',
      timeFormat24h: true,
      strongPrivacy: false,
      timeEntriesLockedUntil: null,
      serviceDeskTeamId: null,
    })
    expect((await row('new-one'))?.['created_at']).to.equal('2026-11-21 09:30:00')
  })

  it('keep what a later change does not speak of', async () => {
    await house.accounts.put({ id: 'changed', name: 'Before', locale: 'nl', timeZone: 'Europe/Amsterdam', organizationId: 7 })
    const after = await house.accounts.put({ id: 'changed', name: 'After', directoryAccountId: 'acme' })
    expect(after).to.include({
      name: 'After',
      locale: 'nl',
      timeZone: 'Amsterdam',
      organizationId: 7,
      directoryAccountId: 'acme',
    })
    expect(await house.accounts.put({ id: 'changed', name: 'After', organizationId: null })).to.include({
      organizationId: null,
    })
  })

  it('show a change whose answer was lost', async () => {
    await house.accounts.put({ id: 'lost', name: 'Before' })
    await house.accounts.put({ id: 'lost-too', name: 'Other' })
    expect([(await house.accounts.find('lost'))?.name, await house.accounts.trustedBy('lost')]).to.deep.equal(['Before', []])
    const { knex } = house.storage
    const lose = (_response: unknown, { sql }: { readonly sql: string }) => {
      if (/^insert/.test(sql)) throw new Error('The answer was lost')
    }
    knex.on('query-response', lose)
    try {
      expect((await errorOf(house.accounts.put({ id: 'lost', name: 'After' }))).message).to.equal('The answer was lost')
      expect((await errorOf(house.accounts.trust('lost', 'lost-too'))).message).to.equal('The answer was lost')
    } finally {
      knex.removeListener('query-response', lose)
    }
    expect([(await house.accounts.find('lost'))?.name, await house.accounts.trustedBy('lost')]).to.deep.equal([
      'After',
      ['lost-too'],
    ])
  })

  it('keep their settings likewise', async () => {
    const timeEntriesLockedUntil = '2026-10-31'
    const settings = { plan: 'premium', currency: 'EUR', timeFormat24h: false, strongPrivacy: true, timeEntriesLockedUntil }
    expect(await house.accounts.put({ id: 'set', name: 'Set', ...settings })).to.include(settings)
    expect(await house.accounts.put({ id: 'set', name: 'Set', strongPrivacy: false })).to.include({
      ...settings,
      strongPrivacy: false,
    })
  })

  it('refuse what would show only later', async () => {
    for (const id of ['', 'Upper', 'a b', '-a', 'a-', 'a.b', 'é', 'x'.repeat(64), "a' --"]) {
      expect((await errorOf(house.accounts.put({ id, name: 'N' }))).name, id).to.equal('RangeError')
    }
    expect((await errorOf(house.accounts.put({ id: 'ok', name: 'N', timeZone: 'Atlantis' }))).message).to.equal(
      "There is no time zone 'Atlantis'",
    )
    expect((await errorOf(house.accounts.put({ id: 'ok', name: 'N', locale: 'tlh' }))).message).to.equal(
      "There is no language 'tlh'",
    )
    expect((await errorOf(house.accounts.put({ id: 'ok', name: 'N', currency: 'Euro' }))).message).to.equal(
      "There is no currency 'Euro'",
    )
    for (const date of ['', '31.10.2026', '2026-02-30', '2026-10-31T00:00:00Z']) {
      expect((await errorOf(house.accounts.put({ id: 'ok', name: 'N', timeEntriesLockedUntil: date }))).message).to.equal(
        `timeEntriesLockedUntil must be a date such as 2026-10-31, not '${date}'`,
      )
    }
    for (const plan of ['', 'x'.repeat(65)]) {
      expect((await errorOf(house.accounts.put({ id: 'ok', name: 'N', plan }))).message).to.equal(
        'A plan must be a text of 1 to 64 characters',
      )
    }
    for (const [wrong, reason] of [
      [undefined, 'An account must be an object, not undefined'],
      [{ name: 'N' }, 'An account id must be lower-case letters, digits and hyphens, not undefined'],
      [{ id: null, name: 'N' }, 'An account id must be lower-case letters, digits and hyphens, not null'],
      [{ id: 'ok' }, 'The name of an account must be a text of 1 to 255 characters, not undefined'],
      [{ id: 'ok', name: ' ' }, "The name of an account must be a text of 1 to 255 characters, not ' '"],
      [{ id: 'ok', name: 'N', timezone: 'UTC' }, "An account has no 'timezone'; did you mean 'timeZone'?"],
      [{ id: 'ok', name: 'N', directoryAccountId: '' }, "directoryAccountId must be an account id, not ''"],
      [{ id: 'ok', name: 'N', organizationId: '7' }, "organizationId must be the id of an organization, not '7'"],
      [
        { id: 'ok', name: 'N', serviceDesk: 'Desk' },
        "serviceDesk must be an object such as { name: 'Service Desk' }, not 'Desk'",
      ],
      [{ id: 'ok', name: 'N', serviceDesk: null }, "serviceDesk must be an object such as { name: 'Service Desk' }, not null"],
      [
        { id: 'ok', name: 'N', serviceDesk: {} },
        'The name of a service desk must be a text of 1 to 128 characters, not undefined',
      ],
      [{ id: 'ok', name: 'N', serviceDesk: { name: ' ' } }, "a service desk must be a text of 1 to 128 characters, not ' '"],
      [{ id: 'ok', name: 'N', serviceDesk: { name: 'D', nmae: 'D' } }, "serviceDesk has no 'nmae'; did you mean 'name'?"],
      [{ id: 'ok', name: 'N', strongPrivacy: 'no' }, "strongPrivacy must be true or false, not 'no'"],
      [
        { id: '', name: 'N', plan: '', currency: 5 },
        "digits and hyphens, not '', A plan must be a text of 1 to 64 characters, There is no currency 5",
      ],
    ] as const) {
      const error = await errorOf(house.accounts.put(wrong as never))
      expect(error, reason).to.be.instanceOf(RangeError)
      expect(error.message).to.include(reason)
    }
    expect(await house.accounts.find('ok')).to.equal(null)
  })

  it('trust each other, from both sides, once', async () => {
    await house.accounts.trust('globex', 'acme')
    await house.accounts.trust('acme', 'globex')
    expect(await house.accounts.trustedBy('acme')).to.deep.equal(['globex'])
    expect(await house.accounts.trustedBy('globex')).to.deep.equal(['acme'])
    expect(await house.accounts.trustedBy('umbrella')).to.deep.equal([])
    expect((await errorOf(house.accounts.trust('acme', 'acme'))).message).to.equal("An account cannot trust itself: 'acme'")
    expect((await errorOf(house.accounts.trust('', 'acme'))).message).to.equal("There is no account ''")
    expect((await errorOf(house.accounts.trust('acme', 'nowhere'))).message).to.equal("There is no account 'nowhere'")
  })

  it('trust each other no longer, from both sides, and may do so again', async () => {
    await house.accounts.trust('umbrella', 'globex')
    await house.accounts.trust('globex', 'umbrella')
    expect(await house.accounts.trustedBy('umbrella')).to.deep.equal(['globex'])
    await house.accounts.distrust('umbrella', 'globex')
    await house.accounts.distrust('umbrella', 'globex')
    expect(await house.accounts.trustedBy('umbrella')).to.deep.equal([])
    expect(await house.accounts.trustedBy('globex')).to.deep.equal(['acme'])
    expect((await errorOf(house.accounts.distrust('acme', 'nowhere'))).message).to.equal("There is no account 'nowhere'")
    await house.accounts.trust('umbrella', 'globex')
    expect(await house.accounts.trustedBy('umbrella')).to.deep.equal(['globex'])
    await house.accounts.distrust('globex', 'umbrella')
  })

  it('have a directory account that exists, and that has none itself', async () => {
    const put = (id: string, directoryAccountId: string | null) => house.accounts.put({ id, name: id, directoryAccountId })
    const refusal = async (id: string, directory: string) => (await errorOf(put(id, directory))).message
    expect(await refusal('alone', 'alone')).to.equal("An account cannot be its own directory account: 'alone'")
    expect(await refusal('domain', 'nowhere')).to.equal("There is no account 'nowhere'")
    expect(await house.accounts.find('domain')).to.equal(null)
    await put('people', null)
    await put('domain', 'people')
    expect(await house.accounts.isDirectory('people')).to.equal(true)
    expect(await refusal('people', 'domain')).to.equal(
      "The directory account 'domain' has a directory account itself: 'people'",
    )
    expect(await refusal('people', 'acme')).to.equal("'people' cannot have a directory account: it is the one of 'domain'")
    expect(await refusal('other', 'domain')).to.equal("The directory account 'domain' has a directory account itself: 'people'")
    await put('domain', 'people')
    await put('domain', 'globex')
    expect([await house.accounts.isDirectory('people'), await house.accounts.isDirectory('globex')]).to.deep.equal([
      false,
      true,
    ])
    await put('domain', null)
    // Of two that would make a loop at the same time, one is refused.
    const both = await Promise.allSettled([put('people', 'domain'), put('domain', 'people')])
    expect(both.map(({ status }) => status).sort()).to.deep.equal(['fulfilled', 'rejected'])
  })

  it('are remembered for two seconds', async () => {
    await house.accounts.find('acme')
    await house.storage.knex(house.storage.table('accounts')).where({ id: 'acme' }).update({ name: 'Elsewhere' })
    expect((await house.accounts.find('acme'))?.name).to.equal('ACME')
    house.clock.pass(2_000)
    expect((await house.accounts.find('acme'))?.name).to.equal('Elsewhere')
    await house.accounts.put({ id: 'acme', name: 'ACME' })
    expect((await house.accounts.find('acme'))?.name).to.equal('ACME')
  })

  it('that are asked for by made-up names do not fill the memory', async () => {
    for (let index = 0; index < 1_100; index++) expect(await house.accounts.find(`made-up-${index}`)).to.equal(null)
    expect(await house.accounts.find('acme')).to.not.equal(null)
  })
})
