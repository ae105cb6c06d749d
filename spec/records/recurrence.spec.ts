import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { restDisabledRecurrences } from '../../migrations/0030_rest_disabled_recurrences.js'
import type { Call } from '../../plugin/core/call.js'
import { withHouse } from '../support/house.js'
import { timersOf } from '../support/house-timers.js'

describe('a recurrence', function () {
  this.timeout(60_000)
  const house = withHouse({ file: true })
  let ids: Readonly<Record<'mia' | 'service' | 'template', number>>
  const fireDue = async () => timersOf(house).fireDue()
  const recurrence = async () => (await house.table('recurrences')).find((row) => row['owner_id'] === ids.template)
  before(async () => {
    const mia = await house.addPerson('Mia Manager', ['change_manager'])
    const organization = await house.add('organization', { name: 'Provider' })
    const service = await house.add('service', { name: 'Mail', provider_id: organization, change_manager_id: mia })
    const team_id = await house.add('team', { name: 'Servers' })
    const task = await house.add('task_template', {
      subject: 'Patch',
      category: 'implementation',
      planned_duration: 2,
      team_id,
    })
    house.clock.set('2026-10-23T09:00:00Z')
    const template = await house.add('change_template', {
      ...{ subject: 'Patch servers', category: 'standard', change_type: 'infrastructure_change', justification: 'maintenance' },
      ...{ service_id: service, task_template_ids: [task] },
      recurrence: { frequency: 'daily', day: '0,1,2,3,4,5,6', time_of_day: '22:00', time_zone: 'Amsterdam' },
    })
    ids = { mia, service, template }
  })

  it('creates a change with its tasks when its time has come, once', async () => {
    house.clock.set('2026-10-23T19:59:00Z')
    expect((await fireDue()).saved).to.equal(0)
    house.clock.set('2026-10-23T20:00:00Z')
    await Promise.all([fireDue(), fireDue()])
    const changes = await house.table('changes')
    expect(changes.map((row) => [row['subject'], row['manager_id'], row['release_id'], row['status']])).to.deep.equal([
      ['Patch servers', ids.mia, null, 'implementation'],
    ])
    expect((await house.table('tasks')).map((row) => row['status'])).to.deep.equal(['assigned'])
    const row = await house.row('recurrence', Number((await recurrence())?.['id']))
    expect([row?.['last_occurrence_at'], row?.['last_occurrence_object_id'], row?.['next_occurrence_at']]).to.deep.equal([
      '2026-10-23T20:00:00Z',
      changes[0]?.['id'],
      '2026-10-24T20:00:00Z',
    ])
  })

  it('makes up for days without service by one change, at the same local time in winter', async () => {
    house.clock.set('2026-10-28T09:00:00Z')
    await fireDue()
    expect(await house.table('changes')).to.have.length(2)
    const row = await house.row('recurrence', Number((await recurrence())?.['id']))
    expect(row?.['next_occurrence_at']).to.equal('2026-10-28T21:00:00Z')
  })

  it('keeps why a change was refused, and goes on', async () => {
    await house.operations.save(await house.system(), 'change_template', ids.template, { category: null, justification: null })
    house.clock.set('2026-10-28T21:00:00Z')
    expect((await fireDue()).unfired).to.equal(0)
    expect(await house.table('changes')).to.have.length(2)
    const row = await house.row('recurrence', Number((await recurrence())?.['id']))
    expect(row?.['last_occurrence_errors']).to.equal("Category can't be blank; Justification can't be blank")
    expect(row?.['next_occurrence_at']).to.equal('2026-10-29T21:00:00Z')
  })

  it('shows no reasons any more once a change was created', async () => {
    const body = { category: 'standard', justification: 'maintenance' }
    await house.operations.save(await house.system(), 'change_template', ids.template, body)
    house.clock.set('2026-10-29T21:00:00Z')
    await fireDue()
    expect(await house.table('changes')).to.have.length(3)
    expect((await recurrence())?.['last_occurrence_errors']).to.equal(null)
  })

  it('rests while its template is disabled, and begins again with the next time', async () => {
    const save = async (body: object) => house.operations.save(await house.system(), 'change_template', ids.template, body)
    const times = async () => {
      const row = await house.row('recurrence', Number((await recurrence())?.['id']))
      return [row?.['next_occurrence_at'], row?.['last_occurrence_at']]
    }
    const last = (await times())[1]
    house.clock.set('2026-10-30T21:30:00Z')
    await save({ disabled: true })
    expect(await times()).to.deep.equal([null, last])
    house.clock.set('2026-10-31T22:00:00Z')
    await fireDue()
    await save({ recurrence: { time_of_day: '23:00' } })
    expect(await times()).to.deep.equal([null, last])
    await save({ disabled: false })
    expect(await times()).to.deep.equal(['2026-11-01T22:00:00Z', last])
    await save({ recurrence: { time_of_day: '22:00', time_zone: 'London' } })
    expect((await times())[0]).to.equal('2026-11-01T22:00:00Z')
    await save({ recurrence: { time_zone: 'Amsterdam', disabled: true } })
    expect((await times())[0]).to.equal(null)
    await save({ recurrence: { disabled: false } })
    expect((await times())[0]).to.equal('2026-11-01T21:00:00Z')
    expect(await house.table('changes')).to.have.length(3)
  })

  it('does not make anybody a manager who saves it when it is due', async () => {
    const save = async (call: Call, type: string, id: number, body: object) => house.operations.save(call, type, id, body)
    await save(await house.system(), 'service', ids.service, { change_manager_id: null })
    house.clock.set('2026-11-01T21:00:00Z')
    await save(await house.by(ids.mia), 'change_template', ids.template, { recurrence: { interval: 1 } })
    expect((await recurrence())?.['last_occurrence_errors']).to.equal("Manager can't be blank")
    expect(await house.table('changes')).to.have.length(3)
    await save(await house.system(), 'service', ids.service, { change_manager_id: ids.mia })
  })

  it('that is created with a disabled template rests, too', async () => {
    const id = await house.add('change_template', {
      ...{ subject: 'Later', disabled: true },
      recurrence: { frequency: 'daily', day: '0,1,2,3,4,5,6', time_of_day: '22:00', time_zone: 'Amsterdam' },
    })
    const row = (await house.table('recurrences')).find(({ owner_id }) => Number(owner_id) === id)
    expect(row?.['next_occurrence_at']).to.equal(null)
    const { dialect, knex, table } = house.storage
    const next = () => knex(table('recurrences')).orderBy('id').pluck('next_occurrence_at')
    const before = await next()
    await knex(table('recurrences')).where({ owner_id: id }).update({ next_occurrence_at: before[0] })
    for (let time = 0; time < 2; time += 1) await restDisabledRecurrences.up({ knex, dialect, table })
    expect(await next()).to.deep.equal(before)
    await house.operations.save(await house.system(), 'change_template', id, { recurrence: null })
  })

  it('leaves nothing of a change whose tasks are refused', async () => {
    const lost = await house.add('task_template', { subject: 'Lost', category: 'risk_and_impact', planned_duration: 1 })
    const body = { category: 'standard', justification: 'maintenance', task_template_ids: [lost] }
    await house.operations.save(await house.system(), 'change_template', ids.template, body)
    const before = [await house.table('changes'), await house.table('tasks'), await house.table('notes')]
    house.clock.set('2026-11-02T21:00:00Z')
    expect((await fireDue()).unfired).to.equal(0)
    expect([await house.table('changes'), await house.table('tasks'), await house.table('notes')]).to.deep.equal(before)
    const row = await house.row('recurrence', Number((await recurrence())?.['id']))
    expect(row?.['last_occurrence_errors']).to.equal('No team can be found for the task template "Lost"')
    expect(row?.['next_occurrence_at']).to.equal('2026-11-03T21:00:00Z')
  })

  it('creates one change or none when its template is disabled at the same time', async () => {
    const daily = { frequency: 'daily', day: '0,1,2,3,4,5,6', time_of_day: '22:00', time_zone: 'Amsterdam' }
    const plan = { category: 'standard', change_type: 'infrastructure_change', justification: 'maintenance' }
    for (let round = 0; round < 6; round += 1) {
      house.clock.set('2026-11-05T22:00:00Z')
      const id = await house.add('change_template', { subject: 'Raced', ...plan, service_id: ids.service, recurrence: daily })
      house.clock.set('2026-11-06T21:00:00Z')
      const disable = async () => {
        await sleep(round * 15)
        await house.operations.save(await house.system(), 'change_template', id, { disabled: true })
      }
      const [fired, again] = await Promise.all([fireDue(), fireDue(), disable()])
      expect([fired.unfired, again.unfired]).to.deep.equal([0, 0])
      const made = (await house.table('changes')).filter((row) => Number(row['template_id']) === id)
      const row = (await house.table('recurrences')).find(({ owner_id }) => Number(owner_id) === id)
      expect(made.length).to.equal(row?.['last_occurrence_at'] === null ? 0 : 1)
      expect(row?.['next_occurrence_at']).to.equal(null)
    }
  })
})
