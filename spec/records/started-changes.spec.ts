import { expect } from 'chai'
import { withHouse } from '../support/house.js'

describe('a request whose template starts a change', function () {
  this.timeout(60_000)
  const house = withHouse({ file: true })
  let people: Readonly<Record<'mia' | 'rita', number>>
  let ids: Readonly<Record<'service' | 'unmanaged' | 'team', number>>

  before(async () => {
    const provider = await house.add('organization', { name: 'Provider' })
    people = { mia: await house.addPerson('Mia', ['change_manager']), rita: await house.addPerson('Rita') }
    ids = {
      service: await house.add('service', { name: 'Mail', provider_id: provider, change_manager_id: people.mia }),
      unmanaged: await house.add('service', { name: 'Phones', provider_id: provider }),
      team: await house.add('team', { name: 'Servers' }),
    }
  })

  const plan = {
    ...{ subject: 'A change 🛠', category: 'standard', change_type: 'infrastructure_change', justification: 'improvement' },
  }
  const taskTemplate = (more: object) =>
    house.add('task_template', { subject: 'Build', category: 'implementation', planned_duration: 2, ...more })
  const changeTemplate = async (more: object) => house.add('change_template', { ...plan, service_id: ids.service, ...more })
  const templateFor = (change_template_id: number, more: object = {}) =>
    house.add('request_template', {
      ...{ subject: 'A server', category: 'rfc', status: 'change_pending', change_template_id, service_id: ids.service },
      ...{ team_id: ids.team, ...more },
    })
  const requestWith = async (template_id: number) => {
    const { id } = await house.operations.save(await house.by(people.rita), 'request', null, { template_id })
    const row = await house.row('request', Number(id))
    const notes = (await house.table('notes')).filter((note) => note['owner_type'] === 'request' && note['owner_id'] === id)
    return { row, notes: notes.map(({ internal, medium, text }) => [Boolean(internal), medium, text]) }
  }
  const changes = async () => (await house.table('changes')).length

  it('waits for it', async () => {
    const { row, notes } = await requestWith(
      await templateFor(await changeTemplate({ task_template_ids: [await taskTemplate({ team_id: ids.team })] })),
    )
    const change = await house.row('change', Number(row?.['change_id']))
    expect([row?.['status'], change?.['status'], change?.['manager_id']]).to.deep.equal([
      ...['change_pending', 'implementation'],
      people.mia,
    ])
    expect(notes).to.deep.equal([])
  })

  const refused: readonly (readonly [name: string, template: () => Promise<number>, reason: string])[] = [
    [
      'a task finds no team',
      async () => templateFor(await changeTemplate({ task_template_ids: [await taskTemplate({ subject: 'Lost' })] })),
      'No change could be started: No team can be found for the task template "Lost"',
    ],
    [
      'its template is disabled',
      async () => {
        const id = await changeTemplate({})
        const template = await templateFor(id)
        await house.operations.save(await house.system(), 'change_template', id, { disabled: true })
        return template
      },
      'No change could be started: Template is disabled',
    ],
    [
      'fields are missing',
      async () => templateFor(await changeTemplate({ service_id: null, category: null })),
      "No change could be started: Category can't be blank; Service can't be blank",
    ],
    [
      'its manager has left',
      async () => {
        const max = await house.addPerson('Max', ['change_manager'])
        const template = await templateFor(await changeTemplate({ service_id: ids.unmanaged }), {
          change_manager_id: max,
          service_id: ids.unmanaged,
        })
        await house.operations.save(await house.system(), 'person', max, { disabled: true })
        return template
      },
      "No change could be started: Manager can't be blank",
    ],
  ]
  for (const [name, template, reason] of refused) {
    it(`is assigned, with the reason in a note of the system, when ${name}`, async () => {
      const id = await template()
      const before = [await changes(), (await house.table('tasks')).length]
      const { row, notes } = await requestWith(id)
      expect([row?.['status'], row?.['change_id'], row?.['subject']]).to.deep.equal(['assigned', null, 'A server'])
      expect(notes).to.deep.equal([[true, 'system', reason]])
      expect([await changes(), (await house.table('tasks')).length]).to.deep.equal(before)
    })
  }

  it('starts those of a batch that can be started', async () => {
    const good = await templateFor(await changeTemplate({ task_template_ids: [await taskTemplate({ team_id: ids.team })] }))
    const bad = await templateFor(await changeTemplate({ task_template_ids: [await taskTemplate({ subject: 'Lost' })] }))
    const items = [good, bad, good].map((template_id) => ({ id: null, body: { template_id } }))
    const saved = await house.operations.saveAll(await house.by(people.rita), 'request', items)
    const rows = await Promise.all(saved.map((one) => house.row('request', 'row' in one ? Number(one.row['id']) : 0)))
    expect(rows.map((row) => row?.['status'])).to.deep.equal(['change_pending', 'assigned', 'change_pending'])
  })
})
