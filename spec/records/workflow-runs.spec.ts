/** Changes that begin by themselves, and random workflows on the database. A failure names its seed. */
import { expect } from 'chai'
import { refusalOf, withHouse } from '../support/house.js'
import { timersOf } from '../support/house-timers.js'
import { seeded } from '../support/minute-by-minute.js'

const NOW = '2026-11-21T09:30:00Z'
const LATER = '2026-12-01T09:00:00Z'

describe('the tasks of a change', function () {
  this.timeout(60_000)
  const house = withHouse({ file: true })
  let needed: object
  let team: number
  let template: number
  before(async () => {
    const mia = await house.addPerson('Mia Manager', ['change_manager'])
    const organization = await house.add('organization', { name: 'Provider' })
    team = await house.add('team', { name: 'Servers' })
    template = await house.add('task_template', { subject: 'Any', category: 'implementation', planned_duration: 8 })
    needed = {
      ...{ subject: 'New servers', category: 'standard', change_type: 'infrastructure_change', justification: 'improvement' },
      manager_id: mia,
      service_id: await house.add('service', { name: 'Mail', provider_id: organization }),
      release_id: await house.add('release', {
        subject: 'Spring',
        manager_id: await house.addPerson('R', ['release_manager']),
      }),
      template_id: await house.add('change_template', { subject: 'Any change' }),
    }
  })
  beforeEach(() => house.clock.set(NOW))

  const change = (more: object = {}) => house.add('change', { ...needed, ...more })
  const bodyOf = (change_id: number, more: object = {}) => ({
    ...{ subject: 'A task', category: 'implementation', planned_duration: 8, team_id: team, template_id: template, change_id },
    ...more,
  })
  const task = (id: number, more: object = {}) => house.add('task', bodyOf(id, more))
  const save = async (type: string, id: number, body: object) => house.operations.save(await house.system(), type, id, body)
  const statusOf = async (type: string, id: number) => (await house.row(type, id))?.['status']
  const fireAt = (time: string) => {
    house.clock.set(time)
    return timersOf(house, { pageSize: 10 }).fireDue()
  }

  describe('begin at its start', () => {
    it('by the job, and once', async () => {
      const id = await change({ start_at: LATER })
      const [one, two] = [await task(id), await task(id)]
      expect((await fireAt('2026-12-01T08:59:59Z')).saved).to.equal(0)
      expect(await statusOf('task', one)).to.equal('registered')
      expect((await fireAt(LATER)).saved).to.equal(1)
      expect([await statusOf('task', one), await statusOf('task', two)]).to.deep.equal(['assigned', 'assigned'])
      expect(await house.row('task', one)).to.include({ assigned_at: LATER, new_assignment: true })
      expect(await house.row('change', id)).to.include({ status: 'implementation', starts_at: null, start_at: LATER })
      expect((await fireAt('2026-12-01T10:00:00Z')).saved).to.equal(0)
    })

    it('which was moved, or removed', async () => {
      const id = await change({ start_at: LATER })
      const one = await task(id)
      await save('change', id, { start_at: '2026-12-05T09:00:00Z' })
      expect((await fireAt(LATER)).saved).to.equal(0)
      expect(await statusOf('task', one)).to.equal('registered')
      await save('change', id, { start_at: null })
      expect(await statusOf('task', one)).to.equal('assigned')
      expect((await fireAt('2026-12-05T09:00:00Z')).saved).to.equal(0)
    })

    it('or later, if the first of them is added later', async () => {
      const id = await change({ start_at: LATER })
      expect((await fireAt(LATER)).saved).to.equal(0)
      house.clock.set('2026-12-02T09:00:00Z')
      const one = await task(id)
      expect(await house.row('task', one)).to.include({ status: 'assigned', assigned_at: '2026-12-02T09:00:00Z' })
    })

    it('unless it has been completed by then', async () => {
      const id = await change({ start_at: LATER })
      const one = await task(id)
      await save('change', id, { completion_reason: 'withdrawn' })
      expect((await fireAt(LATER)).saved).to.equal(0)
      expect([await statusOf('task', one), await statusOf('change', id)]).to.deep.equal(['canceled', 'completed'])
    })

    it('also behind tasks that were canceled before', async () => {
      const id = await change({ start_at: LATER })
      const one = await task(id)
      const two = await task(id, { predecessor_ids: [one] })
      await save('task', one, { status: 'canceled' })
      expect(await statusOf('task', two)).to.equal('registered')
      await fireAt(LATER)
      expect(await statusOf('task', two)).to.equal('assigned')
    })
  })

  it('follow predecessors that are added and removed while they run', async () => {
    const id = await change()
    const one = await task(id)
    const two = await task(id, { predecessor_ids: [one] })
    const three = await task(id, { predecessor_ids: [two] })
    await house.operations.link(await house.system(), { type: 'task', id: three }, 'predecessors', one)
    expect(
      await refusalOf(house.operations.link(await house.system(), { type: 'task', id: one }, 'predecessors', three)),
    ).to.have.length(1)
    await house.operations.unlink(await house.system(), { type: 'task', id: three }, 'predecessors', two)
    expect([await statusOf('task', two), await statusOf('task', three)]).to.deep.equal(['registered', 'registered'])
    await house.operations.unlink(await house.system(), { type: 'task', id: three }, 'predecessors', one)
    expect([await statusOf('task', two), await statusOf('task', three)]).to.deep.equal(['registered', 'assigned'])
  })

  describe('that were decided', () => {
    const person = (name: string) => house.addPerson(name, [], { primary_email: `${name}@acme.example` })
    const decided = async (decision: string) => {
      const id = await change()
      const one = await task(id, { category: 'approval', required_approvals: 1 })
      const [yes, no] = await Promise.all(['yes', 'no'].map((name) => person(`${name}-${one}`)))
      const owner = { type: 'task', id: one }
      const approvals: number[] = []
      for (const approver_id of [yes, no]) approvals.push(await house.add('task_approval', { approver_id }, { owner }))
      for (const approval of decision === 'approved' ? approvals.slice(1) : approvals)
        await save('task_approval', approval, { status: decision })
      expect(await statusOf('task', one)).to.equal(decision)
      return { id, one, asked: () => Promise.all(approvals.map((approval) => statusOf('task_approval', approval))) }
    }

    for (const decision of ['approved', 'rejected']) {
      for (const [way, then] of [
        ['registered', 'assigned'],
        ['assigned', 'assigned'],
        ['in_progress', 'in_progress'],
      ] as const) {
        it(`are decided again: ${decision}, then ${way}`, async () => {
          const { id, one, asked } = await decided(decision)
          await save('task', one, { status: way })
          expect(await house.row('task', one)).to.include({ status: then, finished_at: null })
          expect(await asked()).to.deep.equal(['assigned', 'assigned'])
          expect(await statusOf('change', id)).to.equal('approval')
        })
      }
    }
  })

  describe('begin at their own earliest start', () => {
    it('by the job, although everything before them is done', async () => {
      const id = await change()
      const first = await task(id)
      const late = await task(id, { start_at: LATER, predecessor_ids: [first] })
      const behind = await task(id, { predecessor_ids: [late] })
      expect(await house.row('task', late)).to.include({ starts_at: null, anticipated_assignment_at: LATER })
      await save('task', first, { status: 'completed' })
      expect(await house.row('task', late)).to.include({ status: 'registered', starts_at: LATER })
      expect(await statusOf('change', id)).to.equal('implementation')
      expect((await fireAt('2026-12-01T08:59:59Z')).saved).to.equal(0)
      expect((await fireAt(LATER)).saved).to.equal(1)
      expect(await house.row('task', late)).to.include({ status: 'assigned', assigned_at: LATER, starts_at: null })
      expect(await statusOf('task', behind)).to.equal('registered')
      expect((await fireAt('2026-12-01T10:00:00Z')).saved).to.equal(0)
    })

    it('or when what comes before is done, if that is later', async () => {
      const id = await change()
      const first = await task(id)
      const late = await task(id, { start_at: LATER, predecessor_ids: [first] })
      expect((await fireAt('2026-12-02T09:00:00Z')).saved).to.equal(0)
      expect(await statusOf('task', late)).to.equal('registered')
      await save('task', first, { status: 'completed' })
      expect(await house.row('task', late)).to.include({ status: 'assigned', assigned_at: '2026-12-02T09:00:00Z' })
    })

    it('which is moved, removed, or no longer waited for', async () => {
      const id = await change()
      const one = await task(id, { start_at: LATER })
      await save('task', one, { start_at: '2026-12-05T09:00:00Z' })
      expect((await fireAt(LATER)).saved).to.equal(0)
      await save('task', one, { start_at: '2026-12-01T09:00:01Z' })
      expect((await fireAt('2026-12-01T09:00:01Z')).saved).to.equal(1)
      expect(await statusOf('task', one)).to.equal('assigned')
      // What is assigned already stays so, and waits again when it is registered again.
      await save('task', one, { start_at: '2026-12-05T09:00:00Z' })
      expect(await statusOf('task', one)).to.equal('assigned')
      await save('task', one, { status: 'registered' })
      expect(await house.row('task', one)).to.include({ status: 'registered', starts_at: '2026-12-05T09:00:00Z' })
      expect(await statusOf('change', id)).to.equal('registered')
      await save('task', one, { start_at: null })
      expect(await house.row('task', one)).to.include({ status: 'assigned', starts_at: null })
      // Somebody may begin before.
      const other = await task(id, { start_at: '2026-12-05T09:00:00Z' })
      await save('task', other, { status: 'accepted' })
      expect(await house.row('task', other)).to.include({ status: 'accepted', starts_at: null })
      expect((await fireAt('2026-12-05T09:00:00Z')).saved).to.equal(0)
    })

    it('after that of the change', async () => {
      const id = await change({ start_at: LATER })
      const one = await task(id, { start_at: '2026-12-01T12:00:00Z' })
      expect([(await house.row('change', id))?.['starts_at'], (await house.row('task', one))?.['starts_at']]).to.deep.equal([
        LATER,
        null,
      ])
      await fireAt(LATER)
      expect(await house.row('task', one)).to.include({ status: 'registered', starts_at: '2026-12-01T12:00:00Z' })
      await fireAt('2026-12-01T12:00:00Z')
      expect(await statusOf('task', one)).to.equal('assigned')
    })
  })

  it('change nothing that is right already: a task that ends on time moves the next one, and no others', async () => {
    const id = await change()
    const one = await task(id)
    const ids = [one]
    for (let n = 0; n < 5; n += 1) ids.push(await task(id, { predecessor_ids: [ids.at(-1)] }))
    const linesBefore = (await house.table('audit_lines')).length
    house.clock.set('2026-11-21T17:30:00Z')
    await save('task', one, { status: 'completed' })
    const lines = (await house.table('audit_lines')).slice(linesBefore)
    expect(lines.map(({ owner_type, owner_id }) => `${owner_type} ${owner_id}`)).to.deep.equal([
      `task ${ids[0]}`,
      `task ${ids[1]}`,
    ])
  })

  for (const way of ['one by one', 'in batches', '20 at once'] as const) {
    it(`get to their end when they are finished ${way}`, async () => {
      const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000)
      const chance = seeded(seed)
      const id = await change()
      const many = way === '20 at once' ? 24 : 10
      const ids: number[] = []
      const before = new Map<number, readonly number[]>()
      for (let n = 0; n < many; n += 1) {
        const predecessors = way === '20 at once' && n < 20 ? [] : ids.filter(() => chance() < 0.3)
        ids.push(await task(id, { predecessor_ids: predecessors }))
        before.set(ids.at(-1) ?? 0, predecessors)
      }
      const starts = new Map<number, number>()
      for (let steps = 0; ; steps += 1) {
        expect(steps, `steps (SEED=${seed})`).to.be.below(30)
        const rows = await Promise.all(ids.map((one) => house.row('task', one)))
        const inHand = rows.filter((row) => row?.['status'] === 'assigned').map((row) => Number(row?.['id']))
        if (inHand.length === 0) break
        for (const one of inHand) for (const other of before.get(one) ?? []) expect(inHand).to.not.include(other)
        const some = way === 'one by one' ? inHand.slice(0, 1) : inHand
        for (const one of some) starts.set(one, (starts.get(one) ?? 0) + 1)
        const call = await house.system()
        const items = some.map((one) => ({ id: one, body: { status: chance() < 0.2 ? 'canceled' : 'completed' } }))
        if (way === 'in batches') await house.operations.saveAll(call, 'task', items)
        else await Promise.all(items.map((item) => save('task', item.id, item.body)))
      }
      expect([...starts.values()], `SEED=${seed}`).to.deep.equal(ids.map(() => 1))
      expect(await statusOf('change', id), `SEED=${seed}`).to.equal('completed')
      const lines = await house.storage
        .knex(house.storage.table('audit_lines'))
        .where({ owner_type: 'task' })
        .whereIn('owner_id', ids)
      const begun = lines.filter(({ changes }) => JSON.parse(String(changes)).status?.[1] === 'assigned')
      expect(begun, `SEED=${seed}`).to.have.length(new Set(begun.map(({ owner_id }) => owner_id)).size)
    })
  }
})
