import { expect } from 'chai'
import { errorOf, withHouse } from '../support/house.js'

describe('fields that say nothing', () => {
  const house = withHouse()
  let admin = 0
  let user = 0
  let site = 0
  const submit = async (by: number, type: string, id: number | null, body: object) =>
    house.operations.submit(await house.by(by), type, { id, body })

  before(async () => {
    admin = await house.addPerson('Ada Admin', ['account_administrator'])
    user = await house.addPerson('Uma User')
    site = await house.add('site', { name: 'North' })
  })

  it('are told to clients, in the order of the body', async () => {
    const { row, ignored } = await submit(admin, 'site', null, { updated_at: 1, name: 'South', colour: 'red', id: 7 })
    expect([row['name'], ignored]).to.deep.equal(['South', ['updated_at', 'colour', 'id']])
    expect((await submit(admin, 'site', site, { name: 'North' })).ignored).to.deep.equal([])
  })

  it('are not all that a client may send with a change', async () => {
    const alone = (by: number, type: string, id: number, body: object) => errorOf(submit(by, type, id, body))
    expect((await alone(admin, 'site', site, { colour: 'red' })).name).to.equal('Forbidden')
    expect((await alone(user, 'person', user, { name: 'Queen', vip: true })).name).to.equal('Forbidden')
    expect((await house.row('person', user))?.['name']).to.equal('Uma User')
    expect((await submit(admin, 'site', site, {})).ignored).to.deep.equal([])
  })

  it('are told of parts, too, and of links that the record cannot have', async () => {
    const hours = [{ weekday: 'mon', time_from: '09:00', time_until: '17:00', colour: 'red', id: 4 }]
    const calendar = await submit(admin, 'calendar', null, { name: 'Office', calendar_hours: hours, colour: 'red' })
    expect(calendar.ignored).to.deep.equal(['colour', 'calendar_hours.colour', 'calendar_hours.id'])
    const same = await submit(admin, 'calendar', Number(calendar.row['id']), { calendar_hours: hours })
    expect(same.ignored).to.deep.equal(['calendar_hours.colour', 'calendar_hours.id'])
    const contacts_attributes = [
      { label: 'work', protocol: 'email', uri: 'ada@acme.example', colour: 'red' },
      { label: 'home', telephone: '1', colour: 'blue', created_at: null },
    ]
    const person = await submit(user, 'person', user, { contacts_attributes })
    expect(person.ignored).to.deep.equal(['contacts_attributes.colour', 'contacts_attributes.created_at'])
    const team = await house.add('team', { name: 'Desk' })
    const broadcast = { message: 'Hello', message_type: 'info', team_ids: [team], service_instance_ids: [] }
    expect((await submit(admin, 'broadcast', null, broadcast)).ignored).to.deep.equal(['team_ids'])
  })

  it('do not keep others from what they do: imports, rules, the service itself', async () => {
    const outcomes = await house.operations.saveAll(await house.by(admin), 'site', [{ id: site, body: { colour: 'red' } }])
    expect(outcomes.map(({ outcome }) => outcome)).to.deep.equal(['unchanged'])
    expect((await house.operations.save(await house.by(admin), 'site', site, { colour: 'red' }))['id']).to.equal(site)
    const item = { id: site, body: { colour: 'red' } }
    expect((await house.operations.submit(await house.system(), 'site', item)).ignored).to.deep.equal(['colour'])
  })
})
