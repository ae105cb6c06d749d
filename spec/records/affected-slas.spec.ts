import { expect } from 'chai'
import { countStatements } from '../support/count-statements.js'
import { withHouse } from '../support/house.js'

describe('SLAs that a request affects', function () {
  this.timeout(60_000)
  const house = withHouse({ file: true })
  const ids: Record<string, number> = {}
  const at = (name: string) => ids[name] ?? 0
  before(async () => {
    ids['provider'] = await house.add('organization', { name: 'Provider' })
    ids['sales'] = await house.add('organization', { name: 'Sales' })
    ids['plant'] = await house.add('organization', { name: 'Plant' })
    ids['desks'] = await house.add('organization', { name: 'Desks', parent_id: at('sales') })
    ids['sam'] = await house.addPerson('Sam', ['specialist'])
    ids['ines'] = await house.addPerson('Ines', [], { organization_id: at('sales') })
    ids['desi'] = await house.addPerson('Desi', [], { organization_id: at('desks') })
    ids['first'] = await house.add('team', { name: 'First line' })
    ids['second'] = await house.add('team', { name: 'Mail experts' })
    ids['others'] = await house.add('team', { name: 'Others' })
    for (const team of ['first', 'second', 'others'])
      await house.operations.link(await house.system(), { type: 'team', id: at(team) }, 'members', at('sam'))
    const days = ['mon', 'tue', 'wed', 'thu', 'fri']
    ids['hours'] = await house.add('calendar', {
      name: 'Office hours',
      calendar_hours: days.map((weekday) => ({ weekday, time_from: '09:00', time_until: '17:00' })),
    })
    ids['service'] = await house.add('service', { name: 'Mail', provider_id: at('provider') })
    const teams = { first_line_team_id: at('first'), support_team_id: at('second') }
    ids['mail'] = await house.add('service_instance', { name: 'Mail', service_id: at('service'), ...teams })
    ids['server'] = await house.add('service_instance', { name: 'Mail server', service_id: at('service') })
    const below = { service_instance_id: at('server'), impact_relation: 'degraded' }
    await house.add('child_service_instance', below, { owner: { type: 'service_instance', id: at('mail') } })
    const targets = (of: string, low: number, top: number) => ({ [`${of}_target_low`]: low, [`${of}_target_top`]: top })
    ids['offering'] = await house.add('service_offering', {
      ...{ name: 'Standard mail', service_id: at('service'), time_zone: 'Amsterdam' },
      ...{ support_hours_low_id: at('hours'), ...targets('response', 120, 30), ...targets('resolution', 480, 240) },
    })
    for (const customer of ['sales', 'plant']) {
      const body = { name: `Mail for ${customer}`, service_offering_id: at('offering'), customer_id: at(customer) }
      const more = { service_instance_id: at('mail'), status: 'active', coverage: 'organizations_and_descendants' }
      ids[`sla of ${customer}`] = await house.add('sla', { ...body, ...more })
      const sla = { type: 'sla', id: at(`sla of ${customer}`) }
      await house.operations.link(await house.system(), sla, 'organizations', at(customer))
    }
  })
  // A Monday, 10:00 in Amsterdam.
  beforeEach(() => house.clock.set('2026-11-23T09:00:00Z'))

  const body = (more: object = {}) => ({
    ...{ subject: 'Slow', category: 'incident', impact: 'low', service_instance_id: at('mail'), team_id: at('first') },
    ...{ requested_by_id: at('desi'), ...more },
  })
  const save = async (id: number | null, more: object) =>
    Number((await house.operations.save(await house.by(at('sam')), 'request', id, id === null ? body(more) : more))['id'])
  const affectedBy = async (request: number) => {
    const where = { path: ['request'], op: 'in', values: [request] } as const
    return house.queries.rows({}, { type: house.catalog.type('affected_sla'), where })
  }
  const onlyOne = async (request: number) => {
    const rows = await affectedBy(request)
    expect(rows).to.have.length(1)
    return rows[0] ?? {}
  }

  it('are those of its service instance that cover the person it is for, with the promises for its impact', async () => {
    expect(await onlyOne(await save(null, {}))).to.include({
      ...{ sla_id: at('sla of sales'), service_instance_id: at('mail'), accountability: 'provider', impact: 'low' },
      ...{ first_line_team_id: at('first'), support_team_id: at('second'), supplier_id: null },
      ...{ support_hours_id: at('hours'), service_hours_id: null, time_zone: 'Amsterdam' },
      ...{ maximum_response_duration: 120, maximum_resolution_duration: 480, started_at: '2026-11-23T09:00:00Z' },
      ...{ response_target_at: '2026-11-23T11:00:00Z', resolution_target_at: '2026-11-24T09:00:00Z' },
      ...{ next_target_at: '2026-11-23T11:00:00Z', stopped_clock_duration: 0 },
    })
  })

  it('are none for people who are not covered, and without a service instance', async () => {
    expect(await affectedBy(await save(null, { requested_by_id: at('sam') }))).to.have.length(0)
    expect(await affectedBy(await save(null, { category: 'other', impact: null }))).to.have.length(0)
  })

  it('are all of the service instance when several users have the incident', async () => {
    const request = await save(null, { impact: 'top' })
    const rows = await affectedBy(request)
    expect(rows.map(({ sla_id }) => sla_id)).to.deep.equal([at('sla of sales'), at('sla of plant')])
    expect(rows[1]).to.include({ maximum_response_duration: 30, support_hours_id: null })
  })

  it('are those of service instances above, too, for which the supplier is accountable', async () => {
    const request = await save(null, { service_instance_id: at('server'), impact: 'medium' })
    expect(await onlyOne(request)).to.include({ accountability: 'supplier', impact: 'low', service_instance_id: at('mail') })
    await save(request, { service_instance_id: at('mail') })
    expect(await onlyOne(request)).to.include({ accountability: 'provider', impact: 'medium' })
  })

  it('stay when the request leaves the service instance, without anybody accountable', async () => {
    const request = await save(null, {})
    await save(request, { service_instance_id: null })
    expect(await onlyOne(request)).to.include({ accountability: 'sla_not_affected', next_target_at: null, impact: 'low' })
    await save(request, { service_instance_id: at('mail') })
    expect(await onlyOne(request)).to.include({ accountability: 'provider', next_target_at: '2026-11-23T11:00:00Z' })
  })

  it('follow the impact, and keep who was named accountable', async () => {
    const request = await save(null, {})
    const { id } = await onlyOne(request)
    await house.operations.save(await house.system(), 'affected_sla', Number(id), { accountability: 'supplier' })
    await save(request, { impact: 'medium' })
    expect(await onlyOne(request)).to.include({ impact: 'medium', accountability: 'supplier', maximum_response_duration: null })
  })

  it('have a clock that stands still while the customer has to answer, and ends with the request', async () => {
    const request = await save(null, {})
    house.clock.set('2026-11-23T10:00:00Z')
    await save(request, { status: 'waiting_for_customer' })
    expect(await onlyOne(request)).to.include({
      ...{ actual_response_at: '2026-11-23T10:00:00Z', actual_response_duration: 60 },
      ...{ stopped_clock_at: '2026-11-23T10:00:00Z', next_target_at: 'clock_stopped' },
    })
    expect(await house.row('request', request)).to.include({ next_target_at: 'clock_stopped' })
    house.clock.set('2026-11-23T12:00:00Z')
    await save(request, { status: 'in_progress' })
    expect(await onlyOne(request)).to.include({ stopped_clock_duration: 120, resolution_target_at: '2026-11-24T11:00:00Z' })
    house.clock.set('2026-11-23T13:00:00Z')
    await save(request, { status: 'completed', completion_reason: 'solved' })
    const end = { actual_resolution_at: '2026-11-23T13:00:00Z', actual_resolution_duration: 120, next_target_at: null }
    expect(await onlyOne(request)).to.include(end)
    await save(request, { status: 'assigned' })
    expect(await onlyOne(request)).to.include({ actual_resolution_at: null, next_target_at: '2026-11-24T11:00:00Z' })
  })

  it('count hours in the time zone of the account, unless the service offering has one', async () => {
    const offering = async (time_zone: string | null) =>
      house.operations.save(await house.system(), 'service_offering', at('offering'), { time_zone })
    await offering(null)
    const { resolution_target_at } = await onlyOne(await save(null, {}))
    expect(resolution_target_at).to.equal('2026-11-24T09:00:00Z')
    await offering('London')
    expect(await onlyOne(await save(null, {}))).to.include({ resolution_target_at: '2026-11-23T17:00:00Z' })
    await offering('Amsterdam')
  })

  it('give the request the most stringent targets of those that its team is responsible for', async () => {
    const request = await save(null, {})
    const [response, resolution] = ['2026-11-23T11:00:00Z', '2026-11-24T09:00:00Z']
    const own = { requester_resolution_target_at: resolution, resolution_target_at: resolution }
    expect(await house.row('request', request)).to.include({ ...own, response_target_at: response, next_target_at: response })
    await save(request, { status: 'in_progress' })
    expect(await house.row('request', request)).to.include({ ...own, response_target_at: null, next_target_at: resolution })
    await save(request, { team_id: at('others') })
    const none = { response_target_at: null, resolution_target_at: null, next_target_at: 'best_effort' }
    expect(await house.row('request', request)).to.include({ ...none, requester_resolution_target_at: resolution })
    await save(request, { requested_for_id: at('sam') })
    expect(await house.row('request', request)).to.include({ ...none, requester_resolution_target_at: null })
  })

  it('cost as many statements for many requests as for a few', async () => {
    const cost = async (count: number) => {
      const call = await house.system()
      const items = Array.from({ length: count }, () => ({ id: null, body: body() }))
      return countStatements(house.storage.knex).during(async () => {
        const outcomes = await house.operations.saveAll(call, 'request', items)
        expect(outcomes.filter(({ outcome }) => outcome !== 'created')).to.deep.equal([])
      })
    }
    await cost(2)
    expect(await cost(20)).to.equal(await cost(4))
  })

  it('have a downtime in service hours, as long as callers may say, for the impact top only', async () => {
    const down = { downtime_start_at: '1000-01-01T00:00:00Z', downtime_end_at: '9999-12-31T00:00:00Z' }
    const request = await save(null, { ...down, impact: 'top' })
    const durations = async () => new Set((await affectedBy(request)).map((row) => row['downtime_duration']))
    expect(await durations()).to.deep.equal(new Set([2_147_483_647]))
    await save(request, { downtime_start_at: '9999-12-30T23:30:00Z' })
    expect(await durations()).to.deep.equal(new Set([30]))
    await save(request, { impact: 'low' })
    expect(await durations()).to.deep.equal(new Set([null]))
  })

  it('are created once, however many people save the request at the same time', async () => {
    for (const many of [2, 8]) {
      const request = await save(null, { service_instance_id: null })
      const bodies = Array.from({ length: many }, (_, n) => ({
        ...{ service_instance_id: at('mail'), urgent: n % 2 === 0, impact: n % 3 ? 'high' : 'top' },
        ...(n % 4 === 1 && { desired_completion_at: `2027-01-0${(n % 9) + 1}T12:00:00Z` }),
      }))
      await Promise.all(bodies.map((one) => save(request, one)))
      const rows = await affectedBy(request)
      expect(rows.map(({ sla_id }) => sla_id)).to.deep.equal([at('sla of sales'), at('sla of plant')])
      const { impact, next_target_at } = (await house.row('request', request)) ?? {}
      for (const row of rows) expect(row).to.include({ impact, accountability: 'provider' })
      if (impact === 'top') expect(next_target_at).to.equal('2026-11-23T09:30:00Z')
    }
  })

  it('of grouped requests follow what their group passes on, also when several things happen at once', async () => {
    const requests: number[] = []
    for (let n = 0; n < 4; n += 1) requests.push(await save(null, {}))
    const [first = 0, ...others] = requests
    await save(others[0] ?? 0, { grouped_into_id: first })
    const group = Number((await house.row('request', first))?.['grouped_into_id'])
    for (const one of others.slice(1)) await save(one, { grouped_into_id: group })
    await Promise.all([
      save(group, { impact: 'top' }),
      ...requests.map((one, n) => save(one, { desired_completion_at: `2027-01-0${n + 1}T12:00:00Z` })),
    ])
    for (const one of [group, ...requests]) {
      const rows = await affectedBy(one)
      expect(rows.map(({ impact, sla_id }) => [impact, sla_id])).to.deep.equal([
        ['top', at('sla of sales')],
        ['top', at('sla of plant')],
      ])
      expect(await house.row('request', one)).to.include({ next_target_at: '2026-11-23T09:30:00Z' })
    }
    house.clock.set('2026-11-23T10:00:00Z')
    await Promise.all([
      save(group, { status: 'waiting_for_customer' }),
      ...requests.map((one) => save(one, { desired_completion_at: null })),
    ])
    for (const one of requests) expect(await house.row('request', one)).to.include({ next_target_at: 'clock_stopped' })
    await save(group, { status: 'completed', completion_reason: 'solved' })
    for (const one of requests) {
      expect(await house.row('request', one)).to.include({ status: 'completed', next_target_at: null })
      for (const row of await affectedBy(one)) expect(row).to.include({ actual_resolution_at: '2026-11-23T10:00:00Z' })
    }
  })

  describe('about a service of a trusted account', () => {
    const theirs = { account: 'globex' }
    before(async () => {
      ids['globex'] = await house.add('organization', { name: 'Globex' }, theirs)
      ids['their service'] = await house.add('service', { name: 'Web', provider_id: at('globex') }, theirs)
      ids['desk'] = await house.add('team', { name: 'Globex desk' }, theirs)
      const service = { service_id: at('their service') }
      ids['site'] = await house.add('service_instance', { name: 'Web', ...service, first_line_team_id: at('desk') }, theirs)
      ids['their hours'] = await house.add('calendar', { name: 'Globex hours' }, { account: 'umbrella' })
      const body = { name: 'Web', ...service, response_target_high: 30, resolution_target_low: 60 }
      ids['their offering'] = await house.add('service_offering', body, theirs)
      // The account globex trusts another calendar than acme.
      const row = { support_hours_low_id: at('their hours') }
      await house.storage
        .knex(house.storage.table('service_offerings'))
        .where({ id: at('their offering') })
        .update(row)
      for (const [name, person] of [
        ['Web for Desi', at('desi')],
        ['Web for others', at('ines')],
      ] as const) {
        const sla = { name, service_offering_id: at('their offering'), customer_id: at('globex'), coverage: 'people' }
        const more = { service_instance_id: at('site'), status: 'active' }
        ids[name] = await house.add('sla', { ...sla, ...more }, theirs)
        const owner = { type: 'sla', id: ids[name] }
        await house.operations.link(await house.system('globex'), owner, 'people', person)
      }
    })

    it('are those of its provider that cover the person it is for, and never those with other customers', async () => {
      for (const impact of ['low', 'top']) {
        const row = await onlyOne(await save(null, { service_instance_id: at('site'), impact, team_id: at('first') }))
        expect(row).to.include({ sla_id: at('Web for Desi'), account_id: 'acme', accountability: 'provider' })
        expect(row).to.include({ first_line_team_id: at('desk'), support_hours_id: null })
      }
    })

    it('follow their service offering', async () => {
      const request = await save(null, { service_instance_id: at('site'), team_id: at('desk'), impact: 'high' })
      expect(await house.row('request', request)).to.include({ next_target_at: '2026-11-23T09:30:00Z' })
      const change = { response_target_high: 15 }
      await house.operations.save(await house.system('globex'), 'service_offering', at('their offering'), change)
      const [affected] = await affectedBy(request)
      expect(affected?.['renew_at']).to.equal('2026-11-23T09:00:00Z')
    })
  })
})
