import { expect } from 'chai'
import { countStatements } from '../support/count-statements.js'
import { withHouse } from '../support/house.js'

describe('notes of tasks', function () {
  this.timeout(60_000)
  const house = withHouse({ file: true })
  let [mia, tom] = [0, 0]
  let needed: object
  let ofProject: object
  before(async () => {
    mia = await house.addPerson('Mia Manager', ['change_manager', 'project_manager'])
    tom = await house.addPerson('Tom Technician', ['specialist'])
    const organization = await house.add('organization', { name: 'Provider' })
    const service_id = await house.add('service', { name: 'Mail', provider_id: organization })
    const release_id = await house.add('release', { subject: 'R', manager_id: await house.addPerson('R', ['release_manager']) })
    const template_id = await house.add('change_template', { subject: 'Any change' })
    const common = { subject: 'Work', manager_id: mia, service_id }
    needed = {
      ...{ ...common, category: 'standard', change_type: 'infrastructure_change', justification: 'improvement' },
      ...{ release_id, template_id },
    }
    const work_hours_id = await house.add('calendar', { name: 'Hours' })
    const rest = { program: 'Growth', time_zone: 'Amsterdam' }
    ofProject = { ...common, ...rest, justification: 'move', customer_id: organization, work_hours_id }
  })
  const notesOf = async (type: string, id: number) =>
    (await house.table('notes')).flatMap(({ internal, owner_id, owner_type, person_id, text }) =>
      owner_type === type && owner_id === id ? [[text, person_id, Boolean(internal)]] : [],
    )
  const add = async (person: number, type: string, body: object, owner?: { readonly type: string; readonly id: number }) =>
    Number((await house.operations.save(await house.by(person), type, null, body, owner))['id'])

  for (const [name, types, copy] of [
    ['their change', { owner: 'change', task: 'task', template: 'task_template' }, 'copy_notes_to_change'],
    ['their project', { owner: 'project', task: 'project_task', template: 'project_task_template' }, 'copy_notes_to_project'],
  ] as const) {
    describe(`in ${name}`, () => {
      const planned = async (more: object, ofTask: object = {}) => {
        const category = types.task === 'task' ? 'implementation' : 'activity'
        const template = await house.add(types.template, { subject: 'Any', category, planned_duration: 1, ...more })
        const owner = await house.add(types.owner, types.owner === 'change' ? needed : ofProject)
        const team = types.task === 'task' ? { team_id: await house.add('team', { name: `Team ${owner} ${template}` }) } : {}
        const body = { template_id: template, [`${types.owner}_id`]: owner, ...team, ...ofTask }
        return { owner, task: await add(mia, types.task, body) }
      }

      it('are that of the template and every later one, public or internal, by the same people', async () => {
        const { owner, task } = await planned({ note: 'First look.', [copy]: true })
        await add(tom, 'note', { text: 'Done soon.' }, { type: types.task, id: task })
        await add(tom, 'note', { text: 'It is hard.', internal: true }, { type: types.task, id: task })
        await house.operations.save(await house.by(mia), types.task, task, { note: 'Hurry.' })
        const all = [
          ['First look.', mia, false],
          ['Done soon.', tom, false],
          ['It is hard.', tom, true],
          ['Hurry.', mia, false],
        ]
        expect(await notesOf(types.owner, owner)).to.deep.equal(all)
        expect(await notesOf(types.task, task)).to.deep.equal(all)
        // Nothing goes back.
        await add(tom, 'note', { text: 'For all.' }, { type: types.owner, id: owner })
        expect(await notesOf(types.task, task)).to.deep.equal(all)
      })

      it('include the one that the caller writes in place of that of the template', async () => {
        const { owner, task } = await planned({ note: 'First look.', [copy]: true }, { note: 'My own.' })
        for (const [type, id] of [
          [types.owner, owner],
          [types.task, task],
        ] as const)
          expect(await notesOf(type, id)).to.deep.equal([['My own.', mia, false]])
      })

      it('are none unless the template says so', async () => {
        const { owner, task } = await planned({ note: 'First look.' })
        await add(tom, 'note', { text: 'Done soon.' }, { type: types.task, id: task })
        expect(await notesOf(types.owner, owner)).to.deep.equal([])
      })
    })
  }

  it('cost a batch as many statements as a few, and all arrive while the tasks are changed', async () => {
    const template = await house.add('task_template', {
      ...{ subject: 'Any', category: 'implementation', planned_duration: 1, copy_notes_to_change: true },
    })
    const [change, team] = [await house.add('change', needed), await house.add('team', { name: 'Many' })]
    const tasks: number[] = []
    for (let n = 0; n < 4; n += 1)
      tasks.push(await house.add('task', { template_id: template, change_id: change, team_id: team }))
    const costOf = async (many: number) => {
      const items = Array.from({ length: many }, (_, index) => ({
        ...{ id: null, body: { text: `Note ${index}` } },
        owner: { type: 'task', id: tasks[index % tasks.length] ?? 0 },
      }))
      const call = await house.by(tom)
      return countStatements(house.storage.knex).during(() => house.operations.saveAll(call, 'note', items))
    }
    await costOf(4)
    const few = await costOf(4)
    expect((await costOf(80)) - few).to.be.below(3)
    const before = (await notesOf('change', change)).length
    await Promise.all(
      Array.from({ length: 12 }, async (_, index) => {
        const id = tasks[index % tasks.length] ?? 0
        const status = ['accepted', 'in_progress', 'assigned'][index % 3]
        if (index % 2 === 0) return add(tom, 'note', { text: 'At once.' }, { type: 'task', id })
        return house.operations.save(await house.by(tom), 'task', id, { status, note: 'With it.' })
      }),
    )
    expect((await notesOf('change', change)).length - before).to.equal(12)
  })
})
