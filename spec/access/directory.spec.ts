import { expect } from 'chai'
import { errorOf, withHouse } from '../support/house.js'

/** Acme keeps the directory of two support domains, north and south; north also trusts globex. */
describe('a directory account', () => {
  const house = withHouse()
  const ids: Record<string, number> = {}
  const by = async (name: string, accountId: string) => house.by(ids[name] ?? 0, { accountId })
  const list = async (name: string, accountId: string, type: string, chosen?: string, parameters: [string, string][] = []) => {
    const call = await by(name, accountId)
    const request = { parameters, ...(chosen === undefined ? {} : { list: chosen }) }
    const page = await house.operations.list(call, type, request)
    expect(page.totalEntries).to.equal(page.items.length)
    return page.items.map((one) => `${one['name']}${one['account'] ? ` of ${(one['account'] as { id: string }).id}` : ''}`)
  }

  before(async () => {
    for (const id of ['north', 'south']) await house.accounts.put({ id, name: id.toUpperCase(), directoryAccountId: 'acme' })
    await house.accounts.trust('north', 'globex')
    const add = async (name: string, account: string) => {
      ids[`org ${account}`] = await house.add('organization', { name: `Org of ${account}` }, { account })
      ids[`site ${account}`] = await house.add('site', { name: `Site of ${account}` }, { account })
      const primary_email = `${name}@${account}.example`
      ids[name] = await house.add('person', { name, primary_email, organization_id: ids[`org ${account}`] }, { account })
    }
    await add('ada', 'acme')
    await add('nora', 'north')
    await add('sue', 'south')
    await add('gil', 'globex')
    await add('uma', 'umbrella')
    await house.permissions.add(await house.system('north'), ids['ada'] ?? 0, 'north', ['account_administrator', 'specialist'])
    await house.permissions.add(await house.system('north'), ids['nora'] ?? 0, 'north', ['account_administrator'])
    await house.permissions.add(await house.system('south'), ids['ada'] ?? 0, 'south', ['auditor'])
  })

  it('has its people in the lists of its support domains, and only there', async () => {
    expect(await list('nora', 'north', 'person')).to.deep.equal(['ada of acme', 'nora'])
    expect(await list('ada', 'south', 'person')).to.deep.equal(['ada', 'sue of south'])
    expect(await list('ada', 'acme', 'person')).to.deep.equal(['ada'])
    expect(await list('gil', 'globex', 'person')).to.deep.equal(['gil'])
    expect(await list('nora', 'north', 'person', 'directory')).to.deep.equal(['ada of acme'])
    expect(await list('nora', 'north', 'person', 'support_domain')).to.deep.equal(['nora'])
    expect(await list('nora', 'north', 'person', undefined, [['name', 'ada']])).to.deep.equal(['ada of acme'])
    expect(await list('nora', 'north', 'person', undefined, [['roles', 'specialist']])).to.deep.equal(['ada of acme'])
    expect(await list('ada', 'south', 'person', undefined, [['roles', 'specialist']])).to.deep.equal([])
    expect(await list('ada', 'south', 'person', 'all_with_roles', [['roles', 'auditor']])).to.deep.equal(['ada'])
  })

  it('has its sites and organizations only in the lists that ask for them', async () => {
    for (const type of ['site', 'organization'] as const) {
      const name = type === 'site' ? 'Site' : 'Org'
      expect(await list('nora', 'north', type)).to.deep.equal([`${name} of north`])
      expect(await list('nora', 'north', type, 'enabled')).to.deep.equal([`${name} of north`])
      expect(await list('nora', 'north', type, 'support_domain')).to.deep.equal([`${name} of north`])
      expect(await list('nora', 'north', type, 'directory')).to.deep.equal([`${name} of acme of acme`])
      expect(await list('nora', 'north', type, undefined, [['state', 'directory']])).to.deep.equal([`${name} of acme of acme`])
      expect(await list('nora', 'north', type, 'enabled', [['state', 'directory']])).to.deep.equal([`${name} of acme of acme`])
      expect(await list('nora', 'north', type, 'support_domain', [['state', 'directory']])).to.deep.equal([])
      expect(await list('ada', 'acme', type, 'directory')).to.deep.equal([])
    }
    expect(await list('nora', 'north', 'organization', 'trusted')).to.deep.equal(['Org of globex of globex'])
    expect(await list('gil', 'globex', 'organization', 'trusted')).to.deep.equal([
      'Org of acme of acme',
      'Org of north of north',
    ])
  })

  it('shows each record that is in a list on its own, too, with what is below it', async () => {
    const call = await by('nora', 'north')
    for (const [type, id] of [
      ['person', ids['ada']],
      ['site', ids['site acme']],
      ['organization', ids['org acme']],
      ['organization', ids['org globex']],
    ] as const) {
      expect((await house.operations.read(call, type, Number(id)))['account'], type).to.have.property('id')
    }
    const { items } = await house.operations.list(call, 'person', {
      parameters: [],
      within: { type: 'organization', id: ids['org acme'] ?? 0, path: 'people' },
    })
    expect(items.map((one) => one['name'])).to.deep.equal(['ada'])
    for (const [type, id] of [
      ['site', ids['site globex']],
      ['person', ids['gil']],
      ['person', ids['uma']],
      ['organization', ids['org umbrella']],
      ['organization', ids['org south']],
      ['site', ids['site south']],
    ] as const) {
      expect((await errorOf(house.operations.read(call, type, Number(id)))).name, `${type} ${id}`).to.equal('NotFound')
    }
  })

  it('lets its people change of their own record what they may, from any account, with an audit line where the record is', async () => {
    const id = ids['ada'] ?? 0
    await house.operations.save(await by('ada', 'north'), 'person', id, { information: 'From the north' })
    const contacts = [{ protocol: 'telephone', label: 'work', uri: '+31 20 1234567' }]
    await house.operations.save(await by('ada', 'south'), 'person', id, { contacts_attributes: contacts })
    const owner = { type: 'person', id }
    const { items } = await house.operations.list(await by('ada', 'north'), 'contact', {
      parameters: [],
      within: { ...owner, path: 'contacts' },
    })
    expect(items).to.have.length(1)
    const contact = Number(items[0]?.['id'])
    await house.operations.save(await by('ada', 'north'), 'contact', contact, { label: 'mobile' }, owner)
    const rows = await house.table('contacts')
    expect(rows.map(({ account_id, label }) => [account_id, label])).to.deep.equal([['acme', 'mobile']])
    const lines = (await house.table('audit_lines')).filter((one) => one['owner_type'] === 'person' && one['owner_id'] === id)
    expect([...new Set(lines.map(({ account_id }) => account_id))]).to.deep.equal(['acme'])
  })

  it('does not let administrators of a support domain change its records, nor read what happened to them', async () => {
    const call = await by('nora', 'north')
    for (const [type, id] of [
      ['person', ids['ada']],
      ['site', ids['site acme']],
      ['organization', ids['org globex']],
    ] as const) {
      const error = await errorOf(house.operations.save(call, type, Number(id), { name: 'Mine' }))
      expect(error.name, type).to.equal('Forbidden')
      const within = { type, id: Number(id), path: 'audit' }
      expect((await house.operations.list(call, 'audit_line', { parameters: [], within })).items).to.deep.equal([])
    }
  })

  it('has its people in a support domain only with a role there; without the header they act in the directory', async () => {
    expect((await house.by(ids['ada'] ?? 0)).account.id).to.equal('acme')
    expect([...(await by('ada', 'south')).roles]).to.deep.equal(['auditor'])
    ids['ann'] = await house.addPerson('Ann')
    expect((await errorOf(by('ann', 'north'))).name).to.equal('Forbidden')
    const roles = await house.permissions.add(await by('nora', 'north'), ids['ann'], 'north', ['specialist'])
    expect(roles).to.deep.equal({ account: { id: 'north', name: 'NORTH' }, roles: ['specialist'] })
    expect([...(await by('ann', 'north')).roles]).to.deep.equal(['specialist'])
    expect((await errorOf(house.permissions.add(await by('nora', 'north'), ids['ann'], 'acme', ['auditor']))).name).to.equal(
      'Forbidden',
    )
    // Roles elsewhere are the business of the person's own account.
    await house.permissions.add(await house.system(), ids['ann'], 'acme', ['auditor'])
    const seen = async (name: string, account: string) =>
      (await house.permissions.list(await by(name, account), ids['ann'] ?? 0)).map(({ account }) => account.id)
    expect(await seen('nora', 'north')).to.deep.equal(['north'])
    expect((await seen('ann', 'acme')).sort()).to.deep.equal(['acme', 'north'])
  })
})
