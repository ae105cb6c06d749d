/** Where changes come from and what makes them, in the audit trail. ADR 0037. */
import { expect } from 'chai'
import { withHouse } from '../../support/house.js'
import { timersOf } from '../../support/house-timers.js'

describe('the cause of a change', () => {
  const house = withHouse({ file: true })
  let ada: number
  let sam: number
  let team: number
  let template: number
  let change: number
  before(async () => {
    ada = await house.addPerson('Ada Admin', ['account_administrator', 'specialist', 'change_manager'])
    sam = await house.addPerson('Sam Solver', ['specialist'])
    team = await house.add('team', { name: 'Servers' })
    const provider_id = await house.add('organization', { name: 'Provider' })
    template = await house.add('task_template', { subject: 'Any', category: 'implementation', planned_duration: 8 })
    change = await house.add('change', {
      ...{ subject: 'New servers', category: 'standard', change_type: 'infrastructure_change', justification: 'improvement' },
      manager_id: ada,
      service_id: await house.add('service', { name: 'Mail', provider_id }),
      release_id: await house.add('release', {
        subject: 'Spring',
        manager_id: await house.addPerson('R', ['release_manager']),
      }),
      template_id: await house.add('change_template', { subject: 'Any change' }),
    })
  })

  const task = (more: object = {}) =>
    house.add('task', {
      ...{ subject: 'A task', category: 'implementation', planned_duration: 8, team_id: team, template_id: template },
      ...{ change_id: change, ...more },
    })
  const request = (more: object = {}) =>
    house.add('request', {
      subject: 'Printer',
      category: 'other',
      requested_by_id: sam,
      requested_for_id: sam,
      team_id: team,
      ...more,
    })
  /** The newest lines of a record, in short. */
  const trailOf = async (type: string, id: number) => {
    const own = { path: ['owner_type'], op: 'in', values: [type] } as const
    const lines = await house.queries.rows(
      {},
      {
        type: house.catalog.type('audit_line'),
        where: { all: [own, { path: ['owner_id'], op: 'in', values: [id] }] },
      },
    )
    return lines.toReversed()
  }
  const newest = async (type: string, id: number) => {
    const [line] = await trailOf(type, id)
    const { origin, source, cause, caused_by, created_by_id } = line ?? {}
    return { origin, source, cause, caused_by, created_by_id }
  }

  it('is empty for what the caller has sent, with the way and the source', async () => {
    const id = await request()
    expect(await newest('request', id)).to.deep.equal({
      ...{ origin: 'host', source: 'system', cause: 'host: spec', caused_by: null, created_by_id: null },
    })
    await house.operations.save(await house.by(ada, { source: 'A tool' }), 'request', id, { subject: 'Plotter' })
    expect(await newest('request', id)).to.deep.equal({
      ...{ origin: 'api', source: 'A tool', cause: null, caused_by: null, created_by_id: ada },
    })
  })

  it('is cut to the length of its column, by characters', async () => {
    const id = await request()
    const call = await house.callers.hostCall('😀'.repeat(300), 'acme')
    await house.operations.save({ ...call, source: '😀'.repeat(40) }, 'request', id, { subject: 'Cut' })
    const { cause, source } = await newest('request', id)
    expect([...String(cause)]).to.have.length(255)
    expect([...String(source)]).to.have.length(30)
  })

  it('of what settling decides is the settling, and the record that has made it decide', async () => {
    const first = await task()
    const second = await task({ predecessor_ids: [first] })
    await house.operations.save(await house.by(ada), 'change', change, { start_at: '2026-11-21T09:00:00Z' })
    const by = await house.by(ada)
    await house.operations.save(by, 'task', first, { status: 'in_progress', member_id: null })
    await house.operations.save(by, 'task', first, { status: 'completed', note: 'Done.' })
    expect(await newest('task', first)).to.include({ cause: null, caused_by: null })
    const follows = { origin: 'api', source: 'spec', caused_by: `task ${first}`, created_by_id: ada }
    expect(await newest('task', second)).to.deep.equal({ ...follows, cause: 'settling workflow of change' })
    await house.operations.save(by, 'task', second, { status: 'completed' })
    expect(await newest('change', change)).to.include({ cause: 'settling workflow of change', caused_by: `task ${second}` })
  })

  it('of a link to the record is that link', async () => {
    const id = await request()
    await house.operations.link(await house.by(ada), { type: 'change', id: change }, 'requests', id)
    const lines = await trailOf('request', id)
    expect(lines.at(0)).to.include({ cause: 'links of change', caused_by: `change ${change}`, created_by_id: ada })
  })

  it('of a timer is its name, in the name of no person', async () => {
    const id = await request({ status: 'waiting_for', waiting_until: '2026-11-21T10:00:00Z', member_id: null })
    house.clock.set('2026-11-21T10:00:01Z')
    await timersOf(house).fireDue()
    expect(await newest('request', id)).to.deep.equal({
      ...{ origin: 'job', source: 'system', cause: 'timer waiting_until of request', caused_by: null, created_by_id: null },
    })
  })

  it('of other records that a rule saves is the rule, and the record that it belongs to', async () => {
    const [one, other] = [await request(), await request()]
    await house.operations.save(await house.by(ada), 'request', one, { grouped_into_id: other })
    const group = Number((await house.row('request', one))?.['grouped_into_id'])
    expect(await newest('request', group)).to.include({
      ...{ cause: 'rule groupedInto of request', caused_by: `request ${one}`, created_by_id: ada },
    })
    await house.operations.save(await house.by(ada), 'request', group, { impact: null, subject: 'All printers' })
    expect(await newest('request', other)).to.include({ caused_by: `request ${one}` })
  })
})
