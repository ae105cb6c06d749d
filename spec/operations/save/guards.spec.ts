import { isDeepStrictEqual } from 'node:util'
import { expect } from 'chai'
import { errorOf, withHouse } from '../../support/house.js'

describe('the owner of an account', () => {
  const house = withHouse()
  let owner = 0
  let other = 0
  let admin = 0
  let user = 0
  /** Is not an administrator here, but owns the account globex. */
  let elsewhere = 0
  const submit = async (by: number, id: number, body: object) =>
    house.operations.submit(await house.by(by), 'person', { id, body })
  const email = async (id: number) => (await house.row('person', id))?.['primary_email']

  before(async () => {
    owner = await house.addPerson('Olga Owner', ['account_owner'])
    other = await house.addPerson('Otto Owner', ['account_owner'])
    admin = await house.addPerson('Ada Admin', ['account_administrator'])
    user = await house.addPerson('Uma User', ['specialist'])
    elsewhere = await house.addPerson('Elke Elsewhere')
    await house.permissions.add(await house.system('globex'), elsewhere, 'globex', ['account_owner'])
  })

  it('is not disabled, renamed in any way that counts, or marked as another by an administrator', async () => {
    const bodies = [
      { disabled: true },
      { primary_email: 'ada.admin+owner@acme.example' },
      { supportID: '4711' },
      { source: 'HR', sourceID: '12' },
      { primary_email: 'x@acme.example', disabled: true, created_at: null },
    ]
    const before = await house.row('person', owner)
    for (const body of bodies) {
      expect((await errorOf(submit(admin, owner, body))).name, Object.keys(body).join()).to.equal('Forbidden')
    }
    const { ignored } = await submit(admin, owner, { job_title: 'Director', primary_email: 'ada@acme.example', disabled: true })
    expect(ignored).to.deep.equal(['primary_email', 'disabled'])
    const after = await house.row('person', owner)
    expect(after).to.include({ job_title: 'Director' })
    expect(
      isDeepStrictEqual({ ...after, job_title: null, updated_at: null }, { ...before, job_title: null, updated_at: null }),
    ).to.equal(true)
  })

  it('changes that, and so do other owners and the service itself', async () => {
    await submit(owner, owner, { primary_email: 'olga@acme.example', supportID: '1' })
    expect(await email(owner)).to.equal('olga@acme.example')
    await submit(other, owner, { primary_email: 'olga.owner@acme.example', disabled: true })
    expect(await house.row('person', owner)).to.include({ primary_email: 'olga.owner@acme.example', disabled: true })
    await house.operations.submit(await house.system(), 'person', { id: owner, body: { disabled: false } })
    expect(await house.row('person', owner)).to.include({ disabled: false })
  })

  it('may own another account than that of the caller', async () => {
    expect((await errorOf(submit(admin, elsewhere, { disabled: true }))).name).to.equal('Forbidden')
    expect((await errorOf(submit(owner, elsewhere, { primary_email: 'x@acme.example' }))).name).to.equal('Forbidden')
    await house.permissions.add(await house.system('globex'), owner, 'globex', ['account_owner'])
    await submit(owner, elsewhere, { primary_email: 'elke@acme.example' })
    expect(await email(elsewhere)).to.equal('elke@acme.example')
  })

  it('is the only one who is guarded: administrators maintain all others', async () => {
    await submit(admin, user, {
      primary_email: 'uma@acme.example',
      disabled: true,
      source: 'HR',
      sourceID: '7',
      supportID: '2',
    })
    expect(await house.row('person', user)).to.include({ primary_email: 'uma@acme.example', disabled: true, sourceID: '7' })
  })

  it('fails a row of a file, which says why; a row that changes nothing of that is fine', async () => {
    const call = { ...(await house.by(admin)), origin: 'import' as const }
    const outcomes = await house.operations.saveAll(call, 'person', [
      { id: owner, body: { primary_email: 'hr@acme.example', job_title: 'CEO' } },
      { id: other, body: { primary_email: 'OTTO.owner@acme.example', disabled: false, job_title: 'CFO' } },
      { id: user, body: { primary_email: 'uma.user@acme.example' } },
    ])
    expect(outcomes.map(({ outcome }) => outcome)).to.deep.equal(['refused', 'updated', 'updated'])
    const [first] = outcomes
    expect(first).to.deep.include({ violations: [['primary_email', 'guarded', { role: 'account_owner' }]] })
    expect(await house.row('person', owner)).to.include({ primary_email: 'olga.owner@acme.example', job_title: 'Director' })
  })
})

describe('the owner of an account, where the host lets administrators remove people', () => {
  const house = withHouse({ authorize: () => true })

  it('is removed by owners only', async () => {
    const owner = await house.addPerson('Olga Owner', ['account_owner'])
    const admin = await house.addPerson('Ada Admin', ['account_administrator'])
    const user = await house.addPerson('Uma User')
    const remove = async (by: number, id: number) => house.operations.remove(await house.by(by), 'person', id)
    await remove(admin, user)
    expect((await errorOf(remove(admin, owner))).name).to.equal('Forbidden')
    expect(await house.row('person', owner)).to.not.equal(null)
    await remove(owner, admin)
    expect(await house.row('person', admin)).to.equal(null)
  })
})
