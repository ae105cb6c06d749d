import { expect } from 'chai'
import { errorOf, refusalOf, withHouse } from '../../support/house.js'

describe('roles of people', () => {
  const house = withHouse()
  let admin = 0
  let user = 0
  before(async () => {
    admin = await house.addPerson('Ada Admin', ['account_administrator'])
    user = await house.addPerson('Ulla User')
  })
  const { permissions } = { permissions: () => house.permissions }
  const rolesOf = async (id: number, account = 'acme') => [...(await house.people.rolesOf(id, account))]

  it('are added, replaced and revoked by administrators of the account', async () => {
    const call = await house.by(admin)
    expect(await permissions().add(call, user, 'acme', ['specialist', 'auditor', 'specialist'])).to.deep.equal({
      account: { id: 'acme', name: 'ACME' },
      roles: ['auditor', 'specialist'],
    })
    await permissions().add(call, user, 'acme', ['key_contact'])
    expect(await rolesOf(user)).to.have.members(['auditor', 'specialist', 'key_contact'])
    await permissions().replace(call, user, 'acme', ['service_desk_analyst'])
    expect(await rolesOf(user)).to.deep.equal(['service_desk_analyst'])
    await permissions().revoke(call, user, 'acme', ['service_desk_analyst', 'auditor'])
    expect(await rolesOf(user)).to.deep.equal([])
    await permissions().add(call, user, 'acme', ['auditor', 'specialist'])
    await permissions().revoke(call, user, 'acme', null)
    expect(await permissions().list(call, user)).to.deep.equal([])
  })

  it('are changed for hundreds of people at once, more grants than a database takes in one statement', async () => {
    const people = Array.from({ length: 300 }, (_, at) => ({
      id: null,
      body: { name: `P ${at}`, primary_email: `p${at}@acme.example` },
    }))
    const system = await house.system('acme')
    const made = await house.operations.saveAll(system, 'person', people)
    const ids = made.flatMap((one) => ('row' in one ? [Number(one.row['id'])] : []))
    const changes = ids.map((personId) => ({ personId, accountId: 'acme', wanted: () => ['auditor', 'specialist'] as const }))
    const outcomes = await permissions().changeEach(system, changes)
    expect(outcomes.filter((one) => 'refused' in one)).to.deep.equal([])
    for (const id of [ids[0], ids[299]]) expect(await rolesOf(Number(id))).to.have.members(['auditor', 'specialist'])
  })

  it('leave an audit line of the person', async () => {
    await permissions().add(await house.by(admin), user, 'acme', ['auditor'])
    const line = (await house.table('audit_lines')).at(-1)
    expect(line).to.include({ owner_type: 'person', action: 'update' })
    expect(JSON.parse(String(line?.['changes']))).to.deep.equal({ 'roles in acme': [null, 'auditor'] })
  })

  it('are refused when there is no such role, account or person', async () => {
    const call = await house.by(admin)
    expect(await refusalOf(permissions().add(call, user, 'acme', ['emperor']))).to.deep.equal([['roles', 'inclusion']])
    expect((await errorOf(permissions().add(call, user, 'nowhere', ['auditor']))).name).to.equal('NotFound')
    expect((await errorOf(permissions().add(call, 99_999, 'acme', ['auditor']))).name).to.equal('NotFound')
  })

  it('count in the account that they are given for', async () => {
    const call = await house.by(admin)
    expect((await errorOf(permissions().add(call, user, 'globex', ['auditor']))).name).to.equal('Forbidden')
    await permissions().add(await house.system('globex'), admin, 'globex', ['account_administrator'])
    await permissions().add(call, user, 'globex', ['auditor'])
    expect(await rolesOf(user, 'globex')).to.deep.equal(['auditor'])
    // Not of globex: who administers both may give them from either side.
    await permissions().add(await house.by(admin, { accountId: 'globex' }), user, 'acme', ['specialist'])
    expect(await rolesOf(user)).to.include('specialist')
  })

  it('that people of another account have there are not for our administrators', async () => {
    const gil = await house.add('person', { name: 'Gil', primary_email: 'gil@globex.example' }, { account: 'globex' })
    await permissions().add(await house.system('globex'), gil, 'globex', ['account_owner', 'auditor'])
    const auditor = await house.addPerson('Aud Itor', ['auditor'])
    expect(await permissions().list(await house.by(auditor), gil)).to.deep.equal([])
    await permissions().add(await house.by(admin), gil, 'acme', ['specialist'])
    const here = { account: { id: 'acme', name: 'ACME' }, roles: ['specialist'] }
    expect(await permissions().list(await house.by(auditor), gil)).to.deep.equal([here])
    // He and his own administrators see all of it.
    expect(await permissions().list(await house.by(gil), gil)).to.have.length(2)
    expect(await permissions().list(await house.by(gil, { accountId: 'acme' }), gil)).to.have.length(2)
  })

  it('of the owner are given and taken by an owner only', async () => {
    const call = await house.by(admin)
    expect((await errorOf(permissions().add(call, user, 'acme', ['account_owner']))).name).to.equal('Forbidden')
    await permissions().add(await house.system(), user, 'acme', ['account_owner'])
    expect(await rolesOf(user)).to.include.members(['account_owner', 'account_administrator'])
    expect((await errorOf(permissions().revoke(call, user, 'acme', null))).name).to.equal('Forbidden')
    await permissions().revoke(await house.by(user), user, 'acme', ['account_owner'])
    expect(await rolesOf(user)).to.not.include('account_owner')
  })

  it('are seen by the person, by administrators and by auditors', async () => {
    const [other, auditor] = [await house.addPerson('Olga Other'), await house.addPerson('Aldo Auditor', ['auditor'])]
    expect((await errorOf(permissions().list(await house.by(other), user))).name).to.equal('Forbidden')
    expect(await permissions().list(await house.by(auditor), other)).to.deep.equal([])
    expect((await permissions().list(await house.by(auditor), auditor)).map(({ roles }) => roles)).to.deep.equal([['auditor']])
    expect(
      (await errorOf(permissions().add(await house.by(auditor), auditor, 'acme', ['account_administrator']))).name,
    ).to.equal('Forbidden')
  })

  it('are all revoked together', async () => {
    const person = await house.addPerson('Rita Revoked', ['auditor'])
    await permissions().add(await house.system('globex'), person, 'globex', ['specialist'])
    await permissions().revokeAll(await house.by(admin), person)
    expect([await rolesOf(person), await rolesOf(person, 'globex')]).to.deep.equal([[], []])
  })

  it('find people: any of them, or all of them', async () => {
    const [one, both] = [
      await house.addPerson('One Role', ['release_manager']),
      await house.addPerson('Two Roles', ['release_manager', 'problem_manager']),
    ]
    const list = async (roles: string, name?: string) => {
      const page = await house.operations.list(await house.by(admin), 'person', {
        parameters: [['roles', roles]],
        ...(name ? { list: name } : {}),
      })
      return page.items.map((item) => item['id'])
    }
    expect(await list('release_manager,problem_manager')).to.have.members([one, both])
    expect(await list('release_manager, problem_manager', 'all_with_roles')).to.deep.equal([both])
    expect(await list('emperor')).to.deep.equal([])
  })

  it('are found by administrators and auditors only, as they are shown to them only', async () => {
    const auditor = await house.addPerson('Aud Auditor', ['auditor'])
    const specialist = await house.addPerson('Spe Specialist', ['specialist', 'release_manager'])
    for (const name of [undefined, 'all_with_roles']) {
      const asked = async (by: number, roles: string) => {
        const parameters = [['roles', roles]] as const
        return house.operations.list(await house.by(by), 'person', { parameters, ...(name && { list: name }) })
      }
      for (const by of [admin, auditor]) {
        const { items } = await asked(by, 'release_manager')
        expect(items.map((item) => item['id'])).to.include(specialist)
        expect(await house.permissions.list(await house.by(by), specialist)).to.have.length(1)
      }
      for (const roles of ['release_manager', 'emperor', '']) {
        expect((await errorOf(asked(specialist, roles))).name).to.equal('Forbidden')
      }
    }
    expect((await errorOf(house.permissions.list(await house.by(specialist), auditor))).name).to.equal('Forbidden')
  })
})
