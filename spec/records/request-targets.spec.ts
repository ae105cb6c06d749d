import { expect } from 'chai'
import { withHouse } from '../support/house.js'

describe('targets of a request', () => {
  const house = withHouse()
  let [sam, team] = [0, 0]
  before(async () => {
    sam = await house.addPerson('Sam', ['specialist'])
    team = await house.add('team', { name: 'Service desk' })
    await house.operations.link(await house.system(), { type: 'team', id: team }, 'members', sam)
  })
  const save = async (id: number | null, body: object) =>
    house.operations.save(await house.by(sam), 'request', id, {
      ...(id === null && { subject: 'Slow', category: 'other', team_id: team, requested_by_id: sam }),
      ...body,
    })
  const desired = '2026-11-30T12:00:00Z'

  it('follow each change of the request, in the audit line and the event of that change', async () => {
    const { id, next_target_at } = await save(null, {})
    expect(next_target_at).to.equal('best_effort')
    const nextAfter = async (body: object) => (await save(Number(id), body))['next_target_at']
    expect(await nextAfter({ desired_completion_at: desired })).to.equal(desired)
    expect(await nextAfter({ status: 'waiting_for_customer' })).to.equal(desired)
    expect(await nextAfter({ desired_completion_at: null })).to.equal('best_effort')
    expect(await nextAfter({ status: 'completed', completion_reason: 'solved' })).to.equal(null)
    expect(await nextAfter({ status: 'assigned' })).to.equal('best_effort')
    const lines = (await house.table('audit_lines')).filter((line) => line['owner_type'] === 'request')
    expect(lines).to.have.length(6)
  })

  it('tell that the clock stands still when somebody is accountable, also when that changes later', async () => {
    const id = Number((await save(null, { status: 'waiting_for_customer' }))['id'])
    const organization = await house.add('organization', { name: 'Provider' })
    const service = await house.add('service', { name: 'Mail', provider_id: organization })
    const offering = await house.add('service_offering', { name: 'Standard mail', service_id: service })
    const sla = await house.add('sla', { name: 'Mail', service_offering_id: offering, customer_id: organization })
    const affected = { request_id: id, sla_id: sla, accountability: 'provider' }
    const affectedId = await house.add('affected_sla', affected)
    const next = async () => (await house.row('request', id))?.['next_target_at']
    expect(await next()).to.equal('clock_stopped')
    await house.operations.save(await house.system(), 'affected_sla', affectedId, { accountability: 'sla_not_affected' })
    expect(await next()).to.equal('best_effort')
    expect((await save(id, { urgent: true }))['next_target_at']).to.equal('best_effort')
  })
})
