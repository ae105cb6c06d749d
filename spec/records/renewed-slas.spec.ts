import { expect } from 'chai'
import { countStatements } from '../support/count-statements.js'
import { withHouse } from '../support/house.js'
import { timersOf } from '../support/house-timers.js'

describe('affected SLAs of open requests', function () {
  this.timeout(60_000)
  /** Called between the copying of a promise and its commit. */
  let beforeCommit = async () => {}
  const house = withHouse({ file: true, before: { 'affected_sla.save': [() => beforeCommit()] } })
  const ids: Record<string, number> = {}
  const at = (name: string) => ids[name] ?? 0
  before(async () => {
    ids['own'] = await house.add('organization', { name: 'Own' })
    await house.accounts.put({ id: 'acme', name: 'ACME', organizationId: at('own') })
    ids['group'] = await house.add('organization', { name: 'Group' })
    ids['provider'] = await house.add('organization', { name: 'Provider', parent_id: at('group') })
    ids['sam'] = await house.addPerson('Sam', ['specialist'])
    for (const name of ['first', 'second', 'third']) {
      ids[name] = await house.add('team', { name })
      await house.operations.link(await house.system(), { type: 'team', id: at(name) }, 'members', at('sam'))
    }
    const days = ['mon', 'tue', 'wed', 'thu', 'fri']
    const hours = days.map((weekday) => ({ weekday, time_from: '09:00', time_until: '17:00' }))
    ids['hours'] = await house.add('calendar', { name: 'Office hours', calendar_hours: hours })
    ids['service'] = await house.add('service', { name: 'Mail', provider_id: at('provider') })
    ids['mail'] = await house.add('service_instance', {
      ...{ name: 'Mail', service_id: at('service'), first_line_team_id: at('first') },
    })
    ids['offering'] = await house.add('service_offering', {
      ...{ name: 'Standard mail', service_id: at('service'), time_zone: 'Amsterdam', support_hours_low_id: at('hours') },
      ...{ response_target_low: 120, resolution_target_low: 480 },
    })
    ids['sla'] = await house.add('sla', {
      ...{ name: 'Mail for all', service_offering_id: at('offering'), customer_id: at('provider'), coverage: 'people' },
      ...{ service_instance_id: at('mail'), status: 'active', person_ids: [at('sam')] },
    })
  })
  // A Monday, 10:00 in Amsterdam.
  beforeEach(() => house.clock.set('2026-11-23T09:00:00Z'))

  const timers = () => timersOf(house, { pageSize: 10 })
  const system = async (type: string, id: number, body: object) => house.operations.save(await house.system(), type, id, body)
  const body = (more: object = {}) => ({
    ...{ subject: 'Slow', category: 'incident', impact: 'low', service_instance_id: at('mail'), team_id: at('first') },
    ...{ requested_by_id: at('sam'), ...more },
  })
  const open = async (more: object = {}) =>
    Number((await house.operations.save(await house.by(at('sam')), 'request', null, body(more)))['id'])
  const affected = async (request: number) => {
    const where = { path: ['request'], op: 'in', values: [request] } as const
    const [row = {}] = await house.queries.rows({}, { type: house.catalog.type('affected_sla'), where })
    return row
  }
  const [RESPONSE, RESOLUTION] = ['2026-11-23T11:00:00Z', '2026-11-24T09:00:00Z']
  const changes: Record<
    string,
    readonly [change: () => Promise<unknown>, expected: () => object, back: () => Promise<unknown>]
  > = {
    'the targets of the service offering': [
      () => system('service_offering', at('offering'), { response_target_low: 60, resolution_target_low: null }),
      () => ({ maximum_response_duration: 60, response_target_at: '2026-11-23T10:00:00Z', resolution_target_at: null }),
      () => system('service_offering', at('offering'), { response_target_low: 120, resolution_target_low: 480 }),
    ],
    'its time zone': [
      () => system('service_offering', at('offering'), { time_zone: 'London' }),
      () => ({ time_zone: 'London', resolution_target_at: '2026-11-23T17:00:00Z' }),
      () => system('service_offering', at('offering'), { time_zone: 'Amsterdam' }),
    ],
    'its support hours': [
      () => system('service_offering', at('offering'), { support_hours_low_id: null }),
      () => ({ support_hours_id: null, resolution_target_at: '2026-11-23T17:00:00Z' }),
      () => system('service_offering', at('offering'), { support_hours_low_id: at('hours') }),
    ],
    'the service offering of the SLA': [
      async () => {
        const other = { name: 'Other mail', service_id: at('service'), response_target_low: 30 }
        await system('sla', at('sla'), { service_offering_id: await house.add('service_offering', other) })
      },
      () => ({ maximum_response_duration: 30, maximum_resolution_duration: null }),
      () => system('sla', at('sla'), { service_offering_id: at('offering') }),
    ],
    'the teams of the service instance': [
      () => system('service_instance', at('mail'), { first_line_team_id: at('second') }),
      () => ({ first_line_team_id: at('second') }),
      () => system('service_instance', at('mail'), { first_line_team_id: at('first') }),
    ],
    'the support team of the service': [
      () => system('service', at('service'), { support_team_id: at('third') }),
      () => ({ support_team_id: at('third') }),
      () => system('service', at('service'), { support_team_id: null }),
    ],
    'the organizations above the provider of the service': [
      () => system('organization', at('group'), { parent_id: at('own') }),
      () => ({ supplier_id: null }),
      () => system('organization', at('group'), { parent_id: null }),
    ],
    'the hours of the calendar': [
      () => system('calendar', at('hours'), { calendar_hours: [{ weekday: 'mon', time_from: '09:00', time_until: '24:00' }] }),
      () => ({ response_target_at: RESPONSE, resolution_target_at: '2026-11-23T17:00:00Z' }),
      () => {
        const days = ['mon', 'tue', 'wed', 'thu', 'fri']
        const hours = days.map((weekday) => ({ weekday, time_from: '09:00', time_until: '17:00' }))
        return system('calendar', at('hours'), { calendar_hours: hours })
      },
    ],
  }

  for (const [name, [change, expected, back]] of Object.entries(changes)) {
    it(`follow ${name}, as soon as the timers run`, async () => {
      const request = await open()
      const closed = await open({ status: 'completed', completion_reason: 'solved' })
      const before = { response_target_at: RESPONSE, resolution_target_at: RESOLUTION, maximum_response_duration: 120 }
      expect(await affected(request)).to.include({ ...before, supplier_id: at('provider'), renew_at: null })
      const old = await affected(closed)
      await change()
      expect(await affected(request)).to.include(before)
      await timers().fireDue()
      const now = await affected(request)
      expect(now).to.include({ ...expected(), renew_at: null })
      expect(await affected(closed)).to.deep.equal(old)
      const isOurs = now['first_line_team_id'] === at('first')
      const { response_target_at = null, resolution_target_at = null } = isOurs ? now : {}
      expect(await house.row('request', request)).to.include({ response_target_at, resolution_target_at })
      await back()
      await timers().fireDue()
      expect(await affected(request)).to.include(before)
    })
  }

  it('follow the relations between service instances, over any number of them', async () => {
    const instance = (name: string) => house.add('service_instance', { name, service_id: at('service') })
    const [server, disk] = [await instance('Server'), await instance('Disk')]
    const below = async (upper: number, service_instance_id: number, impact_relation = 'down') =>
      house.add(
        'child_service_instance',
        { service_instance_id, impact_relation },
        { owner: { type: 'service_instance', id: upper } },
      )
    const relation = await below(at('mail'), server)
    const lower = await below(server, disk)
    const request = await open({ service_instance_id: disk, impact: 'medium' })
    const impact = async () => {
      await timers().fireDue()
      return (await affected(request))['impact']
    }
    expect(await impact()).to.equal('medium')
    await system('child_service_instance', relation, { impact_relation: 'degraded' })
    expect(await impact()).to.equal('low')
    await system('child_service_instance', relation, { impact_relation: 'down' })
    await system('child_service_instance', lower, { impact_relation: 'degraded' })
    expect(await impact()).to.equal('low')
    // Without a way from one to the other, it stays as it was.
    await house.operations.remove(await house.system(), 'child_service_instance', lower, {
      type: 'service_instance',
      id: server,
    })
    expect(await impact()).to.equal('low')
    await below(server, disk)
    expect(await impact()).to.equal('medium')
  })

  it('follow what was changed while their request was completed, once it is opened again', async () => {
    const request = await open()
    const done = { status: 'completed', completion_reason: 'solved' }
    await house.operations.save(await house.by(at('sam')), 'request', request, done)
    await system('service_offering', at('offering'), { response_target_low: 60, resolution_target_low: 240 })
    await timers().fireDue()
    expect(await affected(request)).to.include({ maximum_response_duration: 120 })
    await house.operations.save(await house.by(at('sam')), 'request', request, { status: 'assigned' })
    const promise = { maximum_response_duration: 60, resolution_target_at: '2026-11-23T13:00:00Z' }
    expect(await affected(request)).to.include(promise)
    await system('service_offering', at('offering'), { response_target_low: 120, resolution_target_low: 480 })
    await timers().fireDue()
  })

  it('follow the holidays of the calendar, however they are linked, and their times', async () => {
    const request = await open()
    const resolution = async () => {
      await timers().fireDue()
      return (await affected(request))['resolution_target_at']
    }
    const day = { start_at: '2026-11-24T00:00', end_at: '2026-11-24T24:00' }
    const holiday = await house.add('holiday', { name: 'Day off', ...day, calendar_ids: [at('hours')] })
    expect(await resolution()).to.equal('2026-11-25T09:00:00Z')
    await system('holiday', holiday, { end_at: '2026-11-25T24:00' })
    expect(await resolution()).to.equal('2026-11-26T09:00:00Z')
    const call = await house.system()
    await house.operations.unlink(call, { type: 'calendar', id: at('hours') }, 'holidays', holiday)
    expect(await resolution()).to.equal(RESOLUTION)
    await house.operations.link(call, { type: 'holiday', id: holiday }, 'calendars', at('hours'))
    expect(await resolution()).to.equal('2026-11-26T09:00:00Z')
    await system('calendar', at('hours'), { holiday_ids: [] })
    expect(await resolution()).to.equal(RESOLUTION)
  })

  it('follow the targets of a standard service request', async () => {
    const template = await house.add('request_template', { subject: 'Slow', service_id: at('service'), category: 'incident' })
    const request = await open({ template_id: template })
    const owner = { type: 'service_offering', id: at('offering') }
    const standard = await house.add(
      'standard_service_request',
      { request_template_id: template, response_target: 5 },
      { owner },
    )
    await timers().fireDue()
    expect(await affected(request)).to.include({ maximum_response_duration: 5, standard_service_request_id: standard })
    await house.operations.remove(await house.system(), 'standard_service_request', standard, owner)
    await timers().fireDue()
    expect(await affected(request)).to.include({ maximum_response_duration: 120, standard_service_request_id: null })
  })

  it('do not keep anybody from reporting an incident when their team, supplier or calendar is disabled', async () => {
    for (const [type, name] of [
      ['team', 'third'],
      ['calendar', 'hours'],
    ] as const) {
      await system('service', at('service'), { support_team_id: at('third') })
      await system(type, at(name), { disabled: true })
      const id = await open()
      expect(await affected(id)).to.include({ support_hours_id: at('hours'), resolution_target_at: RESOLUTION })
      await system(type, at(name), { disabled: false })
    }
  })

  it('cost the same statements at the change, however many there are, and small transactions afterwards', async () => {
    const items = Array.from({ length: 30 }, () => ({ id: null, body: body() }))
    const cost = async (target: number) =>
      countStatements(house.storage.knex).during(() =>
        system('service_offering', at('offering'), { response_target_low: target }),
      )
    await cost(100)
    const few = await cost(101)
    await house.operations.saveAll(await house.system(), 'request', items)
    expect(await cost(102)).to.equal(few)
    const { saved } = await timers().fireDue()
    expect(saved).to.be.at.least(30)
    const due = await house.storage.knex(house.storage.table('affected_slas')).whereNotNull('renew_at')
    expect(due.filter((row) => row['actual_resolution_at'] === null)).to.deep.equal([])
  })

  it('are right when people work on the requests while two processes renew them', async () => {
    const requests: number[] = []
    for (let n = 0; n < 16; n += 1) requests.push(await open())
    await system('service_offering', at('offering'), { response_target_low: 90, resolution_target_low: 240 })
    const call = await house.by(at('sam'))
    const works = requests.map((id, n) => {
      const status = { status: n % 2 ? 'in_progress' : 'waiting_for_customer' }
      return house.operations.save(call, 'request', id, n % 3 ? status : { impact: 'medium', urgent: true })
    })
    await Promise.all([timers().fireDue(), ...works, timers().fireDue()])
    // What others had locked is left to the next sweep.
    await timers().fireDue()
    for (const [n, id] of requests.entries()) {
      const isMedium = n % 3 === 0
      const [response, resolution] = isMedium ? [null, null] : [90, 240]
      const row = await affected(id)
      const maximums = { maximum_response_duration: response, maximum_resolution_duration: resolution }
      expect(row, `request ${n}`).to.include({ ...maximums, renew_at: null })
      const isOpen = !isMedium && n % 2 === 0
      const next = isOpen ? 'clock_stopped' : isMedium ? 'best_effort' : '2026-11-23T13:00:00Z'
      expect(await house.row('request', id), `request ${n}`).to.include({ next_target_at: next })
    }
    await system('service_offering', at('offering'), { response_target_low: 120, resolution_target_low: 480 })
    await timers().fireDue()
  })

  it('are right when service, service instance, service offering and requests change at the same time', async () => {
    const requests: number[] = []
    for (let n = 0; n < 12; n += 1) requests.push(await open({ impact: n % 2 ? 'low' : 'top' }))
    const works = requests.flatMap((id, n) => [
      async () => house.operations.save(await house.by(at('sam')), 'request', id, { impact: n % 2 ? 'top' : 'low' }),
      () => system('service', at('service'), { support_team_id: n % 2 ? at('second') : at('third') }),
      () => system('service_offering', at('offering'), { response_target_low: 10 + n }),
      () => system('service_instance', at('mail'), { remarks: `${n}`, first_line_team_id: n % 2 ? at('first') : at('second') }),
      () => open(),
    ])
    await Promise.all(works.map((work) => work()))
    await timers().fireDue()
    await timers().fireDue()
    const teams = await house.row('service', at('service'))
    const [offering, instance] = [
      await house.row('service_offering', at('offering')),
      await house.row('service_instance', at('mail')),
    ]
    for (const [n, id] of requests.entries()) {
      expect(await affected(id), `request ${n}`).to.include({
        renew_at: null,
        first_line_team_id: instance?.['first_line_team_id'],
        support_team_id: teams?.['support_team_id'],
        maximum_response_duration: n % 2 ? null : offering?.['response_target_low'],
      })
    }
    expect(instance).to.include({ impact: 'top' })
    expect(teams).to.include({ impact: 'top' })
  })

  it('are renewed when the promise changes after it was copied, and before that was committed', async () => {
    const day = { start_at: '2026-11-23T00:00', end_at: '2026-11-23T24:00' }
    const holiday = await house.add('holiday', { name: 'Moved', start_at: '2020-01-01T00:00', end_at: '2020-01-02T00:00' })
    await house.operations.link(await house.system(), { type: 'calendar', id: at('hours') }, 'holidays', holiday)
    await system('service_instance', at('mail'), { first_line_team_id: at('first') })
    await timers().fireDue()
    const changes: readonly (readonly [change: () => Promise<unknown>, expected: () => object])[] = [
      [
        () => system('service_offering', at('offering'), { response_target_low: 61 }),
        () => ({ maximum_response_duration: 61, response_target_at: '2026-11-23T10:01:00Z' }),
      ],
      [
        () => system('service_instance', at('mail'), { first_line_team_id: at('third') }),
        () => ({ first_line_team_id: at('third') }),
      ],
      [() => system('holiday', holiday, day), () => ({ response_target_at: '2026-11-24T09:01:00Z' })],
      [
        () =>
          system('calendar', at('hours'), { calendar_hours: [{ weekday: 'sat', time_from: '09:00', time_until: '17:00' }] }),
        () => ({ response_target_at: '2026-11-28T09:01:00Z' }),
      ],
    ]
    for (const [change, expected] of changes) {
      let changed: Promise<unknown> = Promise.resolve()
      beforeCommit = async () => {
        beforeCommit = async () => {}
        changed = change()
        await new Promise((resolve) => setTimeout(resolve, 300))
      }
      const request = await open()
      await changed
      await timers().fireDue()
      expect(await affected(request)).to.include({ ...expected(), renew_at: null })
    }
  })
})
