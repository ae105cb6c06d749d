import { expect } from 'chai'
import { PreconditionFailed } from '../../../plugin/core/errors.js'
import type { Precondition } from '../../../plugin/operations/contract.js'
import type { Row } from '../../../plugin/schema/language/define-rule.js'
import { withHouse } from '../../support/house.js'

const never: Precondition = async () => {
  throw new PreconditionFailed()
}

describe('operations/save/preconditions', () => {
  const house = withHouse()
  let admin = 0
  let user = 0
  let site = 0
  let asked: (Row | null)[] = []
  const notes: Precondition = async (_, row) => void asked.push(row)

  before(async () => {
    admin = await house.addPerson('Ada Admin', ['account_administrator'])
    user = await house.addPerson('Uma User')
    site = await house.add('site', { name: 'North' })
  })
  beforeEach(() => {
    asked = []
  })
  const outcomeOf = async (work: Promise<unknown>) =>
    work.then(
      () => 'done',
      (error: Error) => error.name,
    )
  const submit = async (by: number, id: number | null, body: object, precondition: Precondition) =>
    outcomeOf(house.operations.submit(await house.by(by), 'site', { id, body, precondition }))

  it('are asked with the locked row, in the transaction of the write', async () => {
    const reads: Precondition = async (inside, row) => {
      asked.push(row)
      expect(inside.transaction).to.not.equal(undefined)
      expect((await house.operations.read(inside, 'site', site))['name']).to.equal('North')
    }
    expect(await submit(admin, site, { name: 'South' }, reads)).to.equal('done')
    expect(asked.map((row) => row?.['name'])).to.deep.equal(['North'])
    expect(await submit(admin, site, { name: 'North' }, notes)).to.equal('done')
    expect(await submit(admin, null, { name: 'New' }, notes)).to.equal('done')
    expect(asked.map((row) => row?.['name'] ?? null)).to.deep.equal(['North', 'South', null])
  })

  it('come after what the caller may see and do, and before what is wrong with the body', async () => {
    const elsewhere = await house.add('site', { name: 'Far' }, { account: 'umbrella' })
    expect(await submit(admin, 999_999, { name: 'South' }, never)).to.equal('NotFound')
    expect(await submit(admin, elsewhere, { name: 'South' }, never)).to.equal('NotFound')
    expect(await submit(user, site, { name: 'South' }, never)).to.equal('Forbidden')
    expect(await submit(user, null, { name: 'South' }, never)).to.equal('Forbidden')
    expect(await submit(admin, site, { name: '' }, never)).to.equal('PreconditionFailed')
    expect(await submit(admin, site, { name: '' }, notes)).to.equal('Invalid')
  })

  it('that fail leave nothing behind', async () => {
    const count = async () =>
      Promise.all(
        ['sites', 'audit_lines', 'outbox', 'notes', 'channel_deliveries'].map(async (name) => (await house.table(name)).length),
      )
    const [before, wakes] = [await count(), house.dispatchWakes()]
    expect(await submit(admin, site, { name: 'South' }, never)).to.equal('PreconditionFailed')
    expect(await submit(admin, null, { name: 'South' }, never)).to.equal('PreconditionFailed')
    expect([await count(), house.dispatchWakes()]).to.deep.equal([before, wakes])
    expect((await house.row('site', site))?.['name']).to.equal('North')
  })

  it('of one record of a batch do not concern the others', async () => {
    const other = await house.add('site', { name: 'Other' })
    const items = [
      { id: site, body: { remarks: 'x' }, precondition: never },
      { id: other, body: { remarks: 'y' }, precondition: notes },
    ]
    const outcomes = await house.operations.saveAll(await house.by(admin), 'site', items)
    expect(outcomes.map(({ outcome }) => outcome)).to.deep.equal(['denied', 'updated'])
    expect(asked).to.have.length(1)
  })

  it('that fail for another reason fail the write', async () => {
    const broken: Precondition = async () => {
      throw new TypeError('broken')
    }
    expect(await submit(admin, site, { name: 'South' }, broken)).to.equal('TypeError')
    expect((await house.row('site', site))?.['name']).to.equal('North')
  })

  it('read a record that was passed to another account as people there see it', async () => {
    const gil = await house.add('person', { name: 'Gil', primary_email: 'gil@globex.example' }, { account: 'globex' })
    await house.permissions.add(await house.system('globex'), gil, 'globex', ['specialist'])
    const team_id = await house.add('team', { name: 'Network', member_ids: [gil] }, { account: 'globex' })
    const id = await house.add('request', { subject: 'Passed', category: 'other', requested_by_id: user, team_id })
    const shown = await house.operations.read(await house.by(gil), 'request', id)
    let inside: unknown
    const reads: Precondition = async (call) => {
      inside = await house.operations.read(call, 'request', id)
    }
    const change = async (precondition: Precondition) =>
      outcomeOf(house.operations.submit(await house.by(gil), 'request', { id, body: { note: 'Seen.' }, precondition }))
    expect(await change(never)).to.equal('PreconditionFailed')
    expect(await change(reads)).to.equal('done')
    expect(inside).to.deep.equal(shown)
  })

  describe('of removals', () => {
    it('come after what the caller may see and do', async () => {
      const owner = { type: 'person', id: user }
      const contact = await house.add('contact', { label: 'work', telephone: '1' }, { owner })
      const remove = async (by: number, id: number, precondition: Precondition) =>
        outcomeOf(house.operations.remove(await house.by(by), 'contact', id, owner, precondition))
      const other = await house.addPerson('Otto Other')
      expect(await remove(admin, 999_999, never)).to.equal('NotFound')
      expect(await remove(other, contact, never)).to.equal('Forbidden')
      expect(await remove(admin, contact, never)).to.equal('PreconditionFailed')
      expect(await house.row('contact', contact)).to.not.equal(null)
      const removeAll = async (by: number, precondition: Precondition) =>
        outcomeOf(house.operations.removeAll(await house.by(by), 'contact', owner, precondition))
      expect(await removeAll(other, never)).to.equal('Forbidden')
      expect(await removeAll(admin, never)).to.equal('PreconditionFailed')
      expect(await remove(admin, contact, notes)).to.equal('done')
      expect(await removeAll(admin, notes)).to.equal('done')
      expect(asked.map((row) => row && Number(row['id']))).to.deep.equal([contact, null])
    })

    it('hold for links', async () => {
      const team = { type: 'team', id: await house.add('team', { name: 'Desk', member_ids: [user, admin] }) }
      const unlink = async (by: number, id: number, precondition: Precondition) =>
        outcomeOf(house.operations.unlink(await house.by(by), team, 'members', id, precondition))
      const unlinkAll = async (by: number, precondition: Precondition) =>
        outcomeOf(house.operations.unlinkAll(await house.by(by), team, 'members', precondition))
      expect(await unlink(user, admin, never)).to.equal('Forbidden')
      expect(await unlinkAll(user, never)).to.equal('Forbidden')
      expect(await unlink(admin, 999_999, never)).to.equal('NotFound')
      expect([await unlink(admin, user, never), await unlinkAll(admin, never)]).to.deep.equal(
        Array(2).fill('PreconditionFailed'),
      )
      const links = async () => house.storage.knex(house.storage.table('team_members')).where({ team_id: team.id })
      expect(await links()).to.have.length(2)
      expect([await unlink(admin, user, notes), await unlinkAll(admin, notes)]).to.deep.equal(['done', 'done'])
      expect(await links()).to.have.length(0)
    })

    it('hold for roles', async () => {
      const roles = (id: number) => house.permissions.list({ ...call }, id)
      const call = await house.by(admin)
      await house.permissions.add(call, user, 'acme', ['auditor'])
      const of = async (by: number, precondition: Precondition) => {
        const as = await house.by(by)
        return [
          await outcomeOf(house.permissions.replace(as, user, 'acme', ['specialist'], precondition)),
          await outcomeOf(house.permissions.revoke(as, user, 'acme', null, precondition)),
          await outcomeOf(house.permissions.revokeAll(as, user, precondition)),
        ]
      }
      expect(await of(user, never)).to.deep.equal(Array(3).fill('Forbidden'))
      expect(await of(admin, never)).to.deep.equal(Array(3).fill('PreconditionFailed'))
      expect(await roles(user)).to.deep.equal([{ account: { id: 'acme', name: 'ACME' }, roles: ['auditor'] }])
      expect(await of(admin, notes)).to.deep.equal(Array(3).fill('done'))
      expect(asked).to.deep.equal([null, null, null])
      expect(await outcomeOf(house.permissions.revokeAll(call, user, never))).to.equal('PreconditionFailed')
    })
  })
})
