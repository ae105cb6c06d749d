import { expect } from 'chai'
import { errorOf, withHouse } from '../../support/house.js'

describe('links between records', () => {
  const house = withHouse()
  let admin = 0
  let user = 0
  let lead = 0
  let team = 0
  before(async () => {
    admin = await house.addPerson('Ada Admin', ['account_administrator'])
    user = await house.addPerson('Ulla User')
    lead = await house.addPerson('Lea Lead')
    team = await house.add('team', { name: 'Desk', manager_id: lead })
  })
  const owner = () => ({ type: 'team', id: team })
  const link = async (by: number, id: number, path = 'members') => house.operations.link(await house.by(by), owner(), path, id)
  const members = async () =>
    (
      await house.operations.list(await house.by(user), 'person', { parameters: [], within: { ...owner(), path: 'members' } })
    ).items.map((one) => one['name'])

  it('are made once, by whoever may change the record', async () => {
    await link(admin, user)
    await link(lead, lead)
    await link(lead, user)
    expect(await members()).to.deep.equal(['Lea Lead', 'Ulla User'])
    const lines = (await house.table('audit_lines')).filter(
      (line) => line['owner_type'] === 'team' && line['action'] === 'update',
    )
    expect(lines.map((line) => JSON.parse(String(line['changes'])))).to.deep.equal([
      { members: [[], [user]] },
      { members: [[user], [user, lead]] },
    ])
  })

  it('are not for others, nor to what is not there, nor by another name', async () => {
    expect((await errorOf(link(user, user))).name).to.equal('Forbidden')
    expect((await errorOf(link(admin, 99_999))).name).to.equal('NotFound')
    expect((await errorOf(link(admin, user, 'friends'))).name).to.equal('NotFound')
    const foreign = await house.add('person', { name: 'U', primary_email: 'u@umbrella.example' }, { account: 'umbrella' })
    expect((await errorOf(link(admin, foreign))).name).to.equal('NotFound')
    const missing = house.operations.link(await house.by(admin), { type: 'team', id: 99_999 }, 'members', user)
    expect((await errorOf(missing)).name).to.equal('NotFound')
  })

  it('are found from both sides', async () => {
    const teams = await house.operations.list(await house.by(user), 'team', {
      parameters: [],
      within: { type: 'person', id: user, path: 'teams' },
    })
    expect(teams.items.map((one) => one['name'])).to.deep.equal(['Desk'])
  })

  it('are taken away one by one or all together; one that is not there is not found', async () => {
    await house.operations.unlink(await house.by(admin), owner(), 'members', user)
    expect(await members()).to.deep.equal(['Lea Lead'])
    expect((await errorOf(house.operations.unlink(await house.by(admin), owner(), 'members', user))).name).to.equal('NotFound')
    await house.operations.unlinkAll(await house.by(admin), owner(), 'members')
    expect(await members()).to.deep.equal([])
  })

  it('leave those alone that the caller does not see', async () => {
    const stranger = await house.add('person', { name: 'Sid', primary_email: 's@umbrella.example' }, { account: 'umbrella' })
    const { knex, storage } = { knex: house.storage.knex, storage: house.storage }
    const others = await house.add('team', { name: 'Others' })
    await knex(storage.table('team_members')).insert({ team_id: others, person_id: stranger })
    const membersOf = async () =>
      (await knex(storage.table('team_members')).where({ team_id: others })).map((row) => Number(row.person_id))
    const owner = { type: 'team', id: others }
    await house.operations.link(await house.by(admin), owner, 'members', user)
    expect(await membersOf()).to.have.members([stranger, user])
    await house.operations.save(await house.by(admin), 'team', others, { member_ids: [stranger, lead] })
    expect(await membersOf()).to.have.members([stranger, lead])
    await house.operations.unlink(await house.by(admin), owner, 'members', lead)
    expect(await membersOf()).to.have.members([stranger])
  })

  it('are all kept when many are made at once', async () => {
    const ids = await Promise.all(['Ann', 'Ben', 'Cas', 'Dee', 'Eve'].map((name) => house.addPerson(`${name} Crowd`)))
    await Promise.all(ids.map((id) => link(admin, id)))
    expect(await members()).to.have.length(5)
  })
})
