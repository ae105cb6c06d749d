import { expect } from 'chai'
import { refusalOf, withHouse } from '../support/house.js'

describe('a request with a support domain', () => {
  const house = withHouse({ file: true })
  const domains = ['branch', 'partner', 'stranger'] as const
  let people: Readonly<Record<'ann' | 'ben', number>>
  const desks = new Map<string, number>()

  before(async () => {
    const account = { timeZone: 'Berlin', locale: 'en-US' } as const
    await house.accounts.put({ ...account, id: 'branch', name: 'Branch', directoryAccountId: 'acme' })
    await house.accounts.put({ ...account, id: 'partner', name: 'Partner' })
    await house.accounts.put({ ...account, id: 'stranger', name: 'Stranger' })
    for (const domain of domains) {
      await house.accounts.trust('acme', domain)
      desks.set(domain, await house.add('team', { name: `Desk of ${domain}` }, { account: domain }))
    }
    desks.set('acme', await house.add('team', { name: 'Desk' }))
    people = { ann: await house.addPerson('Ann'), ben: await house.addPerson('Ben') }
    await house.permissions.add(await house.system('partner'), people.ben, 'partner', ['specialist'])
  })

  const submit = async (person: number, support_domain: unknown, domain = String(support_domain)) =>
    house.operations.submit(await house.by(person), 'request', {
      id: null,
      body: { subject: 'Help', category: 'other', team_id: desks.get(domain) ?? desks.get('acme'), support_domain },
    })
  const accountOf = async (saved: { readonly row: object }) =>
    (await house.row('request', Number((saved.row as { id: number }).id)))?.['account_id']

  it('is registered in that account, and returned from there', async () => {
    const saved = await submit(people.ben, 'partner')
    expect([await accountOf(saved), saved.call.account.id, [...saved.call.roles]]).to.deep.equal([
      'partner',
      'partner',
      ['specialist'],
    ])
    const shown = await house.operations.read(saved.call, 'request', Number(saved.row['id']))
    expect(shown).to.include({ subject: 'Help' }).and.not.to.have.property('support_domain')
    expect(saved.ignored).to.deep.equal([])
  })

  it('is for people of the directory account, even without a role there', async () => {
    const saved = await submit(people.ann, ' branch ', 'branch')
    expect([await accountOf(saved), saved.call.account.id]).to.deep.equal(['branch', 'branch'])
    expect(await house.operations.read(saved.call, 'request', Number(saved.row['id']))).to.include({ subject: 'Help' })
  })

  it('is registered in the account of the call without one, and changes nothing later', async () => {
    for (const none of [undefined, null, '', 'acme'])
      expect(await accountOf(await submit(people.ann, none, 'acme'))).to.equal('acme')
    const { row } = await submit(people.ben, 'acme')
    const boss = await house.addPerson('Boss', ['specialist'])
    const { ignored } = await house.operations.submit(await house.by(boss), 'request', {
      id: Number(row['id']),
      body: { subject: 'More help', support_domain: 'partner' },
    })
    expect(ignored).to.deep.equal(['support_domain'])
  })

  for (const domain of ['stranger', 'partner', 'nowhere', 7, true, ['branch'], { id: 'branch' }, 'x'.repeat(300)]) {
    it(`is refused where the caller may not register it: ${JSON.stringify(domain).slice(0, 20)}`, async () => {
      expect(await refusalOf(submit(people.ann, domain))).to.deep.equal([['support_domain', 'blank']])
    })
  }
})
