import { expect } from 'chai'
import { withHouse } from '../support/house.js'
import { timersOf } from '../support/house-timers.js'

describe('events about the targets of a request', function () {
  this.timeout(60_000)
  const house = withHouse()
  const ids: Record<string, number> = {}
  const at = (name: string) => ids[name] ?? 0
  before(async () => {
    ids['sam'] = await house.addPerson('Sam', ['specialist'])
    ids['team'] = await house.add('team', { name: 'Desk' })
    await house.operations.link(await house.system(), { type: 'team', id: at('team') }, 'members', at('sam'))
    ids['provider'] = await house.add('organization', { name: 'Provider' })
    const days = ['mon', 'tue', 'wed', 'thu', 'fri']
    const hours = days.map((weekday) => ({ weekday, time_from: '09:00', time_until: '17:00' }))
    ids['hours'] = await house.add('calendar', { name: 'Office hours', calendar_hours: hours })
    ids['service'] = await house.add('service', { name: 'Mail', provider_id: at('provider') })
    ids['mail'] = await house.add('service_instance', {
      ...{ name: 'Mail', service_id: at('service'), first_line_team_id: at('team') },
    })
    ids['offering'] = await house.add('service_offering', {
      ...{ name: 'Standard mail', service_id: at('service'), time_zone: 'London', support_hours_low_id: at('hours') },
      ...{ response_target_low: 120, resolution_target_low: 960 },
    })
    ids['sla'] = await house.add('sla', {
      ...{ name: 'Mail for all', service_offering_id: at('offering'), customer_id: at('provider'), coverage: 'people' },
      ...{ service_instance_id: at('mail'), status: 'active', person_ids: [at('sam')] },
    })
  })
  beforeEach(async () => {
    // A Friday, an hour before the weekend: the response is due on Monday at 10:00, the resolution on Tuesday at 16:00.
    house.clock.set('2026-11-20T16:00:00Z')
    for (const name of ['outbox', 'leases', 'affected_slas', 'requests', 'audit_lines'])
      await house.storage.knex(house.storage.table(name)).delete()
  })

  const save = async (id: number | null, body: object, more: object = {}) =>
    Number((await house.operations.save({ ...(await house.by(at('sam'))), ...more }, 'request', id, body))['id'])
  const open = (more: object = {}) =>
    save(null, {
      ...{ subject: 'Slow', category: 'incident', impact: 'low', service_instance_id: at('mail'), team_id: at('team') },
      ...{ requested_by_id: at('sam'), ...more },
    })
  const fire = async (time: string) => {
    house.clock.set(time)
    return timersOf(house).fireDue()
  }
  const targetEvents = async () =>
    (await house.table('outbox')).flatMap((row) => {
      const [, verb = ''] = String(row['event']).split('.')
      if (!verb.startsWith('target-')) return []
      const snapshot = typeof row['snapshot'] === 'string' ? JSON.parse(row['snapshot']) : row['snapshot']
      return [`${row['record_id']} ${snapshot.target} ${verb}`]
    })
  const all = async () => (await house.table('outbox')).map(({ event }) => event)
  const [RESPONSE_WARNING, RESPONSE] = ['2026-11-23T09:30:00Z', '2026-11-23T10:00:00Z']
  const [RESOLUTION_WARNING, RESOLUTION] = ['2026-11-24T12:00:00Z', '2026-11-24T16:00:00Z']
  const LATER = '2027-01-01T00:00:00Z'

  it('come once each, at three quarters of the work hours and at the target', async () => {
    const id = await open()
    const of = (text: string) => `${id} ${text}`
    await fire('2026-11-23T09:29:59Z')
    expect(await targetEvents()).to.deep.equal([])
    const expected: string[] = []
    for (const [time, event] of [
      [RESPONSE_WARNING, 'response target-warning'],
      [RESPONSE, 'response target-missed'],
      [RESOLUTION_WARNING, 'resolution target-warning'],
      [RESOLUTION, 'resolution target-missed'],
    ] as const) {
      await fire(new Date(Date.parse(time) - 1000).toISOString())
      expect(await targetEvents(), `before ${time}`).to.deep.equal(expected)
      await fire(time)
      expected.push(of(event))
      expect(await targetEvents(), time).to.deep.equal(expected)
    }
    await fire(LATER)
    await fire(LATER)
    expect(await targetEvents()).to.deep.equal(expected)
  })

  it('are all that there is to see of them: the request has not been changed', async () => {
    const id = await open()
    const before = await house.row('request', id)
    const events = await all()
    const lines = (await house.table('audit_lines')).length
    await fire(LATER)
    const after = await house.row('request', id)
    expect((await all()).slice(events.length).filter((event) => !String(event).startsWith('request.target-'))).to.deep.equal([])
    expect(await house.table('audit_lines')).to.have.length(lines)
    expect(after?.['updated_at']).to.equal(before?.['updated_at'])
    const [row] = (await house.table('outbox')).filter(({ event }) => event === 'request.target-missed')
    expect(row).to.include({ person_id: null, audit_line_id: null, account_id: 'acme' })
  })
  it('are warnings before misses for what was past already', async () => {
    const id = await open()
    await fire(LATER)
    const found = await targetEvents()
    expect(found).to.have.members(
      ['response', 'resolution'].flatMap((target) => ['warning', 'missed'].map((verb) => `${id} ${target} target-${verb}`)),
    )
    for (const target of ['response', 'resolution'])
      expect(found.indexOf(`${id} ${target} target-warning`)).to.be.below(found.indexOf(`${id} ${target} target-missed`))
  })

  it('are not about a response that was given, nor about completed requests', async () => {
    const answered = await open()
    const done = await open()
    await save(answered, { status: 'accepted', member_id: at('sam') })
    await save(done, { status: 'completed', completion_reason: 'solved', member_id: at('sam') })
    await fire(LATER)
    expect(await targetEvents()).to.deep.equal([
      `${answered} resolution target-warning`,
      `${answered} resolution target-missed`,
    ])
  })

  it('wait while the requester has to answer, and move with the target', async () => {
    const id = await open()
    house.clock.set('2026-11-23T09:00:00Z')
    await save(id, { status: 'waiting_for_customer', member_id: at('sam') })
    await fire('2026-11-25T09:00:00Z')
    expect(await targetEvents()).to.deep.equal([])
    // Two days of work have passed.
    await save(id, { status: 'in_progress' })
    await fire('2026-11-26T11:59:59Z')
    expect(await targetEvents()).to.deep.equal([])
    await fire('2026-11-26T12:00:00Z')
    expect(await targetEvents()).to.deep.equal([`${id} resolution target-warning`])
    await fire('2026-11-26T15:59:59Z')
    expect(await targetEvents()).to.have.length(1)
    await fire('2026-11-26T16:00:00Z')
    expect(await targetEvents()).to.have.length(2)
  })

  it('do not come again when the request is opened again, or the target moves', async () => {
    const id = await open()
    await fire(RESOLUTION)
    const before = await targetEvents()
    expect(before).to.have.length(4)
    await save(id, { status: 'completed', completion_reason: 'solved', member_id: at('sam') })
    await save(id, { status: 'in_progress', completion_reason: null })
    await save(id, { status: 'waiting_for_customer' })
    house.clock.set('2026-11-30T09:00:00Z')
    await save(id, { status: 'in_progress' })
    await fire(LATER)
    expect(await targetEvents()).to.deep.equal(before)
  })

  it('follow a change of the agreement', async () => {
    const id = await open()
    await house.operations.save(await house.system(), 'service_offering', at('offering'), { response_target_low: 240 })
    await fire('2026-11-20T16:00:15Z')
    await fire('2026-11-23T09:30:00Z')
    expect(await targetEvents()).to.deep.equal([])
    await fire('2026-11-23T11:00:00Z')
    expect(await targetEvents()).to.deep.equal([`${id} response target-warning`])
    await house.operations.save(await house.system(), 'service_offering', at('offering'), { response_target_low: 120 })
  })

  it('are not caused by people who save the request when the time has come', async () => {
    const id = await open()
    house.clock.set(RESPONSE)
    await save(id, { subject: 'Slower' })
    expect(await targetEvents()).to.deep.equal([])
    await save(id, { status: 'completed', completion_reason: 'solved', member_id: at('sam') })
    await fire(LATER)
    expect(await targetEvents()).to.deep.equal([])
  })

  it('are not about requests without targets, nor about those that an import brings with their past', async () => {
    await open({ service_instance_id: null, category: 'other', impact: null })
    const id = await save(
      null,
      {
        ...{ subject: 'Old', category: 'incident', impact: 'low', service_instance_id: at('mail'), team_id: at('team') },
        ...{ requested_by_id: at('sam'), created_at: '2026-01-05T09:00:00Z' },
      },
      { ...(await house.system()), isHistory: true },
    )
    expect(await house.row('request', id)).to.include({ created_at: '2026-01-05T09:00:00Z' })
    await fire(LATER)
    expect(await targetEvents()).to.deep.equal([])
  })
})
