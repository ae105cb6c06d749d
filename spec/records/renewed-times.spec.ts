import { expect } from 'chai'
import type { Call } from '../../plugin/core/call.js'
import type { Owner } from '../../plugin/operations/contract.js'
import { records } from '../../plugin/records/records.js'
import type { Row } from '../../plugin/schema/language/define-rule.js'
import { inTransaction } from '../../plugin/storage/database/transaction.js'
import { countStatements } from '../support/count-statements.js'
import { expectedTimes } from '../support/expected-times.js'
import { withHouse } from '../support/house.js'
import { timersOf } from '../support/house-timers.js'
import { sourcesIn } from '../support/sources.js'

/** Types with stored values that are counted in work hours or zones, and those that sum them up. */
const COUNTED = ['task', 'change', 'release', 'project', 'project_task', 'affected_sla', 'request', 'sla', 'flsa', 'contract']
const READ = [...COUNTED, 'team', 'calendar', 'calendar_hour', 'holiday', 'service_offering']

/**
 * Everything that counted times follow from, as the definitions list it: `source.field → follower`. A source without fields is
 * followed in all of its fields, as sub-records are.
 */
function listedInputs(): readonly string[] {
  const ofRules = records.flatMap(({ name, rules = [] }) =>
    rules
      .filter(({ rule }) => rule === 'renews')
      .flatMap(({ settings: [follower, settings] }) => {
        const { on = ['*'] } = settings as { readonly on?: readonly string[] }
        return on.map((field) => `${name}.${field} → ${follower}`)
      }),
  )
  const ofZones = records.flatMap(({ name, timers = [] }) =>
    timers.some(({ renews }) => renews?.inAccountZone) ? [`account.time_zone → ${name}`] : [],
  )
  return [...ofRules, ...ofZones]
}

describe('times that are counted in work hours', function () {
  this.timeout(120_000)
  /** Called for a new affected SLA, after its hours were read and before it is stored. */
  let beforeStored = async () => {}
  const house = withHouse({
    file: true,
    before: { 'affected_sla.save': [({ before }) => (before ? undefined : beforeStored())] },
  })
  /** The transaction in which shared inputs change; null for one of each change. */
  let inside: Call | null = null
  const caller = async () => inside ?? house.system()
  const ids: Record<string, number> = {}
  const at = (name: string) => ids[name] ?? 0
  const system = async (type: string, id: number | null, body: object, owner?: Owner) =>
    house.operations.save(await caller(), type, id, body, owner)
  const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri']
  const week = (time_from: string, time_until: string) => DAYS.map((weekday) => ({ weekday, time_from, time_until }))
  const accountZone = (timeZone: string) => house.accounts.put({ id: 'acme', name: 'ACME', timeZone })

  before(async () => {
    // A Wednesday, 10:00 in Amsterdam.
    house.clock.set('2026-11-18T09:00:00Z')
    const add = async (name: string, ...[type, body, options]: Parameters<typeof house.add>) => {
      ids[name] = await house.add(type, body, options)
    }
    ids['mia'] = await house.addPerson('Mia', ['change_manager', 'release_manager', 'project_manager', 'specialist'])
    const mia = at('mia')
    await add('provider', 'organization', { name: 'Provider' })
    await add('hours', 'calendar', { name: 'Office hours', calendar_hours: week('09:00', '17:00') })
    await add('others', 'calendar', { name: 'Other hours', calendar_hours: week('06:00', '21:30') })
    const day = (date: string) => ({ start_at: `${date}T00:00`, end_at: `${date}T24:00` })
    await add('holiday', 'holiday', { name: 'Day off', ...day('2020-01-01'), calendar_ids: [at('hours')] })
    await add('zoned', 'team', { name: 'Zoned', time_zone: 'London', work_hours_id: at('hours') })
    await add('plain', 'team', { name: 'Plain', work_hours_id: at('hours') })
    await add('always', 'team', { name: 'Always' })
    await add('service', 'service', { name: 'Mail', provider_id: at('provider') })
    await add('mail', 'service_instance', { name: 'Mail', service_id: at('service'), first_line_team_id: at('plain') })
    await add('offering', 'service_offering', {
      ...{ name: 'Standard mail', service_id: at('service'), support_hours_low_id: at('hours') },
      ...{ response_target_low: 1200, resolution_target_low: 2400 },
    })
    await add('sla', 'sla', {
      ...{ name: 'Mail for all', service_offering_id: at('offering'), customer_id: at('provider'), coverage: 'people' },
      ...{ service_instance_id: at('mail'), status: 'active', person_ids: [mia], expiry_date: '2027-06-30' },
    })
    const dates = { start_date: '2027-02-01', expiry_date: '2027-03-31', status: 'scheduled_for_activation' }
    await add('flsa', 'flsa', { name: 'Desk', provider_id: at('provider'), customer_id: at('provider'), ...dates })
    const paper = { name: 'Lease', category: 'lease_contract', supplier_id: at('provider'), ...dates }
    await add('contract', 'contract', paper)
    await add('other contract', 'contract', { ...paper, name: 'Other lease', time_zone: 'Tokyo' })
    const request = { subject: 'Slow', category: 'incident', impact: 'low', service_instance_id: at('mail') }
    await add('request', 'request', { ...request, team_id: at('plain'), requested_by_id: mia, requested_for_id: mia })

    await add('any change', 'change_template', { subject: 'Any' })
    await add('any task', 'task_template', { subject: 'Any', category: 'implementation', planned_duration: 8 })
    await add('any part', 'project_task_template', { subject: 'Any', category: 'activity', planned_duration: 8 })
    await add('release', 'release', { subject: 'Spring', manager_id: mia })
    const plan = { category: 'standard', change_type: 'infrastructure_change', justification: 'improvement', manager_id: mia }
    const about = { release_id: at('release'), template_id: at('any change'), service_id: at('service') }
    await add('change', 'change', { subject: 'Servers', ...plan, ...about })
    await add('empty', 'change', { subject: 'Without tasks', ...plan, ...about })
    const task = (name: string, team: string, planned_duration: number, more: object = {}) =>
      add(name, 'task', {
        ...{ subject: name, category: 'implementation', change_id: at('change'), template_id: at('any task') },
        ...{ team_id: at(team), planned_duration, ...more },
      })
    await task('first', 'plain', 20)
    await task('second', 'zoned', 12, { predecessor_ids: [at('first')] })
    await task('third', 'always', 5, { predecessor_ids: [at('second')] })
    await task('done', 'plain', 24)
    await system('task', at('done'), { status: 'completed' })
    await add('project', 'project', {
      ...{ subject: 'New office', program: 'Growth', justification: 'move', customer_id: at('provider'), manager_id: mia },
      ...{ service_id: at('service'), time_zone: 'Amsterdam', work_hours_id: at('hours') },
    })
    const part = { category: 'activity', project_id: at('project'), template_id: at('any part') }
    await add('part', 'project_task', { ...part, subject: 'Part', planned_duration: 30 })
    await add('last', 'project_task', { ...part, subject: 'Last', planned_duration: 6, predecessor_ids: [at('part')] })
    house.clock.set('2026-11-19T09:00:00Z')
  })

  const timers = () => timersOf(house, { pageSize: 10 })
  const rowsOf = (type: string) => house.queries.rows({}, { type: house.catalog.type(type), where: { all: [] } })
  const pairsOf = async (table: string, from: string, to: string) => {
    const pairs = new Map<number, number[]>()
    for (const row of await house.storage.knex(house.storage.table(table)))
      pairs.set(Number(row[from]), [...(pairs.get(Number(row[from])) ?? []), Number(row[to])])
    return pairs
  }
  const stored = async () => {
    const rows: Record<string, readonly Row[]> = {}
    for (const type of READ) rows[type] = await rowsOf(type)
    return {
      zone: (await house.table('accounts')).map(({ id, time_zone }) => (id === 'acme' ? String(time_zone) : '')).join(''),
      rows,
      holidaysOf: await pairsOf('calendar_holidays', 'calendar_id', 'holiday_id'),
      predecessorsOf: {
        task: await pairsOf('task_predecessors', 'task_id', 'predecessor_id'),
        project_task: await pairsOf('project_task_predecessors', 'task_id', 'predecessor_id'),
      },
    }
  }
  /** The stored values and the expected ones, by type, id and column. */
  const compared = async () => {
    const all = await stored()
    const expected = expectedTimes(all)
    const shownAt = (key: string) => {
      const [type = '', id, column = ''] = key.split(' ')
      return all.rows[type]?.find((row) => row['id'] === Number(id))?.[column] ?? null
    }
    return { expected, actual: Object.fromEntries(Object.keys(expected).map((key) => [key, shownAt(key)])) }
  }
  const mustBeRight = async () => {
    const { actual, expected } = await compared()
    expect(actual).to.deep.equal(expected)
    return actual
  }
  /** All values of the counted records, but those that a save without a reason changes. */
  const values = async () => {
    const found: Record<string, unknown> = {}
    for (const type of COUNTED)
      for (const row of await rowsOf(type)) {
        const { updated_at, custom_data, remarks, ...rest } = row
        found[`${type} ${row['id']}`] = rest
      }
    return found
  }
  /** Has everything computed again that is computed with a save, or settled after it. */
  const computeAll = async () => {
    for (const type of COUNTED) {
      const fields = house.catalog.type(type).columns
      const field = ['custom_data', 'remarks'].find((name) => fields.has(name))
      const value = field === 'remarks' ? `${Math.random()}` : { again: Math.random() }
      for (const { id } of await rowsOf(type)) await system(type, Number(id), field ? { [field]: value } : {})
    }
  }

  const offering = (body: object) => system('service_offering', at('offering'), body)
  const moved = { start_at: '2026-11-20T00:00', end_at: '2026-11-20T24:00' }
  const away = { start_at: '2020-01-01T00:00', end_at: '2020-01-01T24:00' }
  const owner = () => ({ type: 'calendar', id: at('hours') })
  let hour = 0
  /** Inputs that any number of records share: how they change, and how they change back. */
  const shared: Record<string, readonly [change: () => Promise<unknown>, back: () => Promise<unknown>]> = {
    'account.time_zone': [() => accountZone('Tokyo'), () => accountZone('Amsterdam')],
    'team.time_zone': [
      async () => [
        await system('team', at('zoned'), { time_zone: 'Tokyo' }),
        await system('team', at('plain'), { time_zone: 'Tokyo' }),
      ],
      async () => [
        await system('team', at('zoned'), { time_zone: 'London' }),
        await system('team', at('plain'), { time_zone: null }),
      ],
    ],
    'team.work_hours': [
      async () => [
        await system('team', at('plain'), { work_hours_id: at('others') }),
        await system('team', at('zoned'), { work_hours_id: null }),
        await system('team', at('always'), { work_hours_id: at('hours') }),
      ],
      async () => [
        await system('team', at('plain'), { work_hours_id: at('hours') }),
        await system('team', at('zoned'), { work_hours_id: at('hours') }),
        await system('team', at('always'), { work_hours_id: null }),
      ],
    ],
    'calendar_hour.*': [
      async () => {
        const added = { weekday: 'sat', time_from: '08:00', time_until: '13:00' }
        hour = Number((await system('calendar_hour', null, added, owner()))['id'])
      },
      async () => house.operations.remove(await caller(), 'calendar_hour', hour, owner()),
    ],
    'calendar.holiday_key': [
      async () => {
        const day = { name: `Day ${Math.random()}`, start_at: '2026-11-19T12:00', end_at: '2026-11-20T15:00' }
        ids['another'] = Number((await system('holiday', null, day))['id'])
        await house.operations.link(await caller(), { type: 'holiday', id: at('another') }, 'calendars', at('hours'))
      },
      async () => house.operations.unlink(await caller(), owner(), 'holidays', at('another')),
    ],
    'holiday.start_at': [() => system('holiday', at('holiday'), moved), () => system('holiday', at('holiday'), away)],
    'holiday.end_at': [
      () => system('holiday', at('holiday'), { end_at: '2026-11-20T24:00' }),
      () => system('holiday', at('holiday'), away),
    ],
    'sla.service_offering': [
      async () => {
        const other = { name: 'Other mail', service_id: at('service'), response_target_low: 33, time_zone: 'Tokyo' }
        await system('sla', at('sla'), { service_offering_id: await house.add('service_offering', other) })
      },
      () => system('sla', at('sla'), { service_offering_id: at('offering') }),
    ],
    'service_offering.time_zone': [() => offering({ time_zone: 'London' }), () => offering({ time_zone: null })],
    'service_offering.support_hours_low': [
      () => offering({ support_hours_low_id: at('others') }),
      () => offering({ support_hours_low_id: at('hours') }),
    ],
    'service_offering.response_target_low': [
      () => offering({ response_target_low: 60 }),
      () => offering({ response_target_low: 1200 }),
    ],
    'service_offering.resolution_target_low': [
      () => offering({ resolution_target_low: null }),
      () => offering({ resolution_target_low: 2400 }),
    ],
  }
  /** Inputs without an effect on the records of this spec, with the place that shows their effect. */
  const elsewhere: Record<string, string> = {
    'service_offering.*': 'other impacts than that of the request: the same columns for each impact',
    'standard_service_request.*': 'affected SLAs follow the targets of a standard service request',
    'service.*': 'teams and suppliers are copied, and nothing is counted from them',
    'service_instance.*': 'teams are copied, and nothing is counted from them',
    'organization.*': 'suppliers are copied, and nothing is counted from them',
  }
  const isElsewhere = (input: string) => {
    const [source = ''] = input.split('.')
    return !(input in shared) && `${source}.*` in elsewhere
  }

  it('have inputs that are listed, and changed here one by one', () => {
    const inputs = new Set(listedInputs().map((one) => one.split(' → ')[0] ?? ''))
    expect([...inputs].filter((input) => !(input in shared) && !isElsewhere(input))).to.deep.equal([])
    expect(Object.keys(shared).filter((input) => !inputs.has(input))).to.deep.equal([])
  })

  for (const [input, [change, back]] of Object.entries(shared)) {
    const followers = listedInputs().flatMap((one) => (one.startsWith(`${input} → `) ? [one.split(' → ')[1] ?? ''] : []))
    it(`follow ${input} in records of ${followers.join(', ')}, as soon as the timers run`, async () => {
      const before = await mustBeRight()
      const finished = await house.row('task', at('done'))
      await change()
      await timers().fireDue()
      const after = await mustBeRight()
      for (const follower of followers) {
        const isOf = (key: string) => key.startsWith(`${follower === 'project' ? 'project_task' : follower} `)
        const differing = Object.keys(after).filter((key) => isOf(key) && after[key] !== before[key])
        expect(differing, `changed ${follower}`).to.not.deep.equal([])
      }
      const renewed = await values()
      await computeAll()
      expect(await values()).to.deep.equal(renewed)
      expect(await house.row('task', at('done'))).to.include({ completion_target_at: finished?.['completion_target_at'] })
      await back()
      await timers().fireDue()
      expect(await mustBeRight()).to.deep.equal(before)
    })
  }

  /** Inputs of their own record or of those around it, which are settled with the save. */
  const own: Record<string, readonly [change: () => Promise<unknown>, back: () => Promise<unknown>, type: string]> = {
    'planned duration': [
      () => system('task', at('first'), { planned_duration: 40 }),
      () => system('task', at('first'), { planned_duration: 20 }),
      'task',
    ],
    'start of the task': [
      () => system('task', at('first'), { start_at: '2026-11-24T10:00:00Z' }),
      () => system('task', at('first'), { start_at: null }),
      'task',
    ],
    predecessors: [
      () => system('task', at('third'), { predecessor_ids: [at('first')] }),
      () => system('task', at('third'), { predecessor_ids: [at('second')] }),
      'task',
    ],
    'team of the task': [
      () => system('task', at('first'), { team_id: at('always') }),
      () => system('task', at('first'), { team_id: at('plain') }),
      'change',
    ],
    'release of the change': [
      async () =>
        system('change', at('change'), {
          release_id: await house.add('release', { subject: 'Summer', manager_id: at('mia') }),
        }),
      () => system('change', at('change'), { release_id: at('release') }),
      'release',
    ],
    'duration in a project': [
      () => system('project_task', at('part'), { planned_duration: 5 }),
      () => system('project_task', at('part'), { planned_duration: 30 }),
      'project_task',
    ],
    'work hours of the project': [
      () => system('project', at('project'), { work_hours_id: at('others') }),
      () => system('project', at('project'), { work_hours_id: at('hours') }),
      'project',
    ],
    'time zone of the project': [
      () => system('project', at('project'), { time_zone: 'Tokyo' }),
      () => system('project', at('project'), { time_zone: 'Amsterdam' }),
      'project',
    ],
    'dates of an agreement': [
      () => system('contract', at('contract'), { start_date: '2027-02-02', time_zone: 'London' }),
      () => system('contract', at('contract'), { start_date: '2027-02-01', time_zone: null }),
      'contract',
    ],
  }
  for (const [input, [change, back, type]] of Object.entries(own)) {
    it(`follow the ${input} with the save`, async () => {
      const before = await mustBeRight()
      await change()
      const after = await mustBeRight()
      expect(Object.keys(after).filter((key) => key.startsWith(`${type} `) && after[key] !== before[key])).to.not.deep.equal([])
      await back()
      expect(await mustBeRight()).to.include(before)
    })
  }

  it('of completed projects stay as they are', async () => {
    for (const name of ['part', 'last']) await system('project_task', at(name), { status: 'completed' })
    const before = await Promise.all(['part', 'last'].map((name) => house.row('project_task', at(name))))
    const project = await house.row('project', at('project'))
    expect(project).to.include({ status: 'completed' })
    await system('holiday', at('holiday'), moved)
    await timers().fireDue()
    expect(await Promise.all(['part', 'last'].map((name) => house.row('project_task', at(name))))).to.deep.equal(before)
    expect(await house.row('project', at('project'))).to.deep.equal(project)
    await system('holiday', at('holiday'), away)
    await system('project_task', at('part'), { status: 'assigned' })
    await timers().fireDue()
    await mustBeRight()
  })

  it('of an account follow calendars of others that it trusts', async () => {
    const other = await house.add(
      'calendar',
      { name: 'Elsewhere', calendar_hours: week('08:00', '12:00') },
      { account: 'globex' },
    )
    await system('team', at('plain'), { work_hours_id: other })
    await timers().fireDue()
    const before = await mustBeRight()
    const call = await house.system('globex')
    await house.operations.save(call, 'calendar', other, { calendar_hours: week('08:00', '16:00') })
    await timers().fireDue()
    expect(await mustBeRight()).to.not.deep.equal(before)
    await system('team', at('plain'), { work_hours_id: at('hours') })
    await timers().fireDue()
  })

  describe('that stay the same', () => {
    const due = async () => {
      const found: string[] = []
      for (const type of COUNTED) {
        if (!house.catalog.type(type).columns.has('renew_at')) continue
        for (const row of await rowsOf(type)) if (row['renew_at'] !== null) found.push(type)
      }
      return [...new Set(found)].sort()
    }

    it('are computed again without a trace: no audit line, no event, and updated_at stays', async () => {
      house.clock.set('2026-11-19T09:05:00Z')
      await timers().fireDue()
      const trace = async () => ({
        rows: await Promise.all(['task', 'project', 'flsa', 'affected_sla'].map(rowsOf)),
        lines: (await house.table('audit_lines')).length,
        events: (await house.table('outbox')).length,
      })
      const before = await trace()
      const added = await house.add('holiday', {
        ...{ name: 'Long ago', start_at: '2019-01-01T00:00', end_at: '2019-01-02T00:00', calendar_ids: [at('hours')] },
      })
      expect(await due()).to.deep.equal(['affected_sla', 'project', 'task'])
      const changed = await trace()
      await timers().fireDue()
      expect(await due()).to.deep.equal([])
      const after = await trace()
      expect(after.rows).to.deep.equal(before.rows)
      expect([after.lines, after.events]).to.deep.equal([changed.lines, changed.events])
      await house.operations.unlink(await house.system(), { type: 'calendar', id: at('hours') }, 'holidays', added)
      await timers().fireDue()
    })

    it('are not computed again when an account is stored with the time zone that it has', async () => {
      await accountZone('Amsterdam')
      await house.accounts.put({ id: 'acme', name: 'ACME' })
      expect(await due()).to.deep.equal([])
    })
  })

  it('cost the same statements at the change, however many there are', async () => {
    const cost = async (time: string) =>
      countStatements(house.storage.knex).during(() => system('holiday', at('holiday'), { end_at: `2020-01-02T${time}` }))
    await cost('10:00')
    const few = await cost('11:00')
    const body = { subject: 'More', category: 'implementation', template_id: at('any task'), team_id: at('plain') }
    for (let n = 0; n < 3; n += 1) {
      const more = { change_id: at('change'), planned_duration: 3 }
      const items = Array.from({ length: 10 }, () => ({ id: null, body: { ...body, ...more } }))
      await house.operations.saveAll(await house.system(), 'task', items)
    }
    expect(await cost('12:00')).to.equal(few)
    await system('holiday', at('holiday'), away)
    const { saved, unfired } = await timers().fireDue()
    expect(saved).to.be.at.least(32)
    expect(unfired).to.equal(0)
    await mustBeRight()
  })

  describe('of records that are saved while their hours change, and before that is committed, are right in the end', () => {
    /** Waits for the work, unless it waits for us. */
    const ended = (work: Promise<unknown>) => Promise.race([work, new Promise((resolve) => setTimeout(resolve, 500))])
    for (const input of ['holiday.start_at', 'calendar.holiday_key', 'calendar_hour.*', 'team.time_zone', 'team.work_hours']) {
      it(`: ${input}`, async () => {
        const [changeInput, back] = shared[input] ?? []
        const call = await house.system()
        // With no other tasks, because the renewal of one computes all tasks of its change.
        const { id: _, created_at: __, ...more } = (await house.row('change', at('empty'))) ?? {}
        const change = await house.add('change', { ...more, subject: input })
        let saved: Promise<unknown> = Promise.resolve()
        await inTransaction(house.storage, await house.system(), async (changing) => {
          inside = changing
          await changeInput?.()
          // What the change has made due does not include a task that does not exist yet.
          const body = { subject: 'New', category: 'implementation', change_id: change, template_id: at('any task') }
          saved = house.operations.save(call, 'task', null, { ...body, team_id: at('plain'), planned_duration: 20 })
          await ended(saved)
        }).finally(() => {
          inside = null
        })
        await saved
        await timers().fireDue()
        await mustBeRight()
        await back?.()
        await timers().fireDue()
        await mustBeRight()
      })
    }

    it(': account.time_zone', async () => {
      let changed: Promise<unknown> = Promise.resolve()
      beforeStored = async () => {
        beforeStored = async () => {}
        changed = accountZone('Tokyo')
        await ended(changed)
      }
      const request = { subject: 'Slow', category: 'incident', impact: 'low', service_instance_id: at('mail') }
      const people = { requested_by_id: at('mia'), requested_for_id: at('mia') }
      await house.add('request', { ...request, ...people, team_id: at('plain') })
      await changed
      await timers().fireDue()
      await mustBeRight()
      await accountZone('Amsterdam')
      await timers().fireDue()
      await mustBeRight()
    })
  })

  it('are right when people work on the tasks while hours change and two processes renew', async () => {
    const tasks = (await rowsOf('task')).filter(({ status }) => status === 'assigned').map(({ id }) => Number(id))
    const works = tasks.slice(0, 12).map((id, n) => async () => {
      if (n % 4 === 0) await (n % 8 ? shared['team.time_zone'] : shared['holiday.start_at'])?.[0]()
      await system('task', id, { planned_duration: 4 + n })
    })
    const fire = () => timers().fireDue()
    await Promise.all([fire(), ...works.map((work) => work()), accountZone('London'), fire()])
    await fire()
    await fire()
    await mustBeRight()
    await accountZone('Amsterdam')
    await fire()
    await mustBeRight()
  })

  it('are counted only where this spec knows it', () => {
    const counting = sourcesIn('plugin/rules').filter(({ text }) =>
      /calendarOf|calendars:|accountZone|timeZone|\bzone\b/.test(text),
    )
    expect(counting.map(({ path }) => path.replace('plugin/rules/', '')).sort()).to.deep.equal(Object.keys(COUNTING).sort())
  })
})

const RENEWED = 'stored, and in the list of inputs'
/** Files of rules that count in calendars or know time zones, and what becomes of the result. */
const COUNTING: Record<string, string> = {
  'service-levels/agreement-dates.ts': RENEWED,
  'service-levels/keep-clock.ts': RENEWED,
  'workflow/change-workflow.ts': RENEWED,
  'workflow/project-workflow.ts': RENEWED,
  'general/local-times.ts': 'counted in a required field of the record itself',
  'recurrence/occurrences.ts': 'counted in a required field of the record itself',
  'recurrence/recurring.ts': 'counted in a required field of the record itself',
  'requests/template.ts': 'given once: the time by which the requester wishes an answer to the request',
  'people/person-defaults.ts': 'given once, as a default that people change',
  'projects/projects.ts': 'given once, as a default that people change',
  'time/time-spent.ts': 'given once: the day on which the time was reported',
}
