/** Reasons that rules and timers of a host give (behaviour: Changes, Projects). */
import { expect } from 'chai'
import { not } from '../../plugin/schema/language/conditions.js'
import { rule } from '../../plugin/schema/language/define-rule.js'
import { due } from '../../plugin/schema/language/define-timer.js'
import { extendRecord } from '../../plugin/schema/language/extend-record.js'
import { withHouse } from '../support/house.js'
import { timersOf } from '../support/house-timers.js'

/** A host that withdraws changes at their start, and those of a service that is called closed. */
const withdraws = rule('withdraws', () => ({
  async written({ findBy, next, save }) {
    if (next['name'] !== 'Closed') return
    for (const { id } of await findBy('change', 'service', next['id']))
      await save('change', Number(id), { completion_reason: 'withdrawn' })
  },
}))
const extend = [
  extendRecord('change', {
    timers: [due('start_at', { while: { status: not('completed') }, set: { completion_reason: 'withdrawn', start_at: null } })],
  }),
  extendRecord('service', { rules: [withdraws()] }),
]

describe('a reason that a host gives to an open change', function () {
  this.timeout(60_000)
  const house = withHouse({ file: true, extend })
  const open = async () => {
    const organization = await house.add('organization', { name: `Provider ${Math.random()}` })
    const service = await house.add('service', { name: `Mail ${organization}`, provider_id: organization })
    const change = await house.add('change', {
      ...{ subject: 'Servers', category: 'standard', change_type: 'infrastructure_change', justification: 'improvement' },
      manager_id: await house.addPerson(`Mia ${'abcdefgh'.charAt(service)}`, ['change_manager']),
      release_id: await house.add('release', {
        subject: 'R',
        manager_id: await house.addPerson(`R ${'abcdefgh'.charAt(service)}`, ['release_manager']),
      }),
      ...{ service_id: service, template_id: await house.add('change_template', { subject: 'Any' }) },
    })
    const task = await house.add('task', {
      ...{ subject: 'Work', category: 'implementation', planned_duration: 8, change_id: change },
      team_id: await house.add('team', { name: `Team ${service}` }),
      template_id: await house.add('task_template', { subject: 'Any', category: 'implementation', planned_duration: 8 }),
    })
    return { change, service, task }
  }
  const save = async (type: string, id: number, body: object) => house.operations.save(await house.system(), type, id, body)
  const mustBeWithdrawn = async ({ change, task }: { readonly change: number; readonly task: number }) => {
    expect(await house.row('change', change)).to.include({
      status: 'completed',
      completion_reason: 'withdrawn',
      reason_from_tasks: false,
    })
    expect(await house.row('task', task)).to.include({ status: 'canceled' })
  }

  it('by a rule cancels its open tasks, as the reason of a person does', async () => {
    const made = await open()
    await save('service', made.service, { name: 'Closed' })
    await mustBeWithdrawn(made)
  })

  it('by a timer cancels its open tasks, too', async () => {
    const made = await open()
    await save('change', made.change, { start_at: '2026-12-01T09:00:00Z' })
    house.clock.set('2026-12-01T09:00:00Z')
    await timersOf(house, { pageSize: 10 }).fireDue()
    await mustBeWithdrawn(made)
  })
})
