import { expect } from 'chai'
import { errorOf, refusalOf, withHouse } from '../../../support/house.js'

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

  it('are collected as far as a header can tell them, however many there are', async () => {
    const many = (count: number, name: string) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`${name}${n}`, n]))
    const ofBody = await submit(admin, 'site', null, { name: 'West', ...many(5_000, 'a') })
    expect(ofBody.ignored).to.have.length(1_000)
    const hours = { weekday: 'mon', time_from: '09:00', time_until: '17:00', ...many(5_000, 'b') }
    const ofParts = await submit(admin, 'calendar', null, { name: 'Shop', calendar_hours: [hours], ...many(400, 'a') })
    expect(ofParts.ignored).to.have.length(1_000)
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

  describe('in strict saves', () => {
    const strict = async (by: number, type: string, id: number | null, body: object) =>
      refusalOf(house.operations.submit(await house.by(by), type, { id, body, handling: 'strict' }))

    it('are refused, each by what is wrong with it and with everything else', async () => {
      const body = { colour: 'red', site_id: 5, created_at: null, id: 4, country: 'XX', attachment_ids: [] }
      expect(await strict(admin, 'site', null, body)).to.deep.equal([
        ['id', 'cannot_be_set'],
        ['name', 'blank'],
        ['country', 'inclusion'],
        ['created_at', 'cannot_be_set'],
        ['colour', 'unknown_field'],
        ['site_id', 'unknown_field'],
        ['attachment_ids', 'unknown_field'],
      ])
      expect(await strict(user, 'person', user, { information: 'x', vip: true, manager_id: admin })).to.deep.equal([
        ['vip', 'cannot_be_set'],
        ['manager_id', 'cannot_be_set'],
      ])
      expect((await house.row('person', user))?.['information']).to.equal(null)
    })

    it('are refused by name also when they are all that was sent', async () => {
      expect(await strict(admin, 'site', site, { nmae: 'North' })).to.deep.equal([['nmae', 'unknown_field', { near: 'name' }]])
    })

    it('are refused inside of parts, and where a record cannot have links', async () => {
      const hours = [{ weekday: 'mon', time_from: '09:00', time_until: '17:00', colour: 'red' }]
      expect(await strict(admin, 'calendar', null, { name: 'Strict', calendar_hours: hours })).to.deep.equal([
        ['calendar_hours.colour', 'unknown_field'],
      ])
      const contact = { label: 'work', protocol: 'email', uri: 'a@acme.example', colour: 'red' }
      expect(await strict(user, 'person', user, { contacts_attributes: [contact] })).to.deep.equal([
        ['contacts_attributes.colour', 'unknown_field'],
      ])
      const team = await house.add('team', { name: 'Strict desk' })
      const broadcast = { message: 'Hello', message_type: 'info', team_ids: [team] }
      expect(await strict(admin, 'broadcast', null, broadcast)).to.deep.equal([['team_ids', 'cannot_be_set']])
    })

    it('leave everything else as it is', async () => {
      const item = { id: site, body: { name: 'North', remarks: 'x' }, handling: 'strict' } as const
      const { row, ignored } = await house.operations.submit(await house.by(admin), 'site', item)
      expect([row['remarks'], ignored]).to.deep.equal(['x', []])
    })

    it('are not told by the hundred thousand', async () => {
      const body = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`${'x'.repeat(index % 300)}${index}`, 1]))
      const violations = await strict(admin, 'site', site, body)
      expect(violations).to.have.length(100)
      expect(violations.every(([name]) => String(name).length <= 100)).to.equal(true)
    })
  })

  it('do not keep others from what they do: imports, rules, the service itself', async () => {
    const outcomes = await house.operations.saveAll(await house.by(admin), 'site', [{ id: site, body: { colour: 'red' } }])
    expect(outcomes.map(({ outcome }) => outcome)).to.deep.equal(['unchanged'])
    expect((await house.operations.save(await house.by(admin), 'site', site, { colour: 'red' }))['id']).to.equal(site)
    const item = { id: site, body: { colour: 'red' } }
    expect((await house.operations.submit(await house.system(), 'site', item)).ignored).to.deep.equal(['colour'])
  })
})
