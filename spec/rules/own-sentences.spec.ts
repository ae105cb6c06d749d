import { expect } from 'chai'
import { extendRecord, rule } from '../../plugin/index.js'
import { withHouse } from '../support/house.js'
import { timersOf } from '../support/house-timers.js'

const stampedOut = rule('stampedOut', () => ({
  fields: ['remarks'],
  fill({ next, sentence }) {
    next['remarks'] = `${sentence('greeting', { person: 'Eva' })} ${sentence('As it is {team}')}`
  },
}))

describe('messages that rules store', () => {
  const house = withHouse({
    extend: [extendRecord('team', { rules: [stampedOut()] })],
    words: {
      en: {
        sentences: { declined_by_team: 'Nobody takes it at {team}.', blank: '{label} is wanted', greeting: 'Hello {person}' },
        fields: { 'change.justification': 'Reason' },
      },
      nl: { sentences: { declined_by_team: 'Niemand bij {team} wil hem.', greeting: 'Dag {person}' } },
    },
  })
  const system = () => house.system()

  it('are those of the host, in the language of the account', async () => {
    const agent = await house.addPerson('Sam', ['specialist'], { locale: 'de' })
    const team = await house.add('team', { name: 'Desk' })
    const body = { subject: 's', category: 'other', team_id: team, requested_by_id: agent }
    const decline = async () => {
      const request = await house.operations.save(await house.by(agent), 'request', null, body)
      await house.operations.save(await house.by(agent), 'request', Number(request['id']), { status: 'declined' })
      return (await house.table('notes')).at(-1)?.['text']
    }
    expect(await decline()).to.equal('Nobody takes it at Desk.')
    await house.accounts.put({ id: 'acme', name: 'Acme', locale: 'nl' })
    expect(await decline()).to.equal('Niemand bij Desk wil hem.')
    await house.accounts.put({ id: 'acme', name: 'Acme', locale: 'en' })
  })

  it('are at hand in rules of the host', async () => {
    const team = await house.add('team', { name: 'Greeters' })
    expect((await house.row('team', team))?.['remarks']).to.equal('Hello Eva As it is {team}')
  })

  it('tell why a recurrence was refused', async () => {
    const mia = await house.addPerson('Mia', ['change_manager'])
    const provider_id = await house.add('organization', { name: 'Provider' })
    const service_id = await house.add('service', { name: 'Mail', provider_id, change_manager_id: mia })
    house.clock.set('2026-10-23T09:00:00Z')
    const template = await house.add('change_template', {
      ...{
        subject: 'Patch',
        category: 'standard',
        change_type: 'infrastructure_change',
        justification: 'maintenance',
        service_id,
      },
      recurrence: { frequency: 'daily', day: '0,1,2,3,4,5,6', time_of_day: '22:00', time_zone: 'Amsterdam' },
    })
    await house.operations.save(await system(), 'change_template', template, { category: null, justification: null })
    house.clock.set('2026-10-23T20:00:00Z')
    await timersOf(house).fireDue()
    const [row] = await house.table('recurrences')
    expect(row?.['last_occurrence_errors']).to.equal('Category is wanted; Reason is wanted')
  })
})
