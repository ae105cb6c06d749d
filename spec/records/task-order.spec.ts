/** The order of the task templates of a change template, and of the tasks of its changes (behaviour: Change templates). */
import { expect } from 'chai'
import { Forbidden } from '../../plugin/core/errors.js'
import { countStatements } from '../support/count-statements.js'
import { errorOf, withHouse } from '../support/house.js'

describe('the order of task templates', function () {
  this.timeout(60_000)
  const house = withHouse({ file: true })
  let mia = 0
  let team = 0
  let release = 0
  before(async () => {
    mia = await house.addPerson('Mia Manager', ['change_manager'])
    team = await house.add('team', { name: 'Servers' })
    release = await house.add('release', { subject: 'Spring', manager_id: await house.addPerson('Rel', ['release_manager']) })
  })

  const templates = async (many: number, account?: string) => {
    const items = Array.from({ length: many }, (_, index) => ({
      id: null,
      body: {
        subject: `Task ${index}`,
        category: 'implementation',
        planned_duration: 1,
        ...(account ? {} : { team_id: team }),
      },
    }))
    const made = await house.operations.saveAll(await house.system(account), 'task_template', items)
    return made.map((one) => ('row' in one ? Number(one.row['id']) : 0))
  }
  type Pair = readonly [before: number | undefined, after: number | undefined]
  const itemOf = (owner: number, [predecessor_id, successor_id]: Pair) => ({
    id: null,
    body: { predecessor_id, successor_id },
    owner: { type: 'change_template', id: owner },
  })
  const order = async (owner: number, pairs: readonly Pair[], account?: string) => {
    const call = await house.system(account)
    const saved = await house.operations.saveAll(
      call,
      'task_sequence',
      pairs.map((pair) => itemOf(owner, pair)),
    )
    return saved.map((one) => ('violations' in one ? one.violations : one.outcome))
  }
  const changeTemplate = (task_template_ids: readonly number[], account?: string) =>
    house.add('change_template', { subject: 'Any change', task_template_ids }, account ? { account } : {})
  const ordered = async (owner: number) =>
    (await house.table('task_sequences'))
      .filter((row) => row['owner_id'] === owner)
      .map((row) => [row['predecessor_id'], row['successor_id']])
  const change = async (template_id: number) => {
    const plan = {
      subject: 'New servers',
      category: 'standard',
      change_type: 'infrastructure_change',
      justification: 'improvement',
    }
    const service_id = await house.add('service', {
      name: `Mail ${template_id}`,
      provider_id: await house.add('organization', { name: `P ${template_id}` }),
    })
    const body = { ...plan, template_id, service_id, release_id: release }
    return async () => Number((await house.operations.save(await house.by(mia), 'change', null, body))['id'])
  }
  /** By task template, those of the tasks that its task waits for, and its status. */
  const waiting = async (id: number) => {
    const tasks = (await house.table('tasks')).filter((row) => row['change_id'] === id)
    const templateOf = (taskId: unknown) => tasks.find((row) => row['id'] === taskId)?.['template_id']
    const pairs = await house.storage.knex(house.storage.table('task_predecessors')).whereIn(
      'task_id',
      tasks.map((row) => Number(row['id'])),
    )
    return Object.fromEntries(
      tasks.map((row) => {
        const before = pairs.filter((pair) => pair.task_id === row['id']).map((pair) => templateOf(pair.predecessor_id))
        return [row['template_id'], [row['status'], before.sort()]]
      }),
    )
  }

  it('is of those that the change template has, each pair once, and without a cycle', async () => {
    const [a = 0, b = 0, c = 0, other = 0] = await templates(4)
    const owner = await changeTemplate([a, b, c])
    expect(await order(owner, [[a, other]])).to.deep.equal([[['successor', 'not_of_template']]])
    expect(await order(owner, [[other, other]])).to.deep.equal([
      [
        ['predecessor', 'not_of_template'],
        ['successor', 'not_of_template'],
        ['successor', 'cycle'],
      ],
    ])
    expect(
      await order(owner, [
        [a, b],
        [b, c],
      ]),
    ).to.deep.equal(['created', 'created'])
    expect(await order(owner, [[a, b]])).to.deep.equal([[['successor', 'taken']]])
    expect(
      await order(owner, [
        [c, a],
        [a, c],
      ]),
    ).to.deep.equal([[['successor', 'cycle']], 'created'])
    const again = await changeTemplate([a, b, c])
    expect(
      await order(again, [
        [a, b],
        [b, c],
        [c, a],
      ]),
    ).to.deep.equal(['created', 'created', [['successor', 'cycle']]])
    expect(await ordered(again)).to.deep.equal([
      [a, b],
      [b, c],
    ])
  })

  it('refuses one of two halves of a cycle that are saved at the same time', async () => {
    const [a = 0, b = 0] = await templates(2)
    for (let times = 0; times < 5; times++) {
      const owner = await changeTemplate([a, b])
      const outcomes = await Promise.all([order(owner, [[a, b]]), order(owner, [[b, a]])])
      expect(outcomes.flat().filter((one) => one === 'created')).to.have.lengthOf(1)
    }
  })

  it('has at most 1,000 pairs', async () => {
    const ids = await templates(46)
    const owner = await changeTemplate(ids)
    const all = ids.flatMap((one, at) => ids.slice(at + 1).map((other): Pair => [one, other]))
    expect(new Set(await order(owner, all.slice(0, 1000)))).to.deep.equal(new Set(['created']))
    expect(await order(owner, [all[1000] ?? [0, 0]])).to.deep.equal([[['base', 'too_many', { max: 1000 }]]])
  })

  it('loses the pairs of task templates that are unlinked, with a line of the trail', async () => {
    const [a = 0, b = 0, c = 0] = await templates(3)
    const by = await house.by(mia)
    for (const unlink of [
      (id: number) => house.operations.unlink(by, { type: 'change_template', id }, 'task_templates', b),
      (id: number) => house.operations.save(by, 'change_template', id, { task_template_ids: [a, c] }),
    ]) {
      const owner = await changeTemplate([a, b, c])
      await order(owner, [
        [a, b],
        [b, c],
        [a, c],
      ])
      await unlink(owner)
      expect(await ordered(owner)).to.deep.equal([[a, c]])
      const lines = (await house.table('audit_lines')).filter(
        (row) => row['owner_type'] === 'change_template' && row['owner_id'] === owner,
      )
      const changes = lines.map((row) => JSON.parse(String(row['changes'])))
      expect(changes.flatMap((one) => (one.task_sequences ? [one.task_sequences] : []))).to.deep.include([
        [
          { predecessor_id: a, successor_id: b },
          { predecessor_id: b, successor_id: c },
        ],
        [],
      ])
      await house.operations.unlinkAll(by, { type: 'change_template', id: owner }, 'task_templates')
      expect(await ordered(owner)).to.deep.equal([])
    }
  })

  it('is that of the tasks of a new change; those before which nothing comes begin at once', async () => {
    const [a = 0, off = 0, b = 0, c = 0, free = 0] = await templates(5)
    const owner = await changeTemplate([a, off, b, c, free])
    await order(owner, [
      [a, off],
      [off, b],
      [c, b],
    ])
    await house.operations.save(await house.system(), 'task_template', off, { disabled: true })
    const id = await (await change(owner))()
    expect(await waiting(id)).to.deep.equal({
      [a]: ['assigned', []],
      [b]: ['registered', [a, c]],
      [c]: ['assigned', []],
      [free]: ['assigned', []],
    })
    const lines = (await house.table('audit_lines')).filter((row) => row['owner_type'] === 'task' && row['action'] === 'create')
    const created = lines.map((row) => JSON.parse(String(row['changes']))).find((one) => one.template_id?.[1] === b)
    expect(created.predecessors[1]).to.have.lengthOf(2)
  })

  it('is followed with as many statements for a chain of 60 tasks as for one of 3', async () => {
    const cost = async (many: number) => {
      const ids = await templates(many)
      const owner = await changeTemplate(ids)
      await order(
        owner,
        ids.slice(1).map((id, at): Pair => [ids[at], id]),
      )
      const make = await change(owner)
      let id = 0
      const count = await countStatements(house.storage.knex).during(async () => {
        id = await make()
      })
      const tasks = await waiting(id)
      expect(ids.slice(1).map((one) => tasks[one]?.[1])).to.deep.equal(ids.slice(0, -1).map((one) => [one]))
      return count
    }
    const [three, sixty] = [await cost(3), await cost(60)]
    expect(sixty).to.be.at.most(three + 5)
  })

  it('is that of a change template of a trusted account, too', async () => {
    const [a = 0, b = 0] = await templates(2, 'globex')
    const owner = await changeTemplate([a, b], 'globex')
    expect(await order(owner, [[b, a]], 'globex')).to.deep.equal(['created'])
    const managers = await house.add('team', { name: 'Change managers' })
    await house.operations.link(await house.system(), { type: 'team', id: managers }, 'members', mia)
    const id = await (await change(owner))()
    expect(await waiting(id)).to.deep.equal({ [b]: ['assigned', []], [a]: ['registered', [b]] })
  })

  it('is for change managers and administrators', async () => {
    const [a = 0, b = 0] = await templates(2)
    const owner = await changeTemplate([a, b])
    const place = { type: 'change_template', id: owner }
    const body = { predecessor_id: a, successor_id: b }
    const [sam, call] = [await house.by(await house.addPerson('Sam', ['specialist'])), await house.by(mia)]
    expect(await errorOf(house.operations.save(sam, 'task_sequence', null, body, place))).to.be.instanceOf(Forbidden)
    const { id } = await house.operations.save(call, 'task_sequence', null, body, place)
    expect(await errorOf(house.operations.remove(sam, 'task_sequence', Number(id), place))).to.be.instanceOf(Forbidden)
    await house.operations.remove(call, 'task_sequence', Number(id), place)
    expect(await ordered(owner)).to.deep.equal([])
  })
})
