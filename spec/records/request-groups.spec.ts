import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { inTransaction } from '../../plugin/storage/transaction.js'
import { withHouse } from '../support/house.js'

describe('a group of requests', function () {
  this.timeout(60_000)
  const house = withHouse({ file: true })
  let [agent, team] = [0, 0]
  before(async () => {
    agent = await house.addPerson('Sam', ['specialist'])
    team = await house.add('team', { name: 'Desk' })
    await house.operations.link(await house.system(), { type: 'team', id: team }, 'members', agent)
  })
  const request = (subject: string, more: object = {}) => {
    const body = { subject, category: 'rfc', team_id: team, member_id: agent, requested_by_id: agent }
    return house.add('request', { ...body, status: 'assigned', ...more })
  }
  const statusOf = async (id: number) => (await house.row('request', id))?.['status']

  it('changes no request that leaves it, or is completed, at the same time', async () => {
    const [stays, leaves, ends] = [await request('Stays'), await request('Leaves'), await request('Ends')]
    const join = async (id: number, grouped_into_id: number) =>
      Number((await house.operations.save(await house.by(agent), 'request', id, { grouped_into_id }))['grouped_into_id'])
    const group = await join(leaves, stays)
    await join(ends, group)
    let passing: Promise<unknown> = Promise.resolve()
    await inTransaction(house.storage, await house.by(agent), async (inside) => {
      await house.operations.save(inside, 'request', leaves, { grouped_into_id: null })
      await house.operations.save(inside, 'request', ends, { status: 'completed', completion_reason: 'solved' })
      passing = house.operations.save(await house.by(agent), 'request', group, { status: 'in_progress' })
      await sleep(300)
    })
    await passing
    const statuses = [await statusOf(stays), await statusOf(leaves), await statusOf(ends)]
    expect(statuses).to.deep.equal(['in_progress', 'assigned', 'completed'])
  })
})
